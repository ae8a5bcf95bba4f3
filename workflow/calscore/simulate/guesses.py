"""Guesses as they are written: those of models with replies, token log-probabilities and confidence, and the survey."""

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.special import expit

from .knowledge_model import Agents, logit, quantiles, signals
from .parameters import ELICITATIONS, agent_names
from .vocabulary import Answer, Category, answer_bank


def _typo(text: str) -> str:
    """``text`` with two inner letters of its longest word swapped, where that word has more than 7 letters."""
    word = max(text.split(), key=len)
    return text.replace(word, word[:3] + word[4] + word[3] + word[5:], 1) if len(word) > 7 else text


def persistent_draws(rng: Generator, shape: tuple[int, ...], change_rate: float) -> np.ndarray:
    """Uniform draws of ``shape`` that stay along the last axis (clues) but are redrawn with ``change_rate`` at each."""
    draws = rng.uniform(size=shape)
    changes = rng.uniform(size=shape) < change_rate
    last_change = np.maximum.accumulate(np.where(changes, np.arange(shape[-1]), 0), axis=-1)
    return np.take_along_axis(draws, last_change, axis=-1)


class Wording:
    """Guesses as people and models write them; ``entries``: (category, answer) of each question."""

    def __init__(self, entries: list[tuple[Category, Answer]], values: dict):
        self.near_miss, self.typo = values["near_miss_rate"], values["typo_rate"]
        self.right, self.wrong, self.near = [], [], []
        for category, answer in entries:
            # The full name is what is written most.
            self.right.append((answer.name,) * 3 + answer.right + (answer.name.lower(),))
            self.wrong.append([other.name for other in answer_bank()[category] if other != answer])
            self.near.append(answer.near)

    def write_all(self, *columns: np.ndarray) -> list[str]:
        """:meth:`write` of each row, from its four arguments as arrays of one length."""
        return [self.write(*row) for row in zip(*(c.tolist() for c in columns), strict=True)]

    def write(self, q: int, correct: bool, choice: float, slip: float) -> str:
        """A guess on question ``q`` (from 0); uniform draws: ``choice`` of the wording, ``slip`` for a typo if right."""
        if correct:
            forms = self.right[q]
            guess = forms[int(choice * len(forms))]
            return _typo(guess) if slip < self.typo else guess
        near = choice < self.near_miss
        low, high = (0, self.near_miss) if near else (self.near_miss, 1)
        forms = self.near[q] if near else self.wrong[q]
        return forms[int((choice - low) / (high - low) * len(forms))]


def _reply(guess: str, value: float, shape: float) -> str:
    """A verbalized reply (Appendix D.4) in one of the forms that models use, chosen by the uniform draw ``shape``."""
    p = f"{value:.2f}".rstrip("0").rstrip(".")
    if shape < 0.5:
        return f"The answer is: {guess}\nProbability: {p}"
    if shape < 0.65:
        return f"The answer is: {guess}\nProbability: {round(100 * value)}%"
    if shape < 0.75:
        return f"The answer is: {guess}.\nProbability: {p}."
    if shape < 0.85:
        return f"The answer is: {guess} (probability {p})"
    if shape < 0.91:
        return f"the answer is: {guess.lower()}\nprobability: {p}"
    if shape < 0.96:
        return f"ANSWER: {guess.upper()}\nPROBABILITY: {p}"
    return f"{guess}\nProbability: {p}"


def _token_logprobs(
    rng: Generator, confidence: np.ndarray, sizes: np.ndarray, spread: float
) -> list[list[float]]:
    """For each guess, ``sizes`` token log-probabilities whose exponentials have the mean ``confidence`` (6 decimals).

    Probabilities are drawn around the confidence c on the logit scale; they, or their distances from 1 where their mean
    m is below c, are then scaled by c/m or (1 − c)/(1 − m).
    """
    inside = np.arange(sizes.max()) < sizes[:, None]
    around = logit(confidence)[:, None] + rng.normal(0, spread, inside.shape)
    drawn = np.where(inside, expit(around), 0)
    mean = (drawn.sum(axis=1) / sizes)[:, None]
    c = confidence[:, None]
    scaled = np.where(mean > c, drawn * c / mean, 1 - (1 - drawn) * (1 - c) / (1 - mean))
    logs = np.round(np.log(np.where(inside, scaled, 1)), 6) + 0.0
    return [row[:size].tolist() for row, size in zip(logs, sizes.tolist(), strict=True)]


def _model_states(
    rng: Generator, agents: Agents, ends: np.ndarray, n_words: pd.Series, values: dict
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(probability to be right, posterior logit, correct), each elicitation × model × question × clue, as ``ends``."""
    x = ends / np.asarray(n_words)[:, None]
    shape = (len(ELICITATIONS), len(agents.skill), *ends.shape)
    stays = 1 - values["model_waver"] * (1 - x)
    reach = values["model_slope"] * (x - values["midpoint"])
    p = expit(agents.edge[:, :, None] + reach)
    is_known = p > agents.draw[:, :, None]
    correct = is_known & (rng.uniform(size=shape) < stays)
    p = np.broadcast_to(p * stays, shape)
    wrong_z, right_z = signals(rng, values["model_signal"], (*shape[:3], 1))
    return p, logit(p) + np.where(correct, right_z, wrong_z), correct


def guess_table(
    rngs: dict[str, Generator],
    agents: Agents,
    wording: Wording,
    questions: pd.DataFrame,
    ends: np.ndarray,
    is_clue: np.ndarray,
    values: dict,
) -> pd.DataFrame:
    """A row per model, elicitation, question and clue, sorted by elicitation, model, question and clue. Further columns: position
    (words heard), p (true probability of being right), posterior (probability), confidence as stated, correct as meant, guess
    (None where the reply gives up), token_logprobs (None if verbalized), raw (the reply; None for logit), parsable (True for
    logit)."""
    rng, words_rng = rngs["models"], rngs["wording"]
    p, posterior, correct = _model_states(rng, agents, ends, questions["n_words"], values)
    models = agent_names(values)["model"]
    scales = [[values["confidence"][e][m] for m in models] for e in ELICITATIONS]
    a, b = (np.array([[scale[k] for scale in row] for row in scales])[..., None, None] for k in "ab")
    noise = rng.normal(0, values["confidence_noise_sd"], p.shape)
    confidence = np.clip(expit(a + b * posterior + noise), 1e-5, 1 - 1e-5)
    # What is said in words has two decimals, and nobody says 0 or 1 with this prompt.
    confidence[0] = np.round(confidence[0], 6)
    confidence[1] = np.clip(np.round(confidence[1], 2), 0.01, 0.99)
    choice = persistent_draws(words_rng, p.shape, values["change_rate"])
    slip, shape = words_rng.uniform(size=(2, *p.shape))
    e, m, q, t = np.nonzero(np.broadcast_to(is_clue, p.shape))
    index = (e, m, q, t)
    frame = pd.DataFrame(
        {
            "model": np.array(models)[m],
            "elicitation": np.array(ELICITATIONS)[e],
            "question_id": questions["question_id"].to_numpy()[q],
            "clue": t + 1,
            "position": ends[q, t],
            "p": p[index],
            "posterior": expit(posterior[index]),
            "confidence": confidence[index],
            "correct": correct[index],
        }
    )
    guesses = wording.write_all(q, correct[index], choice[index], slip[index])
    split = int((e == 0).sum())
    # About four letters a token.
    sizes = np.array([max(1, -(-len(guess) // 4)) for guess in guesses[:split]])
    stated = frame["confidence"].to_numpy()
    spread = values["token_spread_sd"]
    tokens = _token_logprobs(words_rng, stated[:split], sizes, spread)
    lost = split + words_rng.permutation(len(frame) - split)[: values["unparsable_replies"]]
    lost = set(lost.tolist())
    raw: list[str | None] = [None] * len(frame)
    right = frame["correct"].to_numpy().copy()
    shapes = shape[index].tolist()
    gives_up = words_rng.uniform(size=len(frame)).tolist()
    for i in range(split, len(frame)):
        if i in lost:
            raw[i] = f"The answer is: {guesses[i]}\nProbability: I would rather not say."
            if gives_up[i] < 0.5:
                raw[i], right[i] = "I cannot tell from these clues.", False
                guesses[i] = None
            continue
        if not right[i] and stated[i] <= 0.35 and gives_up[i] < 0.3:
            guesses[i] = "None"
        raw[i] = _reply(guesses[i], float(stated[i]), shapes[i])
    frame["correct"] = right
    # As objects, because pandas turns None into NaN in a column of text.
    lists = tokens + [None] * (len(frame) - split)
    for name, column in (("guess", guesses), ("token_logprobs", lists), ("raw", raw)):
        frame[name] = pd.Series(column, dtype=object)
    frame["parsable"] = [i not in lost for i in range(len(frame))]
    return frame


def survey_table(
    rng: Generator,
    people: Agents,
    wording: Wording,
    questions: pd.DataFrame,
    ends: np.ndarray,
    is_clue: np.ndarray,
    values: dict,
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """(table, buzz threshold of each player on the logit scale, whether each goes on answering after a buzz). The table has a row
    per player, question and clue: position, guess ("" for none), buzz (1 from the first one on, but once for those who stop),
    correct. Questions come from the exhibition packets, which next to no team heard (Appendix F; §3.2.1)."""
    count = values["exhibitions"] * values["questions_per_packet"]
    chosen = np.sort(rng.permutation(count)[: values["survey_questions"]])
    x = ends[chosen] / questions["n_words"].to_numpy()[chosen][:, None]
    reach = values["human_slope"] * (x - values["midpoint"])
    p = expit(people.edge[:, chosen, None] + reach)
    correct = p > people.draw[:, chosen, None]
    correct &= rng.uniform(size=p.shape) >= values["player_slip_rate"]
    wrong_z, right_z = signals(rng, values["human_signal"], (*p.shape[:2], 1))
    posterior = logit(p) + np.where(correct, right_z, wrong_z)
    names = agent_names(values)["player"]
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
