"""Guesses of the TF-IDF baseline."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import clues, store
    from calscore.guess import baseline, corpus, retrieval

    options = snakemake.params.options
    questions = store.read(snakemake.input.questions)
    past = corpus.parse_questions(snakemake.input.corpus)
    segmentation = options["primary_segmentation"]
    segmentation = "sentence-100" if segmentation == "given" else segmentation
    mine, theirs = baseline.guess(
        retrieval.Retriever(past),
        questions,
        clues.cut(questions, [segmentation]),
        clues.cut(past, [baseline.PAST_SEGMENTATION]),
        options["seed"],
    )
    mine["buzzed"] = baseline.buzzes(mine, theirs, past, questions)
    baseline.write(mine, snakemake.wildcards.guesser, snakemake.output.guesses)
    baseline.write(theirs, snakemake.wildcards.guesser, snakemake.output.past)
