"""An optional head of the flow: ask models, and judge what they say to past questions.

inputs:  the configuration's guessers, corpus and past_runs; tidy/questions
outputs: raw/corpus.json.gz, guess/*.jsonl, past/*.parquet, tables/plan.csv, tables/past_scores.csv

Snakemake's --dry-run sends nothing and prints no price; the target plan_guesses does:
  snakemake --cores 1 plan_guesses --configfile <file>
"""


rule collect_corpus:
    """Download or copy the past questions and check their SHA-256."""
    input:
        path=lambda wildcards: STUDIES[wildcards.study]["inputs"]["corpus"]["path"] or [],
    output:
        corpus="results/{study}/raw/corpus.json.gz",
        manifest="results/{study}/raw/corpus_manifest.csv",
    params:
        corpus=lambda wildcards: STUDIES[wildcards.study]["inputs"]["corpus"],
        code=code("collect_corpus"),
    log:
        "results/{study}/logs/collect_corpus.log",
    benchmark:
        "results/{study}/benchmarks/collect_corpus.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/collect_corpus.py"


rule guess_tfidf:
    """Let the baseline guess: the answer of the most similar past question, with a calibrated confidence."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        corpus="results/{study}/raw/corpus.json.gz",
    output:
        guesses="results/{study}/guess/{guesser}.jsonl",
        past="results/{study}/guess/{guesser}.past.jsonl",
    params:
        options=option("primary_segmentation", "seed"),
        code=code("guess_tfidf"),
    wildcard_constraints:
        guesser=guessers("tfidf"),
    log:
        "results/{study}/logs/guess_tfidf/{guesser}.log",
    benchmark:
        "results/{study}/benchmarks/guess_tfidf/{guesser}.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/guess_tfidf.py"


rule guess_openai:
    """Ask an endpoint for every question and clue; what is stored is not asked again."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        corpus=corpus_file,
        prompts=lambda wildcards: prompt_files([guesser(wildcards)]),
    output:
        guesses="results/{study}/guess/{guesser}.jsonl",
        past="results/{study}/guess/{guesser}.past.jsonl",
    params:
        guesser=guesser,
        replies=lambda wildcards: STUDIES[wildcards.study]["inputs"]["replies"],
        options=option("primary_segmentation", "seed"),
        code=code("guess_openai"),
    wildcard_constraints:
        guesser=guessers("openai"),
    log:
        "results/{study}/logs/guess_openai/{guesser}.log",
    benchmark:
        "results/{study}/benchmarks/guess_openai/{guesser}.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/guess_openai.py"


rule tabulate_plan:
    """What the guessers of a study send in all: requests, tokens, price."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        corpus=corpus_file,
        prompts=lambda wildcards: prompt_files(asked(wildcards)),
    output:
        plan=report(
            "results/{study}/tables/plan.csv",
            caption="../report/tables/plan.rst",
            category="{study}",
            subcategory="Audit",
            labels={"item": "Requests and their price"},
        ),
    params:
        guessers=asked,
        options=option("primary_segmentation", "seed"),
        code=code("tabulate_plan"),
    wildcard_constraints:
        study=only("buzzes", "endpoint"),
    log:
        "results/{study}/logs/tabulate_plan.log",
    benchmark:
        "results/{study}/benchmarks/tabulate_plan.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_plan.py"


rule plan_guesses:
    """Print what would be sent now, and what it would cost, and send nothing."""
    input:
        questions=[f"results/{name}/tidy/questions.parquet" for name in asking("buzzes")],
        corpora=[
            f"results/{name}/raw/corpus.json.gz"
            for name in asking("buzzes")
            if STUDIES[name]["inputs"]["corpus"]
        ],
        options=[f"results/{name}/raw/options" for name in asking("options")],
        requests=[path for name in asking("options") for path in planned_requests(name)],
    params:
        studies=lambda wildcards: {n: STUDIES[n] for a in ("buzzes", "options") for n in asking(a)},
        questions=lambda wildcards: {
            n: option_files(n)["questions"]["name"] for n in asking("options")
        },
        code=code("plan_guesses"),
    log:
        "results/plan_guesses.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plan_guesses.py"


rule judge_past:
    """Judge guesses on past questions and score them as far as questions without human buzzes allow."""
    input:
        model=equivalence_model,
        corpus="results/{study}/raw/corpus.json.gz",
        runs=lambda wildcards: [r["path"] for r in STUDIES[wildcards.study]["inputs"]["past_runs"]],
        guesses=past_files,
    output:
        questions="results/{study}/past/past_questions.parquet",
        runs="results/{study}/past/past_runs.parquet",
        scores=report(
            "results/{study}/tables/past_scores.csv",
            caption="../report/tables/past_scores.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Scores on past questions"},
        ),
        findings="results/{study}/audit/findings/past.csv",
    params:
        runs=lambda wildcards: STUDIES[wildcards.study]["inputs"]["past_runs"],
        names=model_names,
        options=option("matcher", "replicates", "seed", "level"),
        code=code("judge_past"),
    log:
        "results/{study}/logs/judge_past.log",
    benchmark:
        "results/{study}/benchmarks/judge_past.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/judge_past.py"
