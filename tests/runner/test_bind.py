"""A rule's function gets what it names, and what it returns is written and checked."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from calscore.core import store
from calscore.core.data_issues import Finding
from calscore.core.errors import DataError, Fault
from calscore.core.results_folder import Study
from calscore.runner import bind
from support import with_package


class Named(dict):
    """Values under names, iterated as Snakemake's named lists are."""

    def __iter__(self):
        return iter(self.values())


@pytest.fixture
def job(tmp_path):
    questions = pd.DataFrame({"quantity": ["teams"], "value": [3.0], "unit": ["teams"]})
    store.write_csv(questions, tmp_path / "dataset.csv")
    (tmp_path / "numbers.yaml").write_text("table1: {mce: 0.5}\n")
    (tmp_path / "raw.txt").write_text("raw")
    return SimpleNamespace(
        rule="do_it",
        input=Named(
            dataset=str(tmp_path / "dataset.csv"),
            published=str(tmp_path / "numbers.yaml"),
            file=str(tmp_path / "raw.txt"),
            files=[str(tmp_path / "raw.txt")],
            survey=[],
        ),
        params=Named(level=0.95, code="abc"),
        wildcards=Named(study="demo"),
        output=Named(
            dataset=str(tmp_path / "out.csv"),
            findings=str(tmp_path / "findings.csv"),
            page=str(tmp_path / "page.html"),
            folder=str(tmp_path / "folder"),
        ),
        log=[str(tmp_path / "log.txt")],
    )


def test_arguments_are_bound_by_name(job, tmp_path):
    seen = {}

    def function(dataset, published, file, files, survey, level, study, folder, other=7):
        seen.update(locals())

    bind.run(job, function)
    assert list(seen["dataset"]["value"]) == [3.0]
    assert seen["published"] == {"table1": {"mce": 0.5}}
    assert seen["file"] == tmp_path / "raw.txt"
    assert seen["files"] == [tmp_path / "raw.txt"]
    assert seen["survey"] is None
    assert (seen["level"], seen["study"], seen["other"]) == (0.95, "demo", 7)
    assert seen["folder"] == tmp_path / "folder"
    assert (tmp_path / "log.txt").read_text() == "done\n"


@pytest.mark.parametrize("annotation", [Study, "Study"])
def test_a_function_of_a_study_gets_that_of_the_record(job, tmp_path, annotation):
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "provenance.json").write_text('{"study": {"options": {"level": 0.9}}}')
    job.input["provenance"] = str(tmp_path / "audit" / "provenance.json")
    levels = []

    def function(study):
        levels.append(study.options["level"])

    function.__annotations__["study"] = annotation
    bind.run(job, function)
    assert levels == [0.9]


def test_what_is_returned_is_written(job, tmp_path):
    def function(dataset):
        found = [Finding("raw", "odd", "info", "here", "why", "kept")]
        return {"dataset": dataset, "findings": found, "page": "<p>"}

    bind.run(job, function)
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "dataset.csv").read_bytes()
    assert store.load(tmp_path / "findings.csv", "findings")["finding"].item() == "odd"
    assert (tmp_path / "page.html").read_text() == "<p>"


def test_several_functions_are_called_one_after_another(job):
    bind.run(job, lambda dataset: {"dataset": dataset}, lambda level: {"page": f"{level}"})
    assert store.load(job.output["dataset"], "dataset")["value"].tolist() == [3]
    assert Path(job.output["page"]).read_text() == "0.95"


def test_a_later_function_reads_what_an_earlier_one_made(job):
    """Of an input, a param and an output of one name, it is the table that was just written."""
    job.params = Named(level=0.95, dataset="a param")
    read = []
    bind.run(
        job,
        lambda dataset: {"dataset": dataset.assign(value=dataset["value"] + 1)},
        lambda dataset: read.extend(dataset["value"]),
        lambda dataset, page: {"dataset": dataset.assign(value=len(page.name))},
        lambda dataset: read.extend(dataset["value"]),
    )
    assert read == [4, len("page.html")]


def test_a_table_is_read_once_and_nobody_else_sees_what_a_function_does_to_it(job, monkeypatch):
    read, seen, load = [], [], store.load
    monkeypatch.setattr(store, "load", lambda path, name: read.append(name) or load(path, name))

    def spoils(dataset):
        dataset.loc[0, "value"] = 7.0
        dataset["more"] = 1

    bind.run(job, spoils, lambda dataset: seen.append(dataset.to_dict("list")))
    assert read == ["dataset"]
    assert seen == [{"quantity": ["teams"], "value": [3.0], "unit": ["teams"]}]


def test_a_name_that_the_rule_has_not_is_said(job):
    with pytest.raises(TypeError, match="rule do_it gives function no 'clues'"):

        def function(clues):
            pass

        bind.run(job, function)


@pytest.mark.parametrize("logger", [True, False])
def test_bad_input_ends_in_one_message_and_no_output(job, tmp_path, capsys, monkeypatch, logger):
    monkeypatch.delenv("CALSCORE_LOGGER", raising=False)
    if logger:
        monkeypatch.setenv("CALSCORE_LOGGER", "1")

    def function(dataset):
        raise DataError(Fault("raw.csv", "3", "team", "x", "a team"))

    with pytest.raises(SystemExit):
        bind.run(job, function)
    said = (tmp_path / "log.txt").read_text()
    assert said.startswith("do_it: raw.csv, row 3, column team: found")
    # The logger shows the log: said once more it would be read twice.
    assert capsys.readouterr().err == ("" if logger else said)
    assert not (tmp_path / "out.csv").exists()


def test_an_invalid_table_is_not_written(job, tmp_path):
    with pytest.raises(SystemExit):
        bind.run(job, lambda dataset: {"dataset": dataset.assign(more=1)})
    assert "column more" in (tmp_path / "log.txt").read_text()
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("library", ["pandas", "duckdb", "matplotlib.pyplot", "sklearn.linear_model"])
def test_a_job_ends_without_a_word_of_its_libraries(library):
    """A binding may tell on standard error of what it is left with as Python ends."""
    code = f"import calscore.runner.bind, {library}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=with_package()
    )
    assert done.stderr == ""
