"""Weights of the learned answer-equivalence score, from human-labelled pairs."""

from calscore.runner.bind import run
from calscore.judging import evaluation

run(snakemake, evaluation.refit_json)
