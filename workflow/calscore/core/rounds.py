"""How often Snakemake's scheduler looks for the next job."""

from __future__ import annotations

# Jobs and seconds: what Snakemake limits itself to where nobody says --max-jobs-per-timespan.
UNASKED = (100, 1)


def only_when_due(workflow) -> None:
    """Take away the limit that nobody asked for, where jobs run on this machine; before the first job.

    Under a limit each round of the scheduler with jobs left to start sets a timer for one more round, so that each
    job that ends adds a round a second until the run is over (Snakemake 9.27, ``JobScheduler.schedule``): over
    1,000 in the minute of 36 jobs, and a last one that the end waits for.
    """
    scheduler = getattr(workflow, "scheduler", None)
    limit = getattr(scheduler, "job_rate_limiter", None)
    if limit and workflow.local_exec and (limit.max_jobs, limit.timespan) == UNASKED:
        scheduler.job_rate_limiter = None
