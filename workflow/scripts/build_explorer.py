"""The page for looking: questions, models, teams."""

from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    from calscore import explorer
    from calscore.audit.study import Study

    explorer.write(Study(Path(snakemake.input.provenance).parent.parent), snakemake.output.page)
