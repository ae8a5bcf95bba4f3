"""The workflow as a user runs it: to the end, byte for byte, partly rebuilt, and on bad input."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from calscore.answers import judging
from calscore.audit import provenance
from calscore.core import catalog, config, store
from calscore.core.errors import DataError
from calscore.core.study import Study
from support import ONLY_DEMO, ROOT, contents, once, run_snakemake, workspace

DEMO_FEATURES = {"buzzes", "release", "guesses", "survey", "simulated", "published"}


def planned(stdout: str) -> set[str]:
    """Rules that a dry run lists in its table of jobs."""
    table = stdout.split("Job stats:")[-1].split("total")[0] if "Job stats:" in stdout else ""
    return set(re.findall(r"^(\w+) +\d+$", table, re.MULTILINE)) - {"all", "default", "job"}


def test_demo_makes_everything_that_its_inputs_allow(demo):
    expected = catalog.available(DEMO_FEATURES)
    missing = [path for path in expected if not (demo / path).exists()]
    assert not missing
    # No simulated study has the authors' own outputs; a small one has marks (tests/flows).
    listed = set(pd.read_csv(demo / "audit" / "unavailable.csv")["product"])
    tables = {f"tables/{name}.csv" for name in ("marks", "readings", "reading_cells", "rounding")}
    figures = {f"figures/{name}.{kind}" for name in ("marks", "forensics") for kind in ("svg", "png")}  # fmt: skip
    assert listed == tables | figures


def test_every_table_on_disk_is_valid(demo, grace):
    for folder in (demo, grace):
        tables = Study(folder).tables
        tables = {name: store.load(folder / one.path, name) for name, one in tables.items()}
        assert len(tables) >= 8
        for name, table in tables.items():
            assert not store.faults(table, name, parents=tables), name


def test_one_core_and_two_give_the_same_bytes(demo, tmp_path):
    folder = workspace(tmp_path / "again")
    run_snakemake("--cores", "1", *ONLY_DEMO, cwd=folder)
    first, second = contents(demo), contents(folder / "results" / "demo")
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


# Deleted file → rules that may run again, for files near the end; test_any_deleted_intermediate…
# holds all others against the rule graph.
DEPENDENTS = {
    "tables/buzz_positions.csv": {
        "tabulate_buzzes",
        "plot_buzzes",
        "check_claims",
    },
    "figures/figure4.svg": {"plot_buzzes"},
    "inference/incidence.parquet": {"tabulate_buzzes", "plot_buzzes", "check_claims"},
    "audit/unavailable.csv": {"collect_findings"},
}


def copied(demo, folder):
    """A copy of the demo study's working folder."""
    # As deep as the original, so that relative paths to the package stay what they were.
    return shutil.copytree(demo.parent.parent, folder, symlinks=True)


@pytest.fixture(scope="module")
def deletions(demo, tmp_path_factory):
    """Deleted file → rules that would run again; "" for none deleted."""
    made = (one.file for one in catalog.studied(DEMO_FEATURES) if one.kind == "table")
    paths = {*DEPENDENTS, *(path for path in made if path.endswith(".parquet"))}

    def plan(folder):
        copied(demo, folder)
        asked = [f"results/demo/{path}" for path in sorted(paths)]
        command = [sys.executable, ROOT / "tests" / "deletions.py", "plans.json", "", *asked, "--"]
        command += ["--snakefile", ROOT / "Snakefile", "--cores", "2", "--profile", "none"]
        done = subprocess.run(
            [*map(str, command), *ONLY_DEMO], cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

    plans = json.loads((once(tmp_path_factory, "deletions", plan) / "plans.json").read_text())
    assert len(plans) == 1 + len(paths)
    assert plans[""] == []
    return {
        path.removeprefix("results/demo/"): set(rules) - {"default"}
        for path, rules in plans.items()
    }


@pytest.mark.parametrize("path", DEPENDENTS)
def test_a_deleted_intermediate_rebuilds_only_what_depends_on_it(deletions, path):
    assert deletions[path], "nothing would be rebuilt"
    assert deletions[path] - provenance.DESK <= DEPENDENTS[path]


def descendants(folder) -> dict[str, set[str]]:
    """Rule → itself and every rule that depends on it, from the workflow's own graph."""
    dot = run_snakemake("--rulegraph", *ONLY_DEMO, cwd=folder).stdout
    names = dict(re.findall(r'^\s*(\d+)\[label = "(\w+)', dot, re.MULTILINE))
    edges = [(names[a], names[b]) for a, b in re.findall(r"^\s*(\d+) -> (\d+)", dot, re.MULTILINE)]
    found = {name: {name} for name in names.values()}
    for _ in found:
        for first, second in edges:
            found[first] |= found[second]
    return found


def test_any_deleted_intermediate_is_rebuilt_with_what_depends_on_it(demo, deletions):
    """Every intermediate of the catalog, one after another."""
    after = descendants(demo.parent.parent)
    paths = [path for path in deletions if path.endswith(".parquet")]
    assert len(paths) > 30
    for path in paths:
        producers = {rule for rule in deletions[path] if deletions[path] <= after[rule]}
        assert producers, f"{path}: {sorted(deletions[path])} do not hang on one rule"


def test_rebuilding_gives_the_same_bytes(demo, tmp_path_factory):
    folder = once(tmp_path_factory, "rebuilt", lambda folder: copied(demo, folder))
    results = folder / "results" / "demo"
    before = contents(results)
    (results / "human" / "human_curve.parquet").unlink()
    run_snakemake(*ONLY_DEMO, cwd=folder)
    after = contents(results)
    assert [name for name in before if before[name] != after.get(name)] == []


def test_a_changed_module_reruns_the_rules_that_rest_on_it(demo, tmp_path):
    project = tmp_path / "project"
    for name in ("workflow", "config", "envs", "notebooks"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, project / name, ignore=ignored)
    shutil.copy(ROOT / "Snakefile", project)

    def dry():
        command = [
            sys.executable,
            "-m",
            "snakemake",
            "--cores",
            "1",
            "--profile",
            "none",
            "--dry-run",
            *ONLY_DEMO,
        ]
        return planned(
            subprocess.run(command, cwd=project, capture_output=True, text=True, check=True).stdout
        )

    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--profile", "none"]
    subprocess.run(
        [*command, "results/demo/human/teams.parquet"], cwd=project, check=True, capture_output=True
    )
    module = project / "workflow" / "calscore" / "human" / "curves.py"
    module.write_text(module.read_text() + "\n# changed\n")
    rules = dry()
    assert "estimate_human_curve" in rules
    assert not rules & {"simulate_study", "collect_raw", "parse_release"}


def failing(folder, *arguments):
    """Output of a run that must fail, with no traceback in it."""
    result = run_snakemake(*arguments, cwd=folder, check=False)
    output = result.stdout + result.stderr
    assert result.returncode
    assert "Traceback" not in output, output[-3000:]
    return output


def mine(tmp_path, release_dir, **changes):
    """A study on the real release with other inputs, as a configuration file."""
    folder = workspace(tmp_path / "mine")
    raw = yaml.safe_load((ROOT / "config" / "grace.yaml").read_text())
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


def test_a_damaged_archive_is_one_clear_error(tmp_path, release_dir):
    theirs = tmp_path / "theirs"
    shutil.copytree(release_dir, theirs)
    archive = theirs / "[public]ALL_final_buzzpoints_enc.zip"
    archive.chmod(0o644)
    content = archive.read_bytes()[:50_000]
    archive.write_bytes(content)
    output = failing(mine(tmp_path, theirs), "--configfile", "mine.yaml")
    assert "column SHA-256" in output
    assert archive.read_bytes() == content


def test_bad_guesses_are_one_clear_error(tmp_path, release_dir):
    runs = tmp_path / "runs.jsonl"
    runs.write_text(
        json.dumps(
            {
                "model": "m",
                "elicitation": "logit",
                "question_id": "p01-q01",
                "position": 999,
                "confidence": 0.5,
            }
        )
        + "\n"
    )
    folder = mine(tmp_path, release_dir, guesses=[{"path": str(runs), "format": "jsonl"}])
    output = failing(folder, "--configfile", "mine.yaml")
    assert "runs.jsonl, row 1, column position: found 999, expected words heard, 1 to" in output


def test_a_misspelt_option_is_one_clear_error(tmp_path):
    folder = workspace(tmp_path / "typo")
    output = failing(folder, "--config", "onyl=demo")
    assert "did you mean 'only'?" in output


def test_the_authors_format_gives_the_tables(demo, tmp_path):
    """packetN_model_human_output.json files made from the demo's guesses give its MCE back."""
    questions = store.read(demo / "tidy" / "questions.parquet")
    guesses = store.read(demo / "tidy" / "guesses.parquet")
    guesses = guesses[(guesses["elicitation"] == "logit") & guesses["model"].isin(["M1", "M5"])]
    truth = json.loads((demo / "simulated" / "truth.json").read_text())
    assert (
        truth["seed"]
        == config.load(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))["demo"][
            "simulate"
        ]["seed"]
    )
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    words = dict(zip(questions["question_id"], questions["text"].str.split(), strict=True))
    for packet, of in questions.groupby("packet"):
        document = []
        for question in of.itertuples():
            entry = {"tossup_index": question.source_id, "position": []}
            for model, runs in guesses[guesses["question_id"] == question.question_id].groupby(
                "model"
            ):
                entry[model] = [
                    {
                        "run": " ".join(words[question.question_id][: run.position]),
                        "guess": run.guess,
                        "conf": run.mean_logprob,
                        "correctness": False,
                    }
                    for run in runs.itertuples()
                ]
            document.append(entry)
        (outputs / f"packet{packet}_model_human_output.json").write_text(json.dumps(document))
    raw = yaml.safe_load((ROOT / "config" / "grace.yaml").read_text())
    study = raw["studies"]["grace"]
    study["inputs"]["release_dir"] = str(demo / "simulated")
    for entry in study["inputs"]["release"].values():
        if isinstance(entry, dict):
            entry["sha256"] = None
    study["inputs"]["guesses"] = [{"path": str(outputs), "format": "model_output"}]
    folder = workspace(tmp_path / "theirs")
    (folder / "theirs.yaml").write_text(yaml.safe_dump(raw))
    run_snakemake(
        "results/grace/scores/question_scores.parquet", "--configfile", "theirs.yaml", cwd=folder
    )
    mine = store.read(folder / "results" / "grace" / "scores" / "question_scores.parquet")
    theirs = store.read(demo / "scores" / "question_scores.parquet")
    # The file's marks are all wrong; the engine's are those of the simulated guesses.
    assert set(mine["marks"]) == {"authors", "engine"}
    mine = mine[mine["marks"] == "engine"]
    key = ["segmentation", "definition", "model", "elicitation", "reduction", "question_id"]
    both = mine.merge(theirs, on=key)
    assert len(both) == len(mine) == 3 * 2 * 2 * 240
    assert (both["calscore_x"] - both["calscore_y"]).abs().max() < 1e-12
    assert (both["mce_x"] - both["mce_y"]).abs().max() < 1e-12


def test_manual_verdicts_win(demo, tmp_path):
    judgements = store.read(demo / "judged" / "judgements.parquet")
    questions = store.read(demo / "tidy" / "questions.parquet")
    one = judgements[judgements["verdict"] == "reject"].iloc[0]
    path = tmp_path / "overrides.csv"
    path.write_text(
        "question_id,guess,verdict,who,reason\n"
        f'{one.question_id},"{one.guess}",accept,editor,other name\n'
        f"{one.question_id},never guessed,reject,editor,typing\n"
    )
    overrides = judging.read_overrides(path, questions)
    table, findings = judging.judge(
        judgements[["question_id", "guess", "condition"]], questions, overrides
    )
    row = table[(table["question_id"] == one.question_id) & (table["guess"] == one.guess)].iloc[0]
    assert (row.verdict, row.score, row.rule, row.source) == (
        "accept",
        1.0,
        "other name (editor)",
        "override",
    )
    assert [f.finding for f in findings] == ["override without a guess"]
    path.write_text("question_id,guess,verdict,who,reason\np99-q01,x,maybe,,why\n")
    with pytest.raises(DataError) as error:
        judging.read_overrides(path, questions)
    assert [f.column for f in error.value.faults] == ["question_id", "verdict", "who"]


def test_report_says_that_it_is_simulated(demo):
    folder = demo.parent.parent
    run_snakemake("--report", "report.html", *ONLY_DEMO, cwd=folder)
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "SIMULATED DATA" in text
    figure = (demo / "figures" / "figure4.svg").read_text(encoding="utf-8")
    assert "SIMULATED DATA" in figure


@pytest.mark.parametrize("name", ["table1", "table2", "table5"])
def test_latex_compiles(demo, tmp_path, name):
    compiler = shutil.which("pdflatex")
    if not compiler:
        pytest.skip("pdflatex is not installed")
    body = (demo / "tables" / f"{name}.tex").read_text(encoding="utf-8")
    document = (
        "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n"
        + body
        + "\\end{document}\n"
    )
    (tmp_path / "x.tex").write_text(document, encoding="utf-8")
    result = subprocess.run(
        [compiler, "-interaction=nonstopmode", "-halt-on-error", "x.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout[-1500:]
    assert (tmp_path / "x.pdf").stat().st_size > 5000


def test_printed_tables_are_the_csv_rounded(demo):
    table = pd.read_csv(demo / "tables" / "table1.csv")
    text = (demo / "tables" / "table1.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith(("| verbalized", "| logit"))]
    assert len(lines) == len(table)
    for line, row in zip(lines, table.itertuples(), strict=True):
        assert f"{row.calscore:.3f} [{row.calscore_low:.3f}, {row.calscore_high:.3f}]" in line
        assert row.name in line


def test_a_model_that_the_config_does_not_name(demo, tmp_path):
    """The README's way to one's own model: a JSONL file and no further word."""
    guesses = store.read(demo / "tidy" / "guesses.parquet")
    one = guesses[(guesses["model"] == "M2") & (guesses["elicitation"] == "logit")]
    lines = [
        {
            "model": "mine",
            "elicitation": "logit",
            "question_id": g.question_id,
            "position": g.position,
            "guess": g.guess,
            "mean_logprob": g.mean_logprob,
        }
        for g in one.itertuples()
    ]
    (tmp_path / "my_runs.jsonl").write_text("\n".join(map(json.dumps, lines)))
    folder = minimal(
        demo, tmp_path, guesses=[{"path": str(tmp_path / "my_runs.jsonl"), "format": "jsonl"}]
    )
    run_snakemake("drawn", "--configfile", "minimal.yaml", cwd=folder)
    table = pd.read_csv(folder / "results" / "minimal" / "tables" / "table1.csv")
    assert set(table["name"]) == {"mine"}
    assert (folder / "results" / "minimal" / "figures" / "reliability.svg").exists()


def minimal(demo, tmp_path, **inputs):
    """A study with as little said as possible: the archive and its password."""
    folder = workspace(tmp_path / "minimal")
    release = {"password": "buzzbuzz", "archive": {"name": "[public]ALL_final_buzzpoints_enc.zip"}}
    study = {"inputs": {"release_dir": str(demo / "simulated"), "release": release} | inputs}
    (folder / "minimal.yaml").write_text(yaml.safe_dump({"studies": {"minimal": study}}))
    return folder


def test_a_survey_without_guesses_draws_the_players(demo, tmp_path):
    folder = minimal(demo, tmp_path, survey=str(demo / "simulated" / "survey.csv"))
    run_snakemake("drawn", "--configfile", "minimal.yaml", cwd=folder)
    results = folder / "results" / "minimal"
    assert (results / "figures" / "figure5.svg").exists()
    assert not (results / "tables" / "table1.csv").exists()
    exposures = store.read(results / "tidy" / "exposures.parquet")
    assert set(exposures["source"]) == {"buzzed", "packet"}
    listed = set(pd.read_csv(results / "audit" / "unavailable.csv")["product"])
    assert "figures/figure5 (models)" in listed
    assert "figures/figure5 (players)" not in listed


def test_the_score_can_be_refitted(demo, tmp_path):
    """A study that names labelled pairs fits its own score; on the same pairs it is ours."""
    folder = os.environ.get("CALSCORE_DATA", ROOT.parent / "shared" / "data")
    pairs = Path(folder) / "answers" / "evouna_dev.jsonl"
    if not pairs.exists():
        pytest.skip(f"real data absent: {pairs.name} (set CALSCORE_DATA)")
    work = minimal(demo, tmp_path, equivalence_pairs=str(pairs))
    run_snakemake(
        "results/minimal/judged/equivalence.json", "--configfile", "minimal.yaml", cwd=work
    )
    mine = json.loads((work / "results" / "minimal" / "judged" / "equivalence.json").read_text())
    ours = json.loads((ROOT / "workflow" / "calscore" / "data" / "equivalence.json").read_text())
    assert mine["intercept"] == pytest.approx(ours["intercept"], abs=1e-6)
    assert [f["name"] for f in mine["features"]] == [f["name"] for f in ours["features"]]
