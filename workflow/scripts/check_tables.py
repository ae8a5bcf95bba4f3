"""Checks of all of the study's tables, with pass or fail."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.audit import checks
    from calscore.core import store
    from calscore.core.study import Study

    study = Study(Path(snakemake.input.provenance).parent.parent)
    store.write_csv(checks.of_study(study), snakemake.output.checks)
