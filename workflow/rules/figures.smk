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
