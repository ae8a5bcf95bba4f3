"""The same questions without and with answer options ("Mind the Confidence Gap").

inputs:  question file and results in the published schema; a local folder or public addresses
outputs: raw/options, tidy/option_*.parquet, tables/option_*.csv, tables/judge_*.csv, figures/option_*, tables/{statements,claims,printed_cells}.csv
"""


rule collect_options:
    """Download or copy the question file and the results, check their SHA-256 and list them."""
    input:
        simulated=when("simulated", "results/{study}/simulated/options"),
        held=held("results_dir"),
    output:
        **writes("manifest"),
        folder=directory("results/{study}/raw/options"),
    params:
        files=lambda wildcards: option_files(wildcards.study),
        source=lookup("{study}/inputs/results_dir", within=STUDIES),
    wildcard_constraints:
        study=only("options"),
    localrule: True
    script:
        "../scripts/collect_options.py"


rule parse_options:
    """Parse questions and answers, and find what is wrong in them."""
    input:
        raw="results/{study}/raw/options",
        replied=replied(
            [
                "asked/{model}_{judging}_normal_results.json",
                "asked/{model}_{judging}_distractors_results.json",
            ]
        ),
        asked=replied(["audit/findings/asked_{model}_{judging}.csv"]),
    output:
        **writes("option_questions", "option_results"),
        findings="results/{study}/audit/findings/options.csv",
    params:
        files=lambda wildcards: {r: e["name"] for r, e in option_files(wildcards.study).items()},
        entries=lookup("{study}/inputs/option_replies", within=STUDIES),
    script:
        "../scripts/parse_options.py"


rule write_option_numbers:
    """Write questions and answers as numbers without their texts (resources/confidence-gap); made on demand."""
    input:
        **reads("option_questions", "option_results"),
    output:
        folder=directory("results/{study}/extract"),
    wildcard_constraints:
        study=only("options"),
    script:
        "../scripts/write_option_numbers.py"


rule parse_option_annotations:
    """Parse verdicts of people."""
    input:
        **reads("option_results"),
        annotations=annotations_file,
    output:
        **writes("option_annotations"),
    script:
        "../scripts/parse_option_annotations.py"


rule tabulate_options:
    """Tables with and without options: scores, readings, types, topics, transitions, comparisons, contrasts."""
    input:
        **reads("option_questions", "option_results"),
    output:
        **writes("option_scores", "option_readings", "option_types", "option_topics", "option_overall"),
        **writes("option_reliability", "option_transitions", "option_comparisons"),
        **writes("option_distraction", "option_contrasts"),
    params:
        **resampling(),
        names=model_names,
    resources:
        mem_mb=2000,
        runtime=30,
    script:
        "../scripts/tabulate_options.py"


rule compare_judges:
    """Agreement of the shared judge, the models' own judgements and people."""
    input:
        **reads("option_results", "option_annotations"),
    output:
        **writes("judge_agreement", "judge_verdicts"),
    params:
        **resampling(),
    script:
        "../scripts/compare_judges.py"


rule plot_options:
    """Figures 2 and 3, topics, transitions and harm."""
    input:
        **reads("option_scores", "option_reliability", "option_types", "option_topics"),
        **reads("option_transitions", "option_comparisons"),
    output:
        **draws("option_reliability", "option_types", "option_topics"),
        **draws("option_transitions", "option_harm"),
    params:
        **options("level", "not_attempted", "min_n"),
        judging=first_judging,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_options.py"


rule plot_options_own:
    """Figure 4: reliability where each model judges itself."""
    input:
        **reads("option_scores", "option_reliability"),
    output:
        **draws("option_reliability_own"),
    params:
        **options("level", "not_attempted", "min_n"),
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_options_own.py"


rule fill_option_ledger:
    """Hold every published statement on answer options against what was computed."""
    input:
        **reads("option_questions", "option_results", "option_scores", "option_types"),
        **reads("option_comparisons", "option_distraction", "option_contrasts"),
        published=published,
    output:
        **writes("statements", "claims", "printed_cells"),
    params:
        simulated=simulated,
    wildcard_constraints:
        study=only("options"),
    script:
        "../scripts/fill_option_ledger.py"
