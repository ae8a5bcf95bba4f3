"""Regressions, cumulative incidence and fair quartiles: what buzzes and confidences say about teams.

inputs:  tidy tables, human/teams, judged/responses, tables/cumulative_buzzes
outputs: inference/odds_ratios, inference/opponents, inference/incidence, inference/calibration_slopes,
         tables/fair_quartiles, tables/quartile_shrinkage, tables/exposure_correlation, their figures
"""


rule fit_regressions:
    """Odds ratios of a right buzz, cumulative incidence, quartiles that do not reward exposure."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        teams="results/{study}/human/teams.parquet",
    output:
        opponents="results/{study}/inference/opponents.parquet",
        incidence="results/{study}/inference/incidence.parquet",
        fair_quartiles=report(
            "results/{study}/tables/fair_quartiles.csv",
            caption="../report/tables/fair_quartiles.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Fair quartiles"},
        ),
        quartile_shrinkage=report(
            "results/{study}/tables/quartile_shrinkage.csv",
            caption="../report/tables/quartile_shrinkage.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Quartiles on the other half of the packets"},
        ),
        exposure_correlation=report(
            "results/{study}/tables/exposure_correlation.csv",
            caption="../report/tables/exposure_correlation.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Team scores and exposure"},
        ),
    params:
        options=option("primary_segmentation", "halves", "replicates", "seed", "level"),
        code=code("fit_regressions"),
    log:
        "results/{study}/logs/fit_regressions.log",
    benchmark:
        "results/{study}/benchmarks/fit_regressions.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/fit_regressions.py"


rule plot_regressions:
    """Forest plot of odds ratios, cumulative incidence beside figure 4's ratio, fair quartiles."""
    input:
        incidence="results/{study}/inference/incidence.parquet",
        cumulative_buzzes="results/{study}/tables/cumulative_buzzes.csv",
        fair_quartiles="results/{study}/tables/fair_quartiles.csv",
        quartile_shrinkage="results/{study}/tables/quartile_shrinkage.csv",
    output:
        incidence_svg=report(
            "results/{study}/figures/incidence.svg",
            caption="../report/incidence.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Cumulative incidence of a right buzz"},
        ),
        incidence_png="results/{study}/figures/incidence.png",
        fair_quartiles_svg=report(
            "results/{study}/figures/fair_quartiles.svg",
            caption="../report/fair_quartiles.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Fair quartiles"},
        ),
        fair_quartiles_png="results/{study}/figures/fair_quartiles.png",
    params:
        options=option("quartile_rule", "primary_segmentation", "halves", "level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_regressions"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_regressions.log",
    benchmark:
        "results/{study}/benchmarks/plot_regressions.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_regressions.py"
