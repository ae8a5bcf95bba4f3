"""Print what would be sent now and what it would cost; send nothing."""

from pathlib import Path

from calscore.core.step import guard

with guard(snakemake):
    from calscore.choices import asking, reading, sending
    from calscore.core import config, store
    from calscore.guess import ask, corpus, replystore

    def stored(guesser, inputs):
        """Replies to a guesser by key."""
        return replystore.stored(replystore.path(inputs["replies"], guesser["name"]))

    def clue_requests(study, entry):
        """(guesser, requests by set) for each guesser of a study of live buzzes."""
        inputs, options = entry["inputs"], entry["options"]
        questions = store.read(f"results/{study}/tidy/questions.parquet")
        past = None
        if inputs["corpus"]:
            past = corpus.parse_questions(f"results/{study}/raw/corpus.json.gz")
        for guesser in inputs["guessers"]:
            if guesser["kind"] == "openai":
                yield (
                    guesser,
                    ask.requests(
                        guesser, questions, past, options["primary_segmentation"], options["seed"]
                    ),
                )

    def option_requests(study, entry):
        """(guesser, requests by file) for each guesser of a study of answer options."""
        inputs, folder = entry["inputs"], Path(f"results/{study}")
        guessers = {one["name"]: one for one in inputs["guessers"]}
        by_guesser = {}
        for errand in config.errands(inputs):
            guesser, file = guessers[errand.guesser], f"{errand.requests}_requests"
            planned = "option_requests" if errand.awaits else file
            rows = asking.read_lines(folder / "asked" / f"{planned}.jsonl", asking.REQUEST_KEYS)
            if errand.awaits:
                awaited = guessers[errand.awaits]
                given = sending.replies(sending.requests(awaited, rows), stored(awaited, inputs))
                longest = awaited["max_tokens"] * awaited["chars_per_token"]
                questions, _ = reading.read_questions(
                    folder / "raw" / "options" / snakemake.params.questions[study]
                )
                answers = sending.foreseen(rows, given, longest)
                rows = asking.plan_verdicts(answers, questions, asking.prompt("judge"))
            by_guesser.setdefault(errand.guesser, {})[file] = sending.requests(guesser, rows)
        return [(guessers[name], by_file) for name, by_file in by_guesser.items()]

    if not snakemake.params.studies:
        print("No study has a guesser of kind openai: nothing would be sent.")
    for study, entry in snakemake.params.studies.items():
        of = option_requests if "options" in entry["analyses"] else clue_requests
        for guesser, by_set in of(study, entry):
            print(ask.say_plan(guesser, by_set, set(stored(guesser, entry["inputs"]))), flush=True)
