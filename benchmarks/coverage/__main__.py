"""``python -m benchmarks.coverage [--only PART] [--studies N] [--write]``; everything takes an hour."""

from __future__ import annotations

import argparse

import pandas as pd

from . import registry

parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
parser.add_argument("--only", action="append", choices=registry.PARTS, metavar="PART",
                    help=f"of {'; '.join(registry.PARTS)} (may be repeated)")  # fmt: skip
parser.add_argument("--studies", type=int, help="so many studies of each part")
parser.add_argument("--write", action="store_true", help="replace these rows of docs/coverage.csv")

if __name__ == "__main__":
    given = parser.parse_args()
    found = []
    for name in given.only or registry.PARTS:
        found.append(registry.measure(name, given.studies))
        print(found[-1].drop(columns="part").round(4).to_string(), flush=True)
    if given.write:
        registry.write(pd.concat(found))
