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
        odds_ratios="results/{study}/inference/odds_ratios.parquet",
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


rule fit_calibration_slopes:
    """Calibration regressions of every model, elicitation and reduction."""
    input:
        responses="results/{study}/judged/responses.parquet",
    output:
        calibration_slopes="results/{study}/inference/calibration_slopes.parquet",
    params:
        options=option("primary_segmentation", "level"),
        code=code("fit_calibration_slopes"),
    log:
        "results/{study}/logs/fit_calibration_slopes.log",
    benchmark:
        "results/{study}/benchmarks/fit_calibration_slopes.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/fit_calibration_slopes.py"


rule plot_regressions:
    """Forest plot of odds ratios, cumulative incidence beside figure 4's ratio, fair quartiles."""
    input:
        coverage=os.path.relpath(PACKAGE / "calscore" / "data" / "odds_ratio_coverage.csv"),
        odds_ratios="results/{study}/inference/odds_ratios.parquet",
        incidence="results/{study}/inference/incidence.parquet",
        cumulative_buzzes="results/{study}/tables/cumulative_buzzes.csv",
        fair_quartiles="results/{study}/tables/fair_quartiles.csv",
        quartile_shrinkage="results/{study}/tables/quartile_shrinkage.csv",
    output:
        odds_ratios_svg=report(
            "results/{study}/figures/odds_ratios.svg",
            caption="../report/odds_ratios.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Odds ratios of a right buzz"},
        ),
        odds_ratios_png="results/{study}/figures/odds_ratios.png",
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


rule plot_calibration_slopes:
    """Slopes and offsets of the calibration regressions."""
    input:
        calibration_slopes="results/{study}/inference/calibration_slopes.parquet",
    output:
        svg=report(
            "results/{study}/figures/calibration_slopes.svg",
            caption="../report/calibration_slopes.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Calibration slopes"},
        ),
        png="results/{study}/figures/calibration_slopes.png",
    params:
        options=option("primary_segmentation", "reductions", "level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_calibration_slopes"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_calibration_slopes.log",
    benchmark:
        "results/{study}/benchmarks/plot_calibration_slopes.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_calibration_slopes.py"
