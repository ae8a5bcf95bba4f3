"""The same questions without and with answer options ("Mind the Confidence Gap").

inputs:  question file and results in the published schema; a local folder or public addresses
outputs: raw/options, tidy/option_*.parquet, tables/option_*.csv, tables/judge_*.csv, figures/option_*
"""


rule collect_options:
    """Download or copy the question file and the results, check their SHA-256 and list them."""
    input:
        simulated=when("simulated", "results/{study}/simulated/options"),
    output:
        folder=directory("results/{study}/raw/options"),
        manifest="results/{study}/raw/manifest.csv",
    params:
        files=lambda wildcards: option_files(wildcards.study),
        folder=option_folder,
        code=code("collect_options"),
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/collect_options.log",
    benchmark:
        "results/{study}/benchmarks/collect_options.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/collect_options.py"


rule parse_options:
    """Parse questions and answers, and find what is wrong in them."""
    input:
        raw="results/{study}/raw/options",
        replies=replied_results,
        asked=replied_findings,
    output:
        questions="results/{study}/tidy/option_questions.parquet",
        results="results/{study}/tidy/option_results.parquet",
        findings="results/{study}/audit/findings/options.csv",
    params:
        files=lambda wildcards: {r: e["name"] for r, e in option_files(wildcards.study).items()},
        replies=lambda wildcards: STUDIES[wildcards.study]["inputs"]["option_replies"],
        code=code("parse_options"),
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/parse_options.log",
    benchmark:
        "results/{study}/benchmarks/parse_options.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/parse_options.py"


rule parse_option_annotations:
    """Parse verdicts of people."""
    input:
        results="results/{study}/tidy/option_results.parquet",
        annotations=annotations_file,
    output:
        annotations="results/{study}/tidy/option_annotations.parquet",
    wildcard_constraints:
        study=only("annotations"),
    params:
        code=code("parse_option_annotations"),
    log:
        "results/{study}/logs/parse_option_annotations.log",
    benchmark:
        "results/{study}/benchmarks/parse_option_annotations.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/parse_option_annotations.py"


rule tabulate_options:
    """Tables with and without options: scores, readings, types, topics, transitions, comparisons, contrasts."""
    input:
        questions="results/{study}/tidy/option_questions.parquet",
        results="results/{study}/tidy/option_results.parquet",
    output:
        scores=report(
            "results/{study}/tables/option_scores.csv",
            caption="../report/tables/option_scores.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Tables 1 and 3: with and without options"},
        ),
        readings=report(
            "results/{study}/tables/option_readings.csv",
            caption="../report/tables/option_readings.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "ECE by reading of answers not attempted"},
        ),
        types=report(
            "results/{study}/tables/option_types.csv",
            caption="../report/tables/option_types.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Table 2: by question type"},
        ),
        topics=report(
            "results/{study}/tables/option_topics.csv",
            caption="../report/tables/option_topics.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Options: by topic"},
        ),
        overall=report(
            "results/{study}/tables/option_overall.csv",
            caption="../report/tables/option_overall.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "ECE beside that of a calibrated model"},
        ),
        reliability="results/{study}/tables/option_reliability.csv",
        transitions=report(
            "results/{study}/tables/option_transitions.csv",
            caption="../report/tables/option_transitions.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Options: transitions"},
        ),
        comparisons=report(
            "results/{study}/tables/option_comparisons.csv",
            caption="../report/tables/option_comparisons.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "With against without options"},
        ),
        distraction=report(
            "results/{study}/tables/option_distraction.csv",
            caption="../report/tables/option_distraction.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Do better models lose more?"},
        ),
        contrasts=report(
            "results/{study}/tables/option_contrasts.csv",
            caption="../report/tables/option_contrasts.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Models, types and judges against each other"},
        ),
        scores_md="results/{study}/tables/option_scores.md",
        scores_tex="results/{study}/tables/option_scores.tex",
        types_md="results/{study}/tables/option_types.md",
        types_tex="results/{study}/tables/option_types.tex",
    params:
        options=option("replicates", "seed", "level"),
        names=model_names,
        code=code("tabulate_options"),
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/tabulate_options.log",
    benchmark:
        "results/{study}/benchmarks/tabulate_options.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_options.py"


rule compare_judges:
    """Agreement of the shared judge, the models' own judgements and people."""
    input:
        results="results/{study}/tidy/option_results.parquet",
        annotations=when("annotations", "results/{study}/tidy/option_annotations.parquet"),
    output:
        agreement=report(
            "results/{study}/tables/judge_agreement.csv",
            caption="../report/tables/judge_agreement.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Agreement of judges"},
        ),
        verdicts=report(
            "results/{study}/tables/judge_verdicts.csv",
            caption="../report/tables/judge_verdicts.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Options: verdicts of two judges"},
        ),
    params:
        options=option("replicates", "seed", "level"),
        code=code("compare_judges"),
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/compare_judges.log",
    benchmark:
        "results/{study}/benchmarks/compare_judges.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/compare_judges.py"


rule plot_options:
    """Figures 2 and 3, topics, transitions and harm."""
    input:
        scores="results/{study}/tables/option_scores.csv",
        reliability="results/{study}/tables/option_reliability.csv",
        types="results/{study}/tables/option_types.csv",
        topics="results/{study}/tables/option_topics.csv",
        transitions="results/{study}/tables/option_transitions.csv",
        comparisons="results/{study}/tables/option_comparisons.csv",
    output:
        reliability_svg=report(
            "results/{study}/figures/option_reliability.svg",
            caption="../report/option_reliability.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Figure 2: reliability with and without options"},
        ),
        reliability_png="results/{study}/figures/option_reliability.png",
        types_svg=report(
            "results/{study}/figures/option_types.svg",
            caption="../report/option_types.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Figure 3: right answers by question type"},
        ),
        types_png="results/{study}/figures/option_types.png",
        topics_svg=report(
            "results/{study}/figures/option_topics.svg",
            caption="../report/option_topics.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "ECE by topic"},
        ),
        topics_png="results/{study}/figures/option_topics.png",
        transitions_svg=report(
            "results/{study}/figures/option_transitions.svg",
            caption="../report/option_transitions.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "How verdicts move"},
        ),
        transitions_png="results/{study}/figures/option_transitions.png",
        harm_svg=report(
            "results/{study}/figures/option_harm.svg",
            caption="../report/option_harm.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "What options harm"},
        ),
        harm_png="results/{study}/figures/option_harm.png",
    params:
        options=option("level", "not_attempted", "min_n"),
        judging=first_judging,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_options"),
    wildcard_constraints:
        study=only("options"),
    priority: 1
    log:
        "results/{study}/logs/plot_options.log",
    benchmark:
        "results/{study}/benchmarks/plot_options.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_options.py"


rule plot_options_own:
    """Figure 4: reliability where each model judges itself."""
    input:
        scores="results/{study}/tables/option_scores.csv",
        reliability="results/{study}/tables/option_reliability.csv",
    output:
        reliability_svg=report(
            "results/{study}/figures/option_reliability_own.svg",
            caption="../report/option_reliability.rst",
            category="{study}",
            subcategory="Figures",
            labels={"item": "Figure 4: reliability, own judge"},
        ),
        reliability_png="results/{study}/figures/option_reliability_own.png",
    params:
        options=option("level", "not_attempted", "min_n"),
        judging="own",
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_options"),
    wildcard_constraints:
        study=only("own_judge"),
    priority: 1
    log:
        "results/{study}/logs/plot_options_own.log",
    benchmark:
        "results/{study}/benchmarks/plot_options_own.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_options.py"


rule check_option_claims:
    """Hold every published statement on answer options against what was computed."""
    input:
        **reads("option_questions", "option_scores", "option_types", "option_comparisons"),
        **reads("option_distraction", "option_contrasts", "judge_agreement"),
        published=lambda wildcards: STUDIES[wildcards.study]["published"],
    output:
        **writes("claims"),
    params:
        simulated=simulated,
        code=code("check_option_claims"),
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/check_option_claims.log",
    benchmark:
        "results/{study}/benchmarks/check_option_claims.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/check_option_claims.py"
