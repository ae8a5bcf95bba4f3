"""Asking models with and without options: requests out, replies in. Nothing here talks to a model.

inputs:  raw/options (question file), replies of the configuration (JSON Lines: id, reply)
outputs: asked/option_requests.jsonl, asked/*_verdict_requests.jsonl, asked/*_results.json,
         asked/distractor_requests.jsonl, asked/questions_with_distractors.csv
"""


rule plan_option_requests:
    """Write the requests in both settings, with the order in which options are offered."""
    input:
        code=code("plan_option_requests"),
        raw="results/{study}/raw/options",
        normal=prompt("normal"),
        distractor=prompt("distractor"),
    output:
        requests="results/{study}/asked/option_requests.jsonl",
    params:
        questions=lambda wildcards: option_files(wildcards.study)["questions"]["name"],
        seed=option("option_order_seed"),
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/plan_option_requests.log",
    benchmark:
        "results/{study}/benchmarks/plan_option_requests.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plan_option_requests.py"


rule plan_option_verdicts:
    """Write the requests to a judge model, one for each answer."""
    input:
        code=code("plan_option_verdicts"),
        raw="results/{study}/raw/options",
        requests="results/{study}/asked/option_requests.jsonl",
        replies=lambda wildcards: reply_entry(wildcards)["path"],
        judge=prompt("judge"),
    output:
        requests="results/{study}/asked/{model}_{judging}_verdict_requests.jsonl",
    params:
        questions=lambda wildcards: option_files(wildcards.study)["questions"]["name"],
    wildcard_constraints:
        study=only("options"),
        model="[^/]+",
        judging="shared|own",
    log:
        "results/{study}/logs/plan_option_verdicts_{model}_{judging}.log",
    benchmark:
        "results/{study}/benchmarks/plan_option_verdicts_{model}_{judging}.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plan_option_verdicts.py"


rule read_option_replies:
    """Parse and judge a model's replies; write them in the published schema."""
    input:
        code=code("read_option_replies"),
        raw="results/{study}/raw/options",
        requests="results/{study}/asked/option_requests.jsonl",
        replies=lambda wildcards: reply_entry(wildcards)["path"],
        verdicts=lambda wildcards: reply_entry(wildcards)["verdicts"] or [],
    output:
        normal="results/{study}/asked/{model}_{judging}_normal_results.json",
        distractor="results/{study}/asked/{model}_{judging}_distractors_results.json",
        findings="results/{study}/audit/findings/asked_{model}_{judging}.csv",
    params:
        questions=lambda wildcards: option_files(wildcards.study)["questions"]["name"],
    wildcard_constraints:
        study=only("options"),
        model="[^/]+",
        judging="shared|own",
    log:
        "results/{study}/logs/read_option_replies_{model}_{judging}.log",
    benchmark:
        "results/{study}/benchmarks/read_option_replies_{model}_{judging}.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/read_option_replies.py"


rule plan_distractors:
    """Write the requests for three wrong answers to each question."""
    input:
        code=code("plan_distractors"),
        raw="results/{study}/raw/options",
        generation=prompt("generation"),
    output:
        requests="results/{study}/asked/distractor_requests.jsonl",
    params:
        questions=lambda wildcards: option_files(wildcards.study)["questions"]["name"],
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/plan_distractors.log",
    benchmark:
        "results/{study}/benchmarks/plan_distractors.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plan_distractors.py"


rule read_distractors:
    """Validate the wrong answers that a model wrote; write a question file with those that pass."""
    input:
        code=code("read_distractors"),
        raw="results/{study}/raw/options",
        replies=lambda wildcards: STUDIES[wildcards.study]["inputs"]["distractor_replies"] or [],
    output:
        questions="results/{study}/asked/questions_with_distractors.csv",
        findings="results/{study}/asked/distractor_findings.csv",
    params:
        questions=lambda wildcards: option_files(wildcards.study)["questions"]["name"],
    wildcard_constraints:
        study=only("options"),
    log:
        "results/{study}/logs/read_distractors.log",
    benchmark:
        "results/{study}/benchmarks/read_distractors.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/read_distractors.py"
