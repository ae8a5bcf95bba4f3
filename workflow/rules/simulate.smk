"""Studies made up by the workflow, in the raw formats of the real ones.

inputs:  the configuration (simulate: seed, parameters)
outputs: simulated/, tables/recovery.csv
"""


rule simulate_study:
    """Write a complete simulated study in the raw formats of the real one."""
    output:
        **files("truth"),
        archive="results/{study}/simulated/[public]ALL_final_buzzpoints_enc.zip",
        per_packet="results/{study}/simulated/human_team_per_question.pkl",
        combined="results/{study}/simulated/human_model_team_per_question.pkl",
        teams="results/{study}/simulated/all_teams.pkl",
        guesses="results/{study}/simulated/guesses.jsonl",
        survey="results/{study}/simulated/survey.csv",
    params:
        **simulation(),
    wildcard_constraints:
        study=only("simulated", "release"),
    script:
        "../scripts/simulate_study.py"


rule simulate_tournament:
    """Write a tournament with every hazard of real folders, and submissions that play it."""
    output:
        **files("truth"),
        folder=directory("results/{study}/simulated/tournament"),
        submissions=directory("results/{study}/simulated/submissions"),
    params:
        **simulation(),
    wildcard_constraints:
        study=only("simulated", "tournament"),
    script:
        "../scripts/simulate_tournament.py"


rule simulate_options:
    """Write a simulated study of answer options in the published format."""
    output:
        **files("truth"),
        folder=directory("results/{study}/simulated/options"),
        annotations="results/{study}/simulated/annotations.csv",
    params:
        **simulation(),
    wildcard_constraints:
        study=only("options"),
    script:
        "../scripts/simulate_options.py"


rule simulate_irt:
    """Write simulated items, systems' responses and players' buzzes in their raw formats."""
    output:
        **files("irt_truth"),
        queries="results/{study}/simulated/irt/queries.jsonl",
        agents="results/{study}/simulated/irt/agents.jsonl",
        responses="results/{study}/simulated/irt/responses.jsonl",
        table="results/{study}/simulated/irt/table.csv",
        buzzes="results/{study}/simulated/irt/buzzes.csv",
    params:
        **simulation(),
    script:
        "../scripts/simulate_irt.py"


rule recover_buzzes:
    """Hold scores, replies and packets of a simulated study against what it was made with."""
    input:
        **reads("responses", "human_curve", "model_scores", "team_summary", "replies"),
        truth="results/{study}/simulated/truth.json",
    output:
        **writes("recovery"),
    params:
        **options("primary_segmentation"),
    wildcard_constraints:
        study=only("simulated", "release", "guesses"),
    script:
        "../scripts/recover_buzzes.py"


rule recover_options:
    """Hold shares, errors and verdicts of a simulated study against what it was made with."""
    input:
        **reads("option_scores", "judge_agreement", "judge_verdicts"),
        truth="results/{study}/simulated/truth.json",
    output:
        **writes("recovery"),
    wildcard_constraints:
        study=only("simulated", "options"),
    script:
        "../scripts/recover_options.py"


rule recover_tournament:
    """Hold what was found in a simulated tournament against what it was made with."""
    input:
        **reads("bonuses", "findings"),
        truth="results/{study}/simulated/truth.json",
    output:
        **writes("recovery"),
    wildcard_constraints:
        study=only("simulated", "submissions"),
    script:
        "../scripts/recover_tournament.py"
