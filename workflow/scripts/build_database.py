"""All tables in one DuckDB file, with views."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.audit import database
    from calscore.core.study import Study

    study = Study(Path(snakemake.input.provenance).parent.parent)
    database.build(study, snakemake.output.database, snakemake.input.checks)
