"""The logger that prints one line for each job."""

import logging

import pytest
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_calscore import LogHandler, job_line

# events of a run, with what they say
EVENTS = [
    (logging.INFO, {"event": LogEvent.JOB_INFO, "jobid": 3, "rule_name": "judge_guesses", "wildcards": {"study": "demo"}}, ""),
    (logging.INFO, {"event": None}, "not printed"),
    (logging.INFO, {"event": LogEvent.JOB_FINISHED, "job_id": 3}, ""),
    (logging.INFO, {"event": LogEvent.PROGRESS, "done": 1, "total": 9}, ""),
    (logging.ERROR, {"event": LogEvent.ERROR}, "said"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """A handler tells scripts of itself; other tests' scripts are not to know."""
    monkeypatch.setenv("CALSCORE_LOGGER", "")


def emitted(events) -> LogHandler:
    """A handler that was told of the events."""
    handler = LogHandler(None, None)
    for level, fields, text in events:
        record = logging.LogRecord("snakemake", level, "", 0, text, None, None)
        vars(record).update(fields)
        handler.emit(record)
    return handler


def test_a_job_is_a_line_and_errors_stay(capsys):
    emitted(EVENTS)
    job, error = capsys.readouterr().err.splitlines()
    assert job.split()[:2] == ["demo", "judge_guesses"] and job.endswith("1 of 9")
    assert error == "said"


CALLED = "RuleException:\nCalledProcessError in file raw.smk: Command returned non-zero exit status 1"
FAILURE = [
    (logging.INFO, {"event": LogEvent.JOB_INFO, "jobid": 3, "rule_name": "parse_guesses", "wildcards": {"study": "demo"}}, ""),
    (logging.ERROR, {"event": LogEvent.ERROR}, CALLED),
    (logging.ERROR, {"event": LogEvent.JOB_ERROR, "jobid": 3, "rule_name": "parse_guesses", "log": ["it.log"]}, "Error in rule parse_guesses"),
    (logging.ERROR, {"event": None}, "Exiting because a job execution failed. Look above for error messages"),
    (logging.ERROR, {"event": LogEvent.ERROR}, "WorkflowError:\nAt least one job did not complete successfully."),
]  # fmt: skip


@pytest.mark.parametrize("log", ["parse_guesses: my.jsonl, row 1: found 'x'\n", None])
def test_a_failed_job_is_told_once_and_last(capsys, tmp_path, monkeypatch, log):
    monkeypatch.chdir(tmp_path)
    if log:
        (tmp_path / "it.log").write_text(log, encoding="utf-8")
    handler = emitted(FAILURE)
    handler.close()
    handler.close()
    first, *lines = capsys.readouterr().err.splitlines()
    if log:
        assert first.split() == ["demo", "parse_guesses", "failed"] and lines == [log.strip()]
    else:
        # A job that was killed leaves no log: all is told that Snakemake says.
        assert first == "Error in rule parse_guesses" and "CalledProcessError" in lines[1]


def test_a_line_is_as_wide_as_the_others():
    assert len(job_line("demo", "a", 1.25, 1, 9)) == len(job_line("grace", "b_longer", 100, 36, 37))
    assert job_line("demo", "a", 1.25, 1, 9).endswith("1.2 s      1 of 9")
