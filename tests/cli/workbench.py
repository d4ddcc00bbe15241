"""Shared by the tests of commands: a folder to work in, running the program, and checks of its error messages."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback


chosen = argparse.Namespace()  # command line of the test; see read_arguments


class Failed(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Failed(text)


class Bench:
    """A fresh folder in which the program is run."""

    def __init__(self, program, preload, folder):
        self.program, self.preload, self.folder = os.path.abspath(program), preload, pathlib.Path(folder)

    def __truediv__(self, name):
        return self.folder / name

    def run(self, *arguments, environment=None, **options):
        command = [self.program, *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, **(environment or {})}, **options)

    def succeeds(self, *arguments, **options):
        done = self.run(*arguments, **options)
        check(done.returncode == 0, f"{arguments}: exit {done.returncode}: {done.stderr.strip()}")
        check(done.stderr == "", f"{arguments}: says {done.stderr!r} on standard error")
        return done.stdout

    def json(self, *arguments, **options):
        """Parses one object per line; NaN and Infinity are rejected, as they are not JSON."""
        def refuse(word):
            raise Failed(f"{arguments}: {word} is not JSON")
        return [json.loads(line, parse_constant=refuse) for line in self.succeeds(*arguments, **options).splitlines()]

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def fails(self, *arguments, names=(), code=1, **options):
        """Checks that the program fails with one line that contains these names, and changes no file in the folder."""
        before = {name: stamp(self / name) for name in self.files()}
        done = self.run(*arguments, **options)
        self.one_line(arguments, done, code)
        for name in names:
            check(str(name) in done.stderr, f"{arguments}: {done.stderr.strip()!r} does not name {str(name)!r}")
        after = {name: stamp(self / name) for name in self.files()}
        check(before == after, f"{arguments}: files changed: {sorted(set(before.items()) ^ set(after.items()))}")
        return done.stderr

    @staticmethod
    def one_line(arguments, done, code):
        codes = (code,) if isinstance(code, int) else code
        check(done.returncode in codes,
              f"{arguments}: exit {done.returncode}, expected {code}: {done.stderr.strip()!r}")
        check(done.stderr.count("\n") == 1 and done.stderr.endswith("\n") and len(done.stderr) > 15,
              f"{arguments}: not one line: {done.stderr!r}")


def stamp(path):
    return (path.is_dir(), 0 if path.is_dir() or path.is_symlink() else hash(path.read_bytes()[:1 << 20]))


def run_all(tests, program, preload, wanted):
    """Runs every test in its own folder. Returns the number of failures."""
    failed = 0
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            try:
                told = test(Bench(program, preload, folder))
                seconds = time.perf_counter() - begun
                print(f"ok      {test.__name__[5:]} ({seconds:.1f} s){': ' + told if told else ''}", flush=True)
            except Failed as why:
                failed += 1
                print(f"FAILED  {test.__name__[5:]}: {why}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {test.__name__[5:]}:\n{traceback.format_exc()}", flush=True)
    print(f"{failed} failed")
    return failed


def read_arguments(description=None):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--program", required=True)
    parser.add_argument("--preload")
    parser.add_argument("--sanitized", action="store_true", help="built with sanitizers: fewer of the same")
    parser.add_argument("tests", nargs="*")
    parser.parse_args(namespace=chosen)


def main(module):
    """Runs the functions named test_* in a module's globals(), or those given on the command line, and exits."""
    read_arguments(module["__doc__"])
    tests = [value for name, value in list(module.items()) if name.startswith("test_")]
    sys.exit(1 if run_all(tests, chosen.program, chosen.preload, chosen.tests) else 0)
