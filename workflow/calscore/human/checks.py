"""What holds of the human curve, of teams and players, and of what is tabulated about them."""

import numpy as np
import pandas as pd

from ..core.check_result import (
    Outcome,
    compare_tables,
    failing_rows,
    first_failure,
    is_close,
    not_as_wide,
    not_wilson,
    outside_bounds,
    wilson,
)

_CLUE = ["segmentation", "h_definition", "question_id", "clue"]
RULES = ("paper", "release", "rate")


def _buzz_counts(buzzes: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """By ``key``: ``sum``, the human teams that are right on the question, once each; ``size``, all human buzzes."""
    human = buzzes[buzzes["kind"] == "human"]
    right = human[human["correct"].astype(bool)].drop_duplicates(["question_id", "team"])
    counts = {"sum": right.groupby(key).size(), "size": human.groupby(key).size()}
    return pd.DataFrame(counts).fillna(0).astype("int64")


def curve_of_the_buzzes(human_curve, buzzes, exposures) -> Outcome:
    """h is ``correct`` / ``total``, and neither count falls with the clues, numbered from 1.

    At the last clue all human buzzes on the question, or all human teams that heard it, are counted.
    """
    t = human_curve.sort_values(_CLUE, kind="stable")
    curves = t.groupby(_CLUE[:3])
    total = t["total"].where(t["total"] > 0)
    wrong = ~is_close(t["h"], (t["correct"] / total).fillna(0))
    wrong |= (curves[["correct", "total"]].diff() < 0).any(axis=1)
    wrong |= t["clue"] != curves.cumcount() + 1
    # Definitions differ in the total alone.
    wrong |= t.groupby([_CLUE[0], *_CLUE[2:]])["correct"].transform("nunique") > 1
    b = _buzz_counts(buzzes, ["question_id"])
    e = exposures[exposures["kind"] == "human"]
    ends = {
        "buzzed_so_far": b["size"],
        "buzzed_on_question": b["size"],
        "heard": e.groupby("question_id")["team"].nunique(),
        "heard_seen": e[e["source"] != "packet"].groupby("question_id")["team"].nunique(),
    }
    final_rows = curves.tail(1)
    for definition, count in ends.items():
        # Only what counts buzzes so far grows with the clues.
        rows = final_rows if definition == "buzzed_so_far" else t
        rows = rows[rows["h_definition"] == definition]
        wrong[rows.index] |= rows["total"] != rows["question_id"].map(count).fillna(0)
    wrong[final_rows.index] |= final_rows["correct"] != final_rows["question_id"].map(b["sum"]).fillna(0)
    return failing_rows(t, wrong, *_CLUE)


def crowd_of_the_buzzes(crowd, clues, buzzes, exposures) -> Outcome:
    """Under every segmentation a human team has its buzzes on each question, or a row of clue 0; heard is what exposures say."""
    pair = ["question_id", "team"]
    b = _buzz_counts(buzzes, pair)
    e = exposures[exposures["kind"] == "human"].set_index(pair).index
    wanted = b.reindex(b.index.union(e), fill_value=0).reset_index()
    wanted.columns = [*pair, "correct", "buzzes"]
    wanted["heard"] = pd.MultiIndex.from_frame(wanted[pair]).isin(e)
    cut = clues[["segmentation", "question_id"]].drop_duplicates()
    key = ["segmentation", *pair]
    sums = crowd.groupby(key)[["correct", "buzzes"]].sum().reset_index()
    outcome = compare_tables(sums, cut.merge(wanted), key, ["correct", "buzzes"])
    heard = crowd.merge(wanted, on=pair, how="left", suffixes=("", "_wanted"))
    wrong = (heard["heard"] != heard["heard_wanted"]) | (heard["correct"] > heard["buzzes"])
    wrong |= (heard["clue"] > 0) != (heard["buzzes"] > 0)
    return first_failure(outcome, failing_rows(heard, wrong, *key, "clue"))


def crowd_of_the_curve(crowd: pd.DataFrame, human_curve: pd.DataFrame) -> Outcome:
    """Added up over teams and clues, the buzzes are those of the human curve."""
    h = human_curve[human_curve["h_definition"] == "buzzed_so_far"]
    clue_sums = crowd.groupby(_CLUE[:1] + _CLUE[2:])[["correct", "buzzes"]].sum().reset_index()
    both = h.merge(clue_sums, on=_CLUE[:1] + _CLUE[2:], how="left", suffixes=("", "_here"))
    both = both.sort_values(_CLUE, kind="stable", ignore_index=True)
    running = both[["correct_here", "buzzes"]].fillna(0)
    running = running.groupby([both[name] for name in _CLUE[:3]]).cumsum()
    wrong = (running["correct_here"] != both["correct"]) | (running["buzzes"] != both["total"])
    return failing_rows(both, wrong, *_CLUE)


def _in_disorder(table: pd.DataFrame, score: str, quartile: str) -> pd.Series:
    """Mask of rows whose ``score`` is below that of a row in a lower ``quartile``."""
    ranked = table.dropna(subset=[score, quartile]).sort_values([quartile, score], kind="stable")
    lower = ranked[score].astype(float).cummax() > ranked[score]
    return lower.reindex(table.index, fill_value=False)


def counts_of_teams(teams: pd.DataFrame, buzzes: pd.DataFrame, exposures: pd.DataFrame) -> Outcome:
    """``packets`` and ``questions_heard`` of a team are counted in exposures, its buzzes, right and wrong, in ``buzzes``."""
    heard = exposures.groupby("team").agg(
        packets=("packet", "nunique"), questions_heard=("question_id", "size")
    )
    team_buzzes = buzzes.groupby("team")["correct"].agg(["size", "sum"])
    wanted = heard.join(team_buzzes, how="outer").fillna(0).reset_index()
    wanted = wanted.rename(columns={"size": "buzzes", "sum": "correct"})
    wanted["incorrect"] = wanted["buzzes"] - wanted["correct"]
    columns = ["packets", "questions_heard", "buzzes", "correct", "incorrect"]
    return compare_tables(teams, wanted.astype(dict.fromkeys(columns, float)), ["team"], columns)


def scores_of_teams(teams: pd.DataFrame, options: dict) -> Outcome:
    """Scores are right buzzes, and those per question heard; a better quartile has higher scores; models have no quartile."""
    t = teams
    heard = t["questions_heard"].where(t["questions_heard"] > 0)
    wrong = ~is_close(t["score_paper"], t["correct"])
    wrong |= ~is_close(t["score_rate"], t["correct"] / heard)
    human = t["kind"] == "human"
    for rule in RULES:
        wrong |= (t[f"quartile_{rule}"].isna() == human).to_numpy()
        wrong |= _in_disorder(t, f"score_{rule}", f"quartile_{rule}")
    return failing_rows(t, wrong, "team")


def points_of_players(players: pd.DataFrame, survey_responses: pd.DataFrame) -> Outcome:
    """Questions and buzzes are those of the survey; a better quartile, and half, has more points."""
    p, s = players, survey_responses
    rows = s.groupby("player")
    questions, buzzed = rows["question_id"].nunique(), s[s["buzz"].astype(bool)]
    buzzes = buzzed.groupby("player")["question_id"].nunique()
    wrong = (p["player"].map(questions) != p["questions"]) | (p["correct"] > p["buzzes"])
    wrong |= p["player"].map(buzzes).fillna(0) != p["buzzes"]
    wrong |= _in_disorder(p, "points", "quartile") | ((p["quartile"] > 2) != (p["half"] == "top"))
    # Twenty points at the start, less at each later clue, and five lost by a wrong buzz.
    wrong |= (p["points"] > 20 * p["correct"]) | (p["points"] < -5 * (p["buzzes"] - p["correct"]))
    return failing_rows(p, wrong, "player", "points", "quartile", "half")


def summary_of_teams(team_summary: pd.DataFrame, teams: pd.DataFrame, options: dict) -> Outcome:
    """Counts and quartiles are those of the teams; precision is correct / buzzes; the median lies in its bounds."""
    t, level = team_summary, options["level"]
    outcome = compare_tables(t, teams, ["team"], [name for name in teams if name != "team"])
    wrong = not_wilson(t, "precision", "precision_low", "precision_high", t["correct"], t["buzzes"], level)
    wrong |= not_wilson(t, "score_rate", "rate_low", "rate_high", t["correct"], t["questions_heard"], level)
    wrong |= outside_bounds(t, "median_revealed")
    wrong |= (t["buzzes"] > 0) != t["median_revealed"].notna()
    return first_failure(outcome, failing_rows(t, wrong, "team", "precision", "median_revealed"))


def margins(category_margins, buzzes, questions, options: dict) -> Outcome:
    """Counts per category of each team and kind of team are those of the buzzes; all other columns follow from them."""
    t = category_margins
    placed_buzzes = buzzes.merge(questions[["question_id", "category", "category_fine"]])
    parts = []
    for level, category in (("merged", "category"), ("fine", "category_fine")):
        for kind, group in (("pool", "kind"), ("team", "team")):
            sums = placed_buzzes.groupby([category, group])["correct"].agg(["sum", "size"])
            sums = sums.set_axis(["correct", "buzzes"], axis=1).rename_axis(["category", "group"])
            parts.append(sums.reset_index().assign(level=level, group_kind=kind))
    wanted = pd.concat(parts, ignore_index=True)
    wanted["incorrect"] = wanted["buzzes"] - wanted["correct"]
    key = ["level", "category", "group_kind", "group"]
    outcome = compare_tables(t, wanted, key, ["correct", "incorrect"])
    n, worth = t["correct"] + t["incorrect"], t["n_effective"]
    wrong = not_wilson(t, "precision", "low", "high", t["correct"] / n * worth, worth, options["level"])
    wrong |= t["margin"] != t["correct"] - t["incorrect"]
    wrong |= ~is_close(t["precision"], t["correct"] / n)
    wrong |= ~is_close(t["ratio"], t["correct"] / t["incorrect"].where(t["incorrect"] > 0))
    wrong |= (worth > n + 1e-9) | ((t["group_kind"] == "team") & ~is_close(worth, n))
    return first_failure(outcome, failing_rows(t, wrong, *key))


def twentieths(buzz_positions: pd.DataFrame, buzzes: pd.DataFrame) -> Outcome:
    """Buzzes over all twentieths of a question add up to ``buzzes``; each count lies in its bounds, which are 0 where it is."""
    b, t = buzzes, buzz_positions
    key = ["group", "correct"]
    group = b["team"].where(b["kind"] == "model", "human")
    counts = b.assign(group=group).groupby(key).size().rename("buzzes").reset_index()
    wrong = ~is_close(t["revealed"] * 20, (t["revealed"] * 20).round())
    wrong |= outside_bounds(t, "buzzes", "") | ((t["high"] > 0) != (t["buzzes"] > 0))
    return first_failure(
        compare_tables(t.groupby(key, as_index=False)["buzzes"].sum(), counts, key, ["buzzes"]),
        failing_rows(t, wrong, *key, "revealed"),
    )


def _falls(table: pd.DataFrame, key: list[str], *columns) -> np.ndarray:
    """Mask of rows where one of ``columns`` is lower than at the clue before."""
    ordered = table.sort_values([*key, "clue"], kind="stable")
    steps = ordered.groupby(key)[list(columns)].diff()
    return np.array((steps < -1e-9).any(axis=1).reindex(table.index))


def cumulative(cumulative_buzzes, buzzes, exposures, teams) -> Outcome:
    """Curves and their bounds never fall, and at the last clue every buzz of the group is counted.

    Shares are counts over their denominators.
    """
    t = cumulative_buzzes
    key = ["rule", "group", "outcome"]
    wrong = _falls(t, key, "cumulative")
    wrong |= t.groupby(key)["clue"].transform("size") != t["clue"].max()
    wrong |= ~is_close(t["per_question"], t["cumulative"] / t["questions_heard"])
    wrong |= ~is_close(t["per_match"], t["cumulative"] / t["matches"])
    wrong |= outside_bounds(t, "per_question", "per_question_", "per_question_two_way_")
    wrong |= outside_bounds(t, "per_match") | outside_bounds(t, "per_clue")
    for name in ("per_question", "per_match", "per_question_two_way"):
        # What rises in every replicate has bounds that rise.
        wrong |= _falls(t, key, f"{name}_low", f"{name}_high")
    parts = []
    for (rule, group), members in _groups(teams).items():
        heard = exposures[exposures["team"].isin(members)]
        own = buzzes.loc[buzzes["team"].isin(members), "correct"].astype(bool)
        counts = {
            "n_teams": len(members),
            "questions_heard": len(heard),
            "matches": len(heard.drop_duplicates(["team", "packet"])),
        }
        for name, total in (("correct", own.sum()), ("incorrect", (~own).sum())):
            place = {"rule": rule, "group": group, "outcome": name, "cumulative": total}
            parts.append(place | counts)
    final_rows = t[t["clue"] == t["clue"].max()]
    columns = ["cumulative", "n_teams", "questions_heard", "matches"]
    wrong |= t.groupby(key)[columns[1:]].transform("nunique").gt(1).any(axis=1)
    return first_failure(
        failing_rows(t, wrong, *key, "clue"),
        compare_tables(final_rows, pd.DataFrame(parts), key, columns),
    )


def counts(dataset, questions, buzzes, exposures) -> Outcome:
    """Questions, buzzes, sentences and teams are those of the tables; means lie between extremes; no quantity is there twice."""
    values = dict(zip(dataset["quantity"], dataset["value"], strict=True))
    wanted = {"questions": len(questions), "buzzes": len(buzzes)}
    wanted["packets"] = questions["packet"].nunique()
    wanted["sentences"] = questions["n_sentences"].sum()
    for kind, rows in buzzes.groupby("kind")["correct"]:
        wanted |= {f"{kind} buzzes": len(rows), f"{kind} correct buzzes": rows.sum()}
        wanted[f"{kind} P(correct | buzz)"] = rows.mean()
    teams = exposures.groupby("kind")["team"].nunique()
    wanted |= {f"{kind} teams": n for kind, n in teams.items()}
    rows = questions["category"].value_counts()
    wanted |= {f"questions in {name}": n for name, n in rows.items()}
    wrong = [name for name, n in wanted.items() if not is_close(values.get(name), n)[0]]
    for unit in ("words", "characters"):
        ends = [values[f"{unit} per question, {end}"] for end in ("smallest", "mean", "largest")]
        wrong += [unit] if ends != sorted(ends) else []
    double = int(dataset.duplicated("quantity").sum())
    return Outcome(len(dataset), len(wrong) + double, ", ".join(wrong))


def precision_counted(precision, buzzes, questions, names, options) -> Outcome:
    """Counts are those of the buzzes; value, naive error and difference from humans follow.

    Bounds are as wide as the error says, and shares of replicates agree with them.
    """
    t = precision
    placed_buzzes = buzzes.merge(questions[["question_id", "category"]])
    parts = []
    for rows in (placed_buzzes, placed_buzzes.assign(category="all")):
        for group, subset in (("kind", rows), ("team", rows[rows["kind"] == "model"])):
            grouped = subset.assign(group=subset[group]).groupby(["category", "group"])
            summary = grouped.agg(
                kind=("kind", "first"),
                teams=("team", "nunique"),
                buzzes=("correct", "size"),
                correct=("correct", "sum"),
            )
            parts.append(summary.reset_index())
    wanted = pd.concat(parts, ignore_index=True)
    wanted["value"] = wanted["correct"] / wanted["buzzes"]
    wanted["se_naive"] = np.sqrt(wanted["value"] * (1 - wanted["value"]) / wanted["buzzes"])
    wanted["name"] = wanted["group"].replace(names)
    human = wanted["kind"] == "human"
    wanted["method"] = np.where(human, "questions and teams", "questions")
    pooled = ~human & (wanted["category"] == "all")
    wanted.loc[pooled, "method"] = "Wilson, buzzes clustered by question"
    humans = wanted[human].set_index("category")["value"]
    wanted["difference"] = (wanted["value"] - wanted["category"].map(humans)).where(~human)
    columns = [name for name in wanted if name not in ("category", "group")]
    outcome = compare_tables(t, wanted, ["category", "group"], columns, 1e-9)
    human, both = t["kind"] == "human", t["difference"].notna()
    wrong = (t["se_team"].isna() == human) | (t["se_two_way"].isna() == human)
    wrong |= t["se_question"].isna() | (t["draws_better"].notna() != both)
    t = t.assign(n_questions=t["buzzes"], se=t["se_two_way"].where(human, t["se_question"]))
    wrong |= not_as_wide(t[["low", "high", "se", "n_questions"]], options["level"], ("", "se"))
    tail = (1 - options["level"]) / 2 + 1 / options["replicates"]
    wrong |= (t["difference_low"] > 0) & (t["draws_better"] < 1 - tail)
    wrong |= (t["difference_high"] < 0) & (t["draws_better"] > tail)
    return first_failure(outcome, failing_rows(t, wrong, "category", "group"))


def of_the_packet(pairings: pd.DataFrame, exposures: pd.DataFrame) -> Outcome:
    """Two opponents are different teams that heard the packet; contradictions are at most the questions both buzzed on.

    Where no team has several on a packet, each is its opponent's opponent, with the same counts.
    """
    t = pairings
    heard = set(exposures[["packet", "team"]].itertuples(index=False, name=None))
    wrong = t["opponent"].notna() & (t["opponent"] == t["team"])
    for column in ("team", "opponent"):
        heard_it = [pair in heard for pair in zip(t["packet"], t[column], strict=True)]
        wrong |= t[column].notna() & ~pd.Series(heard_it, index=t.index)
    opposed = t.dropna(subset="opponent")
    back = opposed.set_index(["packet", "team"])
    both = pd.MultiIndex.from_frame(opposed[["packet", "opponent"]])
    if back.index.is_unique:
        mirrored = back.reindex(both)
        wrong.loc[opposed.index] |= mirrored["opponent"].to_numpy() != opposed["team"].to_numpy()
        for column in ("n_both", "contradictions"):
            wrong.loc[opposed.index] |= mirrored[column].to_numpy() != opposed[column].to_numpy()
    wrong |= t["contradictions"] > t["n_both"]
    return failing_rows(t, wrong, "packet", "team", "opponent")


def _groups(teams: pd.DataFrame) -> dict[tuple[str, str], set]:
    """(rule, group) → teams: all humans, each model by itself, quartiles under each rule."""
    human = teams[teams["kind"] == "human"]
    groups = {("all", "human"): set(human["team"])}
    groups |= {("model", team): {team} for team in teams.loc[teams["kind"] == "model", "team"]}
    for rule in RULES:
        for quartile, rows in human.groupby(f"quartile_{rule}"):
            groups[rule, f"Q{int(quartile)}"] = set(rows["team"])
    return groups


def ends_of_chances(incidence, exposures, teams) -> Outcome:
    """Incidence never falls with time and lies in its bounds; competing causes sum to at most 1; ``n`` is of the exposures."""
    t, curve = incidence, ["rule", "group", "estimator", "cause"]
    ordered = t.sort_values([*curve, "time"], kind="stable")
    wrong = (ordered.groupby(curve)["incidence"].diff() < -1e-9).reindex(t.index)
    wrong |= outside_bounds(t, "incidence", "") | (t["n_teams"] > t["n"])
    competing = t["estimator"] != "opponent_censors"
    total = t[competing].groupby([*curve[:3], "time"])["incidence"].transform("sum")
    wrong[total.index] |= total > 1 + 1e-9
    wrong |= t.groupby(curve[:3])[["n", "n_teams"]].transform("nunique").gt(1).any(axis=1)
    counts = {}
    for place, members in _groups(teams).items():
        heard = exposures[exposures["team"].isin(members)]
        counts[place] = len(heard), heard["team"].nunique()
    place = pd.MultiIndex.from_frame(t[curve[:2]])
    for number, column in enumerate(("n", "n_teams")):
        count = pd.Series({key: sizes[number] for key, sizes in counts.items()}).reindex(place)
        all_of_them = (t["estimator"] == "competing").to_numpy()
        wrong |= np.where(all_of_them, t[column] != count.to_numpy(), t[column] > count.to_numpy())
    return failing_rows(t, wrong, *curve, "time", "incidence")


def curves_of_quartiles(fair_quartiles: pd.DataFrame, teams: pd.DataFrame) -> Outcome:
    """Curves and their bounds never fall; counts are the same along a curve; on all packets quartiles hold all human teams."""
    t, key = fair_quartiles, ["score", "drawn", "group"]
    wrong = _falls(t, key, "right", "low", "high", "two_way_low", "two_way_high")
    wrong |= (t["low"] > t["right"] + 1e-9) | (t["n_teams"] > t["questions_heard"] + 1e-9)
    wrong |= t.groupby(key)[["n_teams", "questions_heard"]].transform("nunique").gt(1).any(axis=1)
    # Halves that assign and halves that are drawn are the same halves.
    size = t.groupby([*key, "clue"])["n_teams"].transform("first")
    all_teams = size.where(t["drawn"] == "all").groupby([t["score"], t["clue"]]).transform("sum")
    human = teams[teams["kind"] == "human"]
    rated = t["score"].map({"total": len(human)}).fillna(human["score_rate"].notna().sum())
    wrong |= (t["drawn"] == "all") & (all_teams != rated)
    return failing_rows(t, wrong, *key, "clue", "right")


def gaps_of_quartiles(quartile_shrinkage: pd.DataFrame, fair_quartiles: pd.DataFrame) -> Outcome:
    """Gaps are Q4 − Q1 at the last clue of ``fair_quartiles``; shrinkage is 1 − other-half gap / same-half gap."""
    t, f = quartile_shrinkage, fair_quartiles
    wrong = np.zeros(len(t), dtype=bool)
    for drawn in ("all", "same_half", "other_half"):
        last_rows = f[(f["drawn"] == drawn) & (f["clue"] == f["clue"].max())]
        wide = last_rows.pivot(index="score", columns="group", values="right").reindex(columns=["Q1", "Q4"])
        wrong |= ~is_close(t[f"gap_{drawn}"], t["score"].map(wide["Q4"] - wide["Q1"]))
    wanted = 1 - t["gap_other_half"] / t["gap_same_half"]
    return failing_rows(t, wrong | (t["shrinkage"].notna() & ~is_close(t["shrinkage"], wanted)), "score")


def shares(table: pd.DataFrame, options: dict) -> Outcome:
    """In a table of shares, accuracy is correct / n, with Wilson's interval on the effective number."""
    t, worth = table, table["n_effective"]
    low, high = wilson(t["accuracy"] * worth, worth, options["level"])
    wrong = ~is_close(t["accuracy"], t["correct"] / t["n"]) | (worth > t["n"] + 1e-9)
    wrong |= ~is_close(t["low"], low) | ~is_close(t["high"], high)
    return failing_rows(t, wrong, "reading", "revealed", "n", "correct", "accuracy")


def shares_of_buzzes(table: pd.DataFrame, options: dict) -> Outcome:
    """In a table of buzz rates, agents and buzzes are at most the answers ``n``, and p lies in its bounds.

    Of a single agent p is buzzes / n, with Wilson's interval.
    """
    t = table
    wrong = outside_bounds(t, "p", "") | (t["agents"] > t["n"]) | (t["buzzes"] > t["n"])
    wrong |= (t["buzzes"] > 0) != (t["p"] > 0)
    ends = wilson(t["buzzes"], t["n"], options["level"])
    single = is_close(t["p"], t["buzzes"] / t["n"])
    for end, name in zip(ends, ("low", "high"), strict=True):
        single &= is_close(t[name], end)
    return failing_rows(t, wrong | ((t["agents"] == 1) & ~single), *list(t)[:4], "p")


def answers_of_the_survey(survey_accuracy, survey_responses, players) -> Outcome:
    """At the end of the questions, known and unknown answers of a quartile are the questions of its players."""
    t = survey_accuracy
    s = survey_responses.merge(players[["player", "quartile"]])
    s = s[s["clue"] == s["n_clues"]]
    s = s.assign(group="Q" + s["quartile"].astype(str), known=s["correct"].notna())
    wanted = s.groupby("group").agg(n=("known", "sum"), rows=("known", "size")).reset_index()
    complete = t[(t["reading"] == "at") & (t["revealed"] == 1)]
    return compare_tables(
        complete.assign(rows=complete["n"] + complete["unknown"]), wanted, ["group"], ["n", "rows"]
    )


def filled_around_the_first_buzz(team_responses, buzzes, clues) -> Outcome:
    """A team that buzzed has one row with its first buzz, right or wrong as that was; it is right from there to
    the last clue, or wrong from the first clue to there, and nothing else is filled in."""
    t = team_responses
    key = ["segmentation", "question_id", "team"]
    by_team = t.groupby(key)
    wrong = (by_team["buzz"].transform("sum") != 1) | (t["backfilled"] == t["buzz"])
    wrong |= by_team["correct"].transform("nunique") != 1
    last_clue = clues.groupby(["segmentation", "question_id"])["clue"].max()
    buzz_clue = t["clue"].where(t["buzz"].astype(bool)).groupby([t[name] for name in key]).transform("max")
    ends = last_clue.reindex(pd.MultiIndex.from_frame(t[key[:2]])).to_numpy()
    right = t["correct"].astype(bool)
    rows = np.where(right, ends - buzz_clue + 1, buzz_clue)
    wrong |= (t["clue"] < buzz_clue) & right | (t["clue"] > buzz_clue) & ~right
    wrong |= by_team["clue"].transform("size") != rows
    human = buzzes[buzzes["kind"] == "human"].sort_values("word_index", kind="stable")
    first_rows = human.drop_duplicates(key[1:])[[*key[1:], "correct"]]
    first_rows = first_rows.merge(clues[key[:2]].drop_duplicates(), on="question_id")
    buzz_rows = t[t["buzz"].astype(bool)].astype({"correct": bool})
    return first_failure(
        failing_rows(t, wrong, *key, "clue"),
        compare_tables(buzz_rows, first_rows, key, ["correct"]),
    )
