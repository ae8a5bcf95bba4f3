"""Recompute human-versus-model calibration studies from their raw buzz logs.

Paths:
  results/{study}/raw/      what came from outside, checked, never edited
  results/{study}/simulated/  what the simulator of a simulated study knows
  results/{study}/guess/    what the guessers of the configuration guessed
  results/{study}/asked/    requests and replies of a study of answer options
  results/{study}/past/     past questions and the guesses on them
  results/{study}/tidy/     questions, clues, buzzes, exposures, guesses, survey
  results/{study}/judged/   verdicts, and answers at each clue
  results/{study}/human/    the human curve h_t, teams, players, quartiles
  results/{study}/scores/   per question and per model
  results/{study}/inference/  intervals, paired tests, ranks, regressions
  results/{study}/buzzing/  when each model buzzes under each threshold rule
  results/{study}/irt/      items, agents, responses, embeddings, skills and item parameters
  results/{study}/tables/   results/{study}/figures/   what people look at
  results/{study}/audit/    what people check
  results/{study}/explorer.html   results/{study}/leaderboard.html   results/{study}/notebooks/
  results/{study}/export/   the live buzzes in formats that others read
  results/{study}/logs/     results/{study}/benchmarks/   one per rule

Studies are entries of the configuration: config/config.yaml unless --configfile names another.
"""

from snakemake.utils import min_version

min_version("9.5")

if "studies" not in config:

    configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/raw.smk"
include: "workflow/rules/guess_common.smk"
include: "workflow/rules/option_inputs.smk"
include: "workflow/rules/guess.smk"
include: "workflow/rules/tidy.smk"
include: "workflow/rules/judged.smk"
include: "workflow/rules/human.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/fuller.smk"
include: "workflow/rules/regressions.smk"
include: "workflow/rules/buzzing.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/options.smk"
include: "workflow/rules/option_requests.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/tournament.smk"
include: "workflow/rules/leaderboard.smk"
include: "workflow/rules/irt_common.smk"
include: "workflow/rules/irt.smk"
include: "workflow/rules/forensics.smk"
include: "workflow/rules/desk.smk"
include: "workflow/rules/audit.smk"
include: "workflow/rules/notebooks.smk"


report: "workflow/report/workflow.rst"


rule all:
    """Everything that the inputs of every configured study allow."""
    default_target: True
    input:
        products(STUDIES),
