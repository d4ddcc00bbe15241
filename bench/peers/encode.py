"""The bodies of ResNet-50 and MobileNetV2 (up to the last feature map, batch norm folded by the
runtime, float32) in onnxruntime and OpenVINO. Prints the median time per picture as JSON lines
{"work": "RUNTIME encode NETWORK f32 batch N", "ms": ...}. A runtime that is not installed is
skipped.

usage: encode.py [--keep=FOLDER] NETWORK,BATCH [NETWORK,BATCH ...]   (threads: OMP_NUM_THREADS)

--keep saves the networks for batch size 1 in FOLDER, as NETWORK.onnx.
"""

import json
import os
import shutil
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import torch
import torchvision

ROUNDS, FEW_ROUNDS = 9, 5  # for one picture and for a batch, as on the C side


def body(network):
    if network == "mobilenetv2":
        return torchvision.models.mobilenet_v2(weights=None).features.eval()
    whole = getattr(torchvision.models, network)(weights=None)
    return torch.nn.Sequential(*list(whole.children())[:8]).eval()


def with_onnxruntime(path, x, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"x": x})


def with_openvino(path, x, threads):
    import openvino
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY",
                "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(path, "CPU", settings).create_infer_request()
    return lambda: request.infer({0: x})


def median(run, rounds):
    run()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times))


def main():
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    torch.manual_seed(0)
    keep = [word.split("=", 1)[1] for word in sys.argv[1:] if word.startswith("--keep=")]
    for word in sys.argv[1 + len(keep):]:
        network, batch = word.split(",")
        x = torch.rand(int(batch), 3, 224, 224)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "body.onnx")
            torch.onnx.export(body(network), (x,), path, input_names=["x"], output_names=["y"],
                              dynamo=False)
            if keep and batch == "1":
                shutil.copy(path, os.path.join(keep[0], f"{network}.onnx"))
            for name, make in (("onnxruntime", with_onnxruntime), ("openvino", with_openvino)):
                try:
                    run = make(path, x.numpy(), threads)
                except ImportError:
                    continue
                ms = median(run, ROUNDS if int(batch) == 1 else FEW_ROUNDS) / int(batch)
                print(json.dumps({"work": f"{name} encode {network} f32 batch {batch}", "ms": ms}),
                      flush=True)


if __name__ == "__main__":
    main()
