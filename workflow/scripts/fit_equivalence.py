"""Weights of the learned answer-equivalence score, from human-labelled pairs."""

from calscore.answers import evaluation
from calscore.core.step import run

run(snakemake, evaluation.fitted)
