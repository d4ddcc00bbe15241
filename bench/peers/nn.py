"""Times network operations in PyTorch: those marked `bench` in bench/nn_ops.def.

The number of threads comes from OMP_NUM_THREADS.
"""
import json
import os
import re
import time

import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))


def median_ms(call, repeats):
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e3 * sorted(times)[repeats // 2]


def learns(*shape):
    return (torch.rand(shape) - 0.5).requires_grad_(True)


def matmul(rows, columns, depth, turned, _):
    a = torch.rand((depth, rows)).T if turned & 1 else torch.rand((rows, depth))
    b = torch.rand((columns, depth)).T if turned & 2 else torch.rand((depth, columns))
    return lambda: a @ b, []


def dense(batch, inputs, outputs, activation, _):
    x, weight, bias = learns(batch, inputs), learns(outputs, inputs), learns(outputs)
    after = (lambda z: z, torch.relu, torch.tanh)[activation]
    return lambda: after(F.linear(x, weight, bias)), [x, weight, bias]


def trunk(batch, inputs, outputs, *_):
    x, weight = learns(batch, inputs), learns(outputs, inputs)
    bias, gain, offset = learns(outputs), learns(outputs), learns(outputs)
    return (lambda: torch.tanh(F.layer_norm(F.linear(x, weight, bias), (outputs,), gain, offset)),
            [x, weight, bias, gain, offset])


def conv(batch, size, channels, layers, filters):
    pictures = torch.randint(0, 256, (batch, channels, size, size), dtype=torch.uint8)
    weights = [learns(filters, channels if k == 0 else filters, 3, 3) for k in range(layers)]
    biases = [learns(filters) for _ in range(layers)]

    def forward():
        x = pictures / 255.0 - 0.5  # without the random shift, which ours includes
        for k in range(layers):
            x = torch.relu(F.conv2d(x, weights[k], biases[k], stride=2 if k == 0 else 1))
        return x

    return forward, weights + biases


def penalty(batch, inputs, hidden, *_):
    x = learns(batch, inputs)
    w0, w1, w2 = learns(hidden, inputs), learns(hidden, hidden), learns(1, hidden)
    b0, b1 = learns(hidden), learns(hidden)

    def whole():
        y = F.linear(torch.relu(F.linear(torch.relu(F.linear(x, w0, b0)), w1, b1)), w2)
        gradient = torch.autograd.grad(y.sum(), x, create_graph=True)[0]
        torch.autograd.grad(((gradient.norm(2, dim=1) - 1) ** 2).sum(), [w0, w1, w2])

    return whole, None


def adam(count, _, target, *__):
    parameters, average = torch.nn.Parameter(torch.rand(count)), torch.rand(count)
    parameters.grad = torch.rand(count)
    optimizer = torch.optim.Adam([parameters], lr=1e-4)

    def step():
        optimizer.step()
        if target:
            average.lerp_(parameters.detach(), 0.005)

    return step, None


def follow(count, *_):
    target, source = torch.rand(count), torch.rand(count)
    return lambda: target.lerp_(source, 0.005), None


def report(work, ms):
    print(json.dumps({"work": work, "ms": ms}), flush=True)


def main():
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    torch.manual_seed(0)
    table = open(os.path.join(HERE, "../nn_ops.def")).read()
    rows = re.findall(r"^OP\(([^,]*), (\w+), (\d+), (\d+), (\d+), (\d+), (\d+)\)", table, re.M)
    for uses, kind, *size in rows:
        if "bench" not in uses:
            continue
        forward, inputs = globals()[kind](*map(int, size))
        work = f"nn {kind} {' '.join(size)}"
        repeats = 3 if kind == "conv" else 15
        if inputs is None:
            report(work, median_ms(forward, repeats))
            continue
        with torch.no_grad():
            ms = median_ms(forward, repeats)
        report(work + (" forward" if inputs else ""), ms)
        if inputs:
            y = forward()
            gradient = torch.rand_like(y)
            report(work + " backward",
                   median_ms(lambda: torch.autograd.grad(y, inputs, gradient, retain_graph=True), repeats))


if __name__ == "__main__":
    main()
