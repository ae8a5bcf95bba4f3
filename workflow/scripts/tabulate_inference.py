"""What the choice of judge and of confidence moves, the specification curve, which conclusions hold where."""

from calscore.runner.bind import run
from calscore.buzz_policy import decision_values, plot
from calscore.inference import judge_sensitivity, specifications

run(
    snakemake,
    judge_sensitivity.judge_sensitivity_tables,
    specifications.specification_tables,
    decision_values.decision_value_table,
    plot.decision_value,
)
