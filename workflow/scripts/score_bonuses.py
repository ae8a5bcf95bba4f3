"""Bonus submissions: parsed and scored."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import findings, store
    from calscore.leaderboard import bonuses, submissions

    parts = [
        submissions.read_bonuses(source["path"], source["name"])
        for source in snakemake.params.sources
    ]
    table = pd.concat(parts, ignore_index=True)
    board = bonuses.board(table, **snakemake.params.options)
    store.write(table, "bonus_parts", snakemake.output.parts)
    store.write_csv(board, snakemake.output.bonuses)
    store.write_csv(findings.frame(bonuses.findings(board)), snakemake.output.findings)
