"""Packets and participation tables to tidy tables."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import findings, store
    from calscore.raw import archive, release, safe_pickle

    folder = Path(snakemake.input.release)
    files = snakemake.params.files
    options = snakemake.params.options
    members = archive.read_members(folder / files["archive"], snakemake.params.password)
    parsed = release.parse_packets(members, options["category_aliases"], options["categories"])
    found = parsed.findings
    questions = pd.DataFrame(parsed.questions)
    buzzes = pd.DataFrame(parsed.buzzes, columns=store.columns("buzzes"))

    tables = {
        role: safe_pickle.load_plain(folder / files[role])
        for role in ("per_packet", "combined")
        if role in files
    }
    teams = safe_pickle.load_plain(folder / files["teams"]) if "teams" in files else None
    rows, odd = release.parse_participation(tables, questions, teams, files)
    participation = pd.DataFrame(rows, columns=store.columns("participation"))
    found += odd + release.participation_findings(participation, buzzes, questions)
    used = options["exposure_table"] if options["exposure_table"] in tables else None
    exposures = release.exposures(questions, buzzes, participation, used)

    parents = {"questions": questions}
    store.write(questions, "questions", snakemake.output.questions)
    store.write(buzzes, "buzzes", snakemake.output.buzzes, parents)
    store.write(participation, "participation", snakemake.output.participation)
    store.write(exposures, "exposures", snakemake.output.exposures, parents)
    store.write_csv(findings.frame(found), snakemake.output.findings)
