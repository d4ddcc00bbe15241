"""Outputs of PyTorch's networks for weights and pictures that both languages can generate.

usage: make_fixtures.py FOLDER [MOBILENETV2_FILE [IMGSIM_FILE]]

Needs torch and torchvision (make peers-full). Writes FOLDER/NETWORK.csv with one row per value: network,
size and picture, the index into the flattened last feature map, and the value; index -1 is the largest
absolute value of the map. The networks run in double precision.

A number is a function of the name of its tensor and of its index, the same as in generated.h:
    mix(z)     = z + 0x9E3779B97F4A7C15, then the finaliser of SplitMix64, modulo 2^64
    bits(name, i) = mix(fnv1a64(name) + i)
    unit(name, i) = (bits >> 40) / 2^24                           in 0 .. 1, exact in float32
    convolutions: (2 unit - 1) * sqrt(6 / (weights per output channel))
    weight of a batch norm: 0.6 + 0.6 unit;  bias and running_mean: 0.4 unit - 0.2
    running_var: 0.5 + unit
    picture 0: bits("picture", i) >> 56;  picture 1: stripes and squares, see picture()
each computed in double precision and rounded to float32 once.
"""

import csv
import math
import pathlib
import sys

import numpy as np
import torch
import torchvision

NETWORKS = ["resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "mobilenetv2"]
SIZES = [224, 100]
# truncated after the last feature map of that stride: the number of layers that remain
CUTS = {"resnet18": {4: 5, 16: 7}, "resnet50": {8: 6}, "mobilenetv2": {4: 4, 8: 7, 16: 14}}
NUMBERS = 200
MEAN = torch.tensor([0.485, 0.456, 0.406], dtype=torch.float64)
DEVIATION = torch.tensor([0.229, 0.224, 0.225], dtype=torch.float64)


def bits(name, count):
    start = 0xCBF29CE484222325
    for letter in name.encode():
        start = (start ^ letter) * 0x100000001B3 % 2**64
    z = np.arange(count, dtype=np.uint64) + np.uint64(start)
    z += np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def unit(name, count):
    return (bits(name, count) >> np.uint64(40)).astype(np.float64) / 2**24


def tensor(name, shape):
    """The float32 values of the tensor of that name."""
    u = unit(name, math.prod(shape))
    if len(shape) == 4:
        numbers = (2 * u - 1) * math.sqrt(6 / math.prod(shape[1:]))
    elif name.endswith("running_var"):
        numbers = 0.5 + u
    elif name.endswith(".weight"):
        numbers = 0.6 + 0.6 * u
    else:
        numbers = 0.4 * u - 0.2
    return torch.from_numpy(numbers.astype(np.float32).reshape(shape))


def picture(which, size):
    if which == 0:
        return (bits("picture", size * size * 3) >> np.uint64(56)).reshape(size, size, 3)
    y, x, c = np.meshgrid(*map(np.arange, (size, size, 3)), indexing="ij")
    return (x * (c + 2) + 3 * y + 90 * ((x // 16 ^ y // 16) & 1)) & 255


def body(network):
    """The layers up to the last feature map, in double precision, and the names of their tensors."""
    if network == "mobilenetv2":
        whole = torchvision.models.mobilenet_v2(weights=None)
        return whole, whole.features
    whole = getattr(torchvision.models, network)(weights=None)
    return whole, torch.nn.Sequential(*list(whole.children())[:8])


def generated(network):
    whole, layers = body(network)
    state = whole.state_dict()
    for name, value in state.items():
        if value.is_floating_point() and not name.startswith(("fc.", "classifier.")):
            state[name] = tensor(name, tuple(value.shape))
    whole.load_state_dict(state)
    return layers.eval()


def in_order(network, path):
    """Loads a file whose tensors are in torchvision's order, whatever their names."""
    whole, layers = body(network)
    stored = torch.load(path, map_location="cpu", weights_only=True)
    stored = [value for name, value in stored.items() if name.split(".")[-2] != "fc"]
    state = dict(layers.state_dict())
    assert [value.shape for value in stored] == [value.shape for value in state.values()]
    layers.load_state_dict(dict(zip(state, stored)))
    return layers.eval()


def rows(label, layers, sizes):
    for size in sizes:
        for which in (0, 1):
            pixels = torch.from_numpy(picture(which, size).astype(np.float64) / 255)
            x = ((pixels - MEAN) / DEVIATION).permute(2, 0, 1)[None]
            with torch.no_grad():
                single = layers.float()(x.float()).flatten().double().numpy()
                out = layers.double()(x.double()).flatten().numpy()
            largest = np.abs(out).max()
            print(f"{label} {size} picture {which}: largest {largest:.4g}, "
                  f"{np.count_nonzero(out) / out.size:.0%} not zero, "
                  f"PyTorch's float32 off by {np.abs(single - out).max() / largest:.1e}")
            yield [label, size, which, -1, f"{largest:.9g}"]
            for k in range(NUMBERS):
                index = (k * 7919 + 13) * (out.size // NUMBERS + 1) % out.size
                yield [label, size, which, index, f"{out[index]:.9g}"]


def write(folder, label, layers, sizes):
    with open(folder / f"{label}.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["network", "size", "picture", "index", "value"])
        writer.writerows(rows(label, layers, sizes))


def main():
    folder = pathlib.Path(sys.argv[1])
    for network in NETWORKS:
        write(folder, network, generated(network), SIZES)
        for stride, count in CUTS.get(network, {}).items():
            write(folder, f"{network}_stride{stride}", generated(network)[:count], SIZES[1:])
    if len(sys.argv) > 2:
        write(folder, "mobilenetv2_file", in_order("mobilenetv2", sys.argv[2]), SIZES[:1])
    if len(sys.argv) > 3:
        write(folder, "imgsim_file", in_order("resnet50", sys.argv[3]), SIZES[:1])


if __name__ == "__main__":
    main()
