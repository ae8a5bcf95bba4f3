"""Judge a guess from the command line: ``python -m calscore.answers [--explain | --json] LINE [GUESS]``."""

from __future__ import annotations

import argparse
import json

from .explain import describe, explain
from .parse import condition_met, parse
from .serialize import to_dict


def main(arguments: list[str] | None = None) -> None:
    """Print the verdict; with --explain the tree of the line and why, with --json what a program reads.

    Without a guess the parse of the line is printed, as a tree or as JSON.
    """
    parser = argparse.ArgumentParser("python -m calscore.answers", description=__doc__)
    parser.add_argument("line", help="a quizbowl answer line")
    parser.add_argument("guess", nargs="?", help="without one, the parse of the line is shown")
    parser.add_argument("--read", default="", metavar="TEXT", help="what of the question was read")
    parser.add_argument("--question", help="the short-answer question that was asked")
    parser.add_argument("--tossup", help="the whole text of the quizbowl question")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--explain", action="store_true", help="the parse and the rules tried")
    form.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    line = parse(given.line)
    if given.guess is None:
        print(_json(to_dict(line)) if given.json else line.describe())
        return
    met = condition_met(line, given.read)
    found = explain(line, given.guess, met, given.question, given.tossup)
    if given.explain:
        print(describe(line, given.guess, found))
    elif given.json:
        print(_json(found.to_dict()))
    else:
        print(found.verdict, *([f"(ask: {found.ask})"] if found.ask else []))


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


if __name__ == "__main__":
    main()
