"""Compares ONNX networks with our own engine and with PyTorch. Needs the full peers (make peers-full) and OpenVINO.

    onnx_parity.py --program PATH

torchvision's ResNet-50 and MobileNetV2 with random weights are exported as ONNX and saved as .pth, and both are
encoded by the program; the cosine of every row is within 1e-6 of 1. The patch tokens and the class token of a
small vision transformer must equal PyTorch's. Exits 77 if something is not installed.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np

warnings.filterwarnings("ignore")
SKIPPED = 77
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def encode(program, folder, *options):
    command = [program, "encode", "--in", "frames.npy", "--out", "out.npy", "--quiet", "--overwrite", *map(str, options)]
    subprocess.run(command, cwd=folder, check=True)
    return np.load(folder / "out.npy").astype(float)


def cosine(a, b):
    a, b = a.reshape(len(a), -1), b.reshape(len(b), -1)
    return float(((a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)).min())


def frames(size, count=3):
    y, x = np.mgrid[:size, :size]
    made = [np.stack([x * (k + 1), y * 2, x + y + 40 * k], -1) % 256 for k in range(count)]
    noise = np.random.default_rng(0).integers(0, 64, (count, size, size, 3))
    return ((np.stack(made) * 3 + noise) // 4 % 256).astype(np.uint8)


def export(torch, model, path, size):
    torch.onnx.export(model, (torch.rand(1, 3, size, size),), str(path), input_names=["picture"],
                      dynamo=False)


def shake(torch, model):
    """Gives batch norms random scales, shifts, means and variances, so that they have an effect."""
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            for tensor, low, high in ((module.weight, 0.6, 1.2), (module.bias, -0.2, 0.2),
                                      (module.running_mean, -0.2, 0.2), (module.running_var, 0.5, 1.5)):
                tensor.data.uniform_(low, high)
    return model.eval()


def compare_with_engine(torch, torchvision, program, folder, name, size=224):
    model = shake(torch, getattr(torchvision.models, name)(weights=None))
    body = model.features if name == "mobilenet_v2" else torch.nn.Sequential(*list(model.children())[:8])
    torch.save(model.state_dict(), folder / "w.pth")
    export(torch, body, folder / "net.onnx", size)
    np.save(folder / "frames.npy", frames(size))
    found = cosine(encode(program, folder, "--encoder", "net.onnx"), encode(program, folder, "--weights", "w.pth"))
    print(f"{name}: 1 - cosine {1 - found:.1e}")
    return found > 1 - 1e-6


def small_transformer(torch):
    """Two layers over patches of 16 pixels, with class token and position embeddings, as in ViT."""
    class Transformer(torch.nn.Module):
        def __init__(self, size=64, width=48):
            super().__init__()
            self.patch = torch.nn.Conv2d(3, width, 16, 16)
            self.token = torch.nn.Parameter(torch.randn(1, 1, width))
            self.place = torch.nn.Parameter(torch.randn(1, (size // 16) ** 2 + 1, width))
            layer = torch.nn.TransformerEncoderLayer(width, 4, 96, 0, "gelu", batch_first=True, norm_first=True)
            self.body = torch.nn.TransformerEncoder(layer, 2, torch.nn.LayerNorm(width), enable_nested_tensor=False)

        def forward(self, x):
            x = self.patch(x).flatten(2).transpose(1, 2)
            return self.body(torch.cat([self.token.expand(len(x), -1, -1), x], 1) + self.place)
    return Transformer().eval()


def compare_with_pytorch(torch, program, folder, size=64):
    model = small_transformer(torch)
    pictures = frames(size)
    np.save(folder / "frames.npy", pictures)
    export(torch, model, folder / "vit.onnx", size)
    x = torch.tensor(((pictures / 255.0 - MEAN) / STD).transpose(0, 3, 1, 2), dtype=torch.float32)
    with torch.no_grad():
        tokens = model(x).numpy().astype(float)
    patches = encode(program, folder, "--encoder", "vit.onnx")
    pooled = encode(program, folder, "--encoder", "vit.onnx", "--pool")
    worst = min(cosine(patches, tokens[:, 1:].transpose(0, 2, 1)), cosine(pooled, tokens[:, 0]))
    print(f"vision transformer: 1 - cosine {1 - worst:.1e}")
    return worst > 1 - 1e-6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    try:
        import onnx  # noqa: F401 (torch.onnx needs it)
        import torch
        import torchvision
    except ImportError as missing:
        print(f"skipped: {missing} (make peers-full)")
        return SKIPPED
    if '"OpenVINO", "status": "ok"' not in subprocess.run([program, "doctor", "--json"], capture_output=True,
                                                            text=True).stdout:
        print("skipped: no OpenVINO (scripts/deps --onnx)")
        return SKIPPED
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        good = [compare_with_engine(torch, torchvision, program, folder, name)
                for name in ("resnet50", "mobilenet_v2")]
        good.append(compare_with_pytorch(torch, program, folder))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
