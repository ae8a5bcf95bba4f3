"""The auditor's desk: explanations, checks, database, manifest, comparison, notebooks, pages' data."""

import hashlib
import json
import re
import shutil
from inspect import signature

import duckdb
import numpy as np
import pandas as pd
import pytest
import yaml
from calscore.audit import checks, compare, database, explain, manifest
from calscore.audit.trace import Trace, ece
from calscore.core import catalog, check_result, store
from calscore.core.errors import DataError
from calscore.core.results_folder import Study
from calscore.core.store import read_csv
from calscore.pages import base, explorer, notebooks
from calscore.runner import job_records
from nbclient import NotebookClient
from support import ROOT, Replaced, configuration, failing


@pytest.fixture(scope="module")
def study(demo):
    return Study(demo)


@pytest.fixture(params=["demo", "grace_draft"])
def either(request):
    return Study(request.getfixturevalue(request.param))


@pytest.fixture
def copy(tiny_buzz, tmp_path):
    """A copy of a small study's working folder that may be damaged."""
    shutil.copytree(tiny_buzz.parent.parent, tmp_path / "run", symlinks=True)
    return tmp_path / "run" / "results" / "tiny_buzz"


def test_every_number_of_tables_1_2_and_5_is_recomputed_from_raw_rows(either):
    """Every number but ends of intervals and ranks."""
    trace = Trace(either, either.options)
    for name, key in explain.KEYS.items():
        again = explain.recompute(trace, name)
        numbers = [column for column in again if column not in key]
        outcome = check_result.compare_tables(either[name], again, key, numbers)
        assert outcome.failures == 0, outcome.detail
        assert len(numbers) > 2 and outcome.rows == len(either[name])
        resampled = either[name].select_dtypes("number").columns.difference([*numbers, *key])
        assert resampled.str.contains("_low$|_high$|_rank$").all()


def test_a_cell_is_explained_down_to_raw_rows(study):
    row = {"definition": "release", "elicitation": "logit", "model": "M3"}
    found = explain.explain(study, "table1", row, "calscore", "p03-q05")
    assert found.difference <= 1e-12
    titles = [step.title for step in found.steps]
    assert titles == ["Questions", "Clues of p03-q05", "Guesses and verdicts", "Buzzes"]
    questions, clues, guesses, buzzes = (step.rows for step in found.steps)
    assert len(questions) == 240
    assert questions["calscore"].mean() == pytest.approx(found.value, abs=1e-12)
    one = questions.set_index("question_id").loc["p03-q05"]
    assert 1 - clues["(1−h)·g·c"].mean() == pytest.approx(one["calscore"], abs=1e-12)
    assert guesses["source_row"].str.contains("#").all()
    assert set(buzzes["source_row"]) <= set(study["buzzes"]["source_row"])


@pytest.mark.parametrize(
    ("table", "row", "column", "words"),
    [
        ("table1", {"definition": "paper", "elicitation": "verbalized", "model": "M2"}, "ece", None),
        ("table2", {"reading": "released", "elicitation": "logit", "model": "M1"}, "60%", None),
        ("table5", {"definition": "paper", "level": "fine", "category": "Biology", "elicitation": "logit", "model": "M6"}, "mce", None),
        ("human_curve", {"segmentation": "given", "h_definition": "heard", "question_id": "p01-q02", "clue": "7"}, "h", None),
        ("question_scores", {"segmentation": "sentence-35", "definition": "paper", "model": "M4", "elicitation": "logit", "reduction": "exp_sum_logprob", "question_id": "p07-q01"}, "calscore", None),
        # What is resampled is explained by its formula and rows.
        ("table1", {"definition": "release", "elicitation": "logit", "model": "M2"}, "brier_rank", "rank among models"),
        ("table2", {"reading": "released", "elicitation": "logit", "model": "M1"}, "60%_low", "Wilson interval of right"),
        ("table5", {"definition": "paper", "level": "fine", "category": "Biology", "elicitation": "logit", "model": "M6"}, "mce_high", "Student's 95% interval"),
        ("table5", {"definition": "release", "level": "merged", "category": "Arts", "elicitation": "logit", "model": "M2"}, "calscore_two_way_low", "questions and human teams"),
    ],
)  # fmt: skip
def test_every_kind_of_cell(study, table, row, column, words):
    found = explain.explain(study, table, row, column)
    assert ("agrees" in explain.render(found)) == (words is None)
    if words is None:
        assert found.difference <= 1e-12
    else:
        assert found.recomputed is None and words in found.formula and found.steps


def test_other_tables_name_the_rule_and_its_inputs(study):
    found = explain.explain(study, "dataset", {"quantity": "questions"}, "value")
    assert found.recomputed is None
    assert found.rule == "estimate_human_curve"
    assert "tidy/questions.parquet" in explain.render(found)


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        ("definition=papier", "calscore", "expected one of paper, release"),
        ("definition=paper", "calscore", "one row; these 12 match"),
        ("definition=paper", "calscore", "\n  elicitation=verbalized,model=M1\n"),
        ("definition=paper,elicitation=logit,model=M1", "calscor", "calscore"),
        ("modell=M1", "calscore", "expected a column"),
        ("M1", "calscore", "column=value"),
    ],
)
def test_what_cannot_be_found_is_one_clear_error(demo, capsys, row, column, words):
    assert explain.main([str(demo), "table1", "--row", row, "--column", column]) == 2
    assert words in capsys.readouterr().err


# Nothing that is made from a damaged table is made again.
DESK = ["record_provenance", "check_tables", "write_pages", "write_ledger", "build_explorer"]
DESK += ["execute_notebooks", "write_manifest", "confirm_checks"]


@pytest.mark.full
def test_a_failed_check_fails_the_run(copy):
    curve = store.read(copy / "human" / "human_curve.parquet")
    curve.loc[3, "h"] = 1.0
    store.write(curve, "human_curve", copy / "human" / "human_curve.parquet")
    targets = ["results/tiny_buzz/audit/passed.txt", "--configfile", "tiny_buzz.yaml"]
    allowed = ["--rerun-triggers", "mtime", "--allowed-rules", *DESK]
    said = failing(copy.parent.parent, *targets, *allowed)
    assert "human_curve: curve of the buzzes: 1 of" in said
    assert "human/human_curve.parquet was changed after estimate_human_curve made it" in said
    assert not (copy / "audit" / "passed.txt").exists()
    changed = "human/human_curve.parquet: changed (made by estimate_human_curve)"
    assert manifest.verify(copy) == [changed]
    assert "curve of the buzzes" in (copy / "audit" / "index.html").read_text(encoding="utf-8")


def test_the_database_holds_every_table_and_answers_the_questions(demo, study, monkeypatch):
    connection = duckdb.connect(str(demo / "audit" / "study.duckdb"), read_only=True)
    for name, table in study.tables.items():
        count = connection.sql(f'SELECT count(*) FROM "{name}"').fetchall()[0][0]
        assert count == len(study[name]), table.file
    for view in database.views():
        connection.sql(f"SELECT * FROM {view} LIMIT 1").fetchall()
    value = connection.sql(
        "SELECT avg(h) FROM (SELECT avg(gc_release) AS h FROM terms WHERE model = 'M1' AND elicitation = 'logit' "
        "AND reduction = 'mean_prob' AND segmentation = 'sentence-100' GROUP BY question_id)"
    ).fetchall()[0][0]
    row = "definition == 'release' and model == 'M1' and elicitation == 'logit'"
    mce = study["table1"].query(row)["mce"].item()
    assert 1 - value == pytest.approx(mce, abs=1e-12)
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    assert queries
    for query in queries:
        assert connection.sql(query).fetchall(), query


def test_the_manifest_says_what_made_the_study(demo):
    content = manifest.load(demo)
    assert content["environment"]["packages"]["snakemake"]
    assert content["outputs"]["tables/table1.csv"]["rule"] == "tabulate_scores"
    assert content["outputs"]["simulated/guesses.jsonl"]["rule"] == "simulate_study"
    assert set(content["seconds"]) >= {"score_models", "check_tables"}
    assert content["seeds"]["options.seed"] == content["config"]["options"]["seed"]
    features = {"buzzes", "release", "guesses", "survey", "simulated", "published"}
    listed = {*catalog.available_files(features)}
    # The seal tells of the manifest.
    assert listed - {*manifest.AFTER} <= set(content["outputs"])
    assert manifest.main([str(demo)]) == 0


def test_a_changed_database_is_found_by_its_content(copy):
    path = copy / "audit" / "study.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CHECKPOINT")
    assert manifest.verify(copy) == []
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE buzzes SET correct = NOT correct WHERE rowid = 7")
        connection.execute("CREATE OR REPLACE VIEW failed_checks AS SELECT 1")
    changed = [f"audit/study.duckdb: {name} changed" for name in ("buzzes", "failed_checks")]
    assert manifest.verify(copy) == changed
    (copy / "tables" / "table1.csv").unlink()
    (copy / "stray.csv").write_text("x")
    path.write_bytes(b"nothing")
    problems = manifest.verify(copy)
    assert "tables/table1.csv: missing" in problems
    assert "stray.csv: not of this run" in problems
    assert any("cannot be read" in line for line in problems)


def test_what_another_run_left_is_no_output_of_this_one(copy):
    """A study that was run with guesses, and then without: its table 1 is still there."""
    record = json.loads((copy / "audit" / "provenance.json").read_text())
    left = record["rules"].pop("tabulate_scores")["output"]
    checked = read_csv(copy / "audit" / "checks.csv")
    content = manifest.build_manifest(copy, record, ROOT, checked)
    assert "tables/table1.csv" not in content["outputs"]
    assert "tabulate_scores" not in content["seconds"]
    assert set(checked["result"]) == {"pass"}
    assert content["checks"] == {"pass": checked["severity"].value_counts().to_dict()}
    (copy / manifest.NAME).write_text(json.dumps(content), encoding="utf-8")
    assert manifest.verify(copy)[0] == "audit/seal.js: not that of audit/manifest.json"
    (copy / manifest.SEAL).write_text(manifest.seal_script(content, False), encoding="utf-8")
    names = [path.removeprefix(record["folder"]) for path in left]
    assert manifest.verify(copy) == [f"{name}: not of this run" for name in sorted(names)]


@pytest.mark.parametrize("change", ["other", None])
def test_a_report_that_was_changed_is_named_by_verify(copy, change):
    report = copy / manifest.REPORT
    report.write_text("a report", encoding="utf-8")
    assert manifest.verify(copy) == []
    job_records.write_job_record("write_report", [report], copy / "logs" / "write_report.log")
    assert manifest.verify(copy) == []
    report.write_text(change, encoding="utf-8") if change else report.unlink()
    assert manifest.verify(copy) == ["report.html: missing or changed since it was written"]


def test_compare_names_numbers_and_the_first_rule(tiny_buzz, copy, capsys):
    assert compare.main([str(tiny_buzz), str(tiny_buzz)]) == 0
    table = read_csv(copy / "tables" / "table1.csv")
    table.loc[2, "ece"] += 0.125
    store.write_csv(table, copy / "tables" / "table1.csv")
    record = json.loads((copy / "audit" / "provenance.json").read_text())
    record["rules"]["tabulate_scores"]["params"]["level"] = 0.5
    (copy / "audit" / "provenance.json").write_text(json.dumps(record))
    capsys.readouterr()
    assert compare.main([str(tiny_buzz), str(copy)]) == 1
    text = capsys.readouterr().out
    assert "first difference made by tabulate_scores" in text
    assert "option level: 0.95 in A, 0.5 in B" in text
    result = compare.compare_runs(Study(tiny_buzz), Study(copy))[0]
    assert result[["table", "column", "differ"]].values.tolist() == [["table1", "ece", 1]]
    assert result["largest"].item() == pytest.approx(0.125)


@pytest.mark.full
def test_compare_runs_configuration_files(tiny_buzz, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    raw = configuration("tiny_buzz", "tests/flows")
    changed = {"quartile_rule": "rate", "min_n": 11, "extreme_questions": 9}
    raw["studies"]["tiny_buzz"]["options"] = changed
    (tmp_path / "other.yaml").write_text(yaml.safe_dump(raw))
    assert compare.main([str(tiny_buzz), str(tmp_path / "other.yaml")]) == 1
    text = capsys.readouterr().out
    assert "first difference made by tabulate_scores" in text
    assert "option extreme_questions: 10 in A, 9 in B" in text
    assert "extreme_questions" in text.split("largest")[1]


def test_every_column_of_the_tables_is_explained(study):
    notes = database.column_notes(study, {name: list(study[name]) for name in study.tables})
    assert notes[notes["description"] == ""][["table", "column"]].values.tolist() == []


def test_vendored_libraries_are_what_they_say():
    entries = json.loads((base.VENDOR / "vendor.json").read_text())
    named = {entry[key] for entry in entries for key in ("file", "licence_file")}
    assert named | {"vendor.json"} == {path.name for path in base.VENDOR.iterdir()}
    for entry in entries:
        for file, key in ((entry["file"], "sha256"), (entry["licence_file"], "licence_sha256")):
            content = (base.VENDOR / file).read_bytes()
            assert hashlib.sha256(content).hexdigest() == entry[key], file
        head = (base.VENDOR / entry["file"]).read_text(encoding="utf-8")
        assert entry["version"] in head[:200]
        assert "</script" not in head


def test_the_explorer_shows_what_the_tables_say(study):
    data = explorer.data(study)
    assert len(data["questions"]) == 240
    assert len(data["series"]) == 12
    series = next(s for s in data["series"] if (s["model"], s["elicitation"]) == ("M1", "logit"))
    shown = "segmentation == 'sentence-100' and definition == 'paper' and model == 'M1'"
    shown += " and elicitation == 'logit' and reduction == 'mean_prob'"
    scores = study["question_scores"].query(shown).set_index("question_id")[["mce", "calscore"]]
    for i in (0, 100, 239):
        q = data["questions"][i]["id"]
        assert series["scores"]["paper"][i] == scores.loc[q].round(6).tolist()
    assert sum(map(len, data["buzzes"])) == len(study["buzzes"])


def test_text_from_outside_cannot_leave_its_place():
    hostile = {"text": "</script><script>alert(1)</script><!-- "}
    held = base.embed(hostile)
    assert "</script" not in held
    assert "<!--" not in held
    assert json.loads(held) == hostile


def test_notebooks_ran_and_leave_no_trace_of_the_machine(demo):
    for path in sorted((demo / "notebooks").glob("*.ipynb")):
        content = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        assert code
        assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
        assert all(cell["metadata"] == {} for cell in content["cells"])
        assert all(o["output_type"] != "error" for cell in code for o in cell["outputs"])
        text = path.read_text(encoding="utf-8")
        assert str(demo.parent.parent) not in text
        assert not re.search(r"/tmp/|/home/|site-packages| at 0x", text), path.name
    written = {path.stem for path in (ROOT / "notebooks").glob("*.py")}
    assert written == {path.stem for path in (demo / "notebooks").glob("*.ipynb")}


def test_a_notebook_that_fails_is_one_clear_error_and_the_next_finds_nothing_of_it(demo, tmp_path):
    broken, later = tmp_path / "broken.py", tmp_path / "later.py"
    first = "# %%\nimport pandas as pd\nx = 1\npd.set_option('display.precision', 2)\n\n"
    broken.write_text(first + "# %%\nassert x == 2, 'not so'\n")
    seen = "'x' in globals(), pandas.get_option('display.precision')"
    later.write_text(f"# %%\nimport pandas\n\n# %%\n{seen}\n")
    with notebooks.kernel(demo, tmp_path) as client:
        with pytest.raises(DataError) as error:
            notebooks.execute(broken, client)
        (shown,) = notebooks.execute(later, client).cells[1].outputs
    fault = error.value.faults[0]
    assert (fault.file, fault.row) == ("broken.py", "broken-02")
    assert fault.value == "AssertionError: not so"
    assert (shown["execution_count"], shown["data"]["text/plain"]) == (2, "(False, 6)")


def test_a_kernel_that_does_not_start_is_said_in_a_line(tmp_path, monkeypatch):
    def dead(self, **_):
        raise RuntimeError("Kernel died before replying to kernel_info")

    monkeypatch.setattr(NotebookClient, "start_new_kernel_client", dead)
    refused = pytest.raises(DataError, match="notebooks.*Kernel died.*a kernel that starts")
    with refused, notebooks.kernel(tmp_path, tmp_path):
        pass


def test_a_check_reads_the_table_that_declares_it():
    for one in checks.checks():
        assert {"table", one.table} & {*signature(one.function).parameters}, (one.table, one.name)


@pytest.mark.parametrize("row", ["a=1,b", "a=1;b,c=2", "b"])
def test_a_part_of_a_row_without_a_value_is_refused(row):
    assert explain.parse_row("a=1,000; x, y,c=2") == {"a": "1,000; x, y", "c": "2"}
    with pytest.raises(DataError, match="found 'b', expected column=value, separated by commas$"):
        explain.parse_row(row)


def test_a_row_is_named_by_its_key_empty_cells_too(tiny_buzz):
    study = Study(tiny_buzz)
    for name in study.tables:
        table, key = study[name], explain.row_key(name)
        if not key or not len(table):
            continue
        last = table.iloc[-1]
        texts = {column: "" if pd.isna(last[column]) else str(last[column]) for column in key}
        found = explain.find_row(table, name, explain.parse_row(",".join(f"{c}={v}" for c, v in texts.items())))  # fmt: skip
        assert found.name == table.index[-1]
        for column in key:
            with pytest.raises(DataError, match="found 'none such', expected one of"):
                explain.find_row(table, name, {column: "none such"})


COUNTED = {
    "buzzes": [("dataset", "value"), ("matches", "model_points")],
    "guesses": [("thresholds", "buzzes"), ("thresholds", "buzz_rate"), ("live_questions", "word_live")],
    "scores": [("question_scores", "n_clues"), ("model_scores", "value")],
    "people": [("teams", "buzzes"), ("team_summary", "correct"), ("category_margins", "incorrect")],
    "ledger": [("statements", "cells"), ("statements", "cells_same")],
}  # fmt: skip
"""Numbers that can be counted again, whatever row they stand in."""


@pytest.mark.parametrize("room", COUNTED)
def test_a_changed_number_is_named(tiny_buzz, room):
    study = Study(tiny_buzz)
    for name, column in COUNTED[room]:
        table = study[name]
        for row in np.flatnonzero(table[column].notna())[[0, len(table) // 3, -1]]:
            frame = table.copy()
            whole = pd.api.types.is_integer_dtype(frame[column])
            frame.loc[row, column] += 1 if whole else 0.003 * max(1, abs(frame[column][row]))
            found = checks.check_rows(Replaced(study, name, frame), name)
            assert any(one["result"] == "fail" for one in found), (name, column, row)


def test_where_nobody_buzzed_no_bound_is_above_0(tiny_buzz):
    study = Study(tiny_buzz)
    table = study["buzz_positions"]
    empty = table.index[table["buzzes"] == 0][0]
    frame = table.assign(high=table["high"].mask(table.index == empty, 1.0))
    found = checks.check_rows(Replaced(study, "buzz_positions", frame), "buzz_positions")
    assert [one["check"] for one in found if one["result"] == "fail"] == ["twentieths"]


def test_an_ambiguous_row_lists_the_rows_that_match(tiny_buzz):
    """Whatever the table: some hold texts and empty cells in one column."""
    study = Study(tiny_buzz)
    for name in study.tables:
        table = study[name]
        if len(table) < 2 or table.columns[0] not in catalog.table(name)["columns"]:
            continue
        with pytest.raises(DataError, match=f"one row; these {len(table)} match:\n  [a-z_]+="):
            explain.find_row(table.drop(columns="marks", errors="ignore"), name, {})


def test_tables_of_any_two_runs_are_compared(tiny_buzz):
    """A side may have no rows, half of them, or the same row twice."""
    study = Study(tiny_buzz)
    for name in study.tables:
        table = study[name].head(40)
        sides = [table.head(0), table.head(len(table) // 2), pd.concat([table, table.head(1)])]
        for other in sides:
            for pair in ((table, other), (other, table), (other, other)):
                found = compare.compare_tables(name, *pair)
                assert bool(found) == (len(pair[0]) != len(pair[1])), name
    table = study["matches"]
    assert compare.compare_tables("matches", table, table.assign(elicitation=float("nan")))


@pytest.mark.filterwarnings("error")
def test_wide_tables_are_compared_and_no_rows_have_no_ece_without_a_warning():
    table = pd.concat([pd.Series([1.0], name=f"H{team}") for team in range(120)], axis=1)
    (row,) = compare.compare_tables("matches", table, table.assign(H7=2.0))
    assert (row["column"], row["differ"], row["largest"]) == ("H7", 1, 1.0)
    assert np.isnan([ece(pd.DataFrame({"c": [], "right": []}), name) for name in ("paper", "release")]).all()


def test_cells_that_are_arrays_are_compared():
    table = pd.DataFrame({"question_id": ["q1"], "parts": [np.array([0.1, 0.2])]})
    (row,) = compare.compare_tables("questions", table, table.assign(parts=[np.array([0.1, 0.3])]))
    assert (row["column"], row["differ"]) == ("parts", 1) and "[0.1 0.3] in B" in row["first"]


def test_a_text_that_one_side_lacks_is_not_printed():
    """A study of texts beside an extract without them: the text stays in its file, a number is named."""
    whole = pd.DataFrame({"question_id": ["q1"], "text": ["A secret clue."], "n_words": [3]})
    lacking = whole.assign(text=None, n_words=4)
    for sides, words in (((whole, lacking), "some in A, none in B"), ((lacking, whole), "none in A, some in B")):  # fmt: skip
        text, number = compare.compare_tables("questions", *sides)
        assert text["first"] == f"question_id=q1: {words}" and text["differ"] == 1
        assert "3 in" in number["first"] and "4 in" in number["first"]


def test_crowds_of_two_sizes_are_not_compared_without_a_word(tiny_buzz, tmp_path, capsys):
    fewer = tmp_path / "fewer"
    shutil.copytree(tiny_buzz, fewer)
    teams = pd.read_parquet(fewer / "human" / "teams.parquet")
    one = teams.index[teams["kind"] == "human"][0]
    teams.drop(index=one).to_parquet(fewer / "human" / "teams.parquet", index=False)
    warning = "A has 8 human teams, B 7: their h and CalScores cannot be compared"
    assert compare.main([str(tiny_buzz), str(fewer)]) == 1
    assert warning in capsys.readouterr().out
    assert compare.main([str(tiny_buzz), str(tiny_buzz)]) == 0
    assert "cannot be compared" not in capsys.readouterr().out


def test_studies_of_two_kinds_are_compared(tiny_buzz, tiny_irt, capsys):
    assert compare.main([str(tiny_buzz), str(tiny_irt)]) == 1
    assert "files differ" in capsys.readouterr().out


def test_a_configuration_that_does_not_run_says_why(tiny_buzz, tmp_path, monkeypatch, capsys):
    """Laid over nothing, and over the file that it is written for."""
    monkeypatch.chdir(tmp_path)
    for name in ("config", "workflow"):
        (tmp_path / name).symlink_to(ROOT / name)
    over = tmp_path / "over.yaml"
    over.write_text("studies: {grace: {inputs: {gueses: []}}}")
    for side in ("over.yaml", "config/grace.yaml over.yaml"):
        assert compare.main([str(tiny_buzz), side]) == 2
        said = capsys.readouterr().err
        assert f"{side} cannot be run" in said
        assert "did you mean 'guesses'?" in said
        assert "Using workflow specific profile" not in said


def test_changed_inputs_are_found_and_the_cure_is_named(tiny_buzz, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(tiny_buzz.parent.parent, run, ignore=shutil.ignore_patterns(".snakemake"))
    folder = run / "results" / "tiny_buzz"
    assert manifest.main([str(folder)]) == 0
    assert "1 inputs" in capsys.readouterr().out
    (run / "config" / "published" / "grace.yaml").write_text("changed: true")
    (folder / "tables" / "table1.csv").write_text("changed")
    assert manifest.main([str(folder)]) == 1
    said = capsys.readouterr().out
    assert "input config/published/grace.yaml: changed" in said
    assert "restore the file config/published/grace.yaml" in said
    assert "tables/table1.csv: changed (made by tabulate_scores)" in said
    assert "-R tabulate_scores" in said
    (run / "config" / "published" / "grace.yaml").unlink()
    content = json.loads((folder / manifest.NAME).read_text())
    content["inputs"] = {"guesses.jsonl": {"guesses.jsonl": "0"}}
    content["seal"] = manifest.content_seal(content)
    (folder / manifest.NAME).write_text(json.dumps(content))
    assert "input guesses.jsonl: missing" in manifest.verify(folder)


def test_a_value_outside_of_its_ends_is_named():
    """By each form of ends; what has none, or no value, is inside."""
    ends = {"p_low": [0.1, 0.3, None, 0.0], "p_high": [0.3, 0.4, None, 0.1]}
    table = pd.DataFrame({"p": [0.2, 0.2, 0.2, None], "low": 0.0, "high": [1, 1, 0.1, 1], **ends})
    assert check_result.outside_bounds(table, "p").tolist() == [False, True, False, False]
    assert check_result.outside_bounds(table, "p", "", "p_").tolist() == [False, True, True, False]


def test_a_failed_check_says_numbers_as_a_table_does():
    one, two = (pd.DataFrame({"model": ["a"], "value": [v], "n": [3]}) for v in (0.5, 0.25))
    found = check_result.compare_tables(one, two, ["model"], ["value", "n"])
    assert (found.failures, found.detail) == (1, "first: model=a: value 0.5, recomputed 0.25")


def test_resamples_of_ece_may_all_lie_above_it():
    """0.026 with resamples from 0.055 to 0.240 is what a small study gives; ends in disorder are not."""
    table = pd.DataFrame({"ece": [0.026], "ece_low": [0.055], "ece_high": [0.240]})
    assert check_result.bounds_around(table).failures == 0
    assert check_result.bounds_around(table.assign(ece_high=0.01)).failures == 1
    brier = table.rename(columns=lambda name: name.replace("ece", "brier"))
    assert check_result.bounds_around(brier).failures == 1


def test_a_model_asked_elsewhere_answers_by_its_last_guess_where_models_keep_their_cuts():
    """Of models that were asked where clues end, a clue without a guess has no row."""
    clues = pd.DataFrame({"segmentation": "authors", "question_id": "q", "clue": [1, 2, 3], "end_word": [4, 8, 9]})  # fmt: skip
    guesses = [("there", 4), ("there", 9), ("elsewhere", 4), ("elsewhere", 5)]
    verdicts = pd.DataFrame(guesses, columns=["model", "position"])
    verdicts = verdicts.assign(elicitation="verbalized", marks="engine", question_id="q", guess_row=range(4))  # fmt: skip
    traced = Trace({"clues": clues}, {"primary_segmentation": "authors"})
    traced.human = clues.drop(columns="segmentation")
    traced.verdicts, traced.confidences = verdicts, [("stated", range(4), [0.5] * 4)]
    found = traced.states.groupby("model")[["clue", "position"]].agg(list)
    assert found.loc["there"].tolist() == [[1, 3], [4, 9]]
    assert found.loc["elsewhere"].tolist() == [[1, 2, 3], [4, 5, 5]]
