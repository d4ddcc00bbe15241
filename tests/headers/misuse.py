#!/usr/bin/env python3
"""Writes a C program that calls every public function with NULL, zero, negative and huge arguments.

    misuse.py HEADER... --out FILE.c

The functions are read from the headers, so that none is forgotten; handles.h next to this script makes the handles
for calls with one wrong argument, and runs the calls."""
import argparse
import re

# sizes of the caller's buffers cannot be checked: huge sizes are only passed together with NULL
INDICES = {"index", "demo", "layer", "number", "row", "level", "threads", "status", "state", "type", "precision",
           "policy", "shift", "seed", "episode", "every", "n_step", "upto", "horizon", "first"}
UNSIGNED = {"size_t", "uint64_t", "uint32_t"}
HUGE = {"int": "INT_MAX", "int64_t": "INT64_MAX", "size_t": "SIZE_MAX", "uint64_t": "UINT64_MAX",
        "uint32_t": "UINT32_MAX"}


def functions(text):
    """(name, return type, [(type, name)]) of every function declared in a header."""
    for found in re.finditer(r"^TOT_API\s+([^;]*?);", text, re.M):
        words = re.sub(r"//[^\n]*", "", found[1])
        words = re.sub(r"\s+", " ", re.sub(r"TOT_PRINTF\(.*?\)", "", words)).strip()
        returned, name, inside = re.fullmatch(r"(.*?)\b(tot_\w+)\((.*)\)", words).groups()
        arguments = []
        for one in re.split(r",(?![^()]*\))", inside):
            one = one.strip()
            pointer = re.fullmatch(r"(.*)\(\*(\w+)\)\((.*)\)", one)
            plain = re.fullmatch(r"(.*?[ *])(\w+)(\[\d+\])?", one)
            if pointer:
                arguments.append(("function", pointer[2]))
            elif one != "void":
                arguments.append((plain[1].strip() + (" *" if plain[3] else ""), plain[2]))
        yield name, returned.strip(), arguments


def kinds(texts):
    """Names of the opaque types, function types and enumerations."""
    opaque = set(re.findall(r"^typedef struct (tot_\w+) \1;", texts, re.M))
    calls = set(re.findall(r"^typedef [^;{]*\(\*(tot_\w+)\)\(", texts, re.M))
    return opaque, calls, set(re.findall(r"^typedef enum (tot_\w+)", texts, re.M))


class Writer:
    def __init__(self, opaque, calls, enums):
        self.opaque, self.calls, self.enums = opaque, calls, enums

    def is_pointer(self, kind):
        return "*" in kind or kind == "function" or kind in self.calls

    def handle_of(self, kind):
        found = re.fullmatch(r"(?:const )?(tot_\w+) \*", kind.replace("*", " *").replace("  ", " "))
        return found[1] if found and found[1] in self.opaque else None

    def good(self, kind):
        """A valid argument, as far as zeros are valid."""
        if kind == "function" or kind in self.calls:
            return "NULL"
        if self.handle_of(kind):
            return f"HANDLE({self.handle_of(kind)})"
        if re.fullmatch(r"const char ?\*", kind):
            return '"misuse"'
        if "*" in kind:
            return "scratch()"
        return self.plain(kind, "1")

    def plain(self, kind, number):
        if kind in ("double", "float"):
            return {"huge": f"({kind})1e30", "nan": "NAN"}.get(number, number)
        if kind == "bool":
            return "true"
        if kind in HUGE:
            return HUGE[kind] if number == "huge" else "0" if number == "nan" else f"({kind})({number})"
        if kind in self.enums:
            return f"({kind}){HUGE['int'] if number == 'huge' else '0' if number == 'nan' else f'({number})'}"
        return f"({kind}){{0}}"

    def calls_of(self, arguments):
        """Yields lists of arguments, one per call."""
        for number in ("0", "-1", "huge", "nan"):
            yield ["NULL" if self.is_pointer(kind) else self.plain(kind, number) for kind, _ in arguments]
        good = [self.good(kind) for kind, _ in arguments]
        for place, (kind, word) in enumerate(arguments):
            others = [good[:place], good[place + 1:]]
            if self.is_pointer(kind):
                numbers = ["NULL"]
            elif kind in ("double", "float"):
                numbers = ["NAN", "-1", f"({kind})1e30"]
            else:
                numbers = [self.plain(kind, "0")]
                numbers += [] if kind in UNSIGNED else [self.plain(kind, "-1")]
                numbers += [self.plain(kind, "huge")] if word in INDICES else []
            for one in numbers:
                yield [*others[0], one, *others[1]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("headers", nargs="+")
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    texts = "\n".join(open(path).read() for path in sorted(given.headers))
    writer, table, lines = Writer(*kinds(texts)), [], []
    for name, _, arguments in functions(texts):
        count = 0
        lines.append(f"static void misuse_{name}(int number) {{")
        lines.append("    switch (number) {")
        for call in writer.calls_of(arguments):
            text = f"{name}({', '.join(call)})"
            lines.append(f"        case {count}: (void){text}; break;")
            count += 1
        lines += ["        default: break;", "    }", "}", ""]
        table.append(f'    {{"{name}", misuse_{name}, {count}}},')
    with open(given.out, "w") as file:
        file.write('// Written by misuse.py from the public headers.\n#include "handles.h"\n\n')
        file.write("\n".join(lines))
        file.write("\nstatic const misuse misuses[] = {\n" + "\n".join(table) + "\n};\n\n")
        file.write("int main(int argc, char **argv) {\n"
                   "    return misuse_all(misuses, sizeof misuses / sizeof *misuses, argc, argv);\n}\n")


if __name__ == "__main__":
    main()
