"""The tables that people look at; the numbers behind each figure are tables too.

inputs:  tidy, judged, human and scores tables; published numbers
outputs: tables/*.csv, those that the paper prints also as .md and .tex
"""


rule tabulate_buzzes:
    """Tables that rest on live buzzes alone."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        teams="results/{study}/human/teams.parquet",
    output:
        dataset=report(
            "results/{study}/tables/dataset.csv",
            caption="../report/tables/dataset.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Dataset"},
        ),
        category_margins=report(
            "results/{study}/tables/category_margins.csv",
            caption="../report/tables/category_margins.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Buzzes by category"},
        ),
        team_summary=report(
            "results/{study}/tables/team_summary.csv",
            caption="../report/tables/team_summary.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Teams"},
        ),
        cumulative_buzzes="results/{study}/tables/cumulative_buzzes.csv",
        buzz_positions="results/{study}/tables/buzz_positions.csv",
    params:
        options=option("primary_segmentation", "replicates", "seed", "level"),
        names=model_names,
        code=code("tabulate_buzzes"),
    log:
        "results/{study}/logs/tabulate_buzzes.log",
    benchmark:
        "results/{study}/benchmarks/tabulate_buzzes.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_buzzes.py"


rule tabulate_survey:
    """Tables that rest on the offline survey."""
    input:
        responses="results/{study}/judged/survey_responses.parquet",
        players="results/{study}/human/players.parquet",
    output:
        accuracy=report(
            "results/{study}/tables/survey_accuracy.csv",
            caption="../report/tables/survey_accuracy.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Survey: accuracy by clues revealed"},
        ),
        buzz_given=report(
            "results/{study}/tables/survey_buzz_given.csv",
            caption="../report/tables/survey_buzz_given.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Survey: P(buzz | right or wrong)"},
        ),
    params:
        options=option("replicates", "seed", "level"),
        code=code("tabulate_survey"),
    log:
        "results/{study}/logs/tabulate_survey.log",
    benchmark:
        "results/{study}/benchmarks/tabulate_survey.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_survey.py"
