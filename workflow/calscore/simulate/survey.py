"""The simulated offline survey: what players write at each clue, and where they would buzz."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import expit

from .guesses import persistent_draws
from .knowledge_model import Agents, logit, quantiles, signals
from .parameters import players


def survey_table(rng, people: Agents, wording, questions, ends, is_clue, values):
    """(survey table, buzz threshold of each player, whether each goes on answering after a buzz) (Appendix F; §3.2.1).

    Questions come from the exhibition packets, which next to no team heard.
    """
    count = values["exhibitions"] * values["questions_per_packet"]
    chosen = np.sort(rng.permutation(count)[: values["survey_questions"]])
    x = ends[chosen] / questions["n_words"].to_numpy()[chosen][:, None]
    reach = values["human_slope"] * (x - values["midpoint"])
    p = expit(people.edge[:, chosen, None] + reach)
    correct = p > people.draw[:, chosen, None]
    correct &= rng.uniform(size=p.shape) >= values["player_slip_rate"]
    wrong_z, right_z = signals(rng, values["human_signal"], (*p.shape[:2], 1))
    posterior = logit(p) + np.where(correct, right_z, wrong_z)
    names = players(values)
    mean, sd = values["player_threshold_mean"], values["player_threshold_sd"]
    threshold = quantiles(rng, mean, sd, len(names))
    goes_on = rng.uniform(size=len(names)) < values["player_goes_on"]
    buzz = np.logical_or.accumulate(posterior > threshold[:, None, None], axis=2)
    silent = rng.uniform(size=p.shape) < values["player_silence"] * expit(-posterior)
    silent &= ~correct & ~buzz
    # Those who stop have answered: they leave the rest of the question empty.
    after = buzz & (np.cumsum(buzz, axis=2) > 1) & ~goes_on[:, None, None]
    choice = persistent_draws(rng, p.shape, values["change_rate"])
    slip = rng.uniform(size=p.shape)
    index = np.nonzero(np.broadcast_to(is_clue[chosen], p.shape))
    player, question, clue = index
    question = chosen[question]
    empty = (silent | after)[index]
    guesses = wording.write_all(question, correct[index], choice[index], slip[index])
    table = pd.DataFrame(
        {
            "player": np.array(names)[player],
            "question_id": questions["question_id"].to_numpy()[question],
            "clue": clue + 1,
            "position": ends[question, clue],
            "guess": np.where(empty, "", guesses),
            "buzz": (buzz & ~after)[index].astype(int),
            "correct": correct[index] & ~empty,
        }
    )
    return table, threshold, goes_on
