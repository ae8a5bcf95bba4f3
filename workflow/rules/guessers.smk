"""An optional head of the flow: ask models, and judge what they say to past questions.

inputs:  the configuration's guessers, corpus and past_runs; tidy/questions
outputs: raw/corpus.json.gz, guess/*.jsonl, past/*.parquet, tables/plan.csv, tables/past_scores.csv

Snakemake's --dry-run sends nothing and prints no price; the target plan_guesses does:
  snakemake --cores 1 plan_guesses --configfile <file>
"""


rule collect_corpus:
    """Download or copy the past questions and check their SHA-256."""
    input:
        local_file=lambda wildcards: outside(STUDIES[wildcards.study]["inputs"]["corpus"]["path"]),
    output:
        corpus="results/{study}/raw/corpus.json.gz",
        manifest="results/{study}/raw/corpus_manifest.csv",
    params:
        entry=lookup("{study}/inputs/corpus", within=STUDIES),
    localrule: True
    script:
        "../scripts/collect_corpus.py"


rule make_guesses:
    """Let a guesser guess at every question and clue; of an endpoint what is stored is not asked again."""
    input:
        **reads("questions"),
        corpus=corpus_file,
        prompts=lambda wildcards: own_prompts([guesser(wildcards)]),
    output:
        guesses="results/{study}/guess/{guesser}.jsonl",
        past="results/{study}/guess/{guesser}.past.jsonl",
    params:
        **options("primary_segmentation", "seed"),
        guesser=guesser,
        reply_store=reply_store,
        replies=lookup("{study}/inputs/replies", within=STUDIES),
    wildcard_constraints:
        guesser=guessers("guess"),
    script:
        "../scripts/make_guesses.py"


rule tabulate_plan:
    """What the guessers of a study send in all: requests, tokens, price."""
    input:
        **reads("questions"),
        past=corpus_file,
        prompts=lambda wildcards: own_prompts(asked(wildcards)),
    output:
        **writes("plan"),
    params:
        **options("primary_segmentation", "seed"),
        guessers=asked,
    wildcard_constraints:
        study=only("buzzes", "endpoint"),
    script:
        "../scripts/tabulate_plan.py"


rule tabulate_option_plan:
    """What the guessers of a study of answer options send in all: requests, tokens, price."""
    input:
        request_files=lambda wildcards: [
            requests_file(wildcards.study, one.requests) for one in errands(wildcards.study)
        ],
    output:
        **writes("plan"),
    params:
        guessers=lambda wildcards: [
            one
            for errand in errands(wildcards.study)
            for one in asked(wildcards)
            if one["name"] == errand.guesser
        ],
    wildcard_constraints:
        study=only("options", "endpoint"),
    script:
        "../scripts/tabulate_option_plan.py"


rule plan_guesses:
    """Print what would be sent now, and what it would cost, and send nothing."""
    input:
        questions=[f"results/{name}/tidy/questions.parquet" for name in asking("buzzes")],
        corpora=[
            f"results/{name}/raw/corpus.json.gz"
            for name in asking("buzzes")
            if STUDIES[name]["inputs"]["corpus"]
        ],
        folders=[f"results/{name}/raw/options" for name in asking("options")],
        request_files=lambda wildcards: [
            path for name in asking("options") for path in planned_requests(name)
        ],
    params:
        studies=lambda wildcards: {n: STUDIES[n] for a in ("buzzes", "options") for n in asking(a)},
        files=lambda wildcards: {n: option_files(n)["questions"]["name"] for n in asking("options")},
    log:
        "results/plan_guesses.log",
    script:
        "../scripts/plan_guesses.py"


rule judge_past:
    """Judge guesses on past questions and score them as far as questions without human buzzes allow."""
    input:
        model=equivalence_model,
        corpus=corpus_file,
        run_files=lambda wildcards: [outside(path) for path in past_runs("path")(wildcards)],
        past_files=past_files,
    output:
        **writes("past_questions", "past_runs", "past_scores"),
        findings="results/{study}/audit/findings/past.csv",
    params:
        **options("matcher"),
        **resampling(),
        models=past_runs("model"),
        names=model_names,
    script:
        "../scripts/judge_past.py"
