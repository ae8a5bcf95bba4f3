"""What other programs import from ``calscore.answers``: few requirements, soon there, typed."""

import inspect
import io
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
import types
import typing
from concurrent.futures import ThreadPoolExecutor

import calscore.answers
import pytest
from calscore.answers import judge, parse
from calscore.answers.__main__ import main, main_by_old_name
from calscore.core.errors import DataError
from support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Requirement → the module that it brings, where that has another name.
MODULES = {"pystemmer": "Stemmer"}
SLOW_TO_LOAD = """
duckdb httpx jinja2 jsonschema matplotlib nbclient nbconvert numpy pandas pyarrow pygments scipy seaborn simpleeval
sklearn snakemake statsmodels tenacity tqdm yaml argparse asyncio concurrent.futures email http logging
multiprocessing pickle sqlite3 ssl subprocess unittest xml
"""

ONLY = """
import sys

allowed = sys.stdlib_module_names | {%s}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed:
            raise ModuleNotFoundError(f"blocked: {name}", name=name)

sys.meta_path.insert(0, Blocked())
"""
USE = """
from calscore.answers import condition_met, explain, from_dict, judge, parse, to_dict
from calscore.answers.__main__ import main

line = 'Battle of the Metaurus River [or Metauro until "Italy" is read; prompt on a battle]'
assert judge(line, "battle of metaurus river").verdict == "accept"
assert judge(from_dict(to_dict(parse(line))), "Metauro", condition_met(line, "in Italy")).rule == "too late"
assert judge("Spektor", "Qarth Spektor", question="who sang it").rule == "score"
assert judge("SN2", "SN2 reaction", tossup="Name this type of reaction.").rule == "said"
assert explain(line, "battle").clause == "prompt on a battle"
main(["--explain", line, "Metauro", "--read", "Italy"])
main(["--json", line])
"""


def requirements() -> set[str]:
    names = {re.match(r"[\w.-]+", one)[0] for one in PROJECT["dependencies"]}
    return {MODULES.get(name, name) for name in names}


def run(code: str, *options: str) -> subprocess.CompletedProcess:
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "workflow")


def test_the_engine_runs_with_the_base_requirements_alone():
    allowed = {"calscore", "cython_runtime", *requirements()}
    hook = ONLY % ", ".join(repr(name) for name in sorted(allowed))
    done = run(hook + USE)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "rule: too late" in done.stdout
    for name in ("pandas", "numpy", "snakemake"):  # the hook blocks
        assert f"blocked: {name}" in run(f"{hook}\nimport {name}").stderr


def test_every_base_requirement_is_needed():
    for name in requirements():
        hook = ONLY % ", ".join(repr(one) for one in {"calscore", *requirements()} - {name})
        assert f"blocked: {name}" in run(f"{hook}\nimport calscore.answers").stderr


def test_importing_it_loads_nothing_that_takes_long():
    """What makes an import slow, in place of the seconds, which depend on the machine."""
    code = (
        "import json, sys; before = set(sys.modules); import calscore.answers;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr[-2000:]
    loaded = set(json.loads(done.stdout))
    assert "calscore.answers" in loaded
    assert loaded & {*SLOW_TO_LOAD.split()} == set()
    assert not any(name.startswith("calscore.judging") for name in loaded)


def test_names_are_functions_whichever_module_came_first():
    import importlib

    for name in ("parse", "explain"):
        importlib.import_module(f"calscore.answers.{name}")
        assert isinstance(getattr(calscore.answers, name), types.FunctionType)


def signatures():
    for name in calscore.answers.__all__:
        one = getattr(calscore.answers, name)
        if inspect.isfunction(one):
            yield name, one
            continue
        for method, function in vars(one).items():
            if isinstance(function, property):
                function = function.fget
            if inspect.isfunction(function) and not method.startswith("_"):
                yield f"{name}.{method}", function


@pytest.mark.parametrize(("name", "function"), list(signatures()))
def test_what_others_call_is_annotated_and_explained(name, function):
    module = sys.modules[function.__module__]
    hints = typing.get_type_hints(function, vars(module))
    assert set(hints) - {"return"} == set(inspect.signature(function).parameters) - {"self"}
    assert "return" in hints
    assert inspect.getdoc(function)


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "workflow" / "calscore" / "py.typed").exists()


def piped(text):
    return io.TextIOWrapper(io.BytesIO(text if isinstance(text, bytes) else text.encode()))


def test_a_batch_is_judged_row_by_row(monkeypatch, tmp_path, capsys):
    prompt = {"line": 'tea [prompt on drink by asking "which?"]', "guess": "drink", "id": 3}
    given = json.dumps(prompt) + '\n\n{"line": "tea", "guess": null}\n'
    path = tmp_path / "in.jsonl"
    path.write_text(given, encoding="utf-8")
    for name in (str(path), "-"):
        monkeypatch.setattr("sys.stdin", piped("\ufeff" + given))
        main(["--jsonl", name])
        judged = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
        assert judged[0] == prompt | {
            "verdict": "prompt", "score": 0.5, "rule": "prompt", "certain": True, "ask": "which?",
        }  # fmt: skip
        assert [row["rule"] for row in judged] == ["prompt", "empty"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"guess": "tea"}', "row 1, column line: found None, expected text"),
        ('{"line": "tea"}', "row 1, column guess: found None, expected text, or null"),
        ('{"line": "tea", "guess": 3}', "row 1, column guess: found 3, expected text"),
        ("tea", "row 1: found 'tea', expected a JSON object"),
        ('{"line": "tea", "guess": "tea", "n": NaN}', "row 1: found"),
        ('{"line": "tea", "guess": "caf\u00e9"}'.encode("latin-1"), "row 1: found"),
        (json.dumps({"line": "a" * 10_001, "guess": "a"}), "row 1, column answer line: found"),
    ],
)
def test_a_bad_row_is_named(monkeypatch, capsys, text, message):
    monkeypatch.setattr("sys.stdin", piped(text))
    with pytest.raises(SystemExit) as left:
        main(["--jsonl", "-"])
    assert left.value.code == 64 and message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["tea", "tea", "--exit-code"], 0, ""),
        (["tea", "milk", "--exit-code"], 1, ""),
        (["tea [prompt on cha]", "cha", "--exit-code"], 2, ""),
        (["tea", "--exit-code"], 64, "--exit-code needs one line and one guess"),
        (["--jsonl", "-", "--explain"], 64, "--explain is for one line"),
    ],
)
def test_the_verdict_is_an_exit_code(capsys, arguments, code, message):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == code and message in capsys.readouterr().err


def test_what_the_terminal_cannot_write_is_escaped():
    words = ["-m", "calscore.answers", 'tea [prompt on cha by asking "café?"]', "cha"]
    command = [sys.executable, *words, "--exit-code"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (2, "prompt (ask: caf\\xe9?)\n", "")


def test_a_reader_that_has_enough_is_no_error():
    command = f'yes \'{{"line": "tea", "guess": "tea"}}\' | head -5000 | {sys.executable} -m calscore.answers --jsonl - | head -1'
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert '"accept"' in run.stdout and run.stderr == ""


@pytest.mark.parametrize("guess", [1984, b"1984", ["1984"], 1984.0, True])
def test_a_guess_that_is_no_text_is_refused(guess):
    with pytest.raises(DataError, match="guess: found .*, expected text, or None for no guess"):
        judge("1984", guess)


def test_the_old_command_says_its_new_name(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["judge", "tea", "tea"])
    main_by_old_name()
    output = capsys.readouterr()
    assert output.out == "accept\n" and "calscore-judge" in output.err
    scripts = [PROJECT["scripts"][name] for name in ("calscore-judge", "judge")]
    assert [one.rpartition(":")[2] for one in scripts] == ["main", "main_by_old_name"]


def test_blank_questions_are_none():
    for blank in (" ", "\n", ""):
        assert judge("tea", "milk", tossup=blank) == judge("tea", "milk")
        assert judge("tea", "milk", question=blank) == judge("tea", "milk")


def test_threads_share_a_line():
    """Long lines, worked out by many threads at once, of which each is as if it were alone."""
    names = [f"Name{a}{b} Surname{b}{a}" for a in "abcdefgh" for b in "klmnopqr"]
    guesses = ["Surnameka", "Surnamekaa", "Surnamela", "N.L. Surnamelb", "IOU", "namebm surnamemb"]
    with ThreadPoolExecutor(8) as pool:
        for number in range(30):
            text = f"tea{number} [or " + " or ".join(names) + "; prompt on International Order]"
            alone = [judge(text + " ", guess) for guess in guesses]
            line = parse(text)
            barrier = threading.Barrier(8)

            def work(guess, line=line, barrier=barrier):
                barrier.wait()
                return judge(line, guess)

            found = list(pool.map(work, [guesses[i % len(guesses)] for i in range(8)]))
            assert found == [alone[i % len(guesses)] for i in range(8)]


@pytest.mark.parametrize(
    "line",
    [
        lambda count: "tea " + "[or a " * count + "]" * count,
        lambda count: "tea " + "(or a " * count,
        lambda count: "Tea " + "Dog’s " * count,
        lambda count: "tea [or " + "<u>a</u> " * count + "]",
        lambda count: "one hundred " * count,
        lambda count: "tea [" + "prompt on a, " * count + "]",
    ],
    ids=["nested", "open", "possessives", "marks", "numbers", "prompts"],
)
def test_any_line_below_the_limit_is_read(line):
    size = 10_000 // len(line(1))
    assert judge(line(size), "pear b").verdict in ("accept", "prompt", "reject")
    assert judge("tea [or cha]", line(size)).verdict in ("accept", "prompt", "reject")
    for texts in ((line(20_000), "pear"), ("pear", line(20_000))):
        with pytest.raises(DataError, match="expected at most 10,000 characters, not"):
            judge(*texts)
