"""Proper and fuller scores beside the published ones.

inputs:  judged/responses, human/human_curve, tidy/clues, tidy/buzzes, tidy/exposures
outputs: scores/fuller_scores, tables/{fuller_scores,fuller_comparisons,risk_coverage}, figures/risk_coverage
"""


rule score_fuller:
    """Score every model: Brier terms, log score, debiased and smooth ECE, AUROC, risk–coverage."""
    input:
        responses="results/{study}/judged/responses.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        clues="results/{study}/tidy/clues.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
    output:
        fuller_scores="results/{study}/scores/fuller_scores.parquet",
        table=report(
            "results/{study}/tables/fuller_scores.csv",
            caption="../report/tables/fuller_scores.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Proper and fuller scores"},
        ),
        comparisons=report(
            "results/{study}/tables/fuller_comparisons.csv",
            caption="../report/tables/fuller_comparisons.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Differences in fuller scores"},
        ),
        risk_coverage="results/{study}/tables/risk_coverage.csv",
    params:
        options=option(
            "primary_segmentation",
            "primary_definition",
            "reductions",
            "replicates",
            "seed",
            "level",
        ),
        names=model_names,
        code=code("score_fuller"),
    log:
        "results/{study}/logs/score_fuller.log",
    benchmark:
        "results/{study}/benchmarks/score_fuller.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/score_fuller.py"


rule plot_fuller:
    """Risk–coverage curves."""
    input:
        risk_coverage="results/{study}/tables/risk_coverage.csv",
        fuller_scores="results/{study}/tables/fuller_scores.csv",
    output:
        risk_coverage_svg=report(
            "results/{study}/figures/risk_coverage.svg",
            caption="../report/risk_coverage.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Risk and coverage"},
        ),
        risk_coverage_png="results/{study}/figures/risk_coverage.png",
    params:
        options=option("primary_definition", "primary_segmentation", "level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_fuller"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_fuller.log",
    benchmark:
        "results/{study}/benchmarks/plot_fuller.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_fuller.py"
