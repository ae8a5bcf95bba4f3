"""A simulated tournament in QBJ and packets, with hazards of real folders (:data:`HAZARDS`).

16 teams of 4 players play 14 rounds of 20 tossups with bonuses (which bounce back in one mirror); round 14
has no packet. Answers come from the same syllables. Skill, category strength, difficulty and chance decide
who buzzes when. Four submissions play the same tossups; two bonus submissions have bonuses of their own.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.special import expit

from ..tournament import match_log, qbj
from ..tournament.packets import spoken_tossup
from .parameters import merge_parameters
from .vocabulary import word_list

PLAYERS, SPARE = 4, 2
HAZARDS = (
    "packet missing",
    "tossup replaced",
    "cycle is not the tossup number",
    "buzz past the end",
    "two tossups with one number",
    "wrong without penalty",
    "one team under two spellings?",
    "mirrors of one set",
    "tossups_read shorter than the packet",
    "moderator note before the text",
    "pronunciation guides",
    "reference that leads nowhere",
    "buzz at the END mark",
)
"""Findings that reading the folder must give."""
CATEGORIES = ("Literature", "History", "Science", "Arts", "RMPSS", "Geo/CE")


def _random_word(rng: Generator, list_name: str, size=None):
    return rng.choice(word_list("tournament", list_name), size=size)


def _word(rng: Generator) -> str:
    """An invented word of two or three syllables, capitalised."""
    return "".join(_random_word(rng, "syllables", size=rng.integers(2, 4))).capitalize()


def _two_words(rng: Generator) -> str:
    return f"{_word(rng)} {_word(rng)}"


def _tossup(rng: Generator) -> dict:
    """One tossup of 6 sentences: HTML text with a power mark, now and then a pronunciation guide, answer and category."""
    answer = _two_words(rng)
    sentences = []
    for number in range(6):
        subject = f"the {_random_word(rng, 'nouns')} of {_word(rng)}"
        clause = f"{_random_word(rng, 'verbs')} {_word(rng)} and the {_random_word(rng, 'nouns')} that {_word(rng)} {_random_word(rng, 'verbs')} near {_word(rng)}"
        guide = ""
        if rng.random() < 0.15:
            guide = f' ("{"-".join(_random_word(rng, "syllables", size=2))}")'
        mark = " (*)" if number == 3 else ""
        sentences.append(f"In this invented world, {subject}{guide} {clause}{mark}.")
    closing = f"For 10 points, name this <i>{_random_word(rng, 'nouns')}</i>."
    return {
        "question": " ".join([*sentences[:-1], closing]),
        "answer": f"<b><u>{answer}</u></b> [or {answer.split()[1]}]",
        "metadata": str(rng.choice(CATEGORIES)),
    }


def _bonus(rng: Generator) -> dict:
    """One bonus: an easy, a medium and a hard part in some order, worth ten points each."""
    answers = [_two_words(rng) for _ in range(3)]
    parts = [
        f"Name this {_random_word(rng, 'nouns')} that {_random_word(rng, 'verbs')} {_word(rng)}."
        for _ in answers
    ]
    return {
        "leadin": f"In this invented world, {_random_word(rng, 'nouns')} of {_word(rng)}. For 10 points each:",
        "parts": parts,
        "answers": [f"<b><u>{answer}</u></b>" for answer in answers],
        "values": [10, 10, 10],
        "difficultyModifiers": [str(modifier) for modifier in rng.permutation(["e", "m", "h"])],
        "metadata": str(rng.choice(CATEGORIES)),
    }


def _play_bonuses(
    match: dict, rng: Generator, skills: dict[str, float], bonuses: list[dict], bounce: bool
) -> None:
    """Put a bonus after every right buzz into ``match``, in turn; ``bounce``: parts that the team misses go to the
    other. ``skills``: of both teams, by their names in the match."""
    points, back, number = Counter(), Counter(), 0
    for question in match["match_questions"]:
        right = [buzz["team"]["name"] for buzz in question["buzzes"] if buzz["result"]["value"] > 0]
        if not right:
            continue
        team = right[-1]
        opponent = next(name for name in skills if name != team)
        parts = []
        for level in bonuses[number]["difficultyModifiers"]:
            ease = {"e": 2.2, "m": 0.2, "h": -1.6}[level]
            got = 10 * int(rng.random() < expit(ease + 0.8 * skills[team]))
            part = {"controlled_points": got}
            if bounce:
                again = not got and rng.random() < expit(ease - 0.5 + 0.8 * skills[opponent])
                part["bounceback_points"] = 10 * int(again)
                back[opponent] += part["bounceback_points"]
            points[team] += got
            parts.append(part)
        number += 1
        about = {"parts": 3, "type": "bonus", "question_number": number}
        question["bonus"] = {"question": about, "parts": parts}
    for side in match["match_teams"]:
        side["bonus_points"] = points[side["team"]["name"]]
        if bounce:
            side["bonus_bounceback_points"] = back[side["team"]["name"]]


def _buzz_plan(rng: Generator, strength: float, difficulty: float, words: int) -> tuple[int, bool] | None:
    """(word index, right) of a team's buzz on a tossup of ``words`` if nobody else buzzed; None if it never would."""
    knows = 0.42 + 0.75 / (1 + np.exp(strength - difficulty)) + rng.normal(0, 0.1)
    if rng.random() < 0.13:
        return int(words * min(0.97, max(0.1, knows - 0.15))), False
    if knows > 0.98:
        return (words, bool(rng.random() < 0.45)) if rng.random() < 0.5 else None
    return int(words * max(0.06, knows)), True


def tournament_files(seed: int, teams: int = 16, rounds: int = 14, tossups: int = 20) -> dict[str, bytes]:
    """Relative path → bytes of simulated files: JSON packets (not the last) of ``tossups`` and two spare, QBJ matches."""
    rng = np.random.default_rng(seed)
    half = teams // 2
    names: list[str] = []
    while len(names) < teams:
        school = _word(rng)
        names += [name for name in (f"{school} A", f"{school} B") if name not in names]
    names = names[:teams]
    people = {team: [_two_words(rng) for _ in range(PLAYERS)] for team in names}
    skill = dict(zip(names, rng.normal(0, 0.9, teams), strict=True))
    shares = {team: rng.dirichlet([4, 3, 2, 1]) for team in names}
    strength = {team: {c: skill[team] + rng.normal(0, 0.4) for c in CATEGORIES} for team in names}
    # Two mirrors of the set, each a double round robin; two teams happen to have one name.
    mirrors = {"Main site": names[:half], "Online mirror": names[half:]}
    packets, hardness = {}, {}
    for number in range(1, rounds + 1):
        packets[number] = [_tossup(rng) for _ in range(tossups + SPARE)]
        if number == 2:
            noted = packets[number][4]
            noted["question"] = f"<i>Note to moderator: read slowly and with care.</i> {noted['question']}"
        hardness[number] = rng.normal(0, 0.8, tossups + SPARE)
    files: dict[str, bytes] = {}
    # From a stream of their own, so that tossups are the same with and without bonuses.
    own = np.random.default_rng([seed, 1])
    bonuses = {number: [_bonus(own) for _ in range(tossups + SPARE)] for number in packets}
    for number, packet in packets.items():
        if number != rounds:  # the finals packet was never shared
            content = {"tossups": packet, "bonuses": bonuses[number]}
            files[f"packets/Packet {number:02d}.json"] = _json_bytes(content)
    for number, packet in packets.items():
        heard = [spoken_tossup(tossup["question"]) for tossup in packet]
        lengths = [len(tossup.text.split()) for tossup in heard]
        categories = [tossup["metadata"] for tossup in packet]
        powers = [tossup.power_word for tossup in heard]
        read = list(zip(lengths, powers, categories, hardness[number], strict=True))
        for mirror, circle in mirrors.items():
            pairs = list(zip(circle[: half // 2], reversed(circle[half // 2 :]), strict=True))
            mirrors[mirror] = [circle[0], circle[-1], *circle[1:-1]]
            grouped = []
            for room, sides in enumerate(pairs, start=1):
                squads = {team: (people[team], shares[team], strength[team]) for team in sides}
                match = _play_match(rng, squads, read, tossups)
                match |= {"packets": f"Packet {number}", "_round": number}
                if mirror == "Main site":
                    _plant_hazards(match, number, room, names[0], lengths, tossups)
                now = [side["team"]["name"] for side in match["match_teams"]]
                skills = {name: skill[side] for name, side in zip(now, sides, strict=True)}
                _play_bonuses(match, own, skills, bonuses[number], mirror == "Online mirror")
                _rename_team(match, names[-1], names[1])
                if number == 3:
                    grouped.append((f"Room_{room}", match))
                else:
                    files[f"{mirror}/Round {number} room {room}.qbj"] = _json_bytes(match)
            if grouped:
                files[f"{mirror}/round3.qbj"] = _json_bytes(_qbj_container(grouped, mirror))
    return files


def _json_bytes(document) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _tossup_reference(number: int) -> dict:
    return {"parts": 1, "type": "tossup", "question_number": number}


def _play_match(rng: Generator, squads: dict[str, tuple], read: list[tuple], tossups: int) -> dict:
    """One match as a QBJ document, tossups alone: buzzes by skill and difficulty, sometimes a replaced tossup.

    ``squads``: team → names of players, their shares of buzzes, strength by category. ``read``: of each tossup of the packet
    words, power mark, category and difficulty.
    """
    questions, counts = [], defaultdict(Counter)
    tossup, replaced_at = 0, int(rng.integers(0, tossups)) if rng.random() < 0.08 else -1
    for index in range(tossups):
        tossup += 1
        question = {"question_number": index + 1, "tossup_question": _tossup_reference(tossup), "buzzes": []}
        if index == replaced_at:
            tossup += 1
            question["tossup_question"] = _tossup_reference(tossup)
            question["replacement_tossup_question"] = _tossup_reference(tossup)
        words, power, category, difficulty = read[tossup - 1]
        wanted = []
        for team, (_, _, strength) in squads.items():
            buzz = _buzz_plan(rng, strength[category], difficulty, words)
            if buzz:
                wanted.append((*buzz, rng.random(), team))
        wanted.sort(key=lambda w: (w[0], w[2]))
        for place, (word, right, _, team) in enumerate(wanted):
            people, shares, _ = squads[team]
            player = people[int(rng.choice(PLAYERS, p=shares))]
            value = 0 if place > 0 or word >= words - 1 else -5
            if right:
                value = 15 if word < power else 10
            buzz = {"buzz_position": {"word_index": int(word)}, "player": {"name": player}}
            question["buzzes"].append(buzz | {"team": {"name": team}, "result": {"value": value}})
            counts[team, player][value] += 1
            if right:
                break
        questions.append(question)

    def describe_player(team, name) -> dict:
        tally = sorted(counts[team, name].items())
        answered = [{"number": n, "answer": {"value": value}} for value, n in tally]
        return {"player": {"name": name}, "tossups_heard": tossups, "answer_counts": answered}

    match_teams = []
    for team, (people, _, _) in squads.items():
        players = [{"name": name} for name in people]
        match_teams.append(
            {
                "team": {"name": team, "players": players},
                "bonus_points": 0,
                "match_players": [describe_player(team, name) for name in people],
                "lineups": [{"first_question": 1, "players": players}],
            }
        )
    return {"tossups_read": tossups, "match_teams": match_teams, "match_questions": questions}


def _plant_hazards(match: dict, number: int, room: int, team: str, lengths: list[int], tossups: int) -> None:
    """Change ``match`` where it is one that shall have a hazard of real folders. ``number``: of its round; ``team``:
    who has two spellings; ``lengths``: words of each tossup."""
    questions = match["match_questions"]
    players = [player for side in match["match_teams"] for player in side["match_players"]]
    if number == 1 and room < 3:  # past the end, and at the END mark
        buzzed = next(q for q in questions if q["buzzes"])
        end = lengths[buzzed["tossup_question"]["question_number"] - 1]
        buzzed["buzzes"][-1]["buzz_position"]["word_index"] = end + (7 if room == 1 else 0)
    if number == 4 and room == 1:  # replaced, and the writer did not shift what follows
        following = questions[5]["tossup_question"]["question_number"] + 1
        questions[5]["replacement_tossup_question"] = _tossup_reference(following)
    if number == 5 and room == 1:  # replaced by a spare tossup
        questions[7]["replacement_tossup_question"] = _tossup_reference(tossups + 1)
    if number == 6 and room == 2:  # stopped early
        match["tossups_read"] = tossups - 3
        match["match_questions"] = questions[: tossups - 3]
        for player in players:
            player["tossups_heard"] = tossups - 3
    if number == 7 and room == 3:  # found by its round
        del match["packets"]
    if number == 8:  # another spelling in one round, once
        _rename_team(match, team, team.replace(" ", "-").lower())
    if number == 9:  # the older spelling of answer counts
        for player in players:
            for entry in player["answer_counts"]:
                entry["answer_type"] = entry.pop("answer")


def _rename_team(match: dict, old: str, new: str) -> None:
    """Rename a team in a QBJ ``match``, in its teams and buzzes; nothing happens if it does not play."""
    buzzes = [buzz for question in match["match_questions"] for buzz in question["buzzes"]]
    for entry in (*match["match_teams"], *buzzes):
        if entry["team"]["name"] == old:
            entry["team"]["name"] = new


def _qbj_container(matches: list[tuple[str, dict]], title: str) -> dict:
    """One QBJ document of ``matches`` (id, match), changed by it: teams become references, and sites lead nowhere."""
    teams: dict[str, str] = {}
    objects, refs = [], []
    for key, match in matches:
        buzzes = [buzz for question in match["match_questions"] for buzz in question["buzzes"]]
        for entry in (*match["match_teams"], *buzzes):
            key_of_team = teams.setdefault(entry["team"]["name"], f"Team_{len(teams) + 1}")
            entry["team"] = {"$ref": key_of_team}
        del match["_round"]
        objects.append({"type": "Match", "id": key, **match, "location": {"$ref": "Site_1"}})
        refs.append({"$ref": key})
    objects += [{"type": "Team", "id": key, "name": name} for name, key in teams.items()]
    tournament = {
        "type": "Tournament",
        "name": title,
        "registrations": [],
        "phases": [{"name": "Prelims", "rounds": [{"name": "Round 3", "matches": refs}]}],
    }
    return {"version": "2.1", "objects": [tournament, *objects]}


def tossup_submissions(questions: pd.DataFrame, seed: int) -> dict[str, list[dict]]:
    """Four tossup submissions on a study's questions: name → JSON Lines records (qid, run_outputs).

    ``cautious`` buzzes when it is fairly sure, ``bold`` early and overconfident. ``stopped`` keeps the runs up to the first buzz
    and the last one. ``timid`` is the best calibrated and buzzes last: near the top by CalScore, the bottom by Expected Score.
    """
    rng = np.random.default_rng(seed + 1)
    kinds = {
        "cautious": (0.0, 0.9, 0.80),
        "bold": (1.6, 0.5, 0.75),
        "stopped": (0.4, 0.9, 0.70),
        "timid": (0.0, 1.0, 0.985),
    }
    by_name: dict[str, list[dict]] = {}
    for name, (a, b, threshold) in kinds.items():
        records = []
        for q in questions.itertuples():
            ends = [*range(15, q.n_words, 15), q.n_words]
            middle = 0.55 + rng.normal(0, 0.18)
            answer = q.answerline.split(" [")[0]
            know = rng.random()
            runs = []
            for index, end in enumerate(ends):
                p = expit(9 * (end / q.n_words - middle))
                right = bool(know < p)
                logit = np.log(p / (1 - p)) + (0.9 if right else -0.9)
                confidence = float(np.round(expit(a + b * logit), 4))
                guess = answer if right else _two_words(rng)
                if name == "bold" and rng.random() < 0.004:
                    guess, right, confidence = "ERROR", False, 0.0
                buzz = confidence > threshold
                run = {"guess": guess, "confidence": confidence, "buzz": bool(buzz)}
                runs.append(run | {"run_idx": index, "correct": right, "token_position": end})
            if name == "stopped":
                first_buzz = next((i for i, r in enumerate(runs) if r["buzz"]), len(runs) - 1)
                runs = runs[: first_buzz + 1] + runs[first_buzz + 1 :][-1:]
            records.append({"qid": q.question_id, "run_outputs": runs})
        by_name[name] = records
    return by_name


def part_chance(part: int) -> float:
    """Chance that a submission has bonus part 1, 2 or 3 right: .6, .45 or .3."""
    return 0.75 - 0.15 * part


def bonus_submissions(seed: int, count: int = 60) -> dict[str, list[dict]]:
    """Two submissions on ``count`` bonuses, name → records (qid, parts): ``helper`` with decision records, ``alone`` without."""
    rng = np.random.default_rng(seed + 2)

    def answer_part(number: int, helped: bool) -> dict:
        answer = _word(rng)
        right = bool(rng.random() < part_chance(number))
        confidence = float(np.round(np.clip(0.35 + 0.4 * right + rng.normal(0, 0.15), 0, 1), 3))
        guess = answer if right else _word(rng)
        part = {"number": number, "guess": guess, "confidence": confidence}
        part |= {"explanation": "An invented clue.", "correct": right}
        if helped:
            first_right = bool(rng.random() < 0.5 - 0.1 * number)
            first_guess = answer if first_right else _word(rng)
            adopt = first_guess != guess and rng.random() < 0.2 + 0.7 * confidence
            part |= {
                "first_guess": first_guess,
                "first_correct": first_right,
                "final_guess": guess if adopt else first_guess,
                "final_correct": right if adopt else first_right,
                "decision": "adopt" if adopt else "keep",
            }
        return part

    by_name: dict[str, list[dict]] = {"helper": [], "alone": []}
    for question in range(1, count + 1):
        for name, records in by_name.items():
            parts = [answer_part(part, name == "helper") for part in (1, 2, 3)]
            records.append({"qid": f"b{question:03d}", "parts": parts})
    return by_name


def write_tournament(truth: Path, seed: int, parameters: dict | None = None) -> None:
    """Simulate tournament/ (QBJ and packets), submissions/ (JSON Lines) and their ``truth``, and write them beside it."""
    values = merge_parameters(parameters, "tournament")
    about = {"seed": seed, "kind": "tournament", "hazards": list(HAZARDS)}
    about |= {"parameters": dict(values)} if parameters else {}
    count = values.pop("bonuses")
    members = tournament_files(seed, **values)
    for name, content in members.items():
        path = truth.parent / "tournament" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    questions = match_log.tidy_tables(qbj.read_qbj_files(members, "simulated"), {}, {})["questions"]
    target = truth.parent / "submissions"
    target.mkdir(parents=True, exist_ok=True)
    for kind, by_name in (
        ("tossups", tossup_submissions(questions, seed)),
        ("bonuses", bonus_submissions(seed, count)),
    ):
        for name, records in by_name.items():
            lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
            (target / f"{kind}-{name}.jsonl").write_text(lines, encoding="utf-8")
    truth.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
