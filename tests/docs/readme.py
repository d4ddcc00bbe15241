"""The examples of README.md under "From the shell" run one after the other in an empty folder, each on files that
those before it made. Training and what takes longer is left out.

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
run = 0
with tempfile.TemporaryDirectory() as folder:
    for line in lines:
        words = line.split("#")[0]
        if shlex.split(words)[0] in LONG:
            continue
        done = subprocess.run(f"{shlex.quote(str(program))} {words}", shell=True, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{line}: exit {done.returncode}: {done.stderr}")
        run += 1
print(f"{run} examples")
sys.exit(0 if run >= 5 else f"only {run} examples in the README")
