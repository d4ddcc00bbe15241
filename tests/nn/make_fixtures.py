#!/usr/bin/env python3
"""Writes fixtures.txt: PyTorch's results for every operation in bench/nn_ops.def that is marked `fixture`.

    build/peers/bin/python tests/nn/make_fixtures.py

Inputs come from a counter-based generator that bench/nn_ops.h has as well, so only results are written. For
long arrays, some elements are stored, and the sum and the sum of squares.
"""
import os
import re

import numpy as np
import torch
import torch.nn.functional as F

FOLDER = os.path.dirname(os.path.abspath(__file__))
KEPT = 24


def words(array, count):
    with np.errstate(over="ignore"):
        x = (np.uint64(array) << np.uint64(40)) + np.arange(count, dtype=np.uint64)
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x >> np.uint64(32)


def numbers(array, shape, scale=1.0):
    count = int(np.prod(shape))
    unit = (words(array, count) >> np.uint64(8)).astype(np.float64) / (1 << 23) - 1
    return torch.tensor((np.float32(scale) * unit.astype(np.float32)).reshape(shape))


def learns(tensor):
    return tensor.requires_grad_(True)


def matmul(rows, columns, depth, turned, accumulate):
    a = numbers(0, (depth, rows) if turned & 1 else (rows, depth))
    b = numbers(1, (columns, depth) if turned & 2 else (depth, columns))
    c = (a.double().T if turned & 1 else a.double()) @ (b.double().T if turned & 2 else b.double())
    if accumulate:
        c = c + numbers(2, (rows, columns)).double()
    return {"product": c}


def dense(batch, inputs, outputs, activation, padding):
    x = learns(numbers(0, (batch, inputs + padding)))
    weight = learns(numbers(1, (outputs, inputs), 0.1 if inputs > 100 else 0.3))
    bias = learns(numbers(2, (outputs,), 0.5))
    y = F.linear(x[:, :inputs], weight, bias)
    y = (lambda z: z, torch.relu, torch.tanh)[activation](y)
    (y * numbers(100, (batch, outputs + padding))[:, :outputs]).sum().backward()
    return {"y": F.pad(y, (0, padding)), "dx": x.grad, "dweight": weight.grad, "dbias": bias.grad}


def trunk(batch, inputs, outputs, padding, activation):
    x = learns(numbers(0, (batch, inputs + padding)))
    weight = learns(numbers(1, (outputs, inputs), 0.5))
    bias, gain, offset = (learns(numbers(k, (outputs,), s)) for k, s in ((2, 0.5), (3, 1), (4, 0.5)))
    y = F.layer_norm(F.linear(x[:, :inputs], weight, bias), (outputs,), gain, offset)
    y = (torch.tanh, torch.relu)[activation](y)
    (y * numbers(100, (batch, outputs + padding))[:, :outputs]).sum().backward()
    return {"y": F.pad(y, (0, padding)), "dx": x.grad, "dweight": weight.grad, "dbias": bias.grad,
            "dgain": gain.grad, "doffset": offset.grad}


def conv(batch, size, channels, layers, filters):
    pictures = torch.tensor((words(200, batch * channels * size * size) & np.uint64(255))
                            .astype(np.float32).reshape(batch, channels, size, size))
    shifts = (words(201, 2 * batch) % np.uint64(9)).astype(int).reshape(batch, 2)
    padded = F.pad(pictures, (4, 4, 4, 4), mode="replicate")
    x = torch.stack([padded[k, :, sy:sy + size, sx:sx + size] for k, (sx, sy) in enumerate(shifts)])
    x = x / 255.0 - 0.5
    counts = [filters * (9 * (channels if k == 0 else filters) + 1) for k in range(layers)]
    flat = learns(numbers(0, (sum(counts),), 0.2))
    at = 0
    for k, count in enumerate(counts):
        ins = channels if k == 0 else filters
        weight = flat[at:at + count - filters].view(filters, ins, 3, 3)
        bias = flat[at + count - filters:at + count]
        x = torch.relu(F.conv2d(x, weight, bias, stride=2 if k == 0 else 1))
        at += count
    (x * numbers(100, x.shape)).sum().backward()
    return {"features": x, "dparameters": flat.grad}


def mse(count, *_):
    values = learns(numbers(0, (count,)))
    loss = F.mse_loss(values, numbers(1, (count,)))
    loss.backward()
    return {"loss": loss, "dvalues": values.grad}


def least(count, *_):
    first, second = learns(numbers(0, (count,))), learns(numbers(1, (count,)))
    lowest = torch.min(first, second)
    loss = -lowest.mean()
    loss.backward()
    return {"loss": loss, "lowest": lowest, "dfirst": first.grad, "dsecond": second.grad}


def bce(count, label, *_):
    logits = learns(numbers(0, (count,), 12))
    loss = F.binary_cross_entropy_with_logits(logits, torch.full((count,), float(label)),
                                              reduction="sum") / 16
    loss.backward()
    return {"loss": loss, "log_sigmoid": F.logsigmoid(logits), "dlogits": logits.grad}


def penalty(batch, inputs, hidden, *_):
    x = learns(numbers(0, (batch, inputs)))
    weights = [learns(numbers(1, (hidden, inputs), 0.4)), learns(numbers(3, (hidden, hidden), 0.4)),
               learns(numbers(5, (1, hidden), 0.4))]
    biases = [numbers(2, (hidden,), 0.5), numbers(4, (hidden,), 0.5), numbers(6, (1,), 0.5)]
    y = torch.relu(F.linear(x, weights[0], biases[0]))
    y = torch.relu(F.linear(y, weights[1], biases[1]))
    y = F.linear(y, weights[2], biases[2])
    gradient = torch.autograd.grad(y.sum(), x, create_graph=True)[0]
    loss = 10 / 256 * ((gradient.norm(2, dim=1) - 1) ** 2).sum()
    grads = torch.autograd.grad(loss, weights)
    return {"loss": loss, **{f"dweight{k}": g for k, g in enumerate(grads)}}


def adam(count, steps, target, *_):
    parameters = torch.nn.Parameter(numbers(0, (count,)))
    average = numbers(1, (count,))
    optimizer = torch.optim.Adam([parameters], lr=1e-2)
    for step in range(1, steps + 1):
        parameters.grad = numbers(300 + step, (count,))
        optimizer.step()
        if target:
            average.lerp_(parameters.detach(), 0.05)
    state = optimizer.state[parameters]
    return {"parameters": parameters, "first": state["exp_avg"], "second": state["exp_avg_sq"],
            "target": average}


def follow(count, *_):
    return {"target": numbers(0, (count,)).lerp(numbers(1, (count,)), 0.005)}


def main():
    torch.set_num_threads(1)
    table = open(os.path.join(FOLDER, "../../bench/nn_ops.def")).read()
    rows = re.findall(r"^OP\(([^,]*), (\w+), (\d+), (\d+), (\d+), (\d+), (\d+)\)", table, re.M)
    with open(os.path.join(FOLDER, "fixtures.txt"), "w") as out:
        for uses, kind, *size in rows:
            if "fixture" not in uses:
                continue
            size = [int(s) for s in size]
            for name, tensor in globals()[kind](*size).items():
                flat = tensor.detach().double().reshape(-1).numpy()
                step = max(1, len(flat) // KEPT)
                kept = " ".join(f"{value:.9g}" for value in flat[::step])
                out.write(f"{kind} {' '.join(map(str, size))} {name} {len(flat)} {step} "
                          f"{flat.sum():.12g} {(flat ** 2).sum():.12g} {kept}\n")


if __name__ == "__main__":
    main()
