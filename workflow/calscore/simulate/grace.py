"""The simulated study ``demo``: a world with known parameters, in the raw formats of GRACE.

:func:`simulate_grace` draws a tournament, the per-clue guesses of six models and an offline survey from
stated parameters; :func:`write_grace` puts them on disk as the release, the participation tables, model
outputs and the survey would be (paper §3, Appendices D to F), with the truth beside them.

The world. Question q has difficulty d_q, agent i has skill s_i and a specialism e_ic in the question's category. With a share x
of the words revealed the agent knows the answer with probability

    p = σ(s_i + e_ic − d_q + slope · (x − midpoint)),

decided by one uniform draw for each agent and question, so that what is known stays known. Models may waver: p is then times 1 −
waver · (1 − x). Each agent has a private signal on whether it is right, z ~ N(+δ/2, 1) if so, else N(−δ/2, 1). Its posterior,
logit p' = logit p + δz, is calibrated by construction. Humans act on p'; a model states σ(a + b · logit p' + noise), which is
calibrated only for a = 0, b = 1 and no noise: a > 0 or b < 1 is overconfidence while little is known. All names of places, people
and books in the clues are invented, as the first sentence of every question says.
"""

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..raw.safe_pickle import dump_plain
from .buzzes import buzz_table, human_plans, model_plans, schedule
from .guesses import Wording, guess_table, survey_table
from .knowledge_model import draw_agents, quantiles
from .parameters import LIVE_MODELS, SIZES, agent_names, complete_parameters, generators
from .questions import clue_ends, draw_questions
from .vocabulary import answer_bank

FOLDER = "[public]ALL_final_buzzpoints"


@dataclass
class Study:
    """One simulated study.

    ``questions``: one row per question (question_id, packet, number, tossup_index, category, text, answer, n_words).
    ``rooms``: one row per match (packet, side_a, side_b). ``buzzes``: in the order of the release (question_id, packet,
    tossup_index, team, word_index 0-based, correct). ``guesses``, ``survey``: of :func:`.guesses.guess_table` and
    ``survey_table``. ``truth``, for JSON: parameters (sizes if not usual), latents without their draws, marks, matches.
    """

    questions: pd.DataFrame
    rooms: pd.DataFrame
    buzzes: pd.DataFrame
    guesses: pd.DataFrame
    survey: pd.DataFrame
    truth: dict


def simulate_grace(parameters: dict | None = None, seed: int = 0) -> Study:
    """Draw a study: ``parameters`` override the defaults, equal arguments give an equal study.

    240 questions, 17 human teams, 93 matches by default, 6 models × 2 elicitations at every ``sentence-100``
    clue, 15 survey players × 37 questions. ``DataError`` names unknown, mistyped or else impossible parameters.
    """
    values = complete_parameters(parameters)
    rngs = generators(seed)
    questions, entries = draw_questions(rngs["texts"], values)
    ends, is_clue = clue_ends(questions)
    n_words = questions["n_words"].to_numpy()
    categories = list(answer_bank())
    slots = np.array([categories.index(category) for category, _ in entries])

    rng = rngs["agents"]
    difficulty = quantiles(rng, 0, values["question_difficulty_sd"], len(questions))
    members, groups = agent_names(values), {}
    for group in ("human", "player", "model"):
        names = members[group]
        if group == "model":
            skill = np.array([values["model_skill"][model] for model in names])
        else:
            mean, sd = values[f"{group}_skill_mean"], values[f"{group}_skill_sd"]
            skill = quantiles(rng, mean, sd, len(names))
        groups[group] = draw_agents(rng, skill, slots, difficulty, values)

    wording = Wording(entries, values)
    clues = (questions, ends, is_clue, values)
    guesses = guess_table(rngs, groups["model"], wording, *clues)
    matches = schedule(rngs["schedule"], groups["human"].skill, values)
    word, right, team_threshold = human_plans(rngs["play"], groups["human"], n_words, values)
    plans = dict(zip(members["human"], zip(word, right, strict=True), strict=True))
    plans |= model_plans(guesses, questions, values)
    buzzes = buzz_table(rngs["play"], matches, questions, plans)
    survey, threshold, goes_on = survey_table(rngs["survey"], groups["player"], wording, *clues)

    def describe(group: str, **columns) -> dict:
        latent = groups[group]
        names = [category.name for category in categories]
        return {
            agent: {
                "skill": _plain_numbers(latent.skill[i]),
                "specialism": dict(zip(names, _plain_numbers(latent.special[i]), strict=True)),
                **{name: _plain_numbers(column[i]) for name, column in columns.items()},
            }
            for i, agent in enumerate(members[group])
        }

    truth = {
        "simulated": True,
        "seed": seed,
        # Sizes only where they are not the usual ones.
        "parameters": {n: v for n, v in values.items() if n not in SIZES or v != SIZES[n]},
        "questions": {
            question: {"difficulty": _plain_numbers(difficulty[q]), "answer": entries[q][1].name}
            for q, question in enumerate(questions["question_id"])
        },
        "teams": describe("human", threshold=team_threshold),
        "packets_played": {
            team: sorted({p for p, *sides in matches if team in sides}) for team in members["human"]
        },
        "matches": [list(match) for match in matches],
        "models": describe("model"),
        "players": describe("player", threshold=threshold, goes_on=goes_on),
        "correct": _correct_strings(guesses),
        "unparsable": guesses.loc[~guesses["parsable"], ["model", "question_id", "position"]].values.tolist(),
    }
    rooms = pd.DataFrame(matches, columns=["packet", "side_a", "side_b"])
    return Study(questions, rooms, buzzes, guesses, survey, truth)


def _plain_numbers(values: ArrayLike) -> float | bool | list:
    """``values`` as Python numbers, rounded to 6 decimals, or truth values, for JSON."""
    values = np.asarray(values)
    return (values if values.dtype == bool else np.round(values, 6)).tolist()


def _correct_strings(guesses: pd.DataFrame) -> dict[str, dict[str, dict[str, str]]]:
    """elicitation → model → question → one 0 or 1 a clue: whether the guess was meant as right."""
    strings: dict = {}
    marks = guesses["correct"].map({True: "1", False: "0"})
    keys = [guesses[name] for name in ("elicitation", "model", "question_id")]
    for (elicitation, model, question), text in marks.groupby(keys).agg("".join).items():
        strings.setdefault(elicitation, {}).setdefault(model, {})[question] = text
    return strings


def release_packets(study: Study) -> dict[int, list[dict]]:
    """Packet number → its questions as the release has them: tossup_index, category, question, answer, question_buzzpoints (the
    text with buzzes after their words) and position, a list of {word index: "[team, +]" or "[team, -]"}."""
    by_question: dict[str, list] = {}
    for buzz in study.buzzes.itertuples():
        mark = f"[{buzz.team}, {'+' if buzz.correct else '-'}]"
        by_question.setdefault(buzz.question_id, []).append((buzz.word_index, mark))
    packets: dict[int, list[dict]] = {}
    for question in study.questions.itertuples():
        words = question.text.split()
        position = by_question.get(question.question_id, [])
        for index, mark in position:
            words[index] += f" {mark}"
        packets.setdefault(question.packet, []).append(
            {
                "tossup_index": question.tossup_index,
                "category": question.category,
                "question": question.text,
                "answer": question.answer,
                "question_buzzpoints": " ".join(words),
                "position": [{str(index): mark} for index, mark in position],
            }
        )
    return packets


def participation_tables(study: Study) -> tuple[list[dict], dict[int, dict], list[str]]:
    """Contents of the three participation pickles: (a dict per question, tossup_index → dict of teams, all teams).

    ``human_teams`` and ``model_teams`` buzzed; to ``seen`` and ``total_human_teams``, models too, the packet was read.
    """
    order = {team: i for i, team in enumerate((*LIVE_MODELS, *study.truth["teams"]))}
    heard = study.rooms.melt("packet").groupby("packet")["value"].agg(set)
    teams_heard = {packet: sorted(teams, key=order.get) for packet, teams in heard.items()}
    buzzed = study.buzzes.groupby("question_id")["team"].agg(list).to_dict()
    per_packet, combined = [], {}
    for question in study.questions.itertuples():
        base = {"tossup_index": question.tossup_index, "packet": question.packet}
        teams = sorted(buzzed.get(question.question_id, []), key=order.get)
        per_packet.append(base | {"total_human_teams": list(teams_heard[question.packet])})
        combined[question.tossup_index] = base | {
            "human_teams": [team for team in teams if team not in LIVE_MODELS],
            "model_teams": [team for team in teams if team in LIVE_MODELS],
            "seen": list(teams_heard[question.packet]),
        }
    return per_packet, combined, sorted(set().union(*heard), key=order.get)


def guess_lines(study: Study) -> list[str]:
    """JSON lines: model, elicitation, question_id, position; raw, or guess and token_logprobs (logit); correct if ``marked``."""
    lines = []
    columns = ["model", "elicitation", "question_id", "position", "guess", "token_logprobs", "raw"]
    columns += ["correct"] if study.truth["parameters"]["marked"] else []
    for record in study.guesses[columns].to_dict("records"):
        logit = record["elicitation"] == "logit"
        for name in ("raw",) if logit else ("guess", "token_logprobs"):
            del record[name]
        lines.append(json.dumps(record, ensure_ascii=False))
    return lines


def write_grace(study: Study, folder: str | Path) -> None:
    """Write the study's raw files into ``folder`` (made if missing); equal studies, equal bytes.

    The archive of packets (not encrypted, as nobody has to be kept from it), ``human_team_per_question.pkl``,
    ``human_model_team_per_question.pkl``, ``all_teams.pkl``, ``guesses.jsonl``, ``survey.csv`` and ``truth.json``.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{FOLDER}_enc.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for packet, content in release_packets(study).items():
            # Without a time of its own a member is dated 1980.
            member = zipfile.ZipInfo(f"{FOLDER}/packet{packet}_buzzpoints.json")
            archive.writestr(member, json.dumps(content, indent=2), zipfile.ZIP_DEFLATED)
    per_packet, combined, teams = participation_tables(study)
    (folder / "human_team_per_question.pkl").write_bytes(dump_plain(per_packet))
    (folder / "human_model_team_per_question.pkl").write_bytes(dump_plain(combined))
    (folder / "all_teams.pkl").write_bytes(dump_plain(teams))
    (folder / "guesses.jsonl").write_bytes(("\n".join(guess_lines(study)) + "\n").encode())
    columns = ["player", "question_id", "clue", "position", "guess", "buzz"]
    table = study.survey[columns].to_csv(index=False, lineterminator="\n")
    (folder / "survey.csv").write_bytes(table.encode())
    truth = json.dumps(study.truth, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "truth.json").write_bytes((truth + "\n").encode())


def write_grace_study(truth: Path, seed: int, parameters: dict | None) -> None:
    """Simulate a study and write its files beside ``truth``, the path of truth.json."""
    write_grace(simulate_grace(parameters, seed), truth.parent)
