"""Asking models with and without options: requests out, replies in, by hand or by a guesser.

inputs:  raw/options (question file), replies of the configuration (JSON Lines: id, reply)
outputs: asked/option_requests.jsonl, asked/*_verdict_requests.jsonl, asked/*_results.json,
         asked/distractor_requests.jsonl, asked/questions_with_distractors.csv, asked/<guesser>/*_replies.jsonl
"""


rule plan_option_requests:
    """Write the requests in both settings, with the order in which options are offered."""
    input:
        raw="results/{study}/raw/options",
    output:
        planned="results/{study}/asked/option_requests.jsonl",
    params:
        **options("option_order_seed"),
        question_file=question_file,
    script:
        "../scripts/plan_option_requests.py"


rule plan_option_verdicts:
    """Write the requests to a judge model, one for each answer."""
    input:
        raw="results/{study}/raw/options",
        request_file="results/{study}/asked/option_requests.jsonl",
        reply_file=replies_file,
    output:
        planned="results/{study}/asked/{model}_{judging}_verdict_requests.jsonl",
    params:
        question_file=question_file,
    wildcard_constraints:
        model="[^/]+",
        judging="shared|own",
    script:
        "../scripts/plan_option_verdicts.py"


rule read_option_replies:
    """Parse and judge a model's replies; write them in the published schema."""
    input:
        raw="results/{study}/raw/options",
        request_file="results/{study}/asked/option_requests.jsonl",
        reply_file=replies_file,
        verdict_file=verdicts_file,
    output:
        normal="results/{study}/asked/{model}_{judging}_normal_results.json",
        distractor="results/{study}/asked/{model}_{judging}_distractors_results.json",
        findings="results/{study}/audit/findings/asked_{model}_{judging}.csv",
    params:
        question_file=question_file,
    wildcard_constraints:
        model="[^/]+",
        judging="shared|own",
    script:
        "../scripts/read_option_replies.py"


rule plan_distractors:
    """Write the requests for three wrong answers to each question."""
    input:
        raw="results/{study}/raw/options",
    output:
        planned="results/{study}/asked/distractor_requests.jsonl",
    params:
        question_file=question_file,
    script:
        "../scripts/plan_distractors.py"


rule read_distractors:
    """Validate the wrong answers that a model wrote; write a question file with those that pass."""
    input:
        raw="results/{study}/raw/options",
        reply_file=distractors_file,
    output:
        questions_with_distractors="results/{study}/asked/questions_with_distractors.csv",
        findings="results/{study}/asked/distractor_findings.csv",
    params:
        question_file=question_file,
    script:
        "../scripts/read_distractors.py"


rule ask_requests:
    """Send a file of requests to a guesser; what is stored is not asked again."""
    input:
        request_file="results/{study}/asked/{requests}_requests.jsonl",
    output:
        reply_file="results/{study}/asked/{guesser}/{requests}_replies.jsonl",
    params:
        guesser=guesser,
        reply_store=reply_store,
        folder=lookup("{study}/inputs/replies", within=STUDIES),
    wildcard_constraints:
        guesser=guessers("endpoint"),
        requests="[^/]+",
    localrule: True
    script:
        "../scripts/ask_requests.py"
