"""Judge guesses from the command line: ``calscore-judge LINE GUESS``, or ``calscore-judge --jsonl FILE``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from ..core.errors import DataError
from .answerline import to_dict
from .explain import describe, explain, stands
from .hybrid_judge import judge
from .parse import condition_met, parse

EXIT_CODES = {"accept": 0, "reject": 1, "prompt": 2}
WRONG_USE = 64
_as_json = partial(json.dumps, ensure_ascii=False, indent=2)
_DESCRIPTION = """\
Says whether a guess is what a quizbowl answer line accepts, prompts on or rejects.
Without a guess it shows how the line is read.
"""
_EPILOG = """\
With --jsonl each row is an object with "line" and "guess", and "read", "question" or "tossup" where
there is one. The row comes back with "verdict", "score", "rule", "certain" and "ask".
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG_USE, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = _Parser("calscore-judge", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=form)
    parser.add_argument("line", nargs="?", help="the answer line")
    parser.add_argument("guess", nargs="?", help="the guess")
    parser.add_argument("--read", default="", metavar="TEXT", help="the text of the question that was read")
    parser.add_argument("--question", help="the short-answer question that was asked")
    parser.add_argument("--tossup", help="the whole text of the quizbowl question")
    parser.add_argument("--jsonl", metavar="FILE", help="judge each row of a file; - is standard input")
    parser.add_argument("--exit-code", action="store_true", help="exit with 0 accept, 1 reject, 2 prompt")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--explain", action="store_true", help="show the rules that were tried")
    output.add_argument("--json", action="store_true", help="print JSON")
    return parser


def main(arguments: list[str] | None = None) -> None:
    """Print the verdict on a guess, each row of ``--jsonl`` with its own, or a line that comes without guess.
    ``arguments``: None for ``sys.argv``. Exits with 64 for wrong use or data, or as ``--exit-code``."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.jsonl is None) is (options.line is None):
        parser.error("give an answer line, or --jsonl with a file")
    if options.exit_code and (options.jsonl or options.guess is None):
        parser.error("--exit-code needs one line and one guess")
    for name in ("read", "question", "tossup", "explain", "json") if options.jsonl else ():
        if getattr(options, name):
            parser.error(f"--{name} is for one line; with --jsonl a row says it")
    # What the terminal cannot write is escaped: a verdict is worth more than its letters.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        if options.jsonl:
            for row in _judged_rows(options.jsonl):
                print(json.dumps(row, ensure_ascii=False))
            return
        _judge_one(options)
    except DataError as error:
        parser.exit(WRONG_USE, f"{parser.prog}: {error}\n")
    except BrokenPipeError:
        # Whoever reads has enough; the interpreter must not write what is left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main_by_old_name() -> None:
    """:func:`main` under its old name ``judge``, with a note of the new name on standard error."""
    print("judge: this command is now calscore-judge; the next version has no judge", file=sys.stderr)
    main()


def _judge_one(options: argparse.Namespace) -> None:
    line = parse(options.line)
    if options.guess is None:
        print(_as_json(to_dict(line)) if options.json else line.describe())
        return
    met = condition_met(line, options.read)
    explanation = explain(line, options.guess, met, options.question, options.tossup)
    if options.explain:
        print(describe(line, options.guess, explanation))
    elif options.json:
        print(_as_json(explanation.to_dict()))
    else:
        ask = [f"(ask: {explanation.ask})"] if explanation.ask else []
        print(explanation.verdict, *ask)
    if options.exit_code:
        sys.exit(EXIT_CODES[explanation.verdict])


def _judged_rows(file: str) -> Iterator[dict[str, Any]]:
    """Judged rows, without blank ones, of a file ("-": standard input); ``DataError`` at a bad one."""
    piped, path = file == "-", Path(file)
    name = "standard input" if piped else path.name
    if not piped and (path.is_dir() or not path.exists()):
        raise DataError.at(name, "", "", None, "a file")
    with nullcontext(sys.stdin.buffer) if piped else path.open("rb") as rows:
        for number, raw in enumerate(rows, 1):
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise DataError.at(name, str(number), "", str(error), "text in UTF-8") from None
            if not text.strip():
                continue
            row = _checked_row(text, name, str(number))
            try:
                yield row | _judgement(row)
            except DataError as error:
                raise DataError(
                    replace(fault, file=name, row=str(number), column=fault.file) for fault in error.faults
                ) from None


def _judgement(row: dict[str, Any]) -> dict[str, Any]:
    """Keys ``verdict``, ``score``, ``rule``, ``certain`` and ``ask`` ('' without a question) of a row."""
    line = parse(row["line"])
    met = condition_met(line, row.get("read") or "")
    arguments = (line, row["guess"], met, row.get("question"))
    judged = judge(*arguments, tossup=row.get("tossup"))
    prompts = judged.verdict == "prompt"
    ask = explain(*arguments, tossup=row.get("tossup")).ask if prompts else ""
    return judged._asdict() | {"certain": stands(line, judged), "ask": ask}


def _checked_row(text: str, name: str, number: str) -> dict[str, Any]:
    try:
        row = json.loads(text, parse_constant=int)  # which refuses NaN and Infinity: they are no JSON
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise DataError.at(name, number, "", text.strip()[:60], "a JSON object")
    if not isinstance(row.get("line"), str):
        raise DataError.at(name, number, "line", row.get("line"), "text")
    if "guess" not in row:
        raise DataError.at(name, number, "guess", None, "text, or null for no guess")
    for field in ("guess", "read", "question", "tossup"):
        if not isinstance(row.get(field), str | None):
            raise DataError.at(name, number, field, row[field], "text")
    return row


if __name__ == "__main__":
    main()
