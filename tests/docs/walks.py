"""Checks that every function named in the walks in docs/design.md is defined in the file named next to it.

    walks.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
rows = re.findall(r"^\|[^|]*\| `(src/[^`]+)` \| `(\w+)` \|$", (source / "docs/design.md").read_text(), re.M)
missing = []
for path, name in rows:
    file = source / path
    # a definition starts at the beginning of a line: type, then name
    defined = file.exists() and re.search(rf"^[a-z][\w *]*\b{name}\(", file.read_text(), re.M)
    if not defined:
        missing.append(f"{path}: no {name}")
print(f"{len(rows)} steps" if not missing else "\n".join(missing))
sys.exit(1 if missing or len(rows) < 20 else 0)
