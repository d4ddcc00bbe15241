"""A small ONNX network, written byte by byte: patches of a picture as tokens, preceded by a class token."""
import numpy as np

CHANNELS, PATCH = 6, 16


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def tensor(name, array):
    kind = {"float32": 1, "int64": 7}[str(array.dtype)]
    return part(5, b"".join(number(1, side) for side in array.shape) + number(2, kind) + part(8, name)
                + part(9, array.tobytes()))


def node(kind, inputs, output, **attributes):
    data = b"".join(part(1, name) for name in inputs) + part(2, output) + part(4, kind)
    for name, value in attributes.items():
        many = isinstance(value, (list, tuple))
        values = b"".join(number(8, one) for one in value) if many else number(3, value)
        data += part(5, part(1, name) + values + number(20, 7 if many else 2))
    return part(1, data)


def value(field, name, sides):
    """sides: 0 for any size."""
    shape = b"".join(part(1, number(1, side) if side else part(2, "any")) for side in sides)
    return part(field, part(1, name) + part(2, part(1, number(1, 1) + part(2, shape))))


def kernel():
    return (np.random.default_rng(7).standard_normal((CHANNELS, 3, PATCH, PATCH)) / 30).astype(np.float32)


def network(side=0, extra=b""):
    """The bytes of the file. side: of its pictures, 0 for any; extra: appended to the graph."""
    tokens = (side // PATCH) ** 2 if side else -1
    graph = (node("Conv", ["picture", "kernel"], "map", strides=[PATCH, PATCH])
             + node("Reshape", ["map", "flat"], "columns")
             + node("Transpose", ["columns"], "patches", perm=[0, 2, 1])
             + node("Concat", ["class", "patches"], "tokens", axis=1)
             + tensor("kernel", kernel()) + tensor("class", np.arange(CHANNELS, dtype=np.float32)[None, None])
             + tensor("flat", np.array([1, CHANNELS, tokens], np.int64))
             + value(11, "picture", [1, 3, side, side]) + value(12, "tokens", [0, 0, 0]) + extra)
    return number(1, 8) + part(7, graph) + part(8, part(1, "") + number(2, 17))


def expected(frames, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)):
    """The feature map, channels first, of frames whose sides are multiples of the patch size."""
    count, height, width, _ = frames.shape
    pictures = ((frames / 255.0 - mean) / std).transpose(0, 3, 1, 2)
    patches = pictures.reshape(count, 3, height // PATCH, PATCH, width // PATCH, PATCH)
    return np.einsum("ncyixj,kcij->nkyx", patches, kernel().astype(float)).reshape(count, -1)
