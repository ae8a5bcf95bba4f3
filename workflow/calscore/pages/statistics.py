"""The statistics report of a tournament as one page: standings, individuals, teams, players, scoreboard, rounds, bonuses."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ..core import store
from ..tournament.bonuses import ALL
from ..tournament.packet_matching import LINE
from ..tournament.standings import natural
from . import base
from .wording import counted, decimal, percent, span

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
_COUNTS = (("superpowers", "SP"), ("powers", "P"), ("tens", "10"), ("negs", "Neg"))
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


def _present_columns(*tables) -> list[tuple[str, str]]:
    """Columns of counts that some table has: no powers where nobody scored one."""
    return [
        (name, head)
        for name, head in _COUNTS
        if not name.endswith("powers") or any(table[name].sum() for table in tables)
    ]


def _standings(rows, counts, ties: bool, bonus: bool, back: bool, anchors: dict) -> dict:
    """Heads and rows of the standings. ``counts``: (column, head) of buzz values; the flags add
    ties, bonuses, bouncebacks."""
    heads = ["W", "L", *(["T"] if ties else []), "Pct", "PPG", "PA", "Margin", "Pts/20"]
    heads += [*(head for _, head in counts), "TUH", *(["PPB"] if bonus else []), *(["BB pts"] if back else [])]  # fmt: skip
    body = []
    for row in rows.itertuples():
        cells = [row.wins, row.losses, *([row.ties] if ties else []), f"{row.win_share:.3f}"]
        cells += [decimal(row.points_per_game, 1), decimal(row.opponent_points_per_game, 1)]
        cells += [decimal(row.margin, 1, True), decimal(row.points_per_20, 1)]
        cells += [*(getattr(row, name) for name, _ in counts), row.tossups]
        cells += [decimal(row.points_per_bonus, 2)] if bonus else []
        cells += [decimal(row.bounceback_points, 0)] if back else []
        name, link = _plain(row.team, row.tournament), anchors.get((row.tournament, row.team))
        rank = f"{row.rank}{'=' * row.tied}"
        body.append({"rank": rank, "name": name, "link": link, "cells": cells})
    return {"heads": heads, "rows": body}


def _round(name) -> str:
    """A round's name where the column says that it is one."""
    return "–" if pd.isna(name) else str(name).removeprefix("Round ").removeprefix("round ")


def _plain(name: str, title: str) -> str:
    """A team's name where its tournament is said beside it."""
    return name.removesuffix(f" ({title})")


def _phases(standings, scores, counts, bonus: bool, anchors: dict) -> list[dict]:
    """Standings of a tournament: as a whole, then by phase, in the order of their first rounds, and bracket."""
    ties = bool(standings["ties"].sum())
    back = bool(standings["bounceback_points"].sum())
    first_round = scores["round"].map(natural).groupby(scores["phase"]).min()
    order = [ALL, *first_round.drop(ALL, errors="ignore").sort_values(kind="stable").index]
    phases = []
    for phase in order:
        for bracket, rows in standings[standings["phase"] == phase].groupby("bracket"):
            all_phases = phase == ALL
            name = "All matches" if all_phases else phase
            name += "" if bracket == ALL else f", bracket {bracket}"
            table = _standings(rows, counts, ties, bonus, back, anchors)
            phases.append({"name": name, "table": table, "whole": all_phases})
    return phases


def _players(rows, counts, anchors=None) -> dict:
    """Heads and rows of the individuals. ``counts``: (column, head) of buzz values; ``anchors``:
    (tournament, team) → link."""
    heads = ["GP", *(head for _, head in counts), "TUH", "Pts", "Pts/20"]
    firsts = ["first_buzzes", "top_three"] if "first_buzzes" in rows else []
    heads += ["1st", "Top 3"] if firsts else []
    body = [
        {
            "rank": "–" if pd.isna(row.rank) else row.rank,
            "name": row.player,
            "team": _plain(row.team, row.tournament),
            "link": (anchors or {}).get((row.tournament, row.team)),
            "cells": [
                decimal(row.games, 1), *(getattr(row, name) for name, _ in counts), row.tossups,
                decimal(row.points, 0), decimal(row.points_per_20, 2),
                *(decimal(getattr(row, name), 0) for name in firsts),
            ],
        }
        for row in rows.itertuples()
    ]  # fmt: skip
    return {"heads": heads, "rows": body}


def _leaders(rows, counts, anchors: dict) -> dict:
    """Who has the most points in each category."""
    rows = rows[~rows["category"].isin([ALL, "Unknown"]) & (rows["points"] > 0)]
    place = rows.groupby("category")["points"].rank(method="min", ascending=False)
    rows = rows.assign(rank=place).sort_values(["category", "rank", "team", "player"])
    body = [
        {
            "rank": f"{row.rank:.0f}",
            "name": row.player,
            "team": _plain(row.team, row.tournament),
            "link": anchors.get((row.tournament, row.team)),
            "cells": [
                row.category, *(getattr(row, name) for name, _ in counts),
                *(decimal(n, 0) for n in (row.points, row.first_buzzes, row.top_three)),
            ],
        }
        for row in rows[rows["rank"] <= LEADERS].itertuples()
    ]  # fmt: skip
    heads = ["Category", *(head for _, head in counts), "Pts", "1st", "Top 3"]
    return {"heads": heads, "rows": body}


def _result(row) -> str:
    return span(row.points, row.opponent_points, 0)


def _record(results) -> str:
    """Matches won, lost and, where there are any, tied."""
    won, lost, tied = (int((results == letter).sum()) for letter in "WLT")
    return "–".join(map(str, [won, lost, *([tied] if tied else [])]))


def _all_matches(rows, counts, bonus: bool) -> list:
    """Cells of a team's matches together."""
    score = span(rows["points"].mean(), rows["opponent_points"].mean(), 1)
    cells = [_record(rows["result"]), score, *(rows[name].sum() for name, _ in counts), rows["tossups"].sum()]  # fmt: skip
    heard = rows["bonuses"].sum(min_count=1)
    return cells + ([decimal(heard, 0), decimal(rows["bonus_points"].sum() / (heard or float("nan")), 2)] if bonus else [])  # fmt: skip


def _beside(rows, scores) -> pd.DataFrame:
    """Rows of games and teams with their round and opponent, in the order of rounds."""
    names = ["game", "team", "round", "opponent", "tournament"]
    rows = rows.astype({"game": object, "team": object}).merge(scores[names], on=["game", "team"])
    rows = rows.assign(place=rows["round"].map(natural))
    return rows.sort_values(["place", "game", "cycle"], kind="stable")


def _buzzes(plays, questions, scores) -> tuple[dict[tuple, list], dict[str, list]]:
    """The cells of every buzz by (team, player): round, opponent, tossup, category, word, points; and by tossup: round,
    team, player, opponent, word, points."""
    rows = _beside(plays.sort_values("order", kind="stable"), scores)
    ids = rows["question_id"].astype(object)
    categories = {} if questions is None else questions.set_index("question_id")["category"]
    rows = rows.assign(category=ids.map(categories), label=ids.fillna("tossup " + rows["tossup"].astype(str)), known=ids.notna())  # fmt: skip
    by_player: dict[tuple, list] = {}
    by_tossup: dict[str, list] = {}
    for row in rows.itertuples():
        word = "–" if pd.isna(row.word_index) else str(row.word_index + 1)
        word += "" if pd.isna(row.n_words) or word == "–" else f" of {row.n_words}"
        category = "–" if pd.isna(row.category) else row.category
        rival, points = _plain(row.opponent, row.tournament), decimal(row.value, 0)
        player = "–" if pd.isna(row.player) else row.player
        if player != "–":
            cells = [_round(row.round), rival, row.label, category, word, points]
            by_player.setdefault((row.team, player), []).append(cells)
        if row.known:
            team = _plain(row.team, row.tournament)
            cells = [_round(row.round), team, player, rival, word, points]
            by_tossup.setdefault(row.label, []).append(cells)
    return by_player, by_tossup


def _bonus_parts(bonus_plays, scores) -> dict[str, list]:
    """Bonus → the cells of every team that heard it: round, team, opponent, points of each part, sum."""
    rows = _beside(bonus_plays[bonus_plays["bonus_id"].notna()].sort_values("part"), scores)
    result: dict[str, list] = {}
    for (bonus, _), parts in rows.groupby(["bonus_id", "game"], sort=False, observed=True):
        for _, own in parts.groupby(["team", "cycle"], sort=False):
            row, back = own.iloc[0], own["bounceback"]
            cells = [
                decimal(value, 0) + ("" if pd.isna(bounced) else f" ({decimal(bounced, 0)})")
                for value, bounced in zip(own["points"], back, strict=True)
            ]
            names = (_plain(name, row["tournament"]) for name in (row["team"], row["opponent"]))
            sums = decimal(own["points"].sum(), 0)
            result.setdefault(str(bonus), []).append([_round(row["round"]), *names, " / ".join(cells), sums])  # fmt: skip
    return result


def _by_question(
    tossups: dict[str, list], bonuses: dict[str, list], questions, items
) -> list[dict]:
    """Packets with their tossups, each with every buzz, and bonuses, each with every team's parts."""
    categories = {} if questions is None else dict(zip(questions["question_id"], questions["category"], strict=True))  # fmt: skip
    categories |= dict(zip(items["bonus_id"], items["category"], strict=True))
    packets: dict[str, dict] = {}
    kinds = ("tossups", tossups, ("buzz", "buzzes")), ("bonuses", bonuses, ("team",))
    for kind, lists, noun in kinds:
        for name, rows in sorted(lists.items()):
            packet = name.split("-")[0].removeprefix("p")
            entry = packets.setdefault(packet, {"name": packet, "tossups": [], "bonuses": []})
            item = {"name": name, "category": categories.get(name, ""), "rows": rows}
            entry[kind].append(item | {"n": counted(len(rows), *noun)})
    return [packets[name] for name in sorted(packets)]


def _teams(scores, players, box, counts, bonus: bool, anchors: dict, buzzes: dict) -> list[dict]:
    """Each team with its matches, and its players with theirs and with every buzz."""
    heads = ["Result", "Score", *(head for _, head in counts), "TUH"]
    heads += ["Bonuses", "PPB"] if bonus else []
    own = box.merge(
        scores[["game", "team", "tournament", "round", "opponent"]], on=["game", "team"]
    )
    lines = {key: rows for key, rows in own.groupby(["tournament", "team"])}
    ranked = {key: rows for key, rows in players.groupby(["tournament", "team"])}
    teams = []
    for (title, team), rows in scores.groupby(["tournament", "team"]):
        games = [
            {
                "round": _round(row.round),
                "name": _plain(row.opponent, title),
                "cells": [
                    row.result, _result(row), *(getattr(row, name) for name, _ in counts), row.tossups,
                    *([decimal(row.bonuses, 0), decimal(row.points_per_bonus, 2)] if bonus else []),
                ],
            }
            for row in rows.itertuples()
        ]  # fmt: skip
        people = []
        for player in ranked.get((title, team), players.iloc[:0]).itertuples():
            own_rows = lines[title, team]
            own_rows = (
                own_rows[own_rows["player"] == player.player]
                .set_index("game")
                .reindex(rows["game"])
            )
            own_rows = own_rows.dropna(subset="round")
            detail = [
                [
                    _round(row.round), _plain(row.opponent, title), "–" if pd.isna(row.tossups_heard) else row.tossups_heard,
                    *(getattr(row, name) for name, _ in counts), decimal(row.points, 0),
                ]
                for row in own_rows.astype({name: int for name, _ in counts}).itertuples()
            ]  # fmt: skip
            listed = buzzes.get((team, player.player), [])
            people.append({"name": player.player, "rows": detail, "buzzes": listed})
        teams.append(
            {
                "tournament": title, "name": _plain(team, title), "id": anchors[title, team], "record": _record(rows["result"]),
                "heads": heads, "games": games, "whole": _all_matches(rows, counts, bonus),
                "table": _players(ranked.get((title, team), players.iloc[:0]), counts), "people": people,
            }
        )  # fmt: skip
    return teams


def _box(row, people, counts, bonus: bool) -> str:
    """What a side's players did, in a line."""
    lines = [
        f"{player.player} {'/'.join(str(getattr(player, name)) for name, _ in counts)}, {decimal(player.points, 0)}"
        for player in people
    ]
    heard = f"bonuses {decimal(row.bonuses, 0)}, PPB {decimal(row.points_per_bonus, 2)}"
    return "; ".join([*lines, heard] if bonus and row.bonuses == row.bonuses else lines)


def _scoreboard(scores, box, counts, bonus: bool) -> list[dict]:
    """Matches of each round, the winner first, with their box scores."""
    rounds = []
    people = {key: list(rows.itertuples()) for key, rows in box.groupby(["game", "team"])}
    for (title, name), rows in scores.assign(round=scores["round"].fillna("–")).groupby(
        ["tournament", "round"], sort=False
    ):
        matches = []
        for _, pair in rows.groupby("game", sort=False):
            winner, second = pair.sort_values(
                ["points", "team"], ascending=[False, True]
            ).itertuples()
            if winner.result == "L":
                winner, second = second, winner
            verb = "tied" if winner.result == "T" else "beat"
            matches.append(
                {"first": _plain(winner.team, title), "second": _plain(second.team, title),
                 "verb": verb, "score": _result(winner), "box": [
                     (_plain(row.team, title), _box(row, people.get((row.game, row.team), []), counts, bonus))
                     for row in (winner, second)
                 ]}
            )  # fmt: skip
        packet = rows["packet"].dropna().unique()
        rounds.append({"tournament": title, "name": _round(name), "packet": ", ".join(packet[:3]), "matches": matches})  # fmt: skip
    return rounds


_ROUND_HEADS = ("Matches", "Tossups", "PPG", "Pts/20", "Converted", "Powers", "Negs", "PPB")


def _rounds(report) -> dict:
    """Rows of rounds and their headings; columns of powers and bonuses stand where somebody has some."""
    rows = [
        {
            "tournament": row.tournament,
            "name": _round(row.round),
            "cells": [
                row.games, decimal(row.tossups, 0), decimal(row.points_per_game, 1), decimal(row.points_per_20, 1),
                percent(row.conversion), percent(row.power_rate), percent(row.neg_rate), decimal(row.points_per_bonus, 2),
            ],
        }
        for row in report.itertuples()
    ]  # fmt: skip
    empty = {"Powers": not report["power_rate"].any(), "PPB": report["points_per_bonus"].isna().all()}  # fmt: skip
    shown = [place for place, head in enumerate(_ROUND_HEADS) if not empty.get(head)]
    for row in rows:
        row["cells"] = [row["cells"][place] for place in shown]
    return {"rounds": rows, "round_heads": [_ROUND_HEADS[place] for place in shown]}


_BONUS_COLUMNS = (
    ("easy", "Easy", percent),
    ("medium", "Medium", percent),
    ("hard", "Hard", percent),
    ("part_1", "Part 1", percent),
    ("part_2", "Part 2", percent),
    ("part_3", "Part 3", percent),
    ("bounceback_heard", "BB heard", lambda value: decimal(value or None, 0)),
    ("bounceback_rate", "BB %", percent),
)
"""Column of tables/bonus_conversion, its heading and its format; shown where some row has a value."""


def _bonuses(table) -> dict:
    """Conversion of all, of teams and of categories, and the headings of its columns."""
    split = table["bonus"] != ALL
    bounced = bool(table["bounceback_rate"].sum())
    columns = [
        column
        for column in _BONUS_COLUMNS
        if table[column[0]].notna().any() and (bounced or not column[1].startswith("BB"))
    ]
    groups = {
        "All": table[~split & (table["team"] == ALL) & (table["category"] == ALL)],
        "By category": table[~split & (table["team"] == ALL) & (table["category"] != ALL)],
        "By team": table[~split & (table["team"] != ALL) & (table["category"] == ALL)],
    }
    result = {
        name: [
            {
                "name": {"All": "All", "By category": row.category, "By team": row.team}[name],
                "cells": [
                    decimal(row.heard, 0), decimal(row.points_per_bonus, 2),
                    *(show(getattr(row, column)) for column, _, show in columns),
                ],
            }
            for row in rows.sort_values("points_per_bonus", ascending=False, kind="stable").itertuples()
        ]
        for name, rows in groups.items()
    }  # fmt: skip
    heads = ["Heard", "PPB", *(head for _, head, _ in columns)]
    return {"bonuses": result if len(table) else {}, "bonus_heads": heads}


def file_warnings(issues, games) -> list[dict]:
    """Findings that :data:`WARNED` names, counted by kind, with the lines of the configuration that settle them.

    ``games``: tidy/games or None; names the matches whose packet is missing.
    """
    groups = []
    for kind, rows in issues[issues["finding"].isin(WARNED)].groupby("finding", sort=False):
        parts = [detail.partition(LINE) for detail in rows["detail"]]
        details = [
            f"{place}: {detail}" for place, (detail, *_) in zip(rows["place"], parts, strict=True)
        ]
        if kind == "packet missing" and games is not None:
            matches = sorted(games.loc[games["packet"].isna(), "game"], key=natural)
            details += [f"without a packet: {', '.join(matches)}"] if len(matches) <= MOST else []
        groups.append(
            {
                "finding": kind,
                "n": len(rows),
                "handling": rows["handling"].iloc[0],
                "details": details,
                "lines": [line for _, _, line in parts if line],
            }
        )
    return sorted(groups, key=lambda group: WARNED.index(group["finding"]))


def page(
    standings,
    scoreboard,
    individuals,
    round_report,
    bonus_conversion,
    box_scores,
    player_categories,
    questions,
    games,
    plays,
    bonus_plays,
    bonus_items,
    issues: Path,
    masthead: dict,
) -> dict:
    """statistics.html of a tournament.

    ``questions``: None where no packet is among the files; ``issues``: file of the findings about its matches.
    """
    counts = _present_columns(standings, individuals)
    if questions is not None:
        key, firsts = ["tournament", "team", "player"], ["first_buzzes", "top_three"]
        totals = player_categories.loc[player_categories["category"] == ALL, [*key, *firsts]]
        individuals = individuals.merge(totals, how="left", on=key)
        individuals[firsts] = individuals[firsts].astype("Float64").fillna(0)
    bonus = bool(len(bonus_conversion)) or bool(standings["bonuses"].notna().any())
    titles = list(dict.fromkeys(standings["tournament"]))
    many = standings["team"].nunique() > MOST
    teams = [] if many else sorted(scoreboard.groupby(["tournament", "team"]).groups)
    anchors = {team: f"team-{number}" for number, team in enumerate(teams, start=1)}
    excluded = games.loc[~games["individual"].astype(bool), ["tournament", "round"]]
    by_player, by_tossup = ({}, {}) if many else _buzzes(plays, questions, scoreboard)
    by_bonus = {} if many else _bonus_parts(bonus_plays, scoreboard)
    text = base.render(
        "statistics.html.j2",
        masthead,
        "statistics.html",
        tournaments=[
            {
                "name": title,
                "standings": _phases(*(rows[rows["tournament"] == title] for rows in (standings, scoreboard)), counts, bonus, anchors),
                "players": _players(individuals[individuals["tournament"] == title], counts, anchors),
                "leaders": _leaders(player_categories[player_categories["tournament"] == title], counts, anchors),
                "excluded": [_round(name) for name in sorted(set(excluded.loc[excluded["tournament"] == title, "round"]), key=natural)],
            }
            for title in titles
        ],
        teams=[] if many else _teams(
            scoreboard, individuals, box_scores, counts, bonus, anchors, by_player,
        ),
        packets=_by_question(by_tossup, by_bonus, questions, bonus_items),
        heads=[head for _, head in counts],
        **_rounds(round_report),
        scoreboard=[] if many else _scoreboard(scoreboard, box_scores, counts, bonus),
        **_bonuses(bonus_conversion),
        matches=scoreboard["game"].nunique(),
        many=many,
        missing=questions is None,
        warnings=file_warnings(store.read_csv(issues, "findings"), games),
        meaning=MEANING,
    )  # fmt: skip
    return {"statistics_page": text}
