"""Proper scores beside the published ones.

inputs:  judged/responses, human/human_curve, human/crowd, tidy/clues
outputs: scores/proper, tables/{proper_scores,proper_comparisons,risk_coverage}, figures/risk_coverage
"""


rule score_proper:
    """Score every model: Brier terms, log score, debiased and smooth ECE, AUROC, risk–coverage."""
    input:
        responses="results/{study}/judged/responses.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        clues="results/{study}/tidy/clues.parquet",
        crowd="results/{study}/human/crowd.parquet",
    output:
        proper_scores="results/{study}/scores/proper.parquet",
        table=report(
            "results/{study}/tables/proper_scores.csv",
            caption="../report/tables/proper_scores.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Proper scores"},
        ),
        comparisons=report(
            "results/{study}/tables/proper_comparisons.csv",
            caption="../report/tables/proper_comparisons.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Differences in proper scores"},
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
        code=code("score_proper"),
    log:
        "results/{study}/logs/score_proper.log",
    benchmark:
        "results/{study}/benchmarks/score_proper.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/score_proper.py"


rule plot_proper:
    """Risk–coverage curves."""
    input:
        risk_coverage="results/{study}/tables/risk_coverage.csv",
        proper_scores="results/{study}/tables/proper_scores.csv",
    output:
        risk_coverage_svg=report(
            "results/{study}/figures/risk_coverage.svg",
            caption="../report/figures/risk_coverage.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Risk and coverage"},
        ),
        risk_coverage_png="results/{study}/figures/risk_coverage.png",
    params:
        options=option("primary_definition", "primary_segmentation", "level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_proper"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_proper.log",
    benchmark:
        "results/{study}/benchmarks/plot_proper.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_proper.py"
