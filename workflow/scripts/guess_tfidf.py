"""Guesses of the TF-IDF baseline."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.clues import segment
    from calscore.core import store
    from calscore.guess import baseline, corpus, retrieval

    options = snakemake.params.options
    questions = store.read(snakemake.input.questions)
    past = corpus.parse_questions(snakemake.input.corpus)
    segmentation = options["primary_segmentation"]
    segmentation = "sentence-100" if segmentation == "given" else segmentation
    mine, theirs = baseline.guess(
        retrieval.Retriever(past),
        questions,
        segment.cut(questions, [segmentation]),
        segment.cut(past, [baseline.PAST_SEGMENTATION]),
        options["seed"],
    )
    mine["buzzed"] = baseline.buzzes(mine, theirs, past, questions)
    baseline.write(mine, snakemake.wildcards.guesser, snakemake.output.guesses)
    baseline.write(theirs, snakemake.wildcards.guesser, snakemake.output.past)
