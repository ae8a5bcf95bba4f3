"""Forensics of printed numbers: what each could be, given the released buzzes and its neighbours.

inputs:  published numbers (section examine), human/human_curve, tidy/clues, tidy/questions
outputs: tables/forensics*.csv, figures/forensics.svg and .png
"""


rule examine_published:
    """Hold every printed number against what any model could reach and against its neighbours."""
    input:
        published=lambda wildcards: STUDIES[wildcards.study]["published"],
        human_curve="results/{study}/human/human_curve.parquet",
        clues="results/{study}/tidy/clues.parquet",
        questions="results/{study}/tidy/questions.parquet",
    output:
        forensics=report(
            "results/{study}/tables/forensics.csv",
            caption="../report/tables/forensics.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Forensics: every check"},
        ),
        cells=report(
            "results/{study}/tables/forensics_cells.csv",
            caption="../report/tables/forensics_cells.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Forensics: one verdict a printed number"},
        ),
        readings=report(
            "results/{study}/tables/forensics_readings.csv",
            caption="../report/tables/forensics_readings.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Forensics: readings that allow a table"},
        ),
    params:
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("examine_published"),
    log:
        "results/{study}/logs/examine_published.log",
    benchmark:
        "results/{study}/benchmarks/examine_published.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/examine_published.py"


rule plot_forensics:
    """Printed CalScore of each row against its attainable ranges, one panel a reading."""
    input:
        forensics="results/{study}/tables/forensics.csv",
    output:
        svg=report(
            "results/{study}/figures/forensics.svg",
            caption="../report/forensics.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Forensics: printed and attainable CalScore"},
        ),
        png="results/{study}/figures/forensics.png",
    params:
        segmentation=option("primary_segmentation"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_forensics"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_forensics.log",
    benchmark:
        "results/{study}/benchmarks/plot_forensics.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_forensics.py"
