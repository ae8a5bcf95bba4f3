"""Model guesses of every source to one tidy table."""

from calscore.core.step import guard

with guard(snakemake):
    import pandas as pd
    from calscore.core import findings, store
    from calscore.raw import guesses, replies

    questions = store.read(snakemake.input.questions)
    rows, found, alignments = [], [], []
    for source in snakemake.params.sources:
        if source["format"] == "jsonl":
            rows += guesses.parse_jsonl(source["path"], questions)
        elif source["format"] == "model_output":
            more, odd = guesses.parse_model_output(source["path"], questions, source["elicitation"])
            rows, found = rows + more, found + odd
        else:
            more, alignment, odd = guesses.parse_precursor(
                source["path"], questions, source["alignment"], source["model"]
            )
            rows, found = rows + more, found + odd
            alignments.append(alignment)
    table = guesses.frame(rows)
    found += guesses.reply_findings(table)

    store.write(table, "guesses", snakemake.output.guesses, {"questions": questions})
    alignment = pd.concat(alignments) if alignments else guesses.no_alignment()
    store.write_csv(alignment, snakemake.output.alignment)
    store.write_csv(findings.frame(found), snakemake.output.findings)
    counts, unparsed = replies.account(table)
    store.write_csv(counts, snakemake.output.replies)
    store.write_csv(unparsed, snakemake.output.unparsed)
