"""Figures, each drawn from a table that was written before.

inputs:  tables/*.csv, scores/reliability
outputs: figures/*.svg and .png
"""


rule plot_buzzes:
    """Figures that rest on live buzzes alone."""
    input:
        cumulative_buzzes="results/{study}/tables/cumulative_buzzes.csv",
        buzz_positions="results/{study}/tables/buzz_positions.csv",
        category_margins="results/{study}/tables/category_margins.csv",
    output:
        figure4_svg=report(
            "results/{study}/figures/figure4.svg",
            caption="../report/figure4.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Figure 4: cumulative buzzes"},
        ),
        figure4_png="results/{study}/figures/figure4.png",
        buzz_positions_svg=report(
            "results/{study}/figures/buzz_positions.svg",
            caption="../report/buzz_positions.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Buzz positions"},
        ),
        buzz_positions_png="results/{study}/figures/buzz_positions.png",
        category_precision_svg=report(
            "results/{study}/figures/category_precision.svg",
            caption="../report/category_precision.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Right buzzes by category"},
        ),
        category_precision_png="results/{study}/figures/category_precision.png",
    params:
        options=option("quartile_rule", "normalisation", "primary_segmentation", "level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_buzzes"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_buzzes.log",
    benchmark:
        "results/{study}/benchmarks/plot_buzzes.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_buzzes.py"


rule plot_answers:
    """Figures 5 and 6: players where there is a survey, models where there are guesses."""
    input:
        accuracy=when("guesses", "results/{study}/tables/accuracy_by_share.csv"),
        buzz_given=when("guesses", "results/{study}/tables/buzz_given.csv"),
        survey_accuracy=when("survey", "results/{study}/tables/survey_accuracy.csv"),
        survey_buzz_given=when("survey", "results/{study}/tables/survey_buzz_given.csv"),
    output:
        figure5_svg=report(
            "results/{study}/figures/figure5.svg",
            caption="../report/figure5.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Figure 5: accuracy"},
        ),
        figure5_png="results/{study}/figures/figure5.png",
        figure6_svg=report(
            "results/{study}/figures/figure6.svg",
            caption="../report/figure6.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Figure 6: buzzing when right or wrong"},
        ),
        figure6_png="results/{study}/figures/figure6.png",
    params:
        options=option("level", "min_n"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_answers"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_answers.log",
    benchmark:
        "results/{study}/benchmarks/plot_answers.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_answers.py"


rule plot_models:
    """Reliability diagrams, and CalScore by category."""
    input:
        table5="results/{study}/tables/table5.csv",
        table1="results/{study}/tables/table1.csv",
        reliability="results/{study}/scores/reliability.parquet",
    output:
        reliability_svg=report(
            "results/{study}/figures/reliability.svg",
            caption="../report/reliability.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Reliability"},
        ),
        reliability_png="results/{study}/figures/reliability.png",
        calscore_by_category_svg=report(
            "results/{study}/figures/calscore_by_category.svg",
            caption="../report/calscore_by_category.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "CalScore by category"},
        ),
        calscore_by_category_png="results/{study}/figures/calscore_by_category.png",
    params:
        options=option("primary_segmentation", "primary_definition", "reductions", "level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_models"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_models.log",
    benchmark:
        "results/{study}/benchmarks/plot_models.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_models.py"
