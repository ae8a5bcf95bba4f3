"""The command ``calscore``: each subcommand is the make target of the same name, with options in place of variables.

``calscore run grace --fetch --guesses mine.jsonl`` is ``make grace FETCH=1 GUESSES=mine.jsonl``; ``calscore judge``
needs no checkout.
"""

import argparse
import os
import sys
from pathlib import Path

STUDY = {"study": "folder of results/ (without it: grace)"}
TARGETS = {
    "run": {
        "fetch": "get the texts from their public addresses (grace, confidence-gap)",
        "guesses": "guesses of your own model, a .jsonl file (grace)",
        "release": "folder of the release with its texts (grace, models)",
        "outputs": "folder of the models' outputs (grace)",
        "survey": "answers of a survey, a .csv file (grace)",
        "results": "folder of the published results (confidence-gap)",
        "corpus": "file of past questions (models)",
        "runs": "file of runs on past questions (models)",
        "config": "configuration that is laid over those of the study (models)",
        "cores": "number of cores (without it: all)",
    },
    "explain": STUDY
    | {
        "table": "name of a table (without it: table1)",
        "row": "columns and values that name the row: model=M1,elicitation=logit",
        "column": "name of a column (without it: calscore)",
        "question": "id of a question to follow",
    },
    "verify": STUDY | {"deep": "make every file once more and compare"},
    "compare": {"study": "study to compare, where a configuration has several"},
    "unlock": {},
}
"""Subcommand → option → help; its make target takes the options as variables, in capitals."""
FLAG = {"nargs": "?", "const": "1", "choices": ["1"], "metavar": "1"}
FLAGS = {"fetch": FLAG, "deep": FLAG}
HELP = {
    "run": "make a study and its report",
    "explain": "follow one number down to its raw rows",
    "verify": "recompute the checksums of a study",
    "compare": "say which numbers of two results or configurations differ",
    "unlock": "take away the lock of a run that was killed",
    "judge": "judge an answer by an answer line",
}


def parser() -> argparse.ArgumentParser:
    """Parser of the subcommands: ``command``, options as text ('' if not given), ``target`` of run, ``a``, ``b`` of compare."""
    top = argparse.ArgumentParser(prog="calscore", description=__doc__.partition("\n")[0])
    commands = top.add_subparsers(dest="command", required=True)
    for command, options in TARGETS.items():
        child = commands.add_parser(command, help=HELP[command])
        if command == "run":
            child.add_argument("target", metavar="study", help="grace, demo, tournament, …")
        if command == "compare":
            child.add_argument("a", help="results folder or configuration")
            child.add_argument("b", help="the other one")
        for option, meaning in options.items():
            child.add_argument(f"--{option}", default="", help=meaning, **FLAGS.get(option, {}))
    commands.add_parser("judge", help=HELP["judge"], add_help=False)
    return top


def make_command(arguments: list[str]) -> list[str]:
    """The words of the make call that a subcommand stands for; options given are variables. Wrong ``arguments`` exit with 2."""
    values = vars(parser().parse_args(arguments))
    command = values.pop("command")
    target = values.pop("target", command)
    variables = [f"{name.upper()}={value}" for name, value in values.items() if value]
    return ["make", target, *variables]


def main() -> None:
    """Replace this process by the make call of the command line, or judge; exits with 1 outside a checkout."""
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
