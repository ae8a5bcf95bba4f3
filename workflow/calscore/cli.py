"""The command ``calscore``: each subcommand is the make target of the same name, with options in place of variables.

``calscore run grace --guesses mine.jsonl`` is ``make grace GUESSES=mine.jsonl``; ``calscore judge`` needs no checkout.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

RUN = (
    "guesses",
    "release",
    "outputs",
    "fetch",
    "survey",
    "results",
    "corpus",
    "runs",
    "config",
    "cores",
)
TARGETS = {
    "run": RUN,
    "explain": ("study", "table", "row", "column", "question"),
    "verify": ("study", "deep"),
    "compare": ("study",),
    "unlock": (),
}
"""Subcommand → options that its make target takes as variables, in capitals."""
HELP = {
    "run": "make a study and its report",
    "explain": "follow one number down to its raw rows",
    "verify": "recompute the checksums of a study",
    "compare": "say which numbers of two results or configurations differ",
    "unlock": "take away the lock of a run that was killed",
    "judge": "judge an answer by an answer line",
}


def parser() -> argparse.ArgumentParser:
    """Parser of the subcommands that stand for make targets."""
    top = argparse.ArgumentParser(prog="calscore", description=__doc__.partition("\n")[0])
    commands = top.add_subparsers(dest="command", required=True)
    for command, options in TARGETS.items():
        child = commands.add_parser(command, help=HELP[command])
        if command == "run":
            child.add_argument("target", metavar="study", help="grace, demo, tournament, …")
        if command == "compare":
            child.add_argument("a", help="results folder or configuration")
            child.add_argument("b", help="the other one")
        for option in options:
            child.add_argument(f"--{option}", default="")
    commands.add_parser("judge", help=HELP["judge"], add_help=False)
    return top


def make_command(arguments: list[str]) -> list[str]:
    """The call of make that a subcommand stands for."""
    values = vars(parser().parse_args(arguments))
    command = values.pop("command")
    target = values.pop("target", command)
    variables = [f"{name.upper()}={value}" for name, value in values.items() if value]
    return ["make", target, *variables]


def main() -> None:
    """Run the subcommand of the command line."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["judge"]:
        from .answers.__main__ import main as judge

        judge(arguments[1:])
        return
    command = make_command(arguments)
    if not Path("Makefile").exists():
        sys.exit("calscore: run this in a checkout of the workflow, where its Makefile is")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
