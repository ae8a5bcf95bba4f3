"""Which rule made each file, from what, with which options and code."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import json

    from calscore.audit import provenance
    from calscore.core import catalog

    params = snakemake.params
    products = catalog.studied(set(params.features))
    project = Path(provenance.__file__).resolve().parents[3]
    record = provenance.record(params.study, params.rules, products, Path.cwd(), project)
    Path(snakemake.output.provenance).write_text(
        json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
