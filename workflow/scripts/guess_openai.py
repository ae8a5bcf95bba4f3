"""Ask an endpoint, and write what it guessed."""

import sys
from pathlib import Path

from calscore.rule import guard

with guard(snakemake):
    from calscore import store
    from calscore.guess import ask, client, corpus, replystore

    guesser, options = snakemake.params.guesser, snakemake.params.options
    questions = store.read(snakemake.input.questions)
    past = corpus.parse_questions(snakemake.input.corpus) if snakemake.input.corpus else None
    by_set = ask.requests(
        guesser, questions, past, options["primary_segmentation"], options["seed"]
    )
    with replystore.opened(Path(snakemake.params.replies) / f"{guesser['name']}.jsonl") as replies:
        print(ask.say_plan(guesser, by_set, set(replies.replies)), file=sys.stderr, flush=True)
        ask.check_limit(guesser, by_set, set(replies.replies))
        client.run_guesser(guesser, by_set, replies)
        for name, path in (("study", snakemake.output.guesses), ("past", snakemake.output.past)):
            ask.write(guesser, by_set.get(name, []), replies.replies, path)
