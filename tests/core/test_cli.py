"""The command ``calscore`` and the make targets that it stands for."""

import re
import subprocess

import pytest
from calscore import cli
from support import ROOT

# arguments → call of make
CALLS = [
    ("run grace --guesses mine.jsonl", ["make", "grace", "GUESSES=mine.jsonl"]),
    ("run grace --fetch --guesses mine.jsonl", ["make", "grace", "FETCH=1", "GUESSES=mine.jsonl"]),
    ("verify --deep", ["make", "verify", "DEEP=1"]),
    ("run demo --cores 2", ["make", "demo", "CORES=2"]),
    ("explain --study demo --table table1 --row model=M1 --column mce", ["make", "explain", "STUDY=demo", "TABLE=table1", "ROW=model=M1", "COLUMN=mce"]),
    ("verify --study grace --deep 1", ["make", "verify", "STUDY=grace", "DEEP=1"]),
    ("compare results/demo mine.yaml", ["make", "compare", "A=results/demo", "B=mine.yaml"]),
    ("unlock", ["make", "unlock"]),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "call"), CALLS)
def test_a_subcommand_is_its_make_target(arguments, call):
    assert cli.make_command(arguments.split()) == call


# call of make → what it says of a variable that would have no effect
REFUSED = [
    ("demo GUESSES=mine.jsonl", "GUESSES has no effect on make demo; it is for grace"),
    ("models GUESSES=mine.jsonl", "GUESSES has no effect on make models; it is for grace"),
    ("grace RELEASE=x RUNS=mine.gz", "RUNS has no effect on make grace; it is for models"),
    ("GUESES=mine.jsonl", "GUESES has no effect on make grace; it is for no target"),
    ("verify STUDY=demo FETCH=1", "FETCH has no effect on make verify; it is for"),
    ("demo GUESSES= CORES=2", ""),
    ("grace GUESSES=a FETCH=1 SURVEY=b OUTPUTS=c RELEASE=d", ""),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_a_variable_without_effect_is_refused_in_a_line(arguments, message):
    command = ["make", "-n", *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (message in done.stderr) if message else not done.returncode, done.stderr
    assert bool(message) == bool(done.returncode) and len(done.stderr.splitlines()) <= 1


def test_help_names_the_studies_that_take_an_option():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    lists = dict(re.findall(r"^TAKEN_([a-z-]+) := (.*)$", makefile, re.MULTILINE))
    studies = set(re.search(r"^STUDIES := (.*)$", makefile, re.MULTILINE)[1].split())
    for option, meaning in cli.TARGETS["run"].items():
        takers = {goal for goal in studies & set(lists) if option.upper() in lists[goal].split()}
        stated = re.search(r"\(([a-z, -]+)\)$", meaning)
        assert option == "cores" or set(stated[1].split(", ")) == takers, option
    for command in set(cli.TARGETS) - {"run", "unlock"}:
        assert {option.upper() for option in cli.TARGETS[command]} <= set(lists[command].split())


def test_help_describes_every_option(capsys):
    with pytest.raises(SystemExit):
        cli.parser().parse_args(["run", "--help"])
    assert re.search(r"--guesses GUESSES\s+guesses of your own model", capsys.readouterr().out)


def test_every_subcommand_has_a_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert set(cli.TARGETS) - {"run"} <= targets
