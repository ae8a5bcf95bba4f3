"""What item response models recover of simulated truths: six worlds, each with and without residual difficulty, and others.

Humans know an answer from some clue on and buzz there, or wrongly, or are beaten by somebody else; systems answer every
item. ``complete``: what humans would have said at every clue; ``censored`` and ``backfilled``: their buzzes, read so
(irt.reading). Run by ``make bench-irt``; correlations are means over studies, errors of the difference between systems and
humans, over all items and on each aspect, are split into their mean, their spread over studies, and the standard errors that were said; coverage is of
95 % intervals, with its own Monte-Carlo error.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from calscore.irt import model, outcomes, uncertainty
from calscore.stats.bootstrap import Bootstrap
from irt_worlds import match

HUMANS, SYSTEMS, QUESTIONS, CLUES, ASPECTS, FACTORS = 26, 14, 90, 4, 2, 5
#: What systems have on each aspect beyond humans, chance of a wrong buzz and of being beaten at each clue.
AHEAD, SLIP, BEATEN = np.array([0.9, -0.3]), 0.08, 0.12
#: τ (None: :func:`foreign`), what is read, how uneven clues are, and where in a clue a human is beaten, as a share of its words (None: anywhere).
WORLDS = [
    (tau, reading, 0.0, 1.0) for tau in (0.0, 0.8) for reading in ("complete", "censored", "backfilled")
]  # fmt: skip
WORLDS += [(0.8, "censored", 0.5, 1.0), (0.8, "censored", 0.0, None), (0.0, "censored", 0.0, 0.0)]
WORLDS += [(None, "complete", 0.0, 1.0), (None, "censored", 0.0, 1.0)]
COLUMNS = ("skills", "difficulty", "relevance", "AI − human", "truth", "hold it", "hold a skill", "hold a difficulty", "hold it on an aspect", "hold a relevance")  # fmt: skip


def own(rng, tau: float, uneven: float, question, clue):
    """Embeddings, relevance, skills and offsets as the model has them."""
    latent = rng.standard_normal((QUESTIONS, FACTORS))[question]
    latent = latent + uneven * rng.standard_normal(latent.shape)
    easier = (clue - clue.mean()) / clue.std()
    relevance = model.softmax(latent @ rng.standard_normal((FACTORS, ASPECTS)), axis=1)
    difficulty = latent @ (0.4 * rng.standard_normal((FACTORS, ASPECTS))) - 0.9 * easier[:, None]
    skills = 0.8 * rng.standard_normal((HUMANS + SYSTEMS, 1)) - 0.3
    skills = skills + rng.standard_normal((HUMANS + SYSTEMS, ASPECTS))
    skills[HUMANS:] += AHEAD
    residual = tau * rng.standard_normal(QUESTIONS)[question]
    embeddings = np.column_stack([latent, 2 * easier])
    embeddings = embeddings + 0.05 * rng.standard_normal(embeddings.shape)
    return embeddings, relevance, skills, (relevance * difficulty).sum(axis=1) + residual


def foreign(rng, question, clue):
    """The same where the model is wrong: a question is about one topic, which its text tells in 19 of 20 cases; how hard it is
    is skewed and hangs on the text along a kink; clues get easier by steps of any size; skills have heavy tails, systems
    are of four families.
    """
    topic = rng.integers(0, ASPECTS, QUESTIONS)
    latent = rng.standard_normal((QUESTIONS, FACTORS))
    latent[:, 0] += 1.6 * (2 * topic - 1)
    latent = latent[question] + 0.5 * rng.standard_normal((len(question), FACTORS))
    topic = topic[question]
    hard = np.abs(latent[:, 1]) + 0.6 * latent[:, 2] * (topic == 0)
    hard = hard + rng.exponential(0.8, QUESTIONS)[question] + 0.4 * rng.standard_normal(len(clue))
    hard = hard - rng.exponential(0.6, (QUESTIONS, CLUES)).cumsum(axis=1).ravel()
    skills = 0.8 * rng.standard_normal((HUMANS + SYSTEMS, 1)) - 0.3
    skills = skills + 0.7 * rng.standard_t(4, (HUMANS + SYSTEMS, ASPECTS))
    family = 0.4 * rng.standard_normal((4, ASPECTS))[np.arange(SYSTEMS) % 4]
    skills[HUMANS:] += AHEAD + family
    embeddings = np.column_stack([latent, 2 * (clue - clue.mean()) / clue.std()])
    return embeddings, np.eye(ASPECTS)[topic], skills, hard


def study(seed: int, tau: float | None, uneven: float, place: float | None):
    """A world, its items, complete signs (J, I) and what humans did (agent, question_id, three clues, share).

    ``uneven``: how much clues of a question differ in what they are about and how hard they are, beyond getting easier.
    What a clue adds is known evenly over its words. ``place``: who is beaten at 1 would have buzzed had he known at the clue, at
    0 has not shown what he knew there.
    """
    rng = np.random.default_rng(seed)
    question = np.repeat(np.arange(QUESTIONS), CLUES)
    clue = np.tile(np.arange(1, CLUES + 1), QUESTIONS)
    world = foreign(rng, question, clue) if tau is None else own(rng, tau, uneven, question, clue)
    _, relevance, skills, offset = world
    probability = model.sigmoid(relevance @ skills.T - offset[:, None])
    draw = rng.random(probability.shape)
    # A human's knowledge stays: one draw decides at all clues of a question.
    draw[:, :HUMANS] = np.repeat(rng.random((QUESTIONS, HUMANS)), CLUES, axis=0)
    right = draw < probability
    by = right[:, :HUMANS].reshape(QUESTIONS, CLUES, HUMANS)
    ends = rng.random((2, *by.shape)) < np.array([SLIP, BEATEN])[:, None, None, None]
    shares = rng.random(by.shape) if place is None else np.full(by.shape, place)
    if place != 1:
        ends[0] &= ~ends[1]
        chance = probability[:, :HUMANS].reshape(by.shape)
        before = np.maximum.accumulate(chance, axis=1)
        before = np.concatenate([np.zeros_like(before[:, :1]), before[:, :-1]], axis=1)
        known = before + shares * np.maximum(chance - before, 0)
        in_time = draw[:, :HUMANS].reshape(by.shape) < known
        by = by & (in_time | ~ends[1])
    over = np.concatenate([by | ends.any(axis=0), np.ones((QUESTIONS, 1, HUMANS), bool)], axis=1)
    at = over.argmax(axis=1)
    last = np.minimum(at, CLUES - 1)[:, None]
    knows = np.take_along_axis(by, last, 1)[:, 0] & (at < CLUES)
    slips = np.take_along_axis(ends[0], last, 1)[:, 0] & (at < CLUES) & ~knows
    beaten = (at < CLUES) & ~knows & ~slips
    part = np.take_along_axis(shares, last, 1)[:, 0] * beaten
    number, human = np.indices(at.shape)
    said = pd.DataFrame(
        {
            "agent": human.ravel(), "question_id": number.ravel(),
            "right_from": np.where(knows, at + 1, 0).ravel(),
            "wrong_to": np.where(slips, at + 1, 0).ravel(),
            "silent_to": (at + (part == 1)).ravel(), "share": (part * (part < 1)).ravel(),
        }
    )  # fmt: skip
    table = pd.DataFrame({"question_id": question, "clue": clue, "item_id": np.arange(len(clue))})
    return world, table, np.where(right, 1.0, -1.0), said


def recovered(seed: int, tau, reading: str, uneven: float, place: float | None, refits: int) -> dict:
    """One study read one way: what was estimated beside the truth, and which intervals hold it."""
    (embeddings, relevance, skills, offset), table, signs, said = study(seed, tau, uneven, place)
    pending = None
    if reading != "complete":
        rows = outcomes.responses_under_reading(table, said, reading)
        left = outcomes.censored_mask(rows, table, range(HUMANS), reading)
        who = pd.DataFrame({"agent": range(HUMANS)})
        pending = outcomes.censored_outcomes(
            rows.assign(undecided=left), table, who, said[: None if reading == "censored" else 0]
        )
        signs[:, :HUMANS] = 0
        cells = rows["item_id"].to_numpy(), rows["agent"].to_numpy()
        signs[cells] = np.where(rows["correct"], 1.0, -1.0)
    sides = np.repeat([0, 1], [HUMANS, SYSTEMS])
    penalty = model.Penalty(kinds=model.scaled_membership(sides), groups=sides)
    clue = table["clue"].to_numpy(float)
    heard = ((clue - clue.mean()) / clue.std())[:, None]
    text = model.project(embeddings[:, :-1], 8, heard, True)
    fit = model.fit(text, signs, ASPECTS, penalty, restarts=2, seed=seed, pending=pending)
    fit = model.permuted(fit, match(relevance, fit.relevance))
    kind = np.repeat([-1 / HUMANS, 1 / SYSTEMS], [HUMANS, SYSTEMS])

    def summary(parameters, about, weights):
        _, difficulty = model.item_terms(parameters, fit.design)
        order = match(fit.relevance, about)
        over = np.average(about, axis=0, weights=weights)
        own = parameters.skills @ over
        hard = model.item_offset(parameters, about, difficulty)
        aspects = kind @ parameters.skills[:, order]
        return {"skill": own, "aspects": aspects, "hard": hard, "relevance": about[:, order]}

    questions = table["question_id"].to_numpy()
    resampling = Bootstrap(refits, seed, 0.95)
    draws = uncertainty.bootstrap(fit, signs, questions, resampling, summary, pending)
    estimate = summary(fit.parameters, fit.relevance, np.ones(len(table)))
    errors = uncertainty.item_errors(fit, signs, questions, draws["hard"], pending)
    true = skills @ relevance.mean(axis=0)

    def held(drawn, wanted):
        low, high = uncertainty.percentile_bounds(drawn, 0.95)
        return np.mean((low <= wanted) & (wanted <= high))

    def about_mean(values):
        return values - values.mean(axis=-1, keepdims=True)

    gap = about_mean(fit.offset) - about_mean(offset)
    values = (
        np.corrcoef(estimate["skill"], true)[0, 1], np.corrcoef(fit.offset, offset)[0, 1],
        np.mean([np.corrcoef(x, y)[0, 1] for x, y in zip(fit.relevance.T, relevance.T, strict=True)]),
        kind @ estimate["skill"], kind @ true, held(draws["skill"] @ kind, kind @ true),
        held(about_mean(draws["skill"]), about_mean(true)), np.mean(np.abs(gap) < 1.96 * errors),
        held(draws["aspects"], kind @ skills), held(draws["relevance"], relevance),
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="seed of the first study")
    parser.add_argument("--refits", type=int, default=40)
    parser.add_argument("--only", type=int, nargs="*", help="worlds by number, from 0")
    given = parser.parse_args()
    for tau, reading, uneven, place in WORLDS if given.only is None else [WORLDS[k] for k in given.only]:
        seeds = range(given.first, given.first + given.studies)
        of = tau, reading, uneven, place, given.refits
        table = pd.DataFrame([recovered(seed, *of) for seed in seeds])
        error = table["AI − human"] - table["truth"]
        said = ", ".join(f"{name} {table[name].mean():.2f}" for name in COLUMNS)
        said += f"; error of AI − human {error.mean():+.3f}, spread {error.std():.3f}"
        clues = ", uneven clues" * bool(uneven)
        clues += "" if place == 1 else ", beaten at any word" if place is None else ", beaten at once"
        made = "foreign" if tau is None else f"τ = {tau}"
        print(f"{made}, {reading}{clues} ({given.studies} studies): {said}", flush=True)


if __name__ == "__main__":
    main()
