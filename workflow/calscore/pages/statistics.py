"""The statistics report of a tournament as one page: standings, individuals, teams, players, scoreboard, rounds, bonuses."""

from functools import partial
from pathlib import Path

import pandas as pd

from ..core import store
from ..tournament.bonuses import ALL, DIFFICULTIES
from ..tournament.bonuses import PARTS as NUMBERS
from ..tournament.packet_matching import LINE
from ..tournament.standings import round_sort_key
from . import base
from .wording import count_noun, decimal, percent, span

MOST = 120
"""Teams up to which the page shows each with its matches and players; beyond, the tables do."""
WARNED = (
    "match may have read another packet",
    "round may have read another packet",
    "rounds may be swapped",
    "packet missing",
    "buzz left out of comparisons",
    "tossup is not in the packet",
    "buzz past the end",
    "tossup replaced",
    "bonus twice in a game",
    "bonus without a right buzz",
    "declared points differ from their parts",
    "match was forfeited",
    "one team under two spellings?",
    "one player under two spellings?",
)
"""Findings that the page opens with: they can change a score or a question."""
LEADERS = 3
"""Places of each category that the page shows."""
MEANING = {
    "Pct": "Share of matches won, a tie counting half. Teams are in this order; those of one share have one rank (=) and stand in the order of points per 20 tossups.",
    "PPG": "Points per match (of a round: per team and match); PA: the opponents' points per match; Margin: their difference.",
    "Pts/20": "Points per 20 tossups of regulation (teams: bonuses included; players: their tossups) heard.",
    "SP, P, 10, Neg": "Right buzzes of more than 15, of 11 to 15, and of at most 10 points; wrong buzzes that cost points.",
    "1st, Top 3": "Right buzzes at the earliest word at which anybody in the tournament was right on the tossup, and at one of the three earliest. By category: tables/player_categories.csv.",
    "TUH": "Tossups heard. GP: matches played, of players in parts where they heard a part of the tossups.",
    "PPB": "Points per bonus heard, bouncebacks left out. BB: bouncebacks, parts that the other team missed; BB %: share of these that this one got.",
    "Bracket": "Teams of a phase that meet, directly or through others; A is the one that scores most.",
}


UNITS, TENTHS, HUNDREDTHS = (partial(decimal, digits=digits) for digits in (0, 1, 2))
COUNTS = (("SP", "superpowers"), ("P", "powers"), ("10", "tens"), ("Neg", "negs"))
TUH = ("TUH", "tossups")
PPB = ("PPB", "points_per_bonus", HUNDREDTHS)
FIRSTS = (("1st", "first_buzzes", UNITS), ("Top 3", "top_three", UNITS))
POINTS = ("Pts", "points", UNITS)
STANDINGS = (
    *(("W", "wins"), ("L", "losses"), ("T", "ties"), ("Pct", "win_share", "{:.3f}".format)),
    *(("PPG", "points_per_game", TENTHS), ("PA", "opponent_points_per_game", TENTHS)),
    *(("Margin", "margin", partial(TENTHS, signed=True)), ("Pts/20", "points_per_20", TENTHS)),
    *(*COUNTS, TUH, PPB, ("BB pts", "bounceback_points", UNITS)),
)
PLAYERS = (
    *(("GP", "games", TENTHS), *COUNTS, TUH, POINTS, ("Pts/20", "points_per_20", HUNDREDTHS)),
    *FIRSTS,
)
CATEGORIES = (("Category", "category"), *COUNTS, POINTS, *FIRSTS)
MATCHES = (("Result", "result"), ("Score", "score"), *COUNTS, TUH, ("Bonuses", "bonuses", UNITS), PPB)
ROUNDS = (
    *(("Matches", "games"), ("Tossups", "tossups", UNITS), ("PPG", "points_per_game", TENTHS)),
    *(("Pts/20", "points_per_20", TENTHS), ("Converted", "conversion", percent)),
    *(("Powers", "power_rate", percent), ("Negs", "neg_rate", percent), PPB),
)
PARTS = (
    *((name.capitalize(), name, percent) for name in DIFFICULTIES.values()),
    *((f"Part {number}", f"part_{number}", percent) for number in NUMBERS),
)
BOUNCEBACKS = (
    ("BB heard", "bounceback_heard", lambda value: decimal(value or None, 0)),
    ("BB %", "bounceback_rate", percent),
)
"""Columns of the page's tables: heading, column of the table and, where it is not shown as it is, its format."""


SHOWN_PLACE = ["shown_round", "side", "rival"]
"""Names of round, team and opponent as the page shows them, columns of its scoreboard."""


def _row_cells(row, columns) -> list:
    """What a row (a named tuple) has in each of ``columns``, formatted where the column says how."""
    values = ((getattr(row, name), form) for _, name, *form in columns)
    return [form[0](value) if form else value for value, form in values]


def _visible_columns(columns, absent) -> list[tuple]:
    """The columns whose heading is not in ``absent``."""
    return [column for column in columns if column[0] not in absent]


def _ranking(rows, columns, anchors: dict) -> dict:
    """Heads and rows of a table of teams, or of players where it has such a column; ``anchors``: (tournament, team) → id in the page."""
    body = []
    for row in rows.itertuples():
        team, link = _team_name(row.team, row.tournament), anchors.get((row.tournament, row.team))
        names = {"rank": row.rank, "name": getattr(row, "player", team), "team": team}
        body.append(names | {"link": link, "cells": _row_cells(row, columns)})
    return {"heads": [head for head, *_ in columns], "rows": body}


def _round_name(name) -> str:
    """ "3" for "Round 3", – where missing."""
    return "–" if pd.isna(name) else str(name).removeprefix("Round ").removeprefix("round ")


def _team_name(name: str, title: str) -> str:
    """A team's name without its tournament ``title`` in parentheses."""
    return name.removesuffix(f" ({title})")


def _phases(standings, scores, absent: set, anchors: dict) -> list[dict]:
    """Standings of one tournament: over all matches, then one entry per phase (in the order of first rounds) and bracket."""
    columns = {"T": "ties", "BB pts": "bounceback_points"}
    absent = absent | {head for head, name in columns.items() if not standings[name].sum()}
    rank = standings["rank"].astype(str) + standings["tied"].map({True: "=", False: ""})
    standings = standings.assign(rank=rank)
    first_round = scores["round"].map(round_sort_key).groupby(scores["phase"]).min()
    order = [ALL, *first_round.drop(ALL, errors="ignore").sort_values(kind="stable").index]
    phases = []
    for phase in order:
        for bracket, rows in standings[standings["phase"] == phase].groupby("bracket"):
            all_phases = phase == ALL
            name = "All matches" if all_phases else phase
            name += "" if bracket == ALL else f", bracket {bracket}"
            table = _ranking(rows, _visible_columns(STANDINGS, absent), anchors)
            phases.append({"name": name, "table": table, "whole": all_phases})
    return phases


def _leaders(rows, absent: set, anchors: dict) -> dict:
    """Players with the :data:`LEADERS` highest points in each known category, ties included; those without
    points are left out."""
    rows = rows[~rows["category"].isin([ALL, "Unknown"]) & (rows["points"] > 0)]
    place = rows.groupby("category")["points"].rank(method="min", ascending=False)
    rows = rows.assign(rank=place).sort_values(["category", "rank", "team", "player"])
    rows = rows[rows["rank"] <= LEADERS].astype({"rank": int}).astype({"rank": str})
    return _ranking(rows, _visible_columns(CATEGORIES, absent), anchors)


def _match_record(results) -> str:
    """ "won–lost", or "won–lost–tied" where a match was tied; ``results``: W, L or T of each match."""
    won, lost, tied = (int((results == letter).sum()) for letter in "WLT")
    return "–".join(map(str, [won, lost, *([tied] if tied else [])]))


def _match_totals(rows, absent: set) -> list:
    """Cells of the sum over a team's matches: record, mean score, counts, tossups, bonuses and points per bonus."""
    score = span(rows["points"].mean(), rows["opponent_points"].mean(), 1)
    counts = [rows[name].sum() for _, name in _visible_columns(COUNTS, absent)]
    heard = rows["bonuses"].sum(min_count=1)
    rate = rows["bonus_points"].sum() / (heard or float("nan"))
    bonus = [] if "PPB" in absent else [decimal(heard, 0), decimal(rate, 2)]
    return [_match_record(rows["result"]), score, *counts, rows["tossups"].sum(), *bonus]


def _match_places(rows, scores) -> pd.DataFrame:
    """``rows`` with round and names from the scoreboard, in the order of rounds; those of unscored matches are left out."""
    names = ["game", "team", "round", *SHOWN_PLACE]
    rows = rows.astype({"game": object, "team": object}).merge(scores[names], on=["game", "team"])
    rows = rows.assign(place=rows["round"].map(round_sort_key))
    return rows.sort_values(["place", "game", "cycle"], kind="stable")


def _buzzes(plays, questions, scores) -> tuple[dict[tuple, list], dict[str, list]]:
    """Cells of every buzz: (team, player) → round, rival, tossup, category, word, points; tossup → round,
    team, player, rival, word, points. The first lacks buzzes without a player, the second those without a
    question."""
    rows = _match_places(plays.sort_values("order", kind="stable"), scores)
    ids = rows["question_id"].astype(object)
    categories = questions.set_index("question_id")["category"].dropna().to_dict()
    rows = rows.assign(
        category=[categories.get(question_id, "–") for question_id in ids],
        label=ids.fillna("tossup " + rows["tossup"].astype(str)),
        known=ids.notna(),
    )
    by_player: dict[tuple, list] = {}
    by_tossup: dict[str, list] = {}
    for row in rows.itertuples():
        word = "–" if pd.isna(row.word_index) else str(row.word_index + 1)
        word += "" if pd.isna(row.n_words) or word == "–" else f" of {row.n_words}"
        points = decimal(row.value, 0)
        player = "–" if pd.isna(row.player) else row.player
        if player != "–":
            cells = [row.shown_round, row.rival, row.label, row.category, word, points]
            by_player.setdefault((row.team, player), []).append(cells)
        if row.known:
            cells = [row.shown_round, row.side, player, row.rival, word, points]
            by_tossup.setdefault(row.label, []).append(cells)
    return by_player, by_tossup


def _bonus_parts(bonus_plays, scores) -> dict[str, list]:
    """Bonus → cells of every team that heard it: round, team, opponent, points of each part (bounceback in parentheses), sum."""
    rows = _match_places(bonus_plays[bonus_plays["bonus_id"].notna()].sort_values("part"), scores)
    result: dict[str, list] = {}
    for (bonus, _), parts in rows.groupby(["bonus_id", "game"], sort=False, observed=True):
        for _, own in parts.groupby(["team", "cycle"], sort=False):
            row, back = own.iloc[0], own["bounceback"]
            cells = [
                decimal(value, 0) + ("" if pd.isna(bounced) else f" ({decimal(bounced, 0)})")
                for value, bounced in zip(own["points"], back, strict=True)
            ]
            parts_and_sum = " / ".join(cells), decimal(own["points"].sum(), 0)
            result.setdefault(str(bonus), []).append([*row[SHOWN_PLACE], *parts_and_sum])
    return result


def _packets(tossups: dict[str, list], bonuses: dict[str, list], questions, items) -> list[dict]:
    """Packets sorted by name, each with its tossups and their buzzes, and its bonuses and their teams."""
    categories = dict(zip(questions["question_id"], questions["category"], strict=True))
    categories |= dict(zip(items["bonus_id"], items["category"], strict=True))
    packets: dict[str, dict] = {}
    kinds = ("tossups", tossups, ("buzz", "buzzes")), ("bonuses", bonuses, ("team",))
    for kind, lists, noun in kinds:
        for name, rows in sorted(lists.items()):
            packet = name.split("-")[0].removeprefix("p")
            entry = packets.setdefault(packet, {"name": packet, "tossups": [], "bonuses": []})
            item = {"name": name, "category": categories.get(name, ""), "rows": rows}
            entry[kind].append(item | {"n": count_noun(len(rows), *noun)})
    return [packets[name] for name in sorted(packets)]


def _teams(scores, players, box, absent: set, anchors: dict, buzzes: dict) -> list[dict]:
    """One entry per team and tournament: record, matches, ranking of its players, and their matches and buzzes."""
    names = ["game", "team", "tournament", *SHOWN_PLACE]
    own = scores.dropna(subset="round")[names].merge(box, on=["game", "team"])
    lines = {key: rows for key, rows in own.groupby(["tournament", "team", "player"])}
    ranked = {key: rows for key, rows in players.groupby(["tournament", "team"])}
    place = [(name, name) for name in ("shown_round", "rival")]
    heard = ("TUH", "tossups_heard", lambda value: "–" if pd.isna(value) else value)
    of_match = [*place, heard, *_visible_columns(COUNTS, absent), POINTS]
    matches, teams = _visible_columns(MATCHES, absent), []
    for (title, team), rows in scores.groupby(["tournament", "team"]):
        listed, people = ranked.get((title, team), players.iloc[:0]), []
        for player in listed["player"]:
            played = lines.get((title, team, player), own.iloc[:0]).itertuples()
            entry = {"name": player, "rows": [_row_cells(row, of_match) for row in played]}
            people.append(entry | {"buzzes": buzzes.get((team, player), [])})
        teams.append(
            {
                "tournament": title,
                "name": _team_name(team, title),
                "id": anchors[title, team],
                "record": _match_record(rows["result"]),
                "heads": [head for head, *_ in matches],
                "games": [_row_cells(row, [*place, *matches]) for row in rows.itertuples()],
                "whole": _match_totals(rows, absent),
                "table": _ranking(listed, _visible_columns(PLAYERS, absent), {}),
                "people": people,
            }
        )
    return teams


def _box_line(row, people, absent: set) -> str:
    """A side's players with counts and points, then its bonuses, in one line."""
    counts = _visible_columns(COUNTS, absent)
    lines = [
        f"{player.player} {'/'.join(map(str, _row_cells(player, counts)))}, {decimal(player.points, 0)}"
        for player in people
    ]
    if "PPB" not in absent and row.bonuses == row.bonuses:
        lines.append(f"bonuses {UNITS(row.bonuses)}, PPB {HUNDREDTHS(row.points_per_bonus)}")
    return "; ".join(lines)


def _scoreboard(scores, box, absent: set) -> list[dict]:
    """One entry per tournament and round: packets (three at most) and matches, the winner first, with box scores."""
    rounds = []
    people = {key: list(rows.itertuples()) for key, rows in box.groupby(["game", "team"])}
    scores = scores.assign(round=scores["round"].fillna("–"))
    for (title, name), rows in scores.groupby(["tournament", "round"], sort=False):
        matches = []
        for _, pair in rows.groupby("game", sort=False):
            pair = pair.sort_values(["points", "team"], ascending=[False, True])
            sides = list(pair.itertuples())
            lines = [_box_line(row, people.get((row.game, row.team), []), absent) for row in sides]
            first, second = names = [row.side for row in sides]
            verb = "tied" if sides[0].result == "T" else "beat"
            match = {"first": first, "second": second, "verb": verb, "score": sides[0].score}
            matches.append(match | {"box": list(zip(names, lines, strict=True))})
        packet = ", ".join(rows["packet"].dropna().unique()[:3])
        rounds.append({"tournament": title, "name": _round_name(name), "packet": packet, "matches": matches})
    return rounds


def _rounds(report) -> dict:
    """``rounds`` and ``round_heads``; without columns of powers and bonuses where nobody has any."""
    empty = {"Powers": not report["power_rate"].any(), "PPB": report["points_per_bonus"].isna().all()}
    columns = _visible_columns(ROUNDS, [head for head, lacking in empty.items() if lacking])
    rows = [
        {
            "tournament": row.tournament,
            "name": _round_name(row.round),
            "cells": _row_cells(row, columns),
        }
        for row in report.itertuples()
    ]
    return {"rounds": rows, "round_heads": [head for head, *_ in columns]}


def _bonuses(table) -> dict:
    """``bonuses``: heading → rows of all, by category and by team, best first, {} without any;
    ``bonus_heads``."""
    parts = [column for column in PARTS if table[column[1]].notna().any()]
    back = BOUNCEBACKS if table["bounceback_rate"].sum() else ()
    columns = [("Heard", "heard", UNITS), PPB, *parts, *back]
    rows = table[table["bonus"] == ALL]
    rows = rows.sort_values("points_per_bonus", ascending=False, kind="stable")
    of_team, of_category = rows["team"] != ALL, rows["category"] != ALL
    groups = {
        "All": rows[~of_team & ~of_category].assign(name="All"),
        "By category": rows[~of_team & of_category].assign(name=rows["category"]),
        "By team": rows[of_team & ~of_category].assign(name=rows["team"]),
    }
    result = {
        title: [{"name": row.name, "cells": _row_cells(row, columns)} for row in group.itertuples()]
        for title, group in groups.items()
    }
    return {"bonuses": result if len(table) else {}, "bonus_heads": [head for head, *_ in columns]}


def file_warnings(issues: pd.DataFrame, games: pd.DataFrame | None) -> list[dict]:
    """Findings of :data:`WARNED`, one entry per kind in that order: finding, title, handling, details, and
    lines for the configuration that settle them. ``games``: tidy/games or None; its matches without a packet
    are named where they are at most :data:`MOST`."""
    groups = []
    for kind, rows in issues[issues["finding"].isin(WARNED)].groupby("finding", sort=False):
        details, _, lines = zip(*(text.partition(LINE) for text in rows["detail"]), strict=True)
        details = [": ".join(words) for words in zip(rows["place"], details, strict=True)]
        if kind == "packet missing" and games is not None:
            matches = sorted(games.loc[games["packet"].isna(), "game"], key=round_sort_key)
            details += [f"without a packet: {', '.join(matches)}"] if len(matches) <= MOST else []
        groups.append(
            {
                "finding": kind,
                "title": kind.capitalize() + f" ({len(rows)} entries)" * (len(rows) > 1),
                "handling": rows["handling"].iloc[0],
                "details": details,
                "lines": [line for line in lines if line],
            }
        )
    return sorted(groups, key=lambda group: WARNED.index(group["finding"]))


def page(
    standings: pd.DataFrame,
    scoreboard: pd.DataFrame,
    individuals: pd.DataFrame,
    round_report: pd.DataFrame,
    bonus_conversion: pd.DataFrame,
    box_scores: pd.DataFrame,
    player_categories: pd.DataFrame,
    questions: pd.DataFrame | None,
    games: pd.DataFrame,
    plays: pd.DataFrame,
    bonus_plays: pd.DataFrame,
    bonus_items: pd.DataFrame,
    issues: Path,
    masthead: dict,
) -> dict[str, str]:
    """``statistics_page``: the text of statistics.html of one or several tournaments.

    ``questions``: None where no packet is among the files; ``issues``: CSV of the findings about the files.
    """
    missing = questions is None
    absent = {head for head, name in COUNTS[:2] if not standings[name].sum() + individuals[name].sum()}
    if not len(bonus_conversion) and standings["bonuses"].isna().all():
        absent |= {"Bonuses", "PPB"}
    if missing:
        absent |= {"1st", "Top 3"}
        questions = store.empty("questions")
    else:
        key, firsts = ["tournament", "team", "player"], ["first_buzzes", "top_three"]
        totals = player_categories.loc[player_categories["category"] == ALL, [*key, *firsts]]
        individuals = individuals.merge(totals, how="left", on=key)
        individuals[firsts] = individuals[firsts].astype("Float64").fillna(0)
    individuals = individuals.assign(rank=individuals["rank"].astype(object).fillna("–"))
    points = zip(scoreboard["points"], scoreboard["opponent_points"], strict=True)
    sides, rivals = (
        [
            _team_name(name, title)
            for name, title in zip(scoreboard[column], scoreboard["tournament"], strict=True)
        ]
        for column in ("team", "opponent")
    )
    shown = zip(SHOWN_PLACE, (scoreboard["round"].map(_round_name), sides, rivals), strict=True)
    scoreboard = scoreboard.assign(score=[span(*pair, 0) for pair in points], **dict(shown))
    many = standings["team"].nunique() > MOST
    teams = [] if many else sorted(scoreboard.groupby(["tournament", "team"]).groups)
    anchors = {team: f"team-{number}" for number, team in enumerate(teams, start=1)}
    excluded = games[~games["individual"].astype(bool)]
    by_player, by_tossup = ({}, {}) if many else _buzzes(plays, questions, scoreboard)
    by_bonus = {} if many else _bonus_parts(bonus_plays, scoreboard)
    tournaments = []
    for title in dict.fromkeys(standings["tournament"]):
        own, scores, people, categories, out = (
            table[table["tournament"] == title]
            for table in (standings, scoreboard, individuals, player_categories, excluded)
        )
        tournaments.append(
            {
                "name": title,
                "standings": _phases(own, scores, absent, anchors),
                "players": _ranking(people, _visible_columns(PLAYERS, absent), anchors),
                "leaders": _leaders(categories, absent, anchors),
                "excluded": [_round_name(name) for name in sorted(set(out["round"]), key=round_sort_key)],
            }
        )
    text = base.render(
        "statistics.html.j2",
        masthead,
        "statistics.html",
        tournaments=tournaments,
        teams=[] if many else _teams(scoreboard, individuals, box_scores, absent, anchors, by_player),
        packets=_packets(by_tossup, by_bonus, questions, bonus_items),
        heads=[head for head, _ in _visible_columns(COUNTS, absent)],
        **_rounds(round_report),
        scoreboard=[] if many else _scoreboard(scoreboard, box_scores, absent),
        **_bonuses(bonus_conversion),
        matches=scoreboard["game"].nunique(),
        many=many,
        missing=missing,
        warnings=file_warnings(store.read_csv(issues, "findings"), games),
        meaning=MEANING,
    )
    return {"statistics_page": text}
