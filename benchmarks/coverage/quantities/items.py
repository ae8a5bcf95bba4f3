"""Fit of agents and losses of item responses."""

from __future__ import annotations

import pandas as pd
from calscore.irt import diagnostics, evaluate
from calscore.stats.bootstrap import Bootstrap

from ..engine import LEVEL, taken

MODELS = {"1pl": "p", "constant": "other"}


def responses(study, replicates: int, number: int, anew: bool) -> dict:
    """Intervals of one study, the fitted model as it is; ``anew``: agents differ between studies."""
    questions, resampling = study.table["question_id"], Bootstrap(replicates, number, LEVEL)
    losses = [
        evaluate.question_losses(name, 0, "seen", getattr(study, p), study.signs, questions)
        for name, p in MODELS.items()
    ]
    table = evaluate.loss_table(pd.concat(losses), resampling, {})
    one = table[table["model"] == "constant"]
    ends = "low", "high"
    found = {
        "log-loss of a model": taken(one, "log_loss", *ends),
        "log-loss, model minus model": taken(one, "difference", "difference_low", "difference_high"),
    }
    if not anew:
        fit = diagnostics.agent_fit(study.p, study.signs, questions, resampling)
        for name in ("accuracy", "infit", "outfit"):
            found[f"{name} of an agent"] = taken(fit, name, f"{name}_low", f"{name}_high")
    drawn = "agents anew" if anew else "same agents"
    return {(name, f"questions; {drawn}"): cells for name, cells in found.items()}
