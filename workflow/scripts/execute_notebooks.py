"""Notebooks, executed on the study."""

from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    from calscore import notebooks
    from calscore.audit.study import Study

    folder = Path(snakemake.input.provenance).parent.parent
    about = Study(folder).provenance["study"]
    out = Path(snakemake.output.html[0]).parent
    title = about.get("title") or about["name"]
    scripts = [Path(path) for path in snakemake.input.scripts]
    notebooks.run(scripts, folder, Path.cwd(), title, bool(about.get("simulate")), out)
