"""A study's live buzzes as QBJ, packets and buzz CSV."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import findings, store
    from calscore.tournament import export, names

    options = snakemake.params.options
    questions = store.read(snakemake.input.questions)
    wanted = (
        ["games", "heard", "plays", "rosters"] if snakemake.input.games else ["buzzes", "exposures"]
    )
    tables = {name: store.read(snakemake.input[name]) for name in wanted}
    tables = names.hide(tables, options["export_names"], options["seed"])
    if snakemake.input.games:
        matches = tables | {"tossups": store.read(snakemake.input.tossups)}
    else:
        matches = export.records(questions, tables["buzzes"], tables["exposures"])
    title = snakemake.wildcards.study
    files, csv, heard_csv, odd = export.documents(questions, matches, title)
    folder = Path(snakemake.output.folder)
    for name, document in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(export.dump(document), encoding="utf-8")
    whole = export.dump(export.whole_tournament(files, title))
    (folder / "tournament.qbj").write_text(whole, encoding="utf-8")
    store.write_csv(csv, folder / "buzzes.csv")
    store.write_csv(heard_csv, folder / "heard.csv")
    store.write_csv(findings.frame(odd), folder / "findings.csv")
