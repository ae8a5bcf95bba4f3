"""A line for each job on the terminal: study, rule, seconds, n of N; the rest stays in Snakemake's log file.

Chosen by ``--logger calscore``, as ``make`` does.
"""

from __future__ import annotations

import logging
import sys
import time

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

ERRORS = (LogEvent.ERROR, LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR)


def job_line(study: str, rule: str, seconds: float, done: int, total: int) -> str:
    """How a finished job is told."""
    place = f"{done} of {total}"
    return f"{study:<16} {rule:<32} {seconds:6.1f} s   {place:>9}"


class LogHandler(LogHandlerBase):
    """Handler of Snakemake's records that prints finished jobs, warnings and errors."""

    def __post_init__(self) -> None:
        self.jobs: dict[int, tuple[str, str, float]] = {}
        self.finished: list[int] = []

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
                    print(
                        job_line(study, rule, seconds, record.done, record.total), file=sys.stderr
                    )
            self.finished.clear()
        elif event in ERRORS or record.levelno >= logging.WARNING:
            print(self.format(record), file=sys.stderr)

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
