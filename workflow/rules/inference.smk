"""What the numbers can carry: resampling over questions and teams, paired tests, every other choice.

inputs:  tidy, judged, human and scores tables
outputs: inference/*.parquet, tables/{precision,comparisons,rank_probabilities,specifications,conclusions}.csv
"""


rule infer_crowd:
    """P(correct | buzz) of humans and live models, with questions and teams resampled."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
    output:
        precision="results/{study}/inference/precision.parquet",
        table=report(
            "results/{study}/tables/precision.csv",
            caption="../report/tables/precision.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Right buzzes: humans and models"},
        ),
    params:
        options=option("replicates", "seed", "level"),
        names=model_names,
        code=code("infer_crowd"),
    log:
        "results/{study}/logs/infer_crowd.log",
    benchmark:
        "results/{study}/benchmarks/infer_crowd.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/infer_crowd.py"


rule compare_models:
    """Differences between models, elicitations and humans: intervals, permutation tests, ranks."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        clues="results/{study}/tidy/clues.parquet",
        buzzes="results/{study}/tidy/buzzes.parquet",
        exposures="results/{study}/tidy/exposures.parquet",
        responses="results/{study}/judged/responses.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        question_scores="results/{study}/scores/question_scores.parquet",
        sh_scores="results/{study}/scores/sh_scores.parquet",
    output:
        comparisons="results/{study}/inference/comparisons.parquet",
        rank_probabilities="results/{study}/inference/rank_probabilities.parquet",
        model_minus_human="results/{study}/inference/model_minus_human.parquet",
        comparisons_table=report(
            "results/{study}/tables/comparisons.csv",
            caption="../report/tables/comparisons.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Differences between models"},
        ),
        ranks_table=report(
            "results/{study}/tables/rank_probabilities.csv",
            caption="../report/tables/rank_probabilities.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "How sure the ranks are"},
        ),
        human_table=report(
            "results/{study}/tables/model_minus_human.csv",
            caption="../report/tables/model_minus_human.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Models minus humans"},
        ),
    params:
        options=option(
            "primary_segmentation",
            "primary_definition",
            "reductions",
            "declared_metrics",
            "replicates",
            "permutations",
            "seed",
            "level",
        ),
        names=model_names,
        code=code("compare_models"),
    log:
        "results/{study}/logs/compare_models.log",
    benchmark:
        "results/{study}/benchmarks/compare_models.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/compare_models.py"


rule trace_specifications:
    """Every headline number and every order of two models under all defensible choices."""
    input:
        questions="results/{study}/tidy/questions.parquet",
        responses="results/{study}/judged/responses.parquet",
        human_curve="results/{study}/human/human_curve.parquet",
        verdicts="results/{study}/judged/matcher_verdicts.parquet",
        comparisons="results/{study}/inference/comparisons.parquet",
        published=lambda wildcards: STUDIES[wildcards.study]["published"] or [],
    output:
        specifications=report(
            "results/{study}/tables/specifications.csv",
            caption="../report/tables/specifications.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Specifications"},
        ),
        conclusions=report(
            "results/{study}/tables/conclusions.csv",
            caption="../report/tables/conclusions.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Which conclusions hold where"},
        ),
    params:
        options=option("primary_segmentation", "primary_definition", "reductions"),
        code=code("trace_specifications"),
    log:
        "results/{study}/logs/trace_specifications.log",
    benchmark:
        "results/{study}/benchmarks/trace_specifications.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/trace_specifications.py"


rule plot_precision:
    """P(correct | buzz) by category: the human pool and each live model."""
    input:
        precision="results/{study}/tables/precision.csv",
    output:
        precision_svg=report(
            "results/{study}/figures/precision.svg",
            caption="../report/precision.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Right buzzes: humans and models"},
        ),
        precision_png="results/{study}/figures/precision.png",
    params:
        options=option("level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_precision"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_precision.log",
    benchmark:
        "results/{study}/benchmarks/plot_precision.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_precision.py"


rule plot_comparisons:
    """Differences with intervals, ranks, and the specification curve."""
    input:
        comparisons="results/{study}/inference/comparisons.parquet",
        ranks="results/{study}/inference/rank_probabilities.parquet",
        specifications="results/{study}/tables/specifications.csv",
        table1="results/{study}/tables/table1.csv",
    output:
        differences_svg=report(
            "results/{study}/figures/differences.svg",
            caption="../report/differences.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Differences in CalScore"},
        ),
        differences_png="results/{study}/figures/differences.png",
        ranks_svg=report(
            "results/{study}/figures/ranks.svg",
            caption="../report/ranks.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "How sure the ranks are"},
        ),
        ranks_png="results/{study}/figures/ranks.png",
        specification_curve_svg=report(
            "results/{study}/figures/specification_curve.svg",
            caption="../report/specification_curve.rst",
            category="{study}",
            subcategory="Inference",
            labels={"item": "Specification curve"},
        ),
        specification_curve_png="results/{study}/figures/specification_curve.png",
    params:
        options=option("primary_segmentation", "primary_definition", "reductions", "level"),
        names=model_names,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_comparisons"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_comparisons.log",
    benchmark:
        "results/{study}/benchmarks/plot_comparisons.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_comparisons.py"
