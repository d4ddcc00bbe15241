"""Files written by numpy are read exactly by the library, and the other way round.

    python numpy_roundtrip.py path/to/file_roundtrip_tool
"""
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

TYPES = ["f2", "f4", "f8", "u1", "b1", "i4", "i8"]
SHAPES = [(), (0,), (1,), (7,), (0, 5), (5, 0), (1, 9), (9, 1), (3, 4), (33, 65), (2, 3, 4),
          (3, 0, 2), (2, 1, 3, 2), (2, 3, 1, 2, 2), (1, 2, 2, 2, 1, 2, 2, 3)]
REFUSED = ["c8", "c16", "i1", "i2", "u2", "u4", "u8", "U3", "S3", "M8[ns]", "V4"]
E_FORMAT, E_UNSUPPORTED = 6, 7

tool, folder, checks = None, None, 0


def run(jobs):
    """Sends the jobs to the tool and returns its answers."""
    text = "".join("\t".join(job) + "\n" for job in jobs)
    done = subprocess.run([tool], input=text, capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    if done.returncode != 0 or len(answers) != len(jobs):
        sys.exit(f"the tool failed ({done.returncode}): {done.stderr}")
    return answers


def path(name):
    return os.path.join(folder, name)


def make(dtype, shape, generator):
    """Elements with any bit pattern (including NaN, infinity and subnormals); bools of 0 and 1."""
    count = int(np.prod(shape, dtype=np.int64))
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return generator.integers(0, 2, count).astype(bool).reshape(shape)
    raw = generator.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
    return raw.view(dtype)[:count].reshape(shape)


def expected(array):
    """What the library reads: native byte order, C order, float16 as float32, bool as uint8."""
    kind = {"f2": "f4", "b1": "u1"}.get(array.dtype.str[1:], array.dtype.str[1:])
    return np.ascontiguousarray(array.astype(np.dtype(kind))).reshape(array.shape)


def bits(array):
    return np.ascontiguousarray(array).view(np.uint8) if array.size else array.reshape(-1)


def compare(what, ours, wanted):
    """Checks type, shape and bits, except for the NaN payloads of widened float16."""
    global checks
    checks += 1
    if ours.dtype != wanted.dtype or ours.shape != wanted.shape:
        sys.exit(f"{what}: {ours.dtype}{ours.shape} where {wanted.dtype}{wanted.shape} was expected")
    ours, wanted = np.atleast_1d(ours), np.atleast_1d(wanted)
    if ours.dtype.kind == "f":
        # widening in numpy makes a signalling NaN quiet
        nan = np.isnan(wanted)
        if not np.array_equal(nan, np.isnan(ours)):
            sys.exit(f"{what}: NaN in other places")
        ours, wanted = np.where(nan, 0, ours), np.where(nan, 0, wanted)
    if not np.array_equal(bits(ours), bits(wanted)):
        sys.exit(f"{what}: the elements differ")


def all_arrays(generator):
    for code in TYPES:
        for shape in SHAPES:
            for order in "CF":
                for endian in "<>":
                    array = make(endian + code if code not in ("u1", "b1") else code, shape,
                                 generator)
                    yield f"{endian}{code} {shape} {order}", np.asarray(array, order=order)


def check_npy(arrays):
    jobs = []
    for k, (_, array) in enumerate(arrays):
        with open(path(f"in{k}.npy"), "wb") as file:
            np.lib.format.write_array(file, array, version=[(1, 0), (2, 0), (3, 0)][k % 3])
        jobs.append(("npy", path(f"in{k}.npy"), path(f"out{k}.npy")))
    for k, answer in enumerate(run(jobs)):
        what, array = arrays[k]
        if answer != "ok":
            sys.exit(f"{what}: {answer}")
        compare(what, np.load(path(f"out{k}.npy"), allow_pickle=False), expected(array))


def check_npz(arrays):
    """All arrays in one archive, read from both kinds (stored, deflated) and written as both."""
    named = {f"array {k}": array for k, (_, array) in enumerate(arrays)}
    for save, kind in ((np.savez, "stored"), (np.savez_compressed, "deflated")):
        save(path(f"{kind}.npz"), **named)
        for out in ("stored", "deflated"):
            again = path(f"{kind}-{out}.npz")
            answer = run([("npz", path(f"{kind}.npz"), again, out)])[0]
            if answer != "ok":
                sys.exit(f"{kind} to {out}: {answer}")
            check_zip(again, zipfile.ZIP_STORED if out == "stored" else zipfile.ZIP_DEFLATED)
            with np.load(again, allow_pickle=False) as loaded:
                if list(loaded.keys()) != list(named.keys()):
                    sys.exit(f"{again}: other names")
                for name, array in named.items():
                    compare(f"{again}:{name}", loaded[name], expected(array))
    for out in ("stored", "deflated"):
        same = [open(path(f"{kind}-{out}.npz"), "rb").read() for kind in ("stored", "deflated")]
        if same[0] != same[1]:
            sys.exit(f"{out}: equal arrays gave unequal files")
    # an array is found without a name if it is the only one or is called embeddings, others by name
    np.savez(path("one.npz"), only=np.arange(5, dtype=np.float32))
    np.savez(path("two.npz"), embeddings=np.arange(6.0), other=np.arange(7, dtype=np.int64))
    jobs = [("npy", path(name), path(f"pick{k}.npy"))
            for k, name in enumerate(["one.npz", "two.npz", "two.npz:other"])]
    if run(jobs) != ["ok"] * 3:
        sys.exit(f"picking an array: {run(jobs)}")
    for k, count in enumerate([5, 6, 7]):
        if len(np.load(path(f"pick{k}.npy"))) != count:
            sys.exit("picking an array: the wrong one")


def check_zip(name, method):
    """Python's zipfile and unzip find no errors."""
    with zipfile.ZipFile(name) as archive:
        if archive.testzip() is not None:
            sys.exit(f"{name}: {archive.testzip()} is damaged")
        for item in archive.infolist():
            if item.compress_type != method or item.date_time != (1980, 1, 1, 0, 0, 0):
                sys.exit(f"{name}: {item} is not as it should be")
    if shutil.which("unzip"):
        done = subprocess.run(["unzip", "-tqq", name], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"unzip -t {name}: {done.stdout}{done.stderr}")


def check_many_entries():
    """More entries than a zip file can have without the 64-bit fields."""
    answer = run([("many", "66000", path("many.npz"))])[0]
    if answer != "ok":
        sys.exit(f"66000 entries: {answer}")
    with zipfile.ZipFile(path("many.npz")) as archive:
        if len(archive.infolist()) != 66000:
            sys.exit(f"66000 entries: {len(archive.infolist())} are there")
    if shutil.which("unzip"):
        subprocess.run(["unzip", "-tqq", path("many.npz")], check=True)
    with np.load(path("many.npz")) as loaded:
        for k in random.Random(7).sample(range(66000), 100) + [65534, 65535, 65536, 65999]:
            if loaded[f"a{k}"] != k:
                sys.exit(f"66000 entries: a{k} is wrong")


def check_halves():
    """Every float16, written as such and widened back."""
    np.save(path("pairs.npy"), np.arange(65536, dtype=np.uint16).view(np.uint8))
    jobs = [("half", path("pairs.npy"), path("half.npy")),
            ("npy", path("half.npy"), path("single.npy"))]
    if run(jobs) != ["ok", "ok"]:
        sys.exit(f"halves: {run(jobs)}")
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    compare("halves", np.load(path("half.npy")), halves)
    compare("halves as floats", np.load(path("single.npy")), halves.astype(np.float32))


def check_refused():
    """Unsupported types are named; pickles are never loaded."""
    for code in REFUSED:
        np.save(path("bad.npy"), np.zeros(3, dtype=code))
        answer = run([("npy", path("bad.npy"), path("bad-out.npy"))])[0]
        descr = np.lib.format.dtype_to_descr(np.dtype(code))
        if not answer.startswith(f"error {E_UNSUPPORTED} ") or f"'{descr}'" not in answer:
            sys.exit(f"{code}: {answer}")
    bad = {
        "never unpickled": np.array([{"a": 1}, None], dtype=object),
        "structured": np.zeros(2, dtype=[("a", "<f4"), ("b", "<i8")]),
        "more than 8 dimensions": np.zeros((1,) * 9),
    }
    for words, array in bad.items():
        np.save(path("bad.npy"), array, allow_pickle=True)
        np.savez(path("bad.npz"), array)
        for name in ("bad.npy", "bad.npz"):
            answer = run([("npy", path(name), path("bad-out.npy"))])[0]
            if not answer.startswith(f"error {E_UNSUPPORTED} ") or words not in answer:
                sys.exit(f"{name}, {words}: {answer}")
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with zipfile.ZipFile(path("bad.npz"), "w", method) as archive:
            archive.write(path("in0.npy"), "a.npy")
        answer = run([("npy", path("bad.npz"), path("bad-out.npy"))])[0]
        if not answer.startswith(f"error {E_UNSUPPORTED} ") or f"method {method}" not in answer:
            sys.exit(f"method {method}: {answer}")
    if os.path.exists(path("bad-out.npy")):
        sys.exit("a refused file left something behind")


def main():
    global tool, folder
    tool = sys.argv[1]
    folder = tempfile.mkdtemp(prefix="temporalot-numpy-")
    try:
        np.seterr(all="ignore")
        arrays = list(all_arrays(np.random.default_rng(7)))
        check_npy(arrays)
        check_npz(arrays)
        check_many_entries()
        check_halves()
        check_refused()
        left = [name for name in os.listdir(folder) if name.endswith(".tmp")]
        if left:
            sys.exit(f"temporary files are left: {left}")
    finally:
        shutil.rmtree(folder)
    print(f"{checks} arrays the same both ways")


main()
