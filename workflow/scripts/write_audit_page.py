"""The audit page of a study."""

from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    from calscore.audit import page
    from calscore.audit.study import Study

    study = Study(Path(snakemake.input.provenance).parent.parent)
    html = page.build(study, snakemake.input.checks)
    Path(snakemake.output.page).write_text(html, encoding="utf-8")
