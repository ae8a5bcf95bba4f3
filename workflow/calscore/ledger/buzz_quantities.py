"""Quantities of questions, buzzes, teams and the human curve."""

import math

import pandas as pd

from ..clues import segment
from ..stats import resample
from . import estimates
from .attainable_scores import H_READINGS, attainable_calscore
from .estimates import Estimate, StudySums, Tables, nest
from .filters import QUARTILES, curve_members, group_of, primary
from .registry import TEXTS, Quantities, has_texts, nested_quantity, register_quantities, row_count

_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")


def group_condition(group: str, rule: str = "") -> str:
    """How evidence names a group's rows: ``kind = human`` (H), ``kind = model`` (M), else ``team = …``; with a
    ``rule`` Q1 to Q4 are quartiles by it."""
    if rule and group.startswith("Q"):
        return f"team with human/teams.parquet quartile_{rule} = {group[1]}"
    return {"H": "kind = human", "M": "kind = model"}.get(group, f"team = {group}")


def _human_buzzes(tables: Tables) -> pd.DataFrame:
    """Rows of table buzzes by human teams, with ``share``: words heard / all words (above 1 past the end)."""
    words = tables["questions"].set_index("question_id")["n_words"]
    humans = tables["buzzes"][tables["buzzes"]["kind"] == "human"]
    n_words = words.reindex(humans["question_id"]).to_numpy()
    return humans.assign(share=(humans["word_index"] + 1) / n_words)


def _tally(study: StudySums, buzzes: pd.DataFrame, members: list[str]) -> dict[str, Estimate | float]:
    """Of the pooled ``buzzes`` (with indices) of teams ``members``: estimates ``correct`` and ``incorrect`` (numbers) and
    ``accuracy`` (share right); and ``ratio``, right per wrong as a plain number, infinite without a wrong one."""
    right, n = (study.sums(rows, members)[:, 0] for rows in (buzzes[buzzes["correct"]], buzzes))
    correct, incorrect = estimates.count(right), estimates.count(n - right)
    return {
        "correct": correct,
        "incorrect": incorrect,
        "ratio": correct.value / incorrect.value if incorrect.value else math.inf,
        "accuracy": estimates.share(right, n),
    }


def _members_of_groups(buzzes: pd.DataFrame) -> dict[str, list[str]]:
    """Group → sorted teams that buzzed: ``H`` pools the human ones, each model is a group by itself."""
    teams = buzzes["team"].groupby(group_of(buzzes)).unique()
    return {group: sorted(members) for group, members in teams.items()}


@register_quantities(
    "questions",
    exact="n_questions packet_sizes category_mixes category_counts raw_counts question_words"
    " question_chars question_sentences answer_words",
)
def _questions(tables: Tables, study: StudySums) -> Quantities:
    """Number of questions in all, and by packet (list), category and raw category (dicts); number of distinct category mixes of
    packets. By question, lists of words, characters, sentences, and words of the answer before its first bracket."""
    q = tables["questions"]
    mixes = pd.crosstab(q["packet"], q["category"]).drop_duplicates()
    if has_texts(q):
        answers = q["answerline"].str.replace(r"[\[(].*", "", regex=True).str.split().str.len()
    else:
        answers = q["n_answer_words"]
    rows = f"tidy/questions.parquet: all {len(q)} rows"

    def counted(column):
        counts = q[column].value_counts().sort_index().to_dict()
        parts = {
            (name,): (n, f"tidy/questions.parquet: {column} = {name} {row_count(n)}")
            for name, n in counts.items()
        }
        return nested_quantity(parts, f"{rows}, by {column}")

    return {
        "n_questions": (len(q), rows),
        "packet_sizes": (q.groupby("packet").size().tolist(), f"{rows}, by packet"),
        "category_mixes": (len(mixes), f"{rows}, category by packet"),
        "category_counts": counted("category"),
        "raw_counts": counted("category_raw"),
        "question_words": (q["n_words"].tolist(), f"{rows}, n_words"),
        "question_chars": (q["n_chars"].tolist(), f"{rows}, n_chars"),
        "question_sentences": (q["n_sentences"].tolist(), f"{rows}, n_sentences"),
        "answer_words": (answers.tolist(), f"{rows}, answerline before its first bracket"),
    }


@register_quantities("questions", exact="texts", needs=TEXTS)
def _texts(tables: Tables, study: StudySums) -> Quantities:
    """``texts``: "<text> ANSWER: <answer line>" of every question, quotation marks straight; {} for a study
    without texts."""
    q = tables["questions"]
    if not has_texts(q):
        return {}
    rows = f"tidy/questions.parquet: all {len(q)} rows, text and answerline"
    texts = (q["text"] + " ANSWER: " + q["answerline"]).str.translate(_QUOTES)
    return {"texts": (texts.tolist(), rows)}


@register_quantities("clues", exact="clue_words clue_chars")
def _clues(tables: Tables, study: StudySums) -> Quantities:
    """Segmentation → words (``clue_words``) or characters per clue: those of all questions over the number of all clues."""
    keys = ["segmentation", "question_id"]
    lengths = tables["clues"].groupby(keys)[["clue", "end_word", "end_char"]].max()
    totals = lengths.groupby(level=0).sum()
    questions = lengths.groupby(level=0).size()
    rows = "tidy/clues.parquet: last clue of every question"

    def mean(column):
        parts = {
            (name,): (
                ratio,
                f"tidy/clues.parquet: segmentation = {name}, last clue of every question"
                f" {row_count(questions[name])}, {column} / clue",
            )
            for name, ratio in (totals[column] / totals["clue"]).items()
        }
        return nested_quantity(parts, f"{rows}, {column} / clue")

    return {"clue_words": mean("end_word"), "clue_chars": mean("end_char")}


@register_quantities("buzzes", estimates="tally", exact="n_buzzes human_teams model_teams")
def _buzzes(tables: Tables, study: StudySums) -> Quantities:
    """Number of buzzes; sorted teams of each kind; ``tally``: :func:`_tally` of all humans (H), each model and all models (M)."""
    buzzes = study.with_indices(tables["buzzes"])
    pools = {
        group: sorted(buzzes.loc[buzzes["kind"] == kind, "team"].unique())
        for group, kind in (("H", "human"), ("M", "model"))
    }
    groups = _members_of_groups(buzzes) | ({"M": pools["M"]} if pools["M"] else {})
    rows_of_group = {
        group: f"tidy/buzzes.parquet: {group_condition(group)} {row_count(buzzes['team'].isin(teams).sum())}"
        for group, teams in (pools | groups).items()
    }
    tally = {(g,): (_tally(study, buzzes, teams), rows_of_group[g]) for g, teams in groups.items()}
    rows = f"tidy/buzzes.parquet: all {len(buzzes)} rows"
    return {
        "n_buzzes": (len(buzzes), rows),
        "human_teams": (pools["H"], rows_of_group["H"]),
        "model_teams": (pools["M"], rows_of_group["M"]),
        "tally": nested_quantity(tally, f"{rows}, correct by kind and model"),
    }


@register_quantities(
    "questions",
    "buzzes",
    estimates="by_category buzz_revealed",
    exact="buzzes_on",
    noted="earliest_wrong",
)
def _buzzes_on_questions(tables: Tables, study: StudySums) -> Quantities:
    """By group (H or a model): :func:`_tally` by category, the mean share of a question heard at a buzz, and the fewest words
    heard at a wrong buzz. ``buzzes_on``: a record per question with its id, packet, and teams right and wrong."""
    q = tables["questions"].set_index("question_id")
    buzzes = study.with_indices(tables["buzzes"].join(q[["category", "n_words"]], on="question_id"))
    buzzes["group"] = group_of(buzzes)
    rows = "tidy/buzzes.parquet with tidy/questions.parquet"
    by_category, members = {}, _members_of_groups(buzzes)
    for (group, category), part in buzzes.groupby(["group", "category"]):
        tally = _tally(study, part, members[group])
        accuracy, level = tally["accuracy"], study.bootstrap.level
        n_questions = part["question_id"].nunique()
        widened = resample.inflate_to_t(accuracy.value, accuracy.replicates, n_questions, level)
        condition = f"{group_condition(group)}, category = {category} {row_count(len(part))}"
        by_category[group, category] = (
            tally | {"accuracy": accuracy._replace(replicates=widened)},
            f"{rows}: {condition}",
        )
    groups = {
        (group,): f"{rows}: {group_condition(group)} {row_count(count)}"
        for group, count in buzzes["group"].value_counts().sort_index().items()
    }
    by_question, marks = [], {}
    places = buzzes.groupby("question_id").indices
    for number, (key, packet) in enumerate(zip(q.index, q["packet"], strict=True)):
        own = buzzes.iloc[places.get(key, [])]
        signs = {"right": own["correct"], "wrong": ~own["correct"]}
        teams = {sign: own.loc[chosen, "team"].tolist() for sign, chosen in signs.items()}
        by_question.append({"id": key, "packet": int(packet), **teams})
        evidence = f"tidy/buzzes.parquet: question_id = {key} {row_count(len(own))}"
        # id and packet select the question; its buzzes are the evidence
        for part in ("right", "wrong", "id", "packet"):
            marks[number, part] = evidence if part in teams else ""
    heard = (buzzes["word_index"] + 1) / buzzes["n_words"]
    revealed = {
        group: estimates.mean(*(study.sums(buzzes, teams, v)[:, 0] for v in (heard, None)))
        for group, teams in members.items()
    }
    wrong = buzzes[~buzzes["correct"]]
    words = (wrong["word_index"] + 1).groupby(wrong["group"]).min()
    everything = f"{rows}: all {len(buzzes)} rows"
    categories, _, places = nested_quantity(by_category, everything)
    return {
        "by_category": (categories, f"{everything}, correct by category", groups | places),
        "buzzes_on": (by_question, f"{everything}, teams right and wrong on each question", marks),
        "buzz_revealed": (revealed, f"{everything}, mean of (word_index + 1) / n_words", groups),
        "earliest_wrong": (
            words.to_dict(),
            f"tidy/buzzes.parquet: correct = false {row_count(len(wrong))}, least word_index + 1",
        ),
    }


@register_quantities("exposures", exact="n_team_packets n_model_packets model_packets packets_heard")
def _exposures(tables: Tables, study: StudySums) -> Quantities:
    """Numbers of (team, packet) pairs of humans and of models; by model the number, and by team the list, of packets heard."""
    pairs = tables["exposures"][["kind", "team", "packet"]].drop_duplicates()
    count = {kind: int((pairs["kind"] == kind).sum()) for kind in ("human", "model")}
    heard = {team: sorted(part.tolist()) for team, part in pairs.groupby("team")["packet"]}
    models = sorted(pairs.loc[pairs["kind"] == "model", "team"].unique())
    rows = "tidy/exposures.parquet: distinct team × packet, declared or seen to buzz"
    parts = {
        (team,): (packets, f"{rows}: {group_condition(team)} ({len(packets)} pairs)")
        for team, packets in heard.items()
    }
    return {
        "n_team_packets": (count["human"], f"{rows}: kind = human"),
        "n_model_packets": (count["model"], f"{rows}: kind = model"),
        "model_packets": (
            {team: len(heard[team]) for team in models},
            f"{rows}: kind = model ({count['model']} pairs)",
        ),
        "packets_heard": nested_quantity(parts, f"{rows}: all {len(pairs)} pairs"),
    }


@register_quantities(
    "questions",
    "buzzes",
    "exposures",
    "clues",
    "teams",
    estimates="curves buzz_counts quartile_tally early_wrong early_counts",
    exact="group_packets quartiles_differ quartile_sizes",
)
def _figure4(tables: Tables, study: StudySums) -> Quantities:
    """Curves of Figure 4 under each normalisation that the release allows, and what they are made of.
    ``curves``: normalisation → outcome → group → estimates by clue, or by tenth or run. ``per-question``:
    cumulative buzzes per question heard, quartiles by total correct buzzes (§5.1). ``per-share``: the same by
    tenths of the question, of which a clue number is a different share in each. ``script``, ``once`` and
    ``outputs``: from :func:`_script_curves`. The paper divides by matches: ``buzz_counts`` are the cumulative
    buzzes and ``group_packets`` the (team, packet) pairs of each group. Those are the matches of human teams
    if each heard a packet in one match. ``early_wrong`` (over questions heard) and ``early_counts``: wrong
    buzzes in the first quarter or half of the clues or words. ``quartile_tally``: :func:`_tally`. Without
    declared participation a team heard the packets or questions that it buzzed in (``options.heard``)."""
    buzzes, exposures = (study.with_indices(tables[name]) for name in ("buzzes", "exposures"))
    teams = tables["teams"]
    clues, chosen = primary(tables["clues"], study.segmentation)
    lengths = clues.groupby("question_id")["clue"].max()
    buzzes = buzzes.assign(clue=segment.assign_clues(clues, buzzes).to_numpy())
    words = buzzes["question_id"].map(tables["questions"].set_index("question_id")["n_words"])
    buzzes["share_of_clues"] = buzzes["clue"] / buzzes["question_id"].map(lengths)
    buzzes["share_of_words"] = (buzzes["word_index"] + 1) / words
    wrong_buzzes = buzzes[~buzzes["correct"]]
    early = {
        f"{part}_{unit}": wrong_buzzes[wrong_buzzes[f"share_of_{unit}"] <= share]
        for unit in ("clues", "words")
        for part, share in (("quarter", 0.25), ("half", 0.5))
    }
    tenth = (-(-10 * (buzzes["word_index"] + 1).clip(upper=words) // words)).astype(int)
    curves = _script_curves(tables.get("script_curves"))
    totals, packets, early_wrong, early_counts = {}, {}, {}, {}
    pools = set(group_of(exposures))
    # a question stands for its part of a match of one packet
    pairs = exposures[["team", "packet"]].drop_duplicates()
    questions = tables["questions"][["question_id", "packet"]]
    played = study.with_indices(pairs.merge(questions, on="packet"))
    part = played["packet"].map(1 / questions["packet"].value_counts())
    for group, members in curve_members(teams, "paper").items():
        heard = study.sums(exposures, members)
        n_packets = int(pairs["team"].isin(members).sum())
        per_match = study.sums(played, members, part) / max(n_packets, 1)
        condition = group_condition(group, "paper")
        for kind in ("correct", "incorrect"):
            own = buzzes[buzzes["correct"] == (kind == "correct")]
            total = study.sums(own, members, None, own["clue"], int(lengths.max())).cumsum(axis=1)
            shares = study.sums(own, members, None, tenth[own.index], 10).cumsum(axis=1)
            buzzed = f"tidy/buzzes.parquet: {condition}, {kind} {row_count(int(total[0, -1]))}"
            heard_rows = f"tidy/exposures.parquet: {condition} {row_count(int(heard[0, 0]))}"
            for name, points, step in (
                ("per-question", total.T, f"clue ({chosen})"),
                ("per-share", shares.T, "tenth of the question"),
            ):
                rates = [estimates.rate(point, heard[:, 0]) if members else 0.0 for point in points]
                curves[name, kind, group] = rates, f"{buzzed} by {step}; {heard_rows}"
            counts = [estimates.per_match(n, per_match[:, 0]) if members else 0 for n in total.T]
            totals[kind, group] = counts, f"{buzzed} by clue ({chosen})"
        packets[group,] = (
            n_packets,
            "tidy/exposures.parquet: distinct team × packet, declared or seen to buzz,"
            f" {condition} ({n_packets} pairs)",
        )
        for stretch, rows in early.items() if group in pools else ():
            wrong = study.sums(rows, members)[:, 0]
            early_wrong[stretch, group] = estimates.rate(wrong, heard[:, 0])
            early_counts[stretch, group] = estimates.per_match(wrong, per_match[:, 0])
    tallies = {}
    for name, rule in QUARTILES.items():
        if f"quartile_{rule}" not in teams:
            continue
        for group, members in curve_members(teams, rule).items():
            count = int(buzzes["team"].isin(members).sum())
            if group.startswith("Q") and count:
                condition = f"{group_condition(group, rule)} {row_count(count)}"
                tally = _tally(study, buzzes, members)
                tallies[name, group] = tally, f"tidy/buzzes.parquet: {condition}"
    humans = teams[teams["kind"] == "human"]
    rows = f"tidy/buzzes.parquet: all {len(buzzes)} rows by clue ({chosen})"
    exposed = f"tidy/exposures.parquet: all {len(exposures)} rows"
    quartiles = f"human/teams.parquet: kind = human {row_count(len(humans))}"
    early_rows = "tidy/buzzes.parquet: correct = false, " + ", ".join(
        f"in the first {part.replace('_', ' of its ')} ({chosen}) {row_count(len(rows))}"
        for part, rows in early.items()
    )
    sizes = humans["quartile_paper"].value_counts().sort_index()
    return {
        "curves": nested_quantity(curves, f"{rows}; {exposed}; {quartiles}"),
        "buzz_counts": nested_quantity(totals, f"{rows}; {quartiles}, quartile_paper"),
        "group_packets": nested_quantity(
            packets,
            "tidy/exposures.parquet: distinct team × packet, declared or seen to buzz;"
            f" {quartiles}, quartile_paper",
        ),
        "quartile_tally": nested_quantity(
            tallies, f"tidy/buzzes.parquet: kind = human; {quartiles}, quartiles"
        ),
        "quartiles_differ": (
            int((humans["quartile_paper"] != humans["quartile_release"]).fillna(True).sum()),
            f"{quartiles}, quartile_paper against quartile_release",
        ),
        "quartile_sizes": ([int(n) for n in sizes], f"{quartiles}, quartile_paper"),
        "early_wrong": (nest(early_wrong), f"{early_rows}; {exposed}"),
        "early_counts": (nest(early_counts), early_rows),
    }


def _script_curves(table: pd.DataFrame | None) -> dict[tuple, tuple[list, str]]:
    """(normalisation, outcome, group) → (values of table script_curves by run, evidence); {} without rows. Buzzes are counted as
    in the public script (``script``), each once (``once``), or as the script counts those of the model outputs (``outputs``)."""
    curves: dict[tuple, tuple[list, str]] = {}
    if table is None or table.empty:
        return curves
    own_source = table["source"].iloc[0]
    for keys, curve in table.sort_values("run").groupby(["source", "counted", "outcome", "group"]):
        source, counted, *place = keys
        if source == own_source or (source, counted) == ("outputs", "script"):
            condition = f"source = {source}, counted = {counted}, outcome = {place[0]}"
            curves[counted if source == own_source else "outputs", *place] = (
                curve["value"].tolist(),
                f"tables/script_curves.csv: {condition}, group = {place[1]} {row_count(len(curve))}",
            )
    return curves


@register_quantities("buzzes", "questions", exact="buzz_pairs")
def _buzz_pairs(tables: Tables, study: StudySums) -> Quantities:
    """Records of two human teams a < b: ``pairs`` of their buzzes on one question, both before its last word, and how many of
    these are ``close`` (under two words apart). No quantity without human buzzes."""
    buzzes = _human_buzzes(tables)
    if buzzes.empty:
        return {}
    buzzes = buzzes[buzzes["share"] < 1]
    rows = buzzes[["question_id", "team", "word_index"]]
    pairs = rows.merge(rows, on="question_id", suffixes=("_a", "_b"))
    pairs = pairs[pairs["team_a"] < pairs["team_b"]]
    close = (pairs["word_index_a"] - pairs["word_index_b"]).abs() < 2
    keys = [pairs["team_a"].rename("a"), pairs["team_b"].rename("b")]
    counts = close.groupby(keys).agg(pairs="size", close="sum").reset_index().to_dict("records")
    return {"buzz_pairs": (counts, f"tidy/buzzes.parquet: kind = human {row_count(len(buzzes))}")}


@register_quantities("buzzes", "exposures", "questions", exact="team_skill team_timing")
def _skill(tables: Tables, study: StudySums) -> Quantities:
    """Human team that buzzed → right buzzes per packet heard; ``any`` or ``right`` buzzes → team → mean share heard then."""
    humans = _human_buzzes(tables)
    if humans.empty:
        return {}
    packets = tables["exposures"].groupby("team")["packet"].nunique()
    right = humans.groupby("team")["correct"].sum()
    counted = {"any": humans, "right": humans[humans["correct"]]}
    rows = f"tidy/buzzes.parquet: kind = human {row_count(len(humans))}, by team"
    return {
        "team_skill": (
            (right / packets.reindex(right.index)).to_dict(),
            f"{rows}; tidy/exposures.parquet: distinct team × packet",
        ),
        "team_timing": (
            {name: part.groupby("team")["share"].mean().to_dict() for name, part in counted.items()},
            rows,
        ),
    }


@register_quantities("buzzes", "exposures", "questions", noted="answered")
def _answered(tables: Tables, study: StudySums) -> Quantities:
    """List of N_t / N (Eq. 2) at t = 0, 0.1, ..., 1: right human buzzes by that share, over (team, question) pairs heard."""
    heard = (tables["exposures"]["kind"] == "human").sum()
    if not heard:
        return {}
    humans = _human_buzzes(tables)
    right = humans[humans["correct"]].drop_duplicates(["question_id", "team"])
    shares = [float((right["share"] <= tenth / 10 + 1e-12).sum() / heard) for tenth in range(11)]
    rows = (
        f"tidy/buzzes.parquet: kind = human, correct {row_count(len(right))};"
        f" tidy/exposures.parquet: kind = human {row_count(heard)}"
    )
    return {"answered": (shares, f"{rows}; N_t / N at t = 0, 0.1, ..., 1")}


@register_quantities("human_curve", exact="attainable h_falls h_not_share h_sum_above_one")
def _human_curve(tables: Tables, study: StudySums) -> Quantities:
    """``attainable``: segmentation → definition → h → low and high CalScore. In the primary segmentation: numbers of
    questions where ``buzzed_so_far`` ever falls or ``heard`` sums to over 1; share of clues where the two differ."""
    curve = tables["human_curve"]
    attainable = {}
    for name, part in curve.groupby("segmentation"):
        counts = part["h_definition"].value_counts()
        for definition, reading in ((d, r) for d, readings in H_READINGS.items() for r in readings):
            low, high = attainable_calscore(part, definition, reading)
            attainable[name, definition, reading] = (
                {"low": low, "high": high},
                f"human/human_curve.parquet: segmentation = {name}, h_definition = {reading}"
                f" {row_count(counts[reading])}",
            )
    rows, chosen = primary(curve, study.segmentation)
    wide = rows.pivot(index=["question_id", "clue"], columns="h_definition", values="h")
    steps = wide["buzzed_so_far"].groupby("question_id").diff()
    falls = (steps < 0).groupby("question_id").any()
    differ = (wide["buzzed_so_far"] - wide["heard"]).abs() > 1e-12
    above = wide["heard"].groupby("question_id").sum() > 1
    source = f"human/human_curve.parquet: segmentation = {chosen}, h_definition ="
    count = row_count(len(wide))
    return {
        "attainable": nested_quantity(attainable, f"human/human_curve.parquet: all {len(curve)} rows"),
        "h_falls": (int(falls.sum()), f"{source} buzzed_so_far {count}: questions where h falls"),
        "h_not_share": (
            float(differ.mean()),
            f"{source} buzzed_so_far and heard {count} each: share of clues where they differ",
        ),
        "h_sum_above_one": (
            int(above.sum()),
            f"{source} heard {count}: questions with sum of h above 1",
        ),
    }
