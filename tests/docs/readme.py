"""Runs the examples of README.md under "From the shell" in order in an empty folder, each on files made by the
previous ones, with short episodes and small pictures. Training and other slow commands are left out.

    readme.py SOURCE_FOLDER PROGRAM
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
text = (source / "README.md").read_text()
part = text[text.index("## From the shell"):]
lines = re.findall(r"^    build/temporalot (.+)$", part[:part.index("\n## ", 4)], re.M)
LONG = ("train", "reproduce", "sweep", "bench", "report")
SMALL = {"rollout": "--steps 20 --size 64", "label": "--size 64", "probe": "--size 64", "encode": "--size 64"}
run = 0
with tempfile.TemporaryDirectory() as folder:
    for line in lines:
        command, *_ = words = shlex.split(line.split("#")[0])
        if command in LONG:
            continue
        # the shell expands wildcards
        done = subprocess.run(f"{shlex.quote(str(program))} {' '.join(words)} {SMALL.get(command, '')}", shell=True, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{line}: exit {done.returncode}: {done.stderr}")
        run += 1
print(f"{run} examples")
sys.exit(0 if run >= 5 else f"only {run} examples in the README")
