"""Judge a guess from the command line: ``python -m calscore.answers [--explain] LINE GUESS``."""

from __future__ import annotations

import argparse
import json

from .explain import describe, explain
from .parse import condition_met, parse


def main(arguments: list[str] | None = None) -> None:
    """Print the verdict; with --explain the tree of the line and why, with --json what a program reads."""
    parser = argparse.ArgumentParser("python -m calscore.answers", description=__doc__)
    parser.add_argument("line", help="a quizbowl answer line")
    parser.add_argument("guess")
    parser.add_argument("--read", default="", metavar="TEXT", help="what of the question was read")
    parser.add_argument("--question", help="the short-answer question that was asked")
    parser.add_argument("--tossup", help="the whole text of the quizbowl question")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--explain", action="store_true", help="the parse and the rules tried")
    form.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    line = parse(given.line)
    met = condition_met(line, given.read)
    found = explain(line, given.guess, met, given.question, given.tossup)
    if given.explain:
        print(describe(line, given.guess, found))
    elif given.json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        print(found.verdict, *([f"(ask: {found.ask})"] if found.ask else []))


if __name__ == "__main__":
    main()
