"""The audit page of a study."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core.study import Study
    from calscore.pages import audit

    study = Study(Path(snakemake.input.provenance).parent.parent)
    html = audit.build(study, snakemake.input.checks)
    Path(snakemake.output.page).write_text(html, encoding="utf-8")
