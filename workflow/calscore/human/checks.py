"""What holds of the human curve, of teams and players, and of what is tabulated about them."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd

from ..core.check_result import (
    Outcome,
    compare_tables,
    failing_rows,
    first_failure,
    is_close,
    is_wilson,
    not_as_wide,
    outside,
    wilson,
)

_CLUE = ["segmentation", "h_definition", "question_id", "clue"]
RULES = ("paper", "release", "rate")


def counted_again(human_curve, clues, buzzes, exposures, traced):
    """h, its numerator and denominator follow from counting buzzes."""
    totals = {
        "buzzed_so_far": "human_buzzes",
        "buzzed_on_question": "on_question",
        "heard": "heard_by",
        "heard_seen": "seen_by",
    }
    parts = [
        traced(name).human.assign(
            segmentation=name,
            h_definition=definition,
            correct=traced(name).human["human_right"],
            total=traced(name).human[total],
            h=traced(name).human[definition],
        )
        for name in sorted(clues["segmentation"].unique())
        for definition, total in totals.items()
    ]
    wanted = pd.concat(parts, ignore_index=True)
    return compare_tables(human_curve, wanted, _CLUE, ["correct", "total", "h"])


def crowd_of_the_buzzes(crowd, clues, buzzes, exposures):
    """Under every segmentation a team has its buzzes on each question, or clue 0; heard is what exposures say."""
    pair = ["question_id", "team"]
    b = buzzes[buzzes["kind"] == "human"].groupby(pair)["correct"].agg(["sum", "size"])
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


def crowd_of_the_curve(crowd, human_curve):
    """Added up over teams and clues, the buzzes are those of the human curve."""
    h = human_curve[human_curve["h_definition"] == "buzzed_so_far"]
    clue_sums = crowd.groupby(_CLUE[:1] + _CLUE[2:])[["correct", "buzzes"]].sum().reset_index()
    both = h.merge(clue_sums, on=_CLUE[:1] + _CLUE[2:], how="left", suffixes=("", "_here"))
    both = both.sort_values(_CLUE, kind="stable", ignore_index=True)
    running = both[["correct_here", "buzzes"]].fillna(0)
    running = running.groupby([both[name] for name in _CLUE[:3]]).cumsum()
    wrong = (running["correct_here"] != both["correct"]) | (running["buzzes"] != both["total"])
    return failing_rows(both, wrong, *_CLUE)


# --- teams and players -------------------------------------------------------------------------


def _quarters(table, score: str, quartile: str):
    """Rows whose quartile is not the number of cuts (25, 50 and 75 percent, linear) below the score."""
    cuts = np.percentile(table[score].to_numpy(dtype=float), [25, 50, 75])
    above = (table[score].to_numpy(dtype=float)[:, None] > cuts).sum(axis=1)
    return table[quartile].to_numpy(dtype=float) != above + 1


def counts_of_teams(teams, buzzes, exposures):
    """Packets and questions are those heard, buzzes those there are; correct and incorrect make up all."""
    heard = exposures.groupby("team").agg(
        packets=("packet", "nunique"), questions_heard=("question_id", "size")
    )
    team_buzzes = buzzes.groupby("team")["correct"].agg(["size", "sum"])
    wanted = heard.join(team_buzzes, how="outer").fillna(0).reset_index()
    wanted = wanted.rename(columns={"size": "buzzes", "sum": "correct"})
    wanted["incorrect"] = wanted["buzzes"] - wanted["correct"]
    columns = ["packets", "questions_heard", "buzzes", "correct", "incorrect"]
    return compare_tables(teams, wanted.astype(dict.fromkeys(columns, float)), ["team"], columns)


def scores_of_teams(teams, buzzes, clues, options):
    """Scores are right buzzes, those summed over clue numbers, and those per question heard; quartiles cut
    human teams at the quarters of each; models have none.
    """
    t = teams
    c = clues[clues["segmentation"] == options["primary_segmentation"]]
    clue_numbers = _clue_of(buzzes, c)
    n_numbers = int(c["clue"].max())
    summed = (
        (n_numbers - clue_numbers + 1)[buzzes["correct"].astype(bool)].groupby(buzzes["team"]).sum()
    )
    heard = t["questions_heard"].where(t["questions_heard"] > 0)
    wrong = ~is_close(t["score_paper"], t["correct"])
    wrong |= ~is_close(t["score_release"], t["team"].map(summed).fillna(0))
    wrong |= ~is_close(t["score_rate"], t["correct"] / heard)
    human = t["kind"] == "human"
    for rule in RULES:
        wrong |= (t[f"quartile_{rule}"].isna() == human).to_numpy()
        scored = human & t[f"score_{rule}"].notna()
        wrong[scored] |= _quarters(t[scored], f"score_{rule}", f"quartile_{rule}")
    return failing_rows(t, wrong, "team")


def _clue_of(buzzes, clues):
    """The clue that each buzz falls in: the first that ends after its word, else the last."""
    ends = clues.groupby("question_id")["end_word"].apply(np.asarray)
    numbers = [
        int(min(np.searchsorted(ends[q], w, side="right"), len(ends[q]) - 1)) + 1
        for q, w in zip(buzzes["question_id"], buzzes["word_index"], strict=True)
    ]
    return pd.Series(numbers, index=buzzes.index)


def points_of_players(players, survey_responses):
    """Questions, first buzzes, right ones and points (20 − 20c after the share c of the clues, −5) are those of
    the survey; quartiles and halves cut the points.
    """
    p, s = players, survey_responses
    first_rows = s[s["buzz"].astype(bool)].sort_values("clue", kind="stable")
    first_rows = first_rows.drop_duplicates(["player", "question_id"])
    right = first_rows["observed"].fillna(False).astype(bool)
    points = (20 - 20 * first_rows["clue"] / first_rows["n_clues"]).where(right, -5.0)
    wanted = pd.DataFrame({"questions": s.groupby("player")["question_id"].nunique()})
    player = first_rows["player"]
    wanted["buzzes"], wanted["correct"] = (
        first_rows.groupby(player).size(),
        right.groupby(player).sum(),
    )
    wanted["points"] = points.astype(float).groupby(player).sum()
    columns = list(wanted)
    outcome = compare_tables(p, wanted.fillna(0).reset_index(), ["player"], columns, 1e-9)
    wrong = _quarters(p, "points", "quartile") | ((p["quartile"] > 2) != (p["half"] == "top"))
    return first_failure(outcome, failing_rows(p, wrong, "player", "points", "quartile", "half"))


# --- tables ------------------------------------------------------------------------------------


def median_ends(values, level: float) -> tuple[float, float]:
    """Order statistics around the median, by counting coin flips, written out."""
    ordered = np.sort(values)
    n, ways, below = len(ordered), 0, -1
    while below < n and ways + math.comb(n, below + 1) <= (1 - level) / 2 * 2**n:
        below += 1
        ways += math.comb(n, below)
    return (math.nan, math.nan) if below < 0 else (ordered[below], ordered[n - 1 - below])


def summary_of_teams(team_summary, teams, buzzes, questions, options):
    """Counts and quartiles are those of the teams; precision is correct / buzzes; the median is of its buzzes."""
    t, level = team_summary, options["level"]
    outcome = compare_tables(t, teams, ["team"], [name for name in teams if name != "team"])
    if outcome.failures:
        return outcome
    words = buzzes["question_id"].map(questions.set_index("question_id")["n_words"])
    shares = ((buzzes["word_index"] + 1) / words).groupby(buzzes["team"])
    ends = {team: median_ends(values, level) for team, values in shares}
    wrong = is_wilson(
        t, "precision", "precision_low", "precision_high", t["correct"], t["buzzes"], level
    )
    wrong |= is_wilson(
        t, "score_rate", "rate_low", "rate_high", t["correct"], t["questions_heard"], level
    )
    wrong |= ~is_close(t["median_revealed"], t["team"].map(shares.median()))
    for position, end in enumerate(("low", "high")):
        wanted = [ends.get(team, (np.nan, np.nan))[position] for team in t["team"]]
        wrong |= ~is_close(t[f"median_revealed_{end}"], wanted)
    return failing_rows(t, wrong, "team", "precision", "median_revealed")


def margins(category_margins, buzzes, questions, options):
    """Counts are those of the buzzes; margin, ratio, precision and interval follow from them."""
    t = category_margins
    placed_buzzes = buzzes.merge(questions[["question_id", "category", "category_fine"]])
    parts = []
    for level, category in (("merged", "category"), ("fine", "category_fine")):
        for kind, group in (("pool", "kind"), ("team", "team")):
            sums = (
                placed_buzzes.groupby([category, group])["correct"]
                .agg(["sum", "size"])
                .reset_index()
            )
            sums.columns = ["category", "group", "correct", "buzzes"]
            parts.append(sums.assign(level=level, group_kind=kind))
    wanted = pd.concat(parts, ignore_index=True)
    wanted["incorrect"] = wanted["buzzes"] - wanted["correct"]
    key = ["level", "category", "group_kind", "group"]
    outcome = compare_tables(t, wanted, key, ["correct", "incorrect"])
    if outcome.failures:
        return outcome
    n, worth = t["correct"] + t["incorrect"], t["n_effective"]
    wrong = is_wilson(
        t, "precision", "low", "high", t["correct"] / n * worth, worth, options["level"]
    )
    wrong |= t["margin"] != t["correct"] - t["incorrect"]
    wrong |= ~is_close(t["precision"], t["correct"] / n)
    wrong |= ~is_close(t["ratio"], t["correct"] / t["incorrect"].where(t["incorrect"] > 0))
    wrong |= (worth > n + 1e-9) | ((t["group_kind"] == "team") & ~is_close(worth, n))
    return failing_rows(t, wrong, *key)


def twentieths(buzz_positions, buzzes, questions):
    """Buzzes by twentieth of the question are those of the buzzes, between their bounds; where there is none, none is drawn."""
    b, t = buzzes, buzz_positions
    words = b["question_id"].map(questions.set_index("question_id")["n_words"])
    # Whole numbers: the bin k is the smallest with 20·(word + 1) ≤ k·words.
    bins = (-(-20 * (b["word_index"] + 1) // words)).clip(1, 20)
    group = b["team"].where(b["kind"] == "model", "human")
    counts = pd.DataFrame({"group": group, "correct": b["correct"], "bin": bins.astype(float)})
    key = ["group", "correct", "bin"]
    counts = counts.groupby(key).size().rename("wanted").reset_index()
    t = t.assign(bin=(t["revealed"] * 20).round(6))
    merged = t.merge(counts, on=key, how="outer")
    wrong = ~(merged["buzzes"] == merged["wanted"].fillna(0)) | merged["revealed"].isna()
    wrong |= merged.duplicated(key) | ~merged["bin"].isin(range(1, 21))
    low, n, high = (merged[name].fillna(0) for name in ("low", "buzzes", "high"))
    wrong |= (low > n) | (n > high) | ((high > 0) != (n > 0))
    return failing_rows(merged, wrong, "group", "correct", "revealed")


def _falls(table, key: list[str], *columns) -> np.ndarray:
    """Rows where a column is lower than at the clue before."""
    ordered = table.sort_values([*key, "clue"], kind="stable")
    steps = ordered.groupby(key)[list(columns)].diff()
    return np.array((steps < -1e-9).any(axis=1).reindex(table.index))


def cumulative(cumulative_buzzes, buzzes, clues, exposures, teams, options):
    """At the last clue every buzz of the group is counted; shares are counts over their denominators."""
    t = cumulative_buzzes
    key = ["rule", "group", "outcome"]
    step = t.sort_values([*key, "clue"], kind="stable").groupby(key)["cumulative"].diff()
    wrong = np.array((step < 0).reindex(t.index))
    wrong |= ~is_close(t["per_question"], t["cumulative"] / t["questions_heard"])
    wrong |= ~is_close(t["per_match"], t["cumulative"] / t["matches"])
    wrong |= outside(t, "per_question", "per_question_", "per_question_two_way_")
    wrong |= outside(t, "per_match") | outside(t, "per_clue")
    for name in ("per_question", "per_match", "per_question_two_way"):
        # What rises in every replicate has bounds that rise.
        wrong |= _falls(t, key, f"{name}_low", f"{name}_high")
    outcome = failing_rows(t, wrong, *key, "clue")
    if outcome.failures:
        return outcome
    c = clues[clues["segmentation"] == options["primary_segmentation"]]
    clue_numbers, n_clues = _clue_of(buzzes, c), c.groupby("question_id").size()
    numbers = np.arange(1, int(c["clue"].max()) + 1)
    parts = []
    for (rule, group), members in _groups(teams).items():
        heard = exposures[exposures["team"].isin(members)]
        reach = heard["question_id"].map(n_clues).to_numpy()
        exposed = (reach[:, None] >= numbers).sum(axis=0).cumsum()
        for name, right in (("correct", True), ("incorrect", False)):
            own_clues = clue_numbers[
                buzzes["team"].isin(members) & (buzzes["correct"] == right)
            ].to_numpy()
            count = (own_clues[:, None] <= numbers).sum(axis=0)
            counts = {
                "n_teams": len(members),
                "cumulative": count,
                "questions_heard": len(heard),
                "matches": len(heard.drop_duplicates(["team", "packet"])),
                "per_clue": np.divide(
                    count, exposed, out=np.zeros(len(exposed)), where=exposed > 0
                ),
            }
            place = {"rule": rule, "group": group, "outcome": name, "clue": numbers}
            parts.append(pd.DataFrame(place | counts))
    wanted = pd.concat(parts, ignore_index=True)
    return compare_tables(t, wanted, [*key, "clue"], list(counts))


def counts(dataset, questions, buzzes, clues, exposures):
    """Questions, words, buzzes and clues are counted as they are; every quantity is there once."""
    values = dict(zip(dataset["quantity"], dataset["value"], strict=True))
    wanted = {"questions": len(questions), "buzzes": len(buzzes)}
    wanted["packets"] = questions["packet"].nunique()
    wanted["sentences"] = questions["n_sentences"].sum()
    wanted["sentences per question"] = questions["n_sentences"].mean()
    for unit, n in (("words", questions["n_words"]), ("characters", questions["n_chars"])):
        ends = {"mean": n.mean(), "smallest": n.min(), "largest": n.max()}
        wanted |= {f"{unit} per question, {end}": value for end, value in ends.items()}
        wanted[f"questions with 575 to 650 {unit}"] = n.between(575, 650).mean()
    for kind, rows in buzzes.groupby("kind")["correct"]:
        wanted |= {f"{kind} buzzes": len(rows), f"{kind} correct buzzes": rows.sum()}
        wanted[f"{kind} P(correct | buzz)"] = rows.mean()
    teams = exposures.groupby("kind")["team"].nunique()
    wanted |= {f"{kind} teams": n for kind, n in teams.items()}
    human = buzzes.loc[buzzes["kind"] == "human", "question_id"]
    wanted["questions without a human buzz"] = len(questions) - human.nunique()
    for name, rows in clues.groupby("segmentation"):
        by_question = rows.groupby("question_id")
        n, words = by_question.size(), by_question["end_word"].max().sum()
        wanted |= {
            f"clues per question, {name}": n.mean(),
            f"words per clue, {name}": words / n.sum(),
        }
        wanted[f"most clues of a question, {name}"] = n.max()
    rows = questions["category"].value_counts()
    wanted |= {f"questions in {name}": n for name, n in rows.items()}
    wrong = [name for name, n in wanted.items() if not is_close(values.get(name), n)[0]]
    double = int(dataset.duplicated("quantity").sum())
    return Outcome(len(dataset), len(wrong) + double, ", ".join(wrong))


def precision_counted(precision, buzzes, questions, names, options):
    """Counts are those of the buzzes; value, naive error and difference from humans follow; bounds are as wide as the error says, and shares of replicates agree with them."""
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
    if outcome.failures:
        return outcome
    human, both = t["kind"] == "human", t["difference"].notna()
    wrong = (t["se_team"].isna() == human) | (t["se_two_way"].isna() == human)
    wrong |= t["se_question"].isna() | (t["draws_better"].notna() != both)
    t = t.assign(n_questions=t["buzzes"], se=t["se_two_way"].where(human, t["se_question"]))
    wrong |= not_as_wide(t[["low", "high", "se", "n_questions"]], options["level"], ("", "se"))
    tail = (1 - options["level"]) / 2 + 1 / options["replicates"]
    wrong |= (t["difference_low"] > 0) & (t["draws_better"] < 1 - tail)
    wrong |= (t["difference_high"] < 0) & (t["draws_better"] > tail)
    return failing_rows(t, wrong, "category", "group")


# --- opponents, incidence, fair quartiles --------------------------------------------------------


def of_the_packet(pairings, exposures, buzzes, questions):
    """A team has at most one opponent in a packet, which heard that packet too and has it as its own; questions on which both buzzed are counted."""
    t = pairings
    heard = set(exposures[["packet", "team"]].itertuples(index=False, name=None))
    wrong = t["opponent"].notna() & (t["opponent"] == t["team"])
    for column in ("team", "opponent"):
        heard_it = [pair in heard for pair in zip(t["packet"], t[column], strict=True)]
        wrong |= t[column].notna() & ~pd.Series(heard_it, index=t.index)
    opposed = t.dropna(subset="opponent")
    back = opposed.set_index(["packet", "team"])["opponent"]
    opponent_key = pd.MultiIndex.from_frame(opposed[["packet", "opponent"]])
    if back.index.is_unique:
        wrong.loc[opposed.index] |= (
            back.reindex(opponent_key).to_numpy() != opposed["team"].to_numpy()
        )
    # The first buzz of each: the other's right answer before it, or two right ones, contradict a match.
    first_buzz = buzzes.sort_values("word_index", kind="stable").drop_duplicates(
        ["team", "question_id"]
    )
    first_buzz = first_buzz.assign(
        packet=first_buzz["question_id"].map(questions.set_index("question_id")["packet"])
    )
    columns_used = first_buzz[["packet", "question_id", "team", "word_index", "correct"]]
    both = opposed[["packet", "team", "opponent"]].merge(columns_used, on=["packet", "team"])
    both = both.merge(columns_used.drop(columns="packet").add_suffix("_of"), left_on=["opponent", "question_id"], right_on=["team_of", "question_id_of"])  # fmt: skip
    against = both["correct"] & both["correct_of"]
    against |= both["correct"] & (both["word_index"] < both["word_index_of"])
    against |= both["correct_of"] & (both["word_index_of"] < both["word_index"])
    key = ["packet", "team", "opponent"]
    tallies = both.assign(against=against.astype(int)).groupby(key)["against"].agg(["size", "sum"])
    tallies = tallies.reindex(pd.MultiIndex.from_frame(opposed[key]), fill_value=0)
    wrong.loc[opposed.index] |= opposed["n_both"].to_numpy() != tallies["size"].to_numpy()
    wrong.loc[opposed.index] |= opposed["contradictions"].to_numpy() != tallies["sum"].to_numpy()
    return failing_rows(t, wrong, "packet", "team", "opponent")


def _groups(teams) -> dict[tuple[str, str], set]:
    """(rule, group) → teams: all humans, each model by itself, quartiles under each rule."""
    human = teams[teams["kind"] == "human"]
    groups = {("all", "human"): set(human["team"])}
    groups |= {("model", team): {team} for team in teams.loc[teams["kind"] == "model", "team"]}
    for rule in RULES:
        for quartile, rows in human.groupby(f"quartile_{rule}"):
            groups[rule, f"Q{int(quartile)}"] = set(rows["team"])
    return groups


def ends_counted(incidence, questions, buzzes, exposures, pairings, teams):
    """How chances end is counted: as a share of the questions heard, or, where an opponent's right answer ends the looking,
    each right answer weighted by who was still looked at; bounds are around it.
    """
    first_buzz = buzzes.sort_values("word_index", kind="stable").drop_duplicates(
        ["team", "question_id"]
    )
    words = first_buzz["question_id"].map(questions.set_index("question_id")["n_words"])
    first_buzz = first_buzz[["team", "question_id", "correct"]].assign(
        share=(first_buzz["word_index"] + 1) / words
    )
    met = pairings[~pairings.duplicated(["packet", "team"], keep=False)]
    models = teams.loc[teams["kind"] == "model", "team"]
    met = met[~met["team"].isin(models) | (met["source"] != "inferred")]
    rows = exposures[["packet", "team", "question_id"]].merge(first_buzz, how="left")
    rows = rows.merge(met[["packet", "team", "opponent"]], how="left")
    opposing = first_buzz[first_buzz["correct"].astype(bool)].drop(columns="correct")
    opposing = opposing.rename(columns={"team": "opponent", "share": "s"})
    rows = rows.merge(opposing, on=["opponent", "question_id"], how="left")
    beaten = rows["s"].notna() & ~(rows["share"] <= rows["s"])
    own = rows["correct"].map({True: "right", False: "wrong"}).fillna("over")
    rows["cause"] = own.mask(beaten, "beaten")
    rows["share"] = rows["s"].where(beaten, rows["share"]).fillna(1.0)
    t, curve = incidence, ["rule", "group", "estimator", "cause"]
    groups, wanted = _groups(teams), np.zeros((3, len(t)))
    for (rule, group), places in t.groupby(curve[:2]).indices.items():
        group_rows = rows[rows["team"].isin(groups[rule, group])]
        opposed, group_table = group_rows[group_rows["opponent"].notna()], t.iloc[places]
        for (estimator, cause), positions in group_table.groupby(curve[2:]).indices.items():
            counted = group_rows if estimator == "competing" else opposed
            share = counted["share"].to_numpy(float)
            times, ended = np.sort(share), (counted["cause"] == cause).to_numpy()
            end_times, weight = share[ended], 1.0
            if estimator == "opponent_censors":
                lost = share[counted["cause"] == "beaten"]
                lost, gone = np.unique(lost, return_counts=True)
                # Who ends in another way at the same time was looked at until then.
                later = len(times) - np.searchsorted(times, lost, side="right")
                survival = np.r_[1.0, np.cumprod(later / (later + gone))]
                weight = 1 / survival[np.searchsorted(lost, end_times)]
            reached = group_table["time"].to_numpy()[positions, None] >= end_times - 1e-9
            wanted[0, places[positions]] = (reached * weight).sum(axis=1) / len(counted)
            wanted[1, places[positions]] = len(counted)
            wanted[2, places[positions]] = counted["team"].nunique()
    wrong = (
        ~is_close(t["incidence"], wanted[0]) | (t["n"] != wanted[1]) | (t["n_teams"] != wanted[2])
    )
    wrong |= outside(t, "incidence", "")
    return failing_rows(t, wrong, *curve, "time", "incidence")


def _split(play, heard, observed, sides):
    """Of halves ``sides`` (H, packets) that assign quartiles, drawn on what lies in the second axis: same and other half.

    ``play`` (packets, teams, clues), ``heard`` and ``seen`` (packets, teams). (score, way) → right per question
    (H, 4, clues), teams and questions behind it (H, 4).
    """
    curves = {}
    part = [
        [np.tensordot(array, values, 1) for values in (play, heard, observed)]
        for array in (sides, 1.0 - sides)
    ]
    right, heard_sums, observed_sums = part[0]
    for score, denominator in (
        ("total", np.ones_like(heard_sums)),
        ("rate", heard_sums),
        ("seen_rate", observed_sums),
    ):
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = np.where(
                (heard_sums > 0) & (denominator > 0), right[:, :, -1] / denominator, np.nan
            )
        cuts = np.full((len(rates), 3), np.nan)
        for row in np.flatnonzero(~np.isnan(rates).all(axis=1)):
            cuts[row] = np.percentile(rates[row][~np.isnan(rates[row])], [25, 50, 75])
        quartile = np.where(np.isnan(rates), -1, (rates[:, :, None] > cuts[:, None]).sum(axis=2))
        member = (quartile[:, None] == np.arange(4)[:, None]).astype(float)
        for way, (array, all_heard, of_seen) in zip(("same_half", "other_half"), part, strict=True):
            under = of_seen if score == "seen_rate" else all_heard
            questions = np.einsum("hqm,hm->hq", member, under)
            with np.errstate(invalid="ignore", divide="ignore"):
                curve = member @ array / questions[:, :, None]
            curves[score, way] = curve, member @ (under > 0)[:, :, None], questions
    return curves


def quartiles_counted(fair_quartiles, questions, clues, buzzes, exposures, options):
    """Right answers per question heard, teams and questions are counted, on all packets and over halves drawn again; bounds are in order."""
    t = fair_quartiles
    c = clues[clues["segmentation"] == options["primary_segmentation"]]
    human = exposures[exposures["kind"] == "human"]
    packets, names = (np.unique(rows, return_inverse=True)[0] for rows in (questions["packet"], human["team"]))  # fmt: skip
    packet = questions.set_index("question_id")["packet"]

    def placed(rows, *clue):
        counts = np.zeros((len(packets), len(names), *(int(c["clue"].max()) for _ in clue)))
        cell = (
            np.searchsorted(packets, rows["question_id"].map(packet)),
            np.searchsorted(names, rows["team"]),
        )
        np.add.at(counts, (*cell, *clue), 1)
        return counts

    right = buzzes[(buzzes["kind"] == "human") & buzzes["correct"].astype(bool)]
    play = placed(right, _clue_of(right, c).to_numpy() - 1).cumsum(axis=2)
    inputs = play, placed(human), placed(human[human["source"] != "packet"])
    order = np.random.default_rng([options["seed"], 2]).random((options["halves"], len(packets)))
    drawn = order.argsort(axis=1) < len(packets) // 2
    ways = [_split(*inputs, np.ones((1, len(packets))))]
    if len(packets) > 1:
        ways += [_split(*inputs, item.astype(float)) for item in (drawn, ~drawn)]
    parts = []
    for (score, way), rows in t.groupby(["score", "drawn"], sort=False):
        sides = [ways[0][score, "same_half"]] if way == "all" else [w[score, way] for w in ways[1:]]
        curve, members, asked_counts = (np.concatenate(item) for item in zip(*sides, strict=True))
        place = (
            np.searchsorted(["Q1", "Q2", "Q3", "Q4"], rows["group"]),
            rows["clue"].to_numpy() - 1,
        )
        with warnings.catch_warnings():
            # Of a quartile that nobody is in nothing is known.
            warnings.simplefilter("ignore", RuntimeWarning)
            expected = {"right": np.nanmean(curve, axis=0)[place]}
        for name, value in (("n_teams", members[:, :, 0]), ("questions_heard", asked_counts)):
            expected[name] = value.mean(axis=0)[place[0]]
        parts.append(pd.DataFrame(expected, index=rows.index))
    wanted = pd.concat(parts).reindex(t.index)
    wrong = np.any([~is_close(t[name], wanted[name]) for name in wanted], axis=0)
    wrong |= _falls(t, ["score", "drawn", "group"], "low", "high", "two_way_low", "two_way_high")
    return failing_rows(
        t, wrong | (t["low"] > t["right"] + 1e-9), "score", "drawn", "group", "clue", "right"
    )


def gaps_of_quartiles(quartile_shrinkage, fair_quartiles):
    """Gaps are those of the top and bottom quartile at the last clue, shrinkage follows from them."""
    t, f = quartile_shrinkage, fair_quartiles
    wrong = np.zeros(len(t), dtype=bool)
    for drawn in ("all", "same_half", "other_half"):
        last_rows = f[(f["drawn"] == drawn) & (f["clue"] == f["clue"].max())]
        wide = last_rows.pivot(index="score", columns="group", values="right").reindex(columns=["Q1", "Q4"])  # fmt: skip
        wrong |= ~is_close(t[f"gap_{drawn}"], t["score"].map(wide["Q4"] - wide["Q1"]))
    wanted = 1 - t["gap_other_half"] / t["gap_same_half"]
    return failing_rows(
        t, wrong | (t["shrinkage"].notna() & ~is_close(t["shrinkage"], wanted)), "score"
    )


# --- survey ------------------------------------------------------------------------------------


def shares(table, options):
    """accuracy is correct / n, with Wilson's interval on the effective number."""
    t, worth = table, table["n_effective"]
    low, high = wilson(t["accuracy"] * worth, worth, options["level"])
    wrong = ~is_close(t["accuracy"], t["correct"] / t["n"]) | (worth > t["n"] + 1e-9)
    wrong |= ~is_close(t["low"], low) | ~is_close(t["high"], high)
    return failing_rows(t, wrong, "reading", "revealed", "n", "correct", "accuracy")


def shares_of_buzzes(table, options, responses=None, survey_responses=None, players=None):
    """Answers of each up to the first buzz, and the buzzes among them, are counted; p is the mean share of those who have any, and lies in its bounds."""
    if "half" in table:
        group = ["half"]
        rows = survey_responses.merge(players[["player", "half"]])
        rows = rows.drop(columns="correct").rename(
            columns={"player": "agent", "observed": "correct"}
        )
    else:
        group = ["model", "elicitation", "marks"]
        segmentation = options["primary_segmentation"]
        rows = responses[(responses["segmentation"] == segmentation) & responses["buzz"].notna()]
        rows = rows.drop_duplicates([*group, "question_id", "clue"]).assign(agent=rows["model"])
        own = rows.groupby([*group, "question_id"])["clue"]
        last_clue = rows.groupby("question_id")["clue"].transform("max")
        if segmentation == "authors":
            # Each model's own cuts are its clues.
            rows, last_clue = rows.assign(clue=own.rank()), own.transform("size")
        rows = rows.assign(n_clues=last_clue)
    rows = rows[rows["correct"].notna()]
    buzz = rows["buzz"].eq(True)
    first_clue = (
        rows["clue"].where(buzz).groupby([rows[n] for n in (*group, "agent", "question_id")])
    )
    rows = rows.assign(
        buzz=buzz.astype(int),
        given=np.where(rows["correct"].astype(bool), "correct", "incorrect"),
        revealed=np.ceil(10 * rows["clue"] / rows["n_clues"] - 1e-9) / 10,
    )[~(rows["clue"] > first_clue.transform("min"))]
    key = [*group, "given", "revealed"]
    own = rows.groupby(list(dict.fromkeys([*key, "agent"])))["buzz"].agg(["size", "sum", "mean"])
    wanted = own.groupby(key).agg(
        agents=("size", "size"), n=("size", "sum"), buzzes=("sum", "sum"), p=("mean", "mean")
    )
    t = table
    out = outside(t, "p", "")
    # Of a single agent Wilson's; of several, agents were resampled.
    low, high = wilson(t["buzzes"], t["n"], options["level"])
    out |= (t["agents"] == 1) & ~(is_close(t["low"], low) & is_close(t["high"], high))
    return first_failure(
        compare_tables(t, wanted.reset_index(), key, list(wanted), 1e-9),
        failing_rows(t, out, *key, "p"),
    )


def answers_of_the_survey(survey_accuracy, survey_responses, players):
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


# --- answers of teams -----------------------------------------------------------------------------


def filled_around_the_first_buzz(team_responses, buzzes, clues):
    """A team that buzzed has one row with its first buzz, right or wrong as that was; it is right from there to
    the last clue, or wrong from the first clue to there, and nothing else is filled in.
    """
    t = team_responses
    key = ["segmentation", "question_id", "team"]
    by_team = t.groupby(key)
    wrong = (by_team["buzz"].transform("sum") != 1) | (t["backfilled"] == t["buzz"])
    wrong |= by_team["correct"].transform("nunique") != 1
    last_clue = clues.groupby(["segmentation", "question_id"])["clue"].max()
    buzz_clue = (
        t["clue"].where(t["buzz"].astype(bool)).groupby([t[name] for name in key]).transform("max")
    )
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


def script_counts_again(script_curves):
    """Curves of one count are those of the members: what a script counts once is not above what it counts again."""
    t, key = script_curves, ["source", "group", "outcome", "run", "teams"]
    wide = t.pivot_table(index=key, columns="counted", values="value")
    lower = (wide["script"] < wide["once"] - 1e-12).reset_index(name="lower")
    lower = lower[lower["group"].str.match("[HM]")]
    return failing_rows(lower, lower["lower"], *key[:4])
