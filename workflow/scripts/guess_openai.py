"""Ask an endpoint, and write what it guessed."""

from calscore.core.step import guard

with guard(snakemake):
    from calscore.core import store
    from calscore.guess import ask, corpus

    guesser, options = snakemake.params.guesser, snakemake.params.options
    questions = store.read(snakemake.input.questions)
    past = corpus.parse_questions(snakemake.input.corpus) if snakemake.input.corpus else None
    by_set = ask.requests(
        guesser, questions, past, options["primary_segmentation"], options["seed"]
    )
    replies = ask.send(guesser, by_set, snakemake.params.replies)
    for name, path in (("study", snakemake.output.guesses), ("past", snakemake.output.past)):
        ask.write(guesser, by_set.get(name, []), replies, path)
