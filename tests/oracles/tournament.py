"""Statistics of a tournament counted again from raw rows, another way than the workflow counts them."""

import numpy as np
import pandas as pd
from calscore.core.check_result import compare_tables, failing_rows, first_failure, is_close

CYCLE = ["game", "cycle"]
ROOM = [*CYCLE, "tossup"]
KINDS = ["superpowers", "powers", "tens", "negs"]


def _kinds(rows) -> pd.DataFrame:
    """Buzzes with a column of 0 and 1 for each count of the statistics."""
    right, value = rows["correct"].astype(bool), rows["value"].astype(float)
    masks = {
        "gets": right,
        "superpowers": value > 15,
        "powers": (value > 10) & (value <= 15),
        "tens": (value > 0) & (value <= 10),
        "negs": value < 0,
        "wrong_free": value == 0,
    }
    return rows.assign(buzzes=1, **{name: mask.astype(int) for name, mask in masks.items()})


def sums_of_buzzes(table, plays, heard, games, questions=None):
    """Buzzes of each kind, their points and the tossups heard are those of the log, by the table's key."""
    names = ("tournament", "game", "team", "player", "question_id", "category")
    key = ["question_id"] if "question_id" in table else [name for name in names if name in table]
    category = {} if questions is None else questions.set_index("question_id")["category"]
    plays, heard = (
        rows.merge(games[["game", "tournament", "individual"]], on="game").assign(
            category=rows["question_id"].map(category).astype(object).fillna("Unknown").to_numpy()
        )
        for rows in (plays, heard)
    )
    if "player" in key:
        plays = plays if "game" in key else plays[plays["individual"]]
        unnamed = "(not named)" if "game" in key else None
        plays = plays.assign(player=plays["player"].astype(object).fillna(unnamed))
    if "category" in key:
        table = table[table["category"] != "all"]
    if "game" in key:
        # Answers of a game that lists no tossups are told by counts alone.
        table = table[table["game"].isin(plays["game"])]
    groups = _kinds(plays).dropna(subset=key).groupby(key)
    counts = [name for name in ("buzzes", "gets", *KINDS, "wrong_free") if name in table]
    wanted = groups[counts].sum().assign(size=groups.size())
    wanted["points"] = groups["value"].sum().where(groups["value"].count() == groups.size())
    if "heard" in table and "player" not in key:
        rooms = heard if "team" in key else heard.drop_duplicates([*ROOM, *key])
        heard_counts = rooms.dropna(subset=key).groupby(key).size().rename("heard")
        wanted = wanted.join(heard_counts, how="outer")
    wanted = table[key].merge(wanted.reset_index(), how="outer", on=key)
    # A group that buzzed on nothing has no points; one with a buzz of unknown points has none that are known.
    wanted.loc[wanted.pop("size").isna(), "points"] = 0.0
    wanted[counts] = wanted[counts].fillna(0)
    columns = [name for name in wanted if name not in key]
    both = (rows.astype(dict.fromkeys(columns, float)) for rows in (table, wanted))
    return compare_tables(*both, key, columns, 1e-9)


def scores_of_sides(sides, plays, bonus_plays):
    """Tossup points are those of the buzzes, bonus points those of the parts, and points the declared ones or their sum."""
    key, parts = ["game", "team"], ["tossup_points", "bonus_points", "bounceback_points"]
    total = sides[parts].fillna({"bonus_points": 0, "bounceback_points": 0}).sum(axis=1, skipna=False)  # fmt: skip
    wrong = ~is_close(sides["points"], sides["declared"].fillna(total))
    for rows, column, declared in (
        (plays, "value", "tossup_points"),
        (bonus_plays, "points", "bonus_points"),
    ):
        sums = rows.groupby(key)[column].sum().reindex(pd.MultiIndex.from_frame(sides[key]))
        gap = (sums.fillna(0).to_numpy(dtype=float) - sides[declared].astype(float)).abs() > 1e-9
        wrong |= (gap & sides["game"].isin(rows["game"])).to_numpy()
    return failing_rows(sides, wrong, *key)


def mirrored_sides(scoreboard, sides):
    """A match has two rows, each the mirror of the other, with the scores of its sides."""
    table, key = scoreboard, ["game", "team"]
    pairs = {"team": "opponent", "points": "opponent_points"}
    mirror = table[["game", *pairs, *pairs.values()]].rename(
        columns=pairs | {other: own for own, other in pairs.items()}
    )
    mirror["result"] = table["result"].map({"W": "L", "L": "W", "T": "T"})
    scored = sides.merge(table[key])
    sign = np.sign(table["margin"]).map({1: "W", -1: "L", 0: "T"})
    wrong = ~is_close(table["margin"], table["points"] - table["opponent_points"])
    wrong |= (sign != table["result"]) | (table.groupby("game")["team"].transform("size") != 2)
    return first_failure(
        compare_tables(table, mirror, key, ["opponent", "points", "opponent_points", "result"]),
        compare_tables(table, scored, key, ["points", "bonuses", "bonus_points"]),
        failing_rows(table, wrong, *key),
    )


def matches_of_standings(standings, scoreboard):
    """Results and counts of a team are those of its matches, of all and of each phase."""
    key = ["tournament", "phase", "team"]
    phases = scoreboard[scoreboard["phase"] != "all"]
    rows = pd.concat([scoreboard.assign(phase="all"), phases])
    results = {"wins": "W", "losses": "L", "ties": "T"}
    rows = rows.assign(**{name: rows["result"].eq(letter) for name, letter in results.items()})
    columns = [*results, *KINDS, "tossups"]
    wanted = rows.groupby(key)[columns].sum().astype("int64").reset_index()
    wrong = standings[list(results)].sum(axis=1) != standings["games"]
    return first_failure(
        compare_tables(standings, wanted, key, columns), failing_rows(standings, wrong, *key)
    )


def points_of_bonuses(bonus_conversion, bonus_plays):
    """Points of bonuses, of all and of each team, are those scored; teams and categories add up to all."""
    levels = {name: bonus_conversion[name] == "all" for name in ("team", "category", "bonus")}
    team, category, bonus = levels.values()
    total = bonus_conversion[team & category & bonus]
    counts = ["heard", "points"]
    outcomes = []
    for parts in (~team & category & bonus, team & ~category & bonus):
        added = bonus_conversion.loc[parts, counts].sum().to_frame().T.assign(team="all")
        outcomes.append(compare_tables(total, added[: len(total)], ["team"], counts, 1e-6))
    scored = bonus_plays.groupby("team")["points"].sum().reset_index()
    by_team = bonus_conversion[~team & category & bonus]
    # A team that only heard parts of its opponents has scored nothing on its own.
    by_team = by_team[by_team["team"].isin(scored["team"]) | (by_team["points"] != 0)]
    return first_failure(*outcomes, compare_tables(by_team, scored, ["team"], ["points"], 1e-6))


def rising_curves(buzzpoint_curves, plays):
    """Curves rise with the share heard and end at all right and wrong buzzes of the question or team."""
    key, names = ["level", "item"], ["gets", "wrong", "negs"]
    ordered = buzzpoint_curves.sort_values([*key, "x"], kind="stable")
    falls = (ordered.groupby(key)[names].diff() < 0).any(axis=1).reindex(buzzpoint_curves.index)
    ends = ordered.drop_duplicates(key, keep="last")
    lookup = plays[plays["n_words"].notna() & plays["question_id"].notna()]
    parts = [
        lookup.groupby(column)["correct"]
        .agg(gets="sum", buzzes="size")
        .rename_axis("item")
        .reset_index()
        .assign(level=level)
        for level, column in (("question", "question_id"), ("team", "team"))
    ]
    wanted = pd.concat(parts, ignore_index=True).merge(ends[key], how="right")
    wanted = wanted.fillna({"buzzes": 0, "gets": 0}).astype({"gets": int, "buzzes": int})
    return first_failure(
        failing_rows(buzzpoint_curves, falls, *key, "x"),
        compare_tables(ends.assign(buzzes=ends["gets"] + ends["wrong"]), wanted, key, ["gets", "buzzes"]),
    )
