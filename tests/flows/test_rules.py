"""Every rule hands its function what the function names, and nothing that it does not take."""

import ast
import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path

import forked
import pytest
import yaml
from calscore.core import checksums
from calscore.core.package import FOLDER
from calscore.runner import bind
from flows.test_flows import FLOWS
from support import ROOT, configuration, planned, run_snakemake, with_package, workspace

FOR_SNAKEMAKE = {"code", "simulated", "made", "desk"}
"""What a rule has for Snakemake's or the captions' sake."""
WAITED_FOR = {
    "collect_raw": {"held"},
    "collect_options": {"held"},
    "collect_outputs": {"files"},
    "parse_release": {"outputs"},
    "parse_outputs": {"outputs"},
    "collect_tournament": {"files"},
    "parse_guesses": {"files"},
    "make_guesses": {"prompts", "corpus"},
    "tabulate_plan": {"prompts"},
    "execute_notebooks": {"checks"},
    "parse_options": {"asked", "replies"},
}
"""Inputs whose change, or lack, a rule has to notice, though its function finds them by a param."""


def functions_of(script: str) -> list:
    """The functions that a rule's script calls."""
    tree = ast.parse((ROOT / "workflow" / "scripts" / script).read_text(encoding="utf-8"))
    modules = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            modules |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return [
        getattr(importlib.import_module(modules[called.value.id]), called.attr)
        for called in tree.body[-1].value.args[1:]
    ]


def unread(name: str, entry: dict) -> set[str]:
    """Inputs of a rule that its function has to take."""
    return set(entry["input"]) - FOR_SNAKEMAKE - WAITED_FOR.get(name.split()[0], set())


def test_reading_the_rules_loads_no_tables():
    lines = [
        line
        for path in (ROOT / "workflow" / "rules").rglob("*.smk")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("from calscore")
    ]
    assert len(lines) > 5
    code = "\n".join([*lines, "import sys", "assert not {'pandas', 'pyarrow'} & {*sys.modules}"])
    subprocess.run([sys.executable, "-c", code], check=True, env=with_package())


@pytest.fixture(params=FLOWS)
def flow(request):
    """Results folder of each tiny study."""
    return request.getfixturevalue(request.param)


def jobs_of(folder: Path) -> dict[str, dict]:
    """Job → what the record of a study says of it."""
    record = json.loads((folder / "audit" / "provenance.json").read_text(encoding="utf-8"))
    return record["rules"] | record["desk"]


def test_functions_are_bound_by_name(flow):
    faults = []
    for name, entry in jobs_of(flow).items():
        functions = functions_of(entry["script"])
        taken = {k: v for f in functions for k, v in inspect.signature(f).parameters.items()}
        given = {*entry["input"], *entry["params"], *entry["wildcards"], *entry["names"], "threads"}
        if any(bind._type_name(one) == "Study" for one in taken.values()):
            # A study is read from its record, whatever its parameter is called.
            given |= {one.name for one in taken.values() if bind._type_name(one) == "Study"}
            taken["provenance"] = inspect.Parameter(
                "provenance", inspect.Parameter.KEYWORD_ONLY, default=None
            )
        rest = any(one.kind is one.VAR_KEYWORD for one in taken.values())
        for parameter in taken.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            if parameter.name not in given and parameter.default is parameter.empty:
                faults.append(f"{name}: nothing for {parameter.name}")
        for one in set() if rest else unread(name, entry) - set(taken):
            faults.append(f"{name}: the input {one} is not taken")
    assert faults == []


def test_log_times_and_checksum_bear_the_name_of_their_rule(flow):
    for entry in jobs_of(flow).values():
        others = [value for name, value in sorted(entry["wildcards"].items()) if name != "study"]
        name = "/".join([entry["script"].removesuffix(".py"), *others])
        assert entry["log"] == [f"results/{flow.name}/logs/{name}.log"]
        assert (flow / "benchmarks" / f"{name}.tsv").exists()
        assert len(entry["code_sha256"]) == 64


def test_whatever_of_the_package_a_job_uses_is_in_its_checksum(flow):
    """Declarations of tables aside."""
    missing, jobs = {}, [*(flow.parents[1] / forked.USED).iterdir()]
    for job in jobs:
        _, name, *_ = job.name.split(".")
        used = {*map(Path, job.read_text(encoding="utf-8").splitlines())}
        used = {path for path in used if not {"tables", "__pycache__"} & {*path.parts}}
        behind = checksums.code_behind(ROOT / "workflow" / "scripts" / f"{name}.py")
        if lacking := used - {*behind}:
            missing[name] = {path.relative_to(FOLDER).as_posix() for path in lacking}
    assert missing == {}
    assert len(jobs) > 5


def test_guesses_make_nothing_again_that_does_not_depend_on_them(tiny_buzz, tmp_path):
    """A model's guesses are added: neither the release nor what rests on its buzzes alone is made again."""
    config = configuration("tiny_buzz", "tests/flows")
    mine, guesses = tmp_path / "mine.yaml", tmp_path / "mine.jsonl"
    inputs = {"guesses": [{"path": str(guesses), "format": "jsonl"}]}
    config["studies"]["tiny_buzz"]["inputs"] = inputs
    guesses.write_text("{}\n")
    mine.write_text(yaml.safe_dump(config, sort_keys=False))
    asked = ("--dry-run", "--configfile", str(mine))
    run = planned(run_snakemake(*asked, cwd=tiny_buzz.parent.parent).stdout)
    assert {"parse_guesses", "judge_guesses", "tabulate_scores"} <= run
    of_people = {"parse_release", "parse_survey", "judge_survey", "tabulate_survey"}
    of_people |= {"collect_raw", "simulate_study", "parse_submissions", "write_prompts"}
    of_people |= {"tabulate_human", "plot_human", "fit_odds_ratios"}
    assert not of_people & run
    assert len(run) <= 28


def test_people_do_not_wait_for_guesses_where_no_clue_ends_at_one(tmp_path):
    """Clues of a length are cut from the questions alone, and so is all that rests on them and on buzzes."""
    study = configuration("tiny_buzz", "tests/flows")
    run = {}
    for name, cuts in (("given", ["sentence-100", "given"]), ("length", ["sentence-100"])):
        folder = workspace(tmp_path / name)
        study["options"]["segmentations"] = cuts
        (folder / "mine.yaml").write_text(yaml.safe_dump(study, sort_keys=False))
        wanted = "results/tiny_buzz/human/human_curve.parquet"
        asked = ("--dry-run", wanted, "--configfile", "mine.yaml")
        run[name] = planned(run_snakemake(*asked, cwd=folder).stdout)
    assert run["given"] == run["length"] | {"parse_guesses"}
    assert len(run["length"]) == 4


# bytes of config/config.yaml → what a run says in place of a traceback
UNREADABLE = [
    (b'studies: {a: {title: "caf\xe9"}}', r"config.yaml, column byte 26: found b'\xe9"),
    (b"studies: " + b"[" * 3000 + b"]" * 3000, "config.yaml: found 'more than 100 levels'"),
    (b"studies: {a: {simulate: {seed: 1}}, a: {}}", "found 'a twice', expected every key once"),
]


def test_the_default_configuration_is_read_before_snakemake_reads_it(tmp_path):
    (tmp_path / "config").mkdir()
    for content, words in UNREADABLE:
        (tmp_path / "config" / "config.yaml").write_bytes(content)
        done = run_snakemake("--dry-run", cwd=tmp_path, check=False)
        said = done.stdout + done.stderr
        assert done.returncode == 1 and words in said and "Traceback" not in said
