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


rule tabulate_models:
    """Tables that rest on per-clue model guesses."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        crowd="results/{study}/human/crowd.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        responses="results/{study}/judged/responses.parquet",
        question_scores="results/{study}/scores/question_scores.parquet",
        model_scores="results/{study}/scores/model_scores.parquet",
    output:
        table1=report(
            "results/{study}/tables/table1.csv",
            caption="../report/tables/table1.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Table 1: scores"},
        ),
        table2=report(
            "results/{study}/tables/table2.csv",
            caption="../report/tables/table2.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Table 2: accuracy"},
        ),
        table5=report(
            "results/{study}/tables/table5.csv",
            caption="../report/tables/table5.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Table 5: CalScore by category"},
        ),
        extreme_questions=report(
            "results/{study}/tables/extreme_questions.csv",
            caption="../report/tables/extreme_questions.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Best and worst calibrated questions"},
        ),
        accuracy_by_share=report(
            "results/{study}/tables/accuracy_by_share.csv",
            caption="../report/tables/accuracy_by_share.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Models: accuracy by clues revealed"},
        ),
        buzz_given=report(
            "results/{study}/tables/buzz_given.csv",
            caption="../report/tables/buzz_given.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Models: P(buzz | right or wrong)"},
        ),
        table1_md="results/{study}/tables/table1.md",
        table1_tex="results/{study}/tables/table1.tex",
        table2_md="results/{study}/tables/table2.md",
        table2_tex="results/{study}/tables/table2.tex",
        table5_md="results/{study}/tables/table5.md",
        table5_tex="results/{study}/tables/table5.tex",
    params:
        options=option(
            "primary_segmentation",
            "reductions",
            "replicates",
            "seed",
            "level",
            "extreme_questions",
        ),
        names=model_names,
        code=code("tabulate_models"),
    log:
        "results/{study}/logs/tabulate_models.log",
    benchmark:
        "results/{study}/benchmarks/tabulate_models.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_models.py"


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
