"""Checksums of everything, versions, options, commit and times."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import json

    from calscore.audit import manifest

    path = Path(snakemake.output.manifest)
    record = json.loads(Path(snakemake.input.provenance).read_text(encoding="utf-8"))
    content = manifest.build(path.parent.parent, record, Path(snakemake.params.project))
    text = json.dumps(content, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
