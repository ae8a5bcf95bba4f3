"""Fit of agents, losses, calibration, shares right by cluster, pairs and regressions of item responses."""

from __future__ import annotations

import pandas as pd
from calscore.irt import analysis, diagnostics, evaluate

from ..engine import LEVEL, taken

BINS = 10
MODELS = {"1pl": "p", "constant": "other"}


def responses(study, replicates: int, number: int, anew: bool) -> dict:
    """Intervals of one study, the fitted model as it is; ``anew``: agents differ between studies."""
    questions, resampling = study.table["question_id"], (replicates, number, LEVEL)
    losses = [
        evaluate.question_losses(name, 1, "seen", getattr(study, p), study.signs, questions)
        for name, p in MODELS.items()
    ]
    table = evaluate.loss_table(pd.concat(losses), "constant", *resampling)
    one = table[table["model"] == "1pl"]
    gain = analysis.complementarity(study.p, study.table, study.agents)
    gain = analysis.complementarity_summary(gain, *resampling)
    bins = evaluate.calibration("1pl", "seen", study.p, study.signs, questions, BINS, *resampling)
    bins = pd.DataFrame(bins).set_index("bin").reindex(range(1, BINS + 1))
    shares = analysis.cluster_accuracy(
        study.table["cluster"].to_numpy(), study.signs, study.agents, questions, *resampling
    )
    shares = shares.sort_values(["cluster", "kind", "agent"], kind="stable")
    kinds, single = shares[shares["agent"] == analysis.ALL], shares[shares["agent"] != analysis.ALL]
    ends = "low", "high"
    found = {
        "log-loss of a model": taken(one, "log_loss", *ends),
        "log-loss, model minus model": taken(
            one, "difference", "difference_low", "difference_high"
        ),
        "share right by predicted chance": taken(bins, "observed", *ends, weight="n"),
        "P(right), best human, best system, either, gain": taken(
            gain[gain["grouping"] == "all"], "mean", *ends
        ),
        "share right in a cluster, humans or systems": taken(kinds, "accuracy", *ends),
    }
    if not anew:
        fit = diagnostics.agent_fit(study.p, study.signs, questions, *resampling)
        found["share right in a cluster, an agent"] = taken(single, "accuracy", *ends)
        for name in ("accuracy", "infit", "outfit"):
            found[f"{name} of an agent"] = taken(fit, name, f"{name}_low", f"{name}_high")
        both = analysis.pairs(
            study.p, study.signs, study.agents, questions, *resampling, at_least=2
        )
        found["gain of a pair of a human and a system"] = taken(both, "gain", *ends)
    drawn = "agents anew" if anew else "same agents"
    made = {(name, f"questions; {drawn}"): cells for name, cells in found.items()}
    return made if anew else made | _regressions(study, questions)


def _regressions(study, questions) -> dict:
    """Coefficients of what makes items relevant and difficult, clustered by question."""
    features = study.table[["feature"]].assign(late=(study.table["clue"] > 2).astype(float))
    relevant = analysis.relevance_regression(study.relevance, features, questions, 0.5, LEVEL)
    hard = analysis.difficulty_regression(
        study.difficulty[:, 0], study.difficulty, study.relevance, features, questions, LEVEL
    )
    return {
        (f"coefficient of {name}", "normal, clustered by question"): taken(
            table, "coefficient", "low", "high"
        )
        for name, table in (("relevance", relevant), ("difficulty", hard))
    }
