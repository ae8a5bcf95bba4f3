"""Print what would be sent now and what it would cost; send nothing."""

from calscore.rule import guard

with guard(snakemake):
    from calscore import store
    from calscore.guess import ask, corpus, replystore

    if not snakemake.params.studies:
        print("No study has a guesser of kind openai: nothing would be sent.")
    for study, entry in snakemake.params.studies.items():
        inputs, options = entry["inputs"], entry["options"]
        questions = store.read(f"results/{study}/tidy/questions.parquet")
        past = None
        if inputs["corpus"]:
            past = corpus.parse_questions(f"results/{study}/raw/corpus.json.gz")
        for guesser in inputs["guessers"]:
            if guesser["kind"] == "openai":
                by_set = ask.requests(
                    guesser, questions, past, options["primary_segmentation"], options["seed"]
                )
                kept = set(replystore.stored(replystore.path(inputs["replies"], guesser["name"])))
                print(ask.say_plan(guesser, by_set, kept), flush=True)
