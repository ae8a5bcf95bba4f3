"""The workflow as a user runs it: to the end, byte for byte, partly rebuilt, and on bad input."""

import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
import yaml
from answer_lines import real
from calscore.answers.score import MODEL_FILE
from calscore.core import catalog, store
from calscore.runner import config
from flows.test_flows import FLOWS
from support import (
    ONLY_DEMO,
    ROOT,
    configuration,
    contents,
    copied,
    failing,
    flow,
    once,
    planned,
    run_snakemake,
    workspace,
)

DEMO_FEATURES = {"buzzes", "release", "guesses", "survey", "simulated", "published"}


def test_demo_makes_everything_that_its_inputs_allow(demo):
    expected = catalog.available_files(DEMO_FEATURES)
    missing = [path for path in expected if not (demo / path).exists()]
    assert not missing
    # No simulated study has the authors' own outputs; a small one has marks (tests/flows).
    truth = json.loads((demo / "simulated" / "truth.json").read_text())
    own = config.load(configuration("config"))["demo"]
    assert truth["seed"] == own["simulate"]["seed"]
    assert "SIMULATED DATA" in (demo / "figures" / "figure4.svg").read_text(encoding="utf-8")
    listed = set(pd.read_csv(demo / "audit" / "unavailable.csv")["product"])
    of_outputs = ("marks", "positions", "readings", "reading_cells", "rounding", "script_curves")
    tables = {f"tables/{name}.csv" for name in of_outputs}
    assert listed == tables | {"figures/marks.svg", "figures/marks.png"}


def again(factory, study: str) -> Path:
    """Results of a study that was run on one core."""
    if study != "demo":
        return flow(factory, study, "--cores=1")
    run = partial(run_snakemake, "--cores", "1", *ONLY_DEMO)
    return once(factory, "demo-again", lambda at: run(cwd=workspace(at))) / "results" / study


@pytest.mark.parametrize("study", ["demo", "tiny_choices", "tiny_irt", "tiny_tournament"])
def test_one_core_and_two_give_the_same_bytes(request, tmp_path_factory, study):
    first = contents(request.getfixturevalue(study))
    second = contents(again(tmp_path_factory, study))
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


SPLIT = (
    *("clues", "team_responses", "crowd", "human_curve", "dataset", "judgements", "responses"),
    *("judging_disagreements", "question_scores", "sh_scores", "model_scores", "reliability"),
)
"""Tables that several jobs make together where a study is split."""


@pytest.mark.parametrize("shards", [2, 5])
def test_a_study_that_is_split_has_the_same_bytes(demo, tmp_path, shards):
    assert not [*demo.rglob("shards"), *demo.rglob("*shard*.log")]
    results = workspace(tmp_path / "split") / "results" / "demo"
    (tmp_path / "split.yaml").write_text(f"options: {{shards: {shards}}}\n")
    files = [catalog.product(name, "table").file for name in SPLIT]
    asked = [f"results/demo/{file}" for file in files]
    configs = [str(ROOT / "config" / "config.yaml"), str(tmp_path / "split.yaml")]
    run_snakemake(*asked, "--configfile", *configs, *ONLY_DEMO, cwd=tmp_path / "split")
    for stage in ("judged", "human", "scores"):
        assert len([*(results / stage / "shards").iterdir()]) == shards
    assert [f for f in files if (results / f).read_bytes() != (demo / f).read_bytes()] == []


CONFIG = ("--configfile", "tiny_buzz.yaml")


def descendants(folder) -> dict[str, set[str]]:
    """Rule → itself and every rule that depends on it, from the workflow's own graph."""
    dot = run_snakemake("--rulegraph", *CONFIG, cwd=folder).stdout
    names = dict(re.findall(r'^\s*(\d+)\[label = "(\w+)', dot, re.MULTILINE))
    edges = [(names[a], names[b]) for a, b in re.findall(r"^\s*(\d+) -> (\d+)", dot, re.MULTILINE)]
    found = {name: {name} for name in names.values()}
    for _ in found:
        for first, second in edges:
            found[first] |= found[second]
    return found


def test_any_deleted_intermediate_is_rebuilt_with_what_depends_on_it(tiny_buzz, tmp_path_factory):
    """Every intermediate of the catalog, one after another."""
    results = copied(tmp_path_factory, "deletions", tiny_buzz)
    folder = results.parent.parent
    after = descendants(folder)
    files = [one.file for one in catalog.study_products(FLOWS["tiny_buzz"]) if one.kind == "table"]
    paths = [results / file for file in files if file.endswith(".parquet")]
    assert len(paths) > 30
    for path in paths:
        hidden = path.rename(f"{path}.away")
        rules = planned(run_snakemake("--dry-run", *CONFIG, cwd=folder).stdout) - {"default"}
        hidden.rename(path)
        producers = {rule for rule in rules if rules <= after[rule]}
        assert producers, f"{path}: {sorted(rules)} do not hang on one rule"


def test_a_changed_module_reruns_the_rules_that_rest_on_it(tmp_path):
    project, ignored = tmp_path / "project", shutil.ignore_patterns("__pycache__")
    for name in ("workflow", "config", "envs", "notebooks"):
        shutil.copytree(ROOT / name, project / name, ignore=ignored)
    own = ("--snakefile", str(shutil.copy(ROOT / "Snakefile", project)))
    flow = ("--configfile", str(ROOT / "tests" / "flows" / "tiny_buzz.yaml"))
    run_snakemake(*own, "results/tiny_buzz/human/teams.parquet", *flow, cwd=project)
    module = project / "workflow" / "calscore" / "human" / "curves.py"
    module.write_text(module.read_text(encoding="utf-8") + "\n# changed\n")
    rules = planned(run_snakemake(*own, "--dry-run", *flow, cwd=project).stdout)
    assert "estimate_human_curve" in rules
    assert not rules & {"simulate_study", "collect_raw", "parse_release"}


def mine(tmp_path, release_dir, **changes):
    """A study on the real release with other inputs, as a configuration file."""
    folder = workspace(tmp_path / "mine")
    raw = configuration("grace")
    raw["studies"]["grace"]["inputs"] |= {"release_dir": str(release_dir)} | changes
    (folder / "mine.yaml").write_text(yaml.safe_dump(raw))
    return folder


def test_a_wrong_password_is_one_clear_error(tmp_path, release_dir):
    folder = mine(tmp_path, release_dir)
    text = (folder / "mine.yaml").read_text().replace("password: buzzbuzz", "password: wrong")
    (folder / "mine.yaml").write_text(text)
    output = failing(folder, "--configfile", "mine.yaml")
    assert "password" in output
    assert "[public]ALL_final_buzzpoints_enc.zip" in output
    assert not (folder / "results" / "grace" / "tidy" / "questions.parquet").exists()


@pytest.mark.parametrize(
    ("study", "words"),
    [
        ("tiny_buzz", ["SIMULATED DATA", "Audit pages", "Checks", "Explorer", "regenerate_paper"]),
        ("tiny_irt", ["SIMULATED DATA", "irt_"]),
        ("tiny_choices", ["SIMULATED DATA", "option_reliability"]),
    ],
)
def test_the_report_holds_the_study(request, tmp_path_factory, study, words):
    results = request.getfixturevalue(study)
    folder = copied(tmp_path_factory, f"{study}-reported", results).parent.parent
    run_snakemake("--report", "report.html", "--configfile", f"{study}.yaml", cwd=folder)
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert [word for word in words if word not in text] == []


LATEX = """\\documentclass{{article}}
\\usepackage[utf8]{{inputenc}}
\\usepackage{{booktabs,graphicx}}
\\begin{{document}}
{}
\\end{{document}}
"""


def test_latex_compiles(demo, demo_options, tmp_path):
    compiler = shutil.which("pdflatex")
    if not compiler:
        pytest.skip("pdflatex is not installed")
    printed = {demo: ("table1", "table2", "table5"), demo_options: ("option_scores", "option_types")}  # fmt: skip
    for path in (study / "tables" / f"{name}.tex" for study in printed for name in printed[study]):
        document = tmp_path / path.name
        document.write_text(LATEX.format(path.read_text(encoding="utf-8")), encoding="utf-8")
        command = [compiler, "-interaction=nonstopmode", "-halt-on-error", document.name]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout[-1500:]
        assert document.with_suffix(".pdf").stat().st_size > 5000


def minimal(tiny_buzz, tmp_path, **inputs):
    """A study with as little said as possible: the archive and its password."""
    folder = workspace(tmp_path / "minimal")
    release = {"password": "buzzbuzz", "archive": {"name": "[public]ALL_final_buzzpoints_enc.zip"}}
    study = {"inputs": {"release_dir": str(tiny_buzz / "simulated"), "release": release} | inputs}
    (folder / "minimal.yaml").write_text(yaml.safe_dump({"studies": {"minimal": study}}))
    return folder


def test_a_survey_without_guesses_draws_the_players(tiny_buzz, tmp_path):
    folder = minimal(tiny_buzz, tmp_path, survey=str(tiny_buzz / "simulated" / "survey.csv"))
    run_snakemake("drawn", "--configfile", "minimal.yaml", cwd=folder)
    results = folder / "results" / "minimal"
    assert (results / "figures" / "figure5.svg").exists()
    assert not (results / "tables" / "table1.csv").exists()
    exposures = store.read(results / "tidy" / "exposures.parquet")
    assert set(exposures["source"]) == {"buzzed", "packet"}
    listed = set(pd.read_csv(results / "audit" / "unavailable.csv")["product"])
    assert "figures/figure5 (models)" in listed
    assert "figures/figure5 (players)" not in listed


def test_the_score_can_be_refitted(tiny_buzz, tmp_path):
    """A study that names labelled pairs fits its own score; on the same pairs it is ours."""
    pairs = real("answers", "evouna_dev.jsonl")
    work = minimal(tiny_buzz, tmp_path, equivalence_pairs=str(pairs))
    target = "results/minimal/judged/equivalence.json"
    run_snakemake(target, "--configfile", "minimal.yaml", cwd=work)
    mine = json.loads((work / target).read_text())
    ours = json.loads(MODEL_FILE.read_text(encoding="utf-8"))
    assert mine["intercept"] == pytest.approx(ours["intercept"], abs=1e-6)
    assert [f["name"] for f in mine["features"]] == [f["name"] for f in ours["features"]]
