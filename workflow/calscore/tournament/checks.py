"""What holds of match logs and of the statistics made from them, counted from the buzzes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..audit.outcome import bad, near, same, wilson, worst

_PLACE = ["game", "cycle"]


def tossups_of_games(games, heard):
    """No more tossups of a game were heard than were read."""
    n = heard.groupby("game")["cycle"].nunique().rename("heard").reset_index()
    both = games.merge(n, on="game")
    wrong = (both["heard"] > both["tossups_read"]) | both["game"].duplicated()
    return bad(both, wrong, "game", "tossups_read", "heard")


def known_games(table, games):
    """Every game is one of the games."""
    return bad(table, ~table["game"].isin(games["game"]), "game")


def one_right_buzz(plays):
    """A tossup of a game has at most one right buzz, which is the last; buzzes are numbered in order."""
    t = plays.sort_values([*_PLACE, "order"], ignore_index=True)
    by = t.groupby(_PLACE)
    after = by["correct"].shift().fillna(False).astype(bool)
    wrong = after | (t["order"] != by.cumcount() + 1) | t.duplicated("source_row")
    wrong |= (t["value"] > 0) & ~t["correct"].astype(bool)
    wrong |= t["correct"].astype(bool) & (t["value"] <= 0)
    return bad(t, wrong, *_PLACE, "order")


def buzzed_and_heard(heard, plays):
    """A team that buzzed on a tossup is listed as having heard it."""
    key = [*_PLACE, "team"]
    both = plays[key].drop_duplicates().merge(heard[key], how="left", indicator=True)
    return bad(both, both["_merge"] == "left_only", *key)


def played(rosters, plays, games):
    """A player who buzzed is in the roster of the game, and heard at most what was read."""
    key = ["game", "team", "player"]
    named = plays.dropna(subset="player")[key].drop_duplicates()
    both = named.merge(rosters[key], how="left", indicator=True)
    read = rosters["game"].map(games.set_index("game")["tossups_read"])
    return worst(
        bad(both, both["_merge"] == "left_only", *key),
        bad(rosters, (rosters["tossups_heard"] > read).fillna(False), *key),
    )


def of_the_packets(tossups, questions):
    """Every question has its place in a packet, none two; the power mark is within its words."""
    t = tossups
    words = t["question_id"].map(questions.set_index("question_id")["n_words"])
    wrong = (t["power_word"] > words).fillna(False) | t.duplicated(["packet", "number"])
    return worst(bad(t, wrong, "question_id"), same(t, questions, ["question_id"], ["number"]))


# --- statistics --------------------------------------------------------------------------------


def _counts(plays, heard, key, known=None):
    """Buzzes, right and wrong ones, rebounds, points, tossups heard, and where right buzzes were, by group.

    ``known``: of those heard the ones whose text is known.
    """
    room = ["game", "cycle", "tossup"]
    p = plays.assign(at=range(len(plays)), right=plays["correct"].astype(bool))
    wrong = p.loc[~p["right"], [*room, "order", "team"]]
    before = p.merge(wrong, on=room, suffixes=("", "_wrong"))
    before = before[
        (before["order_wrong"] < before["order"]) & (before["team_wrong"] != before["team"])
    ]
    there = p["right"] & p["n_words"].notna() & p["word_index"].notna()
    word = np.minimum(p["word_index"].astype(float) + 1, p["n_words"].astype(float)).where(there)
    value = p["value"].astype(float)
    p = p.assign(
        negs=~p["right"] & (value < 0),
        wrong_free=~p["right"] & (value == 0),
        rebounds=p["right"] & p["at"].isin(before["at"]),
        word=word,
        share=word / p["n_words"].astype(float),
    )
    by = p.groupby(key)
    found = by[["negs", "wrong_free", "rebounds"]].sum()
    found["buzzes"], found["gets"], found["points"] = (
        by.size(),
        by["right"].sum(),
        by["value"].sum(),
    )
    found = found.reindex(heard.index).fillna(0).assign(heard=heard).astype(float)
    for name, column in (("_correct", "share"), ("_correct_word", "word")):
        found[f"first{name}"], found[f"average{name}"] = by[column].min(), by[column].mean()
    if known is not None:
        area = (1 - p["share"]).groupby([p[name] for name in key]).sum()
        n = known.reindex(found.index)
        found["bpa"] = 100 * area.reindex(found.index).fillna(0) / n.where(n > 0)
    return found.rename_axis(key).reset_index()


def _follows(table, wanted, key, options):
    """Counts are as wanted; rates, Wilson's interval and what is wrong follow from them."""
    t = table
    columns = [name for name in wanted if name not in key]
    one = same(t.astype(dict.fromkeys(columns, float)), wanted, key, columns, 1e-9)
    heard = t["heard"].where(t["heard"] > 0)
    wrong = t["wrong"] != t["buzzes"] - t["gets"]
    wrong |= t["powers"] + t["superpowers"] > t["gets"]
    wrong |= ~near(t["precision"], t["gets"] / t["buzzes"].where(t["buzzes"] > 0))
    wrong |= ~near(t["power_rate"], t["powers"] / heard) | ~near(t["neg_rate"], t["negs"] / heard)
    wrong |= ~near(t["points_per_20"], t["points"] / heard * 20)
    wrong |= ~near(t["conversion"], t["gets"] / heard)
    if "rebound_chances" in t:
        chances = t["rebound_chances"].astype(float)
        wrong |= ~near(t["rebound_rate"], t["rebounds"] / chances.where(chances > 0))
    if "dead" in t:
        dead = (t["heard"] - t["gets"]).clip(lower=0)
        wrong |= (t["dead"] != dead) | ~near(t["dead_rate"], dead / heard)
    low, high = wilson(t["gets"], heard, options["level"])
    valid = t["gets"] <= t["heard"]
    wrong |= valid & (~near(t["conversion_low"], low) | ~near(t["conversion_high"], high))
    return worst(one, bad(t, wrong, *key))


def counts_of_teams(quizbowl_teams, plays, heard, options):
    """Buzzes, right ones, points and tossups heard are counted; rates follow."""
    n, known = (of.groupby(["team"]).size() for of in (heard, heard.dropna(subset="question_id")))
    return _follows(quizbowl_teams, _counts(plays, n, ["team"], known), ["team"], options)


def counts_of_players(quizbowl_players, plays, rosters, heard, games, options):
    """Buzzes, right ones, points and tossups heard (the team's where the player's are not told) are counted; rates follow."""
    key = ["team", "player"]
    plays, rosters = (of.merge(_counting(games)[["game"]]) for of in (plays, rosters))
    whole = heard.groupby(["game", "team"]).size().rename("whole").reset_index()
    listed = rosters.merge(whole, how="left")
    listed["n"] = listed["tossups_heard"].fillna(listed["whole"]).fillna(0)
    n = listed.groupby(key)["n"].sum()
    return _follows(quizbowl_players, _counts(plays, n, key), key, options)


def counts_of_questions(quizbowl_questions, plays, heard, options):
    """Buzzes, right ones, points and rooms that heard a question are counted; rates and the rank follow."""
    t, key = quizbowl_questions, ["question_id"]
    n = heard.dropna(subset="question_id").drop_duplicates([*_PLACE, "question_id"])
    n = n.groupby(key).size()
    one = _follows(t, _counts(plays, n, key, n), key, options)
    rank = t["difficulty"].rank(method="min", ascending=False)
    wrong = ~near(t["difficulty"], 1 - t["conversion"]) | ~near(t["difficulty_rank"], rank)
    return worst(one, bad(t, wrong, "question_id", "difficulty"))


def counts_of_categories(quizbowl_categories, plays, heard, questions, options):
    """Buzzes, right ones, points and rooms are counted by category; rates follow."""
    t, key, category = (
        quizbowl_categories,
        ["category"],
        questions.set_index("question_id")["category"],
    )
    n = heard.dropna(subset="question_id").drop_duplicates([*_PLACE, "question_id"])
    p, n = (of.assign(category=of["question_id"].map(category)) for of in (plays, n))
    of, n = t[t["category"].isin(set(category))], n.groupby(key).size()
    return _follows(of, _counts(p, n, key, n), key, options)


def counts_of_team_categories(quizbowl_team_categories, plays, heard, questions, options):
    """Buzzes, right ones, points and tossups heard are counted by team and category; rates follow."""
    t, key = quizbowl_team_categories, ["team", "category"]
    category = questions.set_index("question_id")["category"]
    p, n = (of.assign(category=of["question_id"].map(category)) for of in (plays, heard))
    of, n = t[t["category"].isin(set(category))], n.groupby(key).size()
    return _follows(of, _counts(p, n, key, n), key, options)


def scores_of_sides(sides, plays, bonus_plays):
    """Tossup points are those of the buzzes, bonus points those of the parts; a score that is not declared is their sum."""
    t, key = sides, ["game", "team"]
    own = plays.groupby(key)["value"].sum(min_count=1).rename("own").reset_index()
    scored = bonus_plays.groupby(key)["points"].sum().rename("scored").reset_index()
    both = t.merge(own, how="left").merge(scored, how="left")
    wrong = both["own"].notna() & both["tossup_points"].notna()
    wrong &= (both["own"] - both["tossup_points"]).abs() > 1e-9
    wrong |= both["scored"].notna() & ~near(both["scored"], both["bonus_points"])
    return bad(both, wrong, *key)


def buzzes_of_box_scores(box_scores, plays):
    """A named player's points and negs are those of the buzzes, in matches that list any."""
    key = ["game", "team", "player"]
    told = plays.dropna(subset=["player", "value"])
    by = told.assign(lost=(told["value"] < 0).astype("int64")).groupby(key)
    own = by.agg(own=("value", "sum"), lost=("lost", "sum"))
    both = box_scores.merge(own.reset_index(), on=key)
    wrong = ~near(both["own"], both["points"]) & both["points"].notna()
    return bad(both, wrong | (both["lost"] != both["negs"]), *key)


def parts_of_bonuses(bonus_items):
    """The parts of a bonus are numbered from 1 without a gap."""
    t = bonus_items
    n = t.groupby("bonus_id")["part"].agg(["max", "size"])
    return bad(n.reset_index(), (n["max"] != n["size"]).to_numpy(), "bonus_id")


def controlled_by_who_was_right(bonus_plays, plays):
    """A bonus is the team's that was right on the tossup of its cycle."""
    key = [*_PLACE, "team"]
    right = plays.loc[plays["correct"].astype(bool), key].drop_duplicates()
    both = bonus_plays[key].drop_duplicates().merge(right, how="left", indicator=True)
    return bad(both, both["_merge"] == "left_only", *key)


_KINDS = ["superpowers", "powers", "tens", "negs"]


def _share(of, n):
    """of / n, missing where n is 0 or missing."""
    return of.astype(float) / n.astype(float).where(n > 0)


def both_sides(scoreboard, sides, games, box_scores):
    """A match has two rows, each the other's mirror, with the scores of its sides and the buzzes of its players."""
    t, key = scoreboard, ["game", "team"]
    turned = t[["game", "team", "opponent", "points", "opponent_points", "result"]].set_axis(
        ["game", "opponent", "team", "opponent_points", "points", "result"], axis=1
    )
    turned["result"] = turned["result"].map({"W": "L", "L": "W", "T": "T"})
    scored = t.dropna(subset="points")
    listed = set(map(tuple, t[key].to_numpy()))
    own = box_scores.groupby(key)[_KINDS].sum().reset_index()
    own = t[key].merge(own, how="left").fillna(dict.fromkeys(_KINDS, 0))
    of = sides[[one in listed for one in map(tuple, sides[key].to_numpy())]]
    read = games.set_index("game").loc[scored["game"]]
    wrong = ~near(scored["margin"], scored["points"] - scored["opponent_points"])
    wrong |= ~near(scored["points_per_bonus"], _share(scored["bonus_points"], scored["bonuses"]))
    wrong |= (scored["tossups"] != read["tossups_read"].to_numpy()).to_numpy()
    over = read["overtime"].astype(float).fillna(0).to_numpy()
    wrong |= ~near(scored["regulation"], scored["tossups"] - over)
    return worst(
        same(t, turned, key, ["points", "opponent_points"]),
        same(
            scored,
            of[of.set_index(key).index.isin(scored.set_index(key).index)],
            key,
            ["points", "bonuses", "bonus_points", "bounceback_points"],
        ),
        same(
            t.astype(dict.fromkeys(_KINDS, float)),
            own.astype(dict.fromkeys(_KINDS, float)),
            key,
            _KINDS,
        ),
        bad(scored, wrong, *key),
        bad(t, t.groupby("game")["team"].transform("size") != 2, "game"),
    )


def records(standings, scoreboard):
    """All counts and means are those of the matches, of the whole and of each phase; a rank is one more than those who
    have a larger share of wins."""
    t, key = standings, ["tournament", "phase", "team"]
    rows = pd.concat([scoreboard.assign(phase="all"), scoreboard[scoreboard["phase"] != "all"]])
    by = rows.groupby(key)
    wanted = pd.DataFrame(
        {
            name: by["result"].agg(lambda v, letter=letter: float((v == letter).sum()))
            for name, letter in (("wins", "W"), ("losses", "L"), ("ties", "T"))
        }
    )
    for name, of in (
        ("points_per_game", "points"),
        ("opponent_points_per_game", "opponent_points"),
    ):
        wanted[name] = by[of].mean()
    wanted["margin"] = by["margin"].mean()
    for name in (*_KINDS, "tossups", "bonuses", "bonus_points", "bounceback_points"):
        wanted[name] = by[name].sum(min_count=1).astype(float)
    wanted["points_per_bonus"] = _share(wanted["bonus_points"], wanted["bonuses"])
    wanted["points_per_20"] = 20 * _share(by["points"].sum(), by["regulation"].sum())
    won = wanted["wins"] + wanted["ties"] / 2
    wanted["win_share"] = won / wanted[["wins", "losses", "ties"]].sum(axis=1)
    columns = list(wanted)
    both = t[["tournament", "phase", "bracket", "team", "rank", "win_share"]]
    both = both.merge(both, on=["tournament", "phase", "bracket"], suffixes=("", "_of"))
    ahead = (
        (both["win_share_of"] > both["win_share"] + 1e-12)
        .groupby([both[name] for name in key])
        .sum()
    )
    place = (ahead + 1).rename("rank").reset_index()
    return worst(
        same(t.astype(dict.fromkeys(columns, float)), wanted.reset_index(), key, columns),
        same(t.astype({"rank": "int64"}), place.astype({"rank": "int64"}), key, ["rank"]),
        bad(t, t["wins"] + t["losses"] + t["ties"] != t["games"], *key),
    )


def rounds_add_up(round_report, scoreboard):
    """Counts and rates of a round are those of its matches."""
    key = ["tournament", "round"]
    rows = scoreboard.dropna(subset="points")
    rows = rows.assign(round=rows["round"].astype(object).where(rows["round"].notna(), "–"))
    by = rows.groupby(key)
    sums, played = by[[*_KINDS, "points", "tossups", "bonuses", "bonus_points"]].sum(), by.size()
    tossups = sums["tossups"] / 2
    power = sums["superpowers"] + sums["powers"]
    wanted = pd.DataFrame(
        {
            "games": played / 2,
            "tossups": tossups,
            "points_per_game": sums["points"] / played,
            "points_per_20": 10 * _share(sums["points"], tossups),
            "conversion": _share(power + sums["tens"], tossups),
            "power_rate": _share(power, tossups),
            "neg_rate": _share(sums["negs"], tossups),
            "points_per_bonus": _share(sums["bonus_points"], sums["bonuses"]),
        }
    )
    columns = list(wanted)
    t = round_report.astype(dict.fromkeys(columns, float))
    return same(t, wanted.reset_index(), key, columns)


def _counting(games):
    """Games that count for individuals."""
    return games.query("individual")


def individual_rounds(games, options):
    """No match of a round that options.exclude_from_individual names, by its number or as a whole, counts for individuals."""
    wanted = [str(one).lower() for one in options["exclude_from_individual"]]
    name = games["round"].astype("string").str.lower()
    number = name.str.extract(r"(\d+)", expand=False).str.lstrip("0").replace("", "0")
    out = (name.isin(wanted) | number.isin(wanted)).fillna(False)
    return bad(games, out & games["individual"], "game", "round")


def points_of_individuals(individuals, box_scores, games):
    """A player's counts are those of the box scores of matches that count; a rank is one more than those with more points
    per 20."""
    t, key = individuals, ["team", "player"]
    rank = t.groupby("tournament")["points_per_20"].rank(method="min", ascending=False)
    wrong = ~near(t["rank"], rank)
    wrong |= ~near(t["points_per_20"], 20 * _share(t["points"], t["tossups"]))
    order = bad(t, wrong, *key)
    own = box_scores.merge(_counting(games)[["game", "tournament", "tossups_read"]], on="game")
    own["tossups"] = own["tossups_heard"].fillna(own["tossups_read"]).astype(float)
    own["games"] = own["tossups"] / own["tossups_read"].astype(float)
    by = own[own["tossups"] > 0].groupby(["tournament", *key])
    columns = [*_KINDS, "tossups", "games"]
    wanted = by[columns].sum()
    wanted["points"] = by["points"].sum().where(by["points"].count() == by.size())
    columns.append("points")
    wanted = wanted.reset_index()
    wanted = t[["tournament", *key]].merge(wanted, how="left")
    counted = t.astype(dict.fromkeys(columns, float))
    return worst(
        order,
        same(counted, wanted.astype(dict.fromkeys(columns, float)), ["tournament", *key], columns),
    )


def buzzes_by_category(player_categories, plays, games, questions=None):
    """Each player's buzzes of matches that count, by category and in all: of each kind, after a neg, first of all and among
    the first three words, and where the right ones were."""
    t, key = player_categories, ["tournament", "team", "player", "category"]
    rows = plays.merge(_counting(games)[["game", "tournament"]], on="game")
    rows = rows.assign(right=rows["correct"].astype(bool), points=rows["value"].astype(float))
    negs = rows.loc[rows["points"] < 0, ["game", "cycle", "tossup"]].drop_duplicates()
    rows = rows.merge(negs, how="left", indicator="after")
    place = ["tournament", "question_id", "word_index"]
    words = rows.loc[rows["right"], place].dropna().drop_duplicates()
    both = words.merge(words, on=place[:2], suffixes=("", "_of"))
    ahead = both["word_index_of"] < both["word_index"]
    ahead = ahead.groupby([both[name] for name in place]).sum().rename("ahead").reset_index()
    rows = rows.merge(ahead, how="left").dropna(subset="player")
    points, ahead = rows["points"], rows["ahead"].where(rows["right"])
    category = {} if questions is None else questions.set_index("question_id")["category"]
    category = rows["question_id"].map(category).astype(object).fillna("Unknown")
    rows = rows.assign(
        superpowers=points > 15,
        powers=points.between(10, 15, inclusive="right"),
        tens=points.between(0, 10, inclusive="right"),
        negs=points < 0,
        rebounds=(points > 0) & (rows["after"] == "both"),
        first_buzzes=ahead == 0,
        top_three=ahead < 3,
        word=rows["word_index"].astype(float).where(rows["right"]) + 1,
        unknown=points.isna(),
        category=category,
    )
    by = pd.concat([rows, rows.assign(category="all")]).groupby(key)
    counts = [*_KINDS, "rebounds", "first_buzzes", "top_three"]
    wanted = by[counts].sum().astype(float)
    wanted["points"] = by["points"].sum().where(by["unknown"].sum() == 0)
    wanted["earliest_word"], wanted["average_word"] = by["word"].min(), by["word"].mean()
    if questions is None:
        wanted[["first_buzzes", "top_three"]] = np.nan
    columns = list(wanted)
    found = t[columns].astype("Float64").to_numpy(dtype=float, na_value=np.nan)
    found = t[key].join(pd.DataFrame(found, t.index, columns))
    return same(found, wanted.reset_index(), key, columns, 1e-9)


def points_of_bonuses(bonus_conversion, bonus_plays):
    """Points on bonuses, of all and of each team, are those that were scored; teams, categories and bonuses add up to all,
    the categories of a team to the team; shares are of what was heard."""
    t = bonus_conversion
    levels = [name.removesuffix("_heard") for name in t if name.endswith("_heard")]
    shares = {one: f"{one}_rate" if one == "bounceback" else one for one in levels}
    right = {f"{one}_right": t[of].fillna(0) * t[f"{one}_heard"] for one, of in shares.items()}
    counts = ["heard", "points", "bounceback_points", *(f"{one}_heard" for one in levels), *right]
    t = t.assign(**right).astype(dict.fromkeys(counts, float))
    all_of = {name: t[name] == "all" for name in ("team", "category", "bonus")}
    team, category, bonus = (all_of[name] for name in ("team", "category", "bonus"))
    whole = t[team & category & bonus]
    found = []
    for parts in (t[~team & category & bonus], t[team & ~category & bonus]):
        added = parts[counts].sum().to_frame().T.assign(team="all")[: len(parts)]
        found.append(same(whole, added, ["team"], counts, 1e-6))
    added = t[~team & ~category].groupby("team")[counts].sum().reset_index()
    found.append(same(t[~team & category], added, ["team"], counts, 1e-6))
    named = bonus_plays.dropna(subset="bonus_id")
    by = named.assign(heard=named["game"] + " " + named["cycle"].astype(str)).groupby("bonus_id")
    own = pd.DataFrame({"heard": by["heard"].nunique().astype(float), "points": by["points"].sum()})
    for part in (1, 2, 3):
        of = named[named["part"] == part].groupby("bonus_id")["points"]
        own[f"part_{part}_heard"] = of.size().reindex(own.index).fillna(0).astype(float)
        own[f"part_{part}_right"] = (
            of.agg(lambda v: float((v > 0).sum())).reindex(own.index).fillna(0)
        )
    found.append(
        same(t[~bonus], own.rename_axis("bonus").reset_index(), ["bonus"], list(own), 1e-6)
    )
    scored = bonus_plays.groupby("team")["points"].sum().reset_index()
    found.append(same(t[~team & category & bonus], scored, ["team"], ["points"]))
    wrong = ~near(t["points_per_bonus"], t["points"] / t["heard"].where(t["heard"] > 0))
    return worst(*found, bad(t, wrong, "team", "category", "bonus"))


def answers_to_parts(bonus_responses, bonus_plays):
    """Each answer is to a part that was read."""
    t, parts = bonus_responses, bonus_plays.dropna(subset="bonus_id")
    names = set(parts["bonus_id"] + "_" + parts["part"].astype(str))
    return bad(t, ~t["qc_id"].isin(names), "agent_type", "qc_id")


def points_of_curves(buzzpoint_curves, plays):
    """Curves rise with what is heard, shares are of who heard it, and all right buzzes are there at the end."""
    t, key = buzzpoint_curves, ["level", "item"]
    ordered = t.sort_values([*key, "x"], kind="stable")
    steps = ordered.groupby(key)[["gets", "wrong", "negs"]].diff() < 0
    wrong = steps.any(axis=1).reindex(t.index)
    for name in ("gets", "wrong", "negs"):
        wrong |= ~near(t[f"{name}_per_heard"], t[name] / t["heard"].where(t["heard"] > 0))
    last = ordered.drop_duplicates(key, keep="last")
    known = plays[plays["n_words"].notna() & plays["question_id"].notna()]
    parts = []
    for level, column in (("question", "question_id"), ("team", "team")):
        n = known.groupby(column)["correct"].agg(["size", "sum"]).reset_index()
        parts.append(n.set_axis(["item", "buzzes", "gets"], axis=1).assign(level=level))
    counted = last.assign(buzzes=last["gets"] + last["wrong"])
    # Who heard tossups and buzzed on none has a curve too.
    wanted = pd.concat(parts, ignore_index=True).merge(last[key], how="right")
    wanted = wanted.fillna({"buzzes": 0, "gets": 0})
    return worst(bad(t, wrong, *key, "x"), same(counted, wanted, key, ["gets", "buzzes"]))
