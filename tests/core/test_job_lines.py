"""The logger that prints one line for each job."""

import logging

from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_calscore import LogHandler, job_line

# events of a run → lines that are printed
EVENTS = [
    (logging.INFO, {"event": LogEvent.JOB_INFO, "jobid": 3, "rule_name": "judge_guesses", "wildcards": {"study": "demo"}}),
    (logging.INFO, {"event": None}),
    (logging.INFO, {"event": LogEvent.JOB_FINISHED, "job_id": 3}),
    (logging.INFO, {"event": LogEvent.PROGRESS, "done": 1, "total": 9}),
    (logging.ERROR, {"event": LogEvent.ERROR}),
]  # fmt: skip


def test_a_job_is_a_line_and_errors_stay(capsys):
    handler = LogHandler(None, None)
    for level, fields in EVENTS:
        record = logging.LogRecord("snakemake", level, "", 0, "said", None, None)
        vars(record).update(fields)
        handler.emit(record)
    job, error = capsys.readouterr().err.splitlines()
    assert job.split()[:2] == ["demo", "judge_guesses"] and job.endswith("1 of 9")
    assert error == "said"


def test_a_line_is_as_wide_as_the_others():
    assert len(job_line("demo", "a", 1.25, 1, 9)) == len(job_line("grace", "b_longer", 100, 36, 37))
    assert job_line("demo", "a", 1.25, 1, 9).endswith("1.2 s      1 of 9")
