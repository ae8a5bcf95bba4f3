"""The page for looking: questions, models, teams."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core.study import Study
    from calscore.pages import explorer

    explorer.write(Study(Path(snakemake.input.provenance).parent.parent), snakemake.output.page)
