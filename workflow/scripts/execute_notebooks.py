"""Notebooks, executed on the study."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core.study import Study
    from calscore.pages import notebooks

    folder = Path(snakemake.input.provenance).parent.parent
    about = Study(folder).provenance["study"]
    out = Path(snakemake.output.html[0]).parent
    title = about.get("title") or about["name"]
    scripts = [Path(path) for path in snakemake.input.scripts]
    notebooks.run(scripts, folder, Path.cwd(), title, bool(about.get("simulate")), out)
