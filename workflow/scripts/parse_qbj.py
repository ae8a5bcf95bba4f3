"""Match files, packets and buzz CSV to tidy tables."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import findings, store
    from calscore.tournament import buzz_csv, log, names, qbj

    folder, options = Path(snakemake.input.folder), snakemake.params.options
    if "qbj" in snakemake.params.sources:
        found = qbj.read_folder(folder / "qbj")
    else:
        heard = folder / "heard.csv" if "heard" in snakemake.params.sources else None
        found = buzz_csv.read(
            folder / "buzzes.csv", heard, folder / "packets", options["buzz_position_base"]
        )
    tables = log.resolve(
        found, options["category_aliases"], options["categories"], options["models"]
    )
    tables, odd = names.conceal(tables, found, options["names"], options["seed"])
    for name in ("questions", "games", "participation"):
        store.write(tables[name], name, snakemake.output[name])
    for name in ("buzzes", "exposures", "plays", "heard", "rosters", "tossups"):
        store.write(tables[name], name, snakemake.output[name], tables)
    store.write_csv(findings.frame(odd), snakemake.output.findings)
