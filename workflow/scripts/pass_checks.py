"""The run fails here where a check of severity error did."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.audit import checks
    from calscore.core import store
    from calscore.core.errors import DataError

    table = store.read_csv(snakemake.input.checks, "checks")
    lines = checks.failed(table)
    if lines:
        raise DataError("\n".join([f"{len(lines)} checks failed", *lines]))
    warned = int((table["result"] == "fail").sum())
    Path(snakemake.output.passed).write_text(
        f"{len(table) - warned} checks passed, {warned} warnings\n", encoding="utf-8"
    )
