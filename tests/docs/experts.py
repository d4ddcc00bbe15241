"""Checks that the table of tasks in docs/world.md agrees with docs/experts.csv, and that with the list of tasks.

    experts.py SOURCE_FOLDER RATES_TOOL
"""
import csv
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
wrong = []


def check(task, what, told, meant):
    if told != meant:
        wrong.append(f"{task}: {what} is {told}, should be {meant}")


def percent(row, field):
    return f"{100 * int(row[field]) // int(row['episodes'])} %"


rows = {row["task"]: row for row in csv.DictReader(open(source / "docs/experts.csv"))}
tasks = [line.split(",") for line in subprocess.check_output([sys.argv[2]], text=True).split()]
check("docs/experts.csv", "the list of tasks", list(rows), [name for name, *_ in tasks])
table = dict(re.findall(r"^\| `([a-z-]+)` \|(.*)\|$", (source / "docs/world.md").read_text(), re.M))
for name, camera, horizon, hold in tasks:
    row = rows.get(name)
    if row is None:
        continue
    check(name, "camera", row["camera"], camera)
    check(name, "horizon", row["horizon"], horizon)
    check(name, "hold", row["hold"], hold)
    told = [cell.strip() for cell in table.get(name, "").split("|")]
    meant = [horizon, camera, percent(row, "ended"), percent(row, "ended_with_hold"), hold]
    check(name, "its row in docs/world.md", told[1:3] + told[4:], meant)
    kept = row["ended" if hold == "no" else "ended_with_hold"]
    check(name, "whether it has demonstrations", int(kept) > 0, True)
print("\n".join(wrong) if wrong else f"{len(tasks)} tasks")
sys.exit(1 if wrong else 0)
