"""The simulated tournament: where teams and models would buzz, who meets whom, who buzzes first."""

import numpy as np
import pandas as pd
from numpy.random import Generator

from .knowledge_model import Agents, logit, quantiles, signals
from .parameters import agent_names


def human_plans(
    rng: Generator, humans: Agents, n_words: np.ndarray, values: dict
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(word index 0-based or −1 for never; right; threshold as a logit) of each team's buzz on each question if nobody else
    buzzed. The first two are (teams, questions), the threshold is (teams,).

    Wrong when the confidence in a wrong answer passes the threshold before the answer is known, else right as soon as
    it is known and the confidence suffices, else a try at the last word if sure enough. None before ``earliest_word``.
    """
    slope, midpoint = values["human_slope"], values["midpoint"]
    wrong_z, right_z = signals(rng, values["human_signal"], humans.edge.shape)
    mean, sd = values["human_threshold_mean"], values["human_threshold_sd"]
    threshold = quantiles(rng, mean, sd, len(humans.skill))[:, None]
    known_at = midpoint + (logit(humans.draw) - humans.edge) / slope
    wrong_at = midpoint + (threshold - wrong_z - humans.edge) / slope
    right_at = np.maximum(known_at, midpoint + (threshold - right_z - humans.edge) / slope)
    wrong = (wrong_at < known_at) & (wrong_at <= 1)
    right = ~wrong & (right_at <= 1)
    at_last = humans.edge + slope * (1 - midpoint) + np.where(known_at <= 1, right_z, wrong_z)
    tries = ~wrong & ~right & (at_last > values["human_last_threshold"])
    share = np.where(wrong, wrong_at, np.where(right, right_at, 1.0))
    word = np.ceil(share * n_words).astype(int) - 1
    word = np.clip(word, values["earliest_word"], n_words - 1)
    word = np.where(wrong | right | tries, word, -1)
    return word, right | (tries & (known_at <= 1)), threshold[:, 0]


def _attendance(rng: Generator, counts: np.ndarray, packets: int) -> list[list[int]]:
    """Indices of the teams at each of ``packets``, about as many at each; ``counts`` (teams,): packets that each team plays."""
    rooms: list[list[int]] = [[] for _ in range(packets)]
    for team in rng.permutation(len(counts)):
        order = sorted(rng.permutation(len(rooms)), key=lambda p: len(rooms[p]))
        for packet in order[: counts[team]]:
            rooms[packet].append(int(team))
    return rooms


def schedule(rng: Generator, skill: np.ndarray, values: dict) -> list[tuple[int, str, str]]:
    """Matches (packet from 1, side, side), sides by name, in order of packets. A team plays a packet at most once, a model in
    several rooms at once. The human team of most ``skill`` (teams,) plays the exhibitions."""
    exhibitions, agents = values["exhibitions"], agent_names(values)
    names = agents["human"]
    counts = rng.permutation(values["team_packets"])
    present = _attendance(rng, counts, values["packets"] - exhibitions)
    exhibited = names[int(np.argmax(skill))]
    against = [len(sides) % 2 for sides in present]
    while sum(against) < values["human_model_matches"] - exhibitions:
        open_ = [p for p in range(len(present)) if against[p] + 2 <= len(present[p])]
        against[min(open_, key=lambda p: against[p])] += 2
    faced = np.zeros(len(names))

    def machines_of(packet: int) -> list[str]:
        return [model for model in agents["live"] if packet in values["model_packets"][model]]

    matches = [(p, exhibited, machines_of(p)[0]) for p in range(1, exhibitions + 1)]
    for packet, teams_present in enumerate(present, start=exhibitions + 1):
        order = [teams_present[i] for i in rng.permutation(len(teams_present))]
        order.sort(key=lambda team: faced[team] / counts[team])
        count = against[packet - exhibitions - 1]
        machines = [machines_of(packet)[i] for i in rng.permutation(len(machines_of(packet)))]
        for i, team in enumerate(order[:count]):
            faced[team] += 1
            matches.append((packet, names[team], machines[i % len(machines)]))
        remaining = [order[count:][i] for i in rng.permutation(len(order) - count)]
        pairs = zip(remaining[::2], remaining[1::2], strict=True)
        matches += [(packet, names[a], names[b]) for a, b in pairs]
    return matches


def _room_buzzes(
    plan_a: tuple[str, int, bool], plan_b: tuple[str, int, bool], a_first: bool
) -> list[tuple[str, int, bool]]:
    """The plans that become buzzes on one question in one room: a right one ends it, a wrong one leaves it to the other. A plan
    is (team, word index or −1, correct); ``a_first`` breaks a tie."""
    plans = sorted((plan_a, plan_b), key=lambda plan: (plan[1], (plan is plan_a) != a_first))
    heard = []
    for plan in plans:
        if plan[1] >= 0:
            heard.append(plan)
            if plan[2]:
                break
    return heard


def buzz_table(
    rng: Generator,
    matches: list[tuple[int, str, str]],
    questions: pd.DataFrame,
    plans: dict[str, tuple[np.ndarray, np.ndarray]],
) -> pd.DataFrame:
    """Table ``Study.buzzes`` from ``matches`` (packet, side, side); a model's buzz counts once, in whatever room.

    ``plans``: team or model → (word index, −1 for never; right), each by question.
    """
    rows = []
    for q, question in enumerate(questions.itertuples()):
        heard: dict[str, tuple[str, int, bool]] = {}
        for packet, a, b in matches:
            if packet != question.packet:
                continue
            sides = [(side, int(plans[side][0][q]), bool(plans[side][1][q])) for side in (a, b)]
            for buzz in _room_buzzes(*sides, a_first=rng.random() < 0.5):
                heard[buzz[0]] = buzz
        about = question.question_id, question.packet, question.tossup_index
        order = [list(heard.values())[i] for i in rng.permutation(len(heard))]
        rows += [(*about, *buzz) for buzz in sorted(order, key=lambda buzz: buzz[1])]
    columns = ["question_id", "packet", "tossup_index", "team", "word_index", "correct"]
    return pd.DataFrame(rows, columns=columns)


def model_plans(
    guesses: pd.DataFrame, questions: pd.DataFrame, values: dict
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Live model → (word index, −1 for never; right) by question: its first guess whose mean log-probability,
    as written, is above its ``buzz_threshold`` (Appendix E.3)."""
    live = agent_names(values)["live"]
    logit = guesses[(guesses["elicitation"] == "logit") & guesses["model"].isin(live)]
    mean = np.array([sum(tokens) / len(tokens) for tokens in logit["token_logprobs"]])
    bound = logit["model"].map(values["buzz_threshold"]).to_numpy(dtype=float)
    buzzes = logit[mean > bound].drop_duplicates(["model", "question_id"])
    plans = {}
    for model in live:
        own = buzzes[buzzes["model"] == model].set_index("question_id")
        own = own.reindex(questions["question_id"])
        word = own["position"].fillna(0).to_numpy(dtype=int) - 1
        plans[model] = word, own["correct"].eq(True).to_numpy()
    return plans
