"""A line for each job on the terminal: study, rule, seconds, n of N; the rest stays in Snakemake's log file.

The logs of failed jobs come last, once each. What Snakemake says besides of those failures is left out.

Chosen by ``--logger calscore``, as ``make`` does.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

ERRORS = (LogEvent.ERROR, LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR)
CONSEQUENCES = ("CalledProcessError", "a job execution failed", "did not complete successfully")
"""Words of records that follow from a failed job."""


def job_line(study: str, rule: str, seconds: float, done: int, total: int) -> str:
    """How a finished job is told."""
    place = f"{done} of {total}"
    return f"{study:<16} {rule:<32} {seconds:6.1f} s   {place:>9}"


class LogHandler(LogHandlerBase):
    """Handler of Snakemake's records that prints finished jobs, warnings and errors."""

    def __post_init__(self) -> None:
        os.environ["CALSCORE_LOGGER"] = "1"  # to scripts: their logs are shown
        self.jobs: dict[int, tuple[str, str, float]] = {}
        self.finished: list[int] = []
        self.failures: list[str] = []
        self.consequences: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        event = getattr(record, "event", None)
        if event == LogEvent.JOB_INFO:
            wildcards = getattr(record, "wildcards", None) or {}
            self.jobs[record.jobid] = wildcards.get("study", ""), record.rule_name, time.monotonic()
        elif event == LogEvent.JOB_FINISHED:
            self.finished.append(record.job_id)
        elif event == LogEvent.PROGRESS:
            for job in self.finished:
                study, rule, start = self.jobs.get(job, ("", "", time.monotonic()))
                if study:
                    seconds = time.monotonic() - start
                    print(job_line(study, rule, seconds, record.done, record.total), file=sys.stderr)
            self.finished.clear()
        elif event == LogEvent.JOB_ERROR and (text := self.log_text(record.log)):
            self.failures.append(text)
            study, rule, _ = self.jobs.get(record.jobid, ("", record.rule_name, 0.0))
            print(f"{study:<16} {rule:<32} failed", file=sys.stderr)
        elif event in ERRORS or record.levelno >= logging.WARNING:
            text = self.format(record)
            if any(words in text for words in CONSEQUENCES):
                self.consequences.append(text)
            else:
                print(text, file=sys.stderr)

    @staticmethod
    def log_text(paths: list[str]) -> str:
        """What the logs of a failed job say; empty where it left none."""
        return "\n".join(Path(path).read_text("utf-8") for path in paths if Path(path).is_file())

    def close(self) -> None:
        """Print what failed, each message once, as the last lines of the run."""
        for text in dict.fromkeys(self.failures or self.consequences):
            print(text.rstrip(), file=sys.stderr)
        self.failures, self.consequences = [], []
        super().close()

    @property
    def writes_to_stream(self) -> bool:
        return True

    @property
    def writes_to_file(self) -> bool:
        return False

    @property
    def has_filter(self) -> bool:
        return True

    @property
    def has_formatter(self) -> bool:
        return False

    @property
    def needs_rulegraph(self) -> bool:
        return False
