"""What the choice of judge and of confidence moves, the specification curve, which conclusions hold where."""

from calscore.core.step import run
from calscore.answers import verification
from calscore.buzzing import decisions, plot
from calscore.inference import judges, specification

run(
    snakemake,
    verification.verified,
    specification.traced,
    judges.tabulated,
    decisions.valued,
    plot.decision_value,
)
