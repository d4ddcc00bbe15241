"""Checks names: only public symbols begin with tot_, and every type has a single definition.

    symbols.py FOLDER [LIBRARY.a]

FOLDER is the source tree. Fails if a symbol of the static library begins with tot_ but no public header
declares it, if a symbol begins with neither tot_ nor the name of a station, if private code uses a name
in tot_ or TOT_ that is in no public header, or if two headers define the same type.
"""

import collections
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"| ?__attribute__\(\([^;]*?\)\)(?=;)", re.S)
PUBLIC = re.compile(r"\b(?:tot|TOT)_\w+")
# the end of a struct, union or enum with a body, and a typedef of anything else
BODY = re.compile(r"^(?:typedef )?(?:struct|union|enum)(?: (\w+))? \{.*?\}\s*(\w*);", re.S | re.M)
ALIAS = re.compile(r"^typedef (?!(?:struct|union|enum)\b)[^;{]*?\(?\*?(\w+)\)?(?:\([^;]*\)|\[[^;]*\])?\s*;", re.M)


def code_of(path: pathlib.Path) -> str:
    return COMMENT.sub(" ", path.read_text())


def types_of(text: str) -> set[str]:
    """The types that a header defines; an opaque `typedef struct x x;` does not count."""
    names = {name for pair in BODY.findall(text) for name in pair if name}
    return names | set(ALIAS.findall(text))


def symbols_of(library: str) -> set[str]:
    listed = subprocess.run(["nm", "-g", "--defined-only", library], capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in listed.stdout.splitlines() if len(line.split()) == 3}
    return {name for name in names if not name.startswith("__")}  # without the compiler's own, which sanitizers add


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    headers = {path: code_of(path) for path in sorted(folder.glob("include/temporalot/*"))}
    public = {name for text in headers.values() for name in PUBLIC.findall(text)}
    stations = tuple(path.name + "_" for path in (folder / "src").iterdir() if path.is_dir()) + ("soft_",)
    wrong = []

    private = [path for path in sorted((folder / "src").rglob("*")) if path.suffix in (".c", ".h", ".def")]
    for path in private:
        text = code_of(path)
        for name in sorted(set(PUBLIC.findall(text)) - public):
            wrong.append(f"{path}: {name} is private: call it by its station's name")
        if path.suffix == ".h":
            headers[path] = text

    places = collections.defaultdict(list)
    for path, text in headers.items():
        for name in types_of(text):
            places[name].append(str(path))
    wrong += [f"{name} is defined in {' and '.join(where)}" for name, where in places.items() if len(where) > 1]

    for name in sorted(symbols_of(sys.argv[2])) if len(sys.argv) > 2 else []:
        if name.startswith("tot_") and name not in public:
            wrong.append(f"symbol {name}: no header of include/ declares it")
        elif not name.startswith(("tot_", *stations)):
            wrong.append(f"symbol {name}: it carries neither tot_ nor the name of a station")
    print("\n".join(wrong) or f"{len(public)} public names, {len(places)} types")
    return 1 if wrong or not places else 0


if __name__ == "__main__":
    sys.exit(main())
