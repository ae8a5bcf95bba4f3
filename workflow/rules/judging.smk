"""Answer equivalence and backfilling: what was right, at which clue.

inputs:  tidy tables, manual verdicts
outputs: judged/*.parquet, tables and a figure on the judging, audit/findings/*.csv
"""


rule fit_equivalence:
    """Fit the answer-equivalence score to human-labelled pairs, where a study names some."""
    input:
        pairs=given("equivalence_pairs"),
    output:
        model="results/{study}/judged/equivalence.json",
    params:
        seed=0,
    script:
        "../scripts/fit_equivalence.py"


rule judge_shard:
    """Judge the distinct guesses on one of several ranges of questions, where a study is split (option shards)."""
    input:
        **reads("questions", "guesses"),
        model=equivalence_model,
    output:
        **of_shard("judged", "judgements.parquet"),
    params:
        **options("matcher"),
    script:
        "../scripts/judge_shard.py"


rule judge_guesses:
    """Judge each distinct guess once, manual verdicts first; hold marks that came with the guesses against the engine."""
    input:
        **reads("questions", "clues", "guesses"),
        parts=of_shards("judged", "judgements.parquet"),
        extract=extract,
        overrides=given("overrides"),
        model=equivalence_model,
    output:
        **writes("judgements", "responses", "judging_disagreements"),
        findings="results/{study}/audit/findings/judging.csv",
    params:
        **options("matcher"),
        thresholds=model_thresholds,
    script:
        "../scripts/judge_guesses.py"


rule judge_survey:
    """Judge survey answers and backfill them."""
    input:
        **reads("questions", "survey"),
        overrides=given("overrides"),
        model=equivalence_model,
    output:
        **writes("survey_judgements", "survey_responses"),
        findings="results/{study}/audit/findings/survey.csv",
    params:
        **options("matcher"),
    script:
        "../scripts/judge_survey.py"


rule count_marks:
    """Who calls how many runs right, by model and cause, and the figure of it."""
    input:
        **reads("guesses", "judging_disagreements"),
    output:
        **writes("marks"),
        **draws("marks"),
    params:
        **labels(),
    script:
        "../scripts/count_marks.py"
