"""index.html and ledger.html from small tables, and the header of every page."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from calscore.core import catalog, store, theme
from calscore.core.results_folder import Study
from calscore.ledger import verbalise
from calscore.pages import (
    base,
    dot_charts,
    headlines,
    index_page,
    opponents,
    statement_view,
    wording,
)
from calscore.tournament import packet_matching
from leaderboard.test_pairs import SCORE
from leaderboard.test_pairs import table as paired
from support import masthead, outside

RELEASE = ["buzzes", "release", "published"]

# features of a study → names of the links in its header
DOORS = {
    ("buzzes", "guesses", "published", "release", "replayed"): "Findings Ledger Models Questions Teams Leaderboard Audit All",
    ("buzzes", "tournament"): "Findings Questions Teams Statistics Audit All",
    ("buzzes", "models", "submissions", "tournament"): "Findings Models Questions Teams Statistics Leaderboard Audit All",
    ("options", "published"): "Findings Ledger Audit All",
    ("irt",): "Findings Audit All",
    ("leaderboard", "submissions"): "Findings Leaderboard Audit All",
}  # fmt: skip


@pytest.mark.parametrize(("features", "names"), DOORS.items(), ids=lambda v: str(v))
def test_the_header_has_the_pages_that_the_study_has(features, names):
    found = [name.split()[0] for _, name in base.links(list(features))]
    assert " ".join(found) == names


# masthead and whether the page holds texts → noindex, and what its footer says
PRIVATE = [
    ({"features": RELEASE}, True, True, "encrypted"),
    ({"features": ["options"]}, True, True, "Not for the web"),
    ({"features": RELEASE}, False, False, None),
    ({"features": RELEASE, "hidden": True}, True, False, "no answer stands"),
    ({"features": RELEASE, "simulated": True}, True, False, None),
]


@pytest.mark.parametrize(("about", "texts", "kept_out", "footer"), PRIVATE)
def test_pages_with_real_texts_ask_not_to_be_kept_and_say_why(about, texts, kept_out, footer):
    page = base.render(
        "notebook.html.j2", masthead("A <b>", **about), "notebooks/x.html", texts, title="X", data="", script=""
    )  # fmt: skip
    assert ('name="robots" content="noindex' in page) == kept_out
    said = page[page.index("<footer>") :]
    assert footer in said if footer else "<p>" not in said
    assert "A &lt;b&gt;" in page and 'href="../index.html"' in page
    assert outside(page) == []


def test_a_model_is_seen_against_every_other_from_its_own_side():
    met = opponents.meetings(paired(compared=[SCORE]))
    sides = opponents.both_sides(met).set_index(["a", "b"])
    theirs, mine = sides.loc[("a", "b")], sides.loc[("b", "a")]
    assert (theirs["share"], mine["share"]) == (0.375, 0.625)
    assert (mine["low"], mine["high"]) == (1 - theirs["high"], 1 - theirs["low"])
    assert (mine["a_value"], mine["p_better"]) == (theirs["b_value"], 1 - theirs["p_better"])


def comparison(*rows):
    """Rows of tables/leaderboard_pairs: a, kind, yours, opponent, its kind, share, low and high."""
    columns = ["a", "a_kind", "a_yours", "b", "b_kind", "a_value", "low", "high"]
    table = pd.DataFrame(rows, columns=columns).assign(metric="head_to_head", reading="", difference=0)
    ends = {name: 2 * table[name] - 1 for name in ("low", "high")}
    return table.assign(a_name=table["a"], b_name=table["b"], b_yours=False, questions=9, decided=8, p_better=0.0004, **ends)  # fmt: skip


class Named(dict):
    """Tables by name, with options of a study without models."""

    def __init__(self, level=0.95, **tables):
        super().__init__(tables)
        self.options = {
            "models": {},
            "level": level,
            "irt": {"reading": "censored", "aspects": "held_out"},
        }
        self.provenance = {"study": {}, "titles": {}}


TEAMS = ("all human teams", "human teams")
FIELD = comparison(
    ("M (replayed, -0.03)", "replayed", True, *TEAMS, 0.7, 0.6, 0.8),
    ("M (replayed, tuned)", "replayed", True, *TEAMS, 0.2, 0.1, 0.3),
    ("X", "live", False, *TEAMS, 0.65, 0.58, 0.71),
    ("X (replayed, as stated)", "replayed", False, *TEAMS, 0.55, 0.45, 0.65),
    ("Y (replayed, 0.5)", "replayed", False, *TEAMS, 0.5, 0.4, 0.6),
    ("Y (replayed, tuned)", "replayed", False, *TEAMS, 0.9, 0.8, 1.0),
    ("M (replayed, -0.03)", "replayed", True, "X", "live", 0.9, 0.8, 0.95),
    ("M (replayed, -0.03)", "replayed", True, "X (replayed, as stated)", "replayed", 0.4, 0.3, 0.55),
    ("M (replayed, -0.03)", "replayed", True, "Y (replayed, 0.5)", "replayed", *[float("nan")] * 3),
)  # fmt: skip


def test_live_and_replayed_models_are_told_apart():
    """Of nine tenths won against live X, which may have met an opponent who was first, nothing is said."""
    fields = opponents.fields(opponents.meetings(FIELD.assign(a_yours=False)))
    charts = index_page.share_charts(fields)
    titles = [chart["title"] for chart in charts]
    assert titles == [
        "Live against human teams, X is better.",
        "Replayed against human teams, M is better; X and Y are too close to call.",
    ]
    live, replays = map(opponents.win_matrix, fields)
    assert (live["kinds"], live["heads"]) == ("live", ["human teams", "X"])
    assert (replays["kinds"], replays["heads"]) == ("replayed", ["human teams", "M", "X", "Y"])
    outcomes = [cell and cell["outcome"] for cell in replays["rows"][0]["cells"]]
    assert outcomes == ["better", None, "too close to call", "never met"]
    chart, picture = index_page.pictures(Named(), fields, charts[1:])
    assert chart["sentence"] == titles[1]
    rows = [(row["label"], row["note"]) for row in chart["chart"]["rows"]]
    assert rows[0] == ("M", "replayed, -0.03")
    assert picture["sentence"] == "Replayed, M is better than 1 of 3 opponents, on the questions that both had."  # fmt: skip


def test_one_row_per_model_and_its_other_thresholds_beside_it():
    """Of thresholds the stated, then the given, then the tuned one; one's own model first."""
    live, met = opponents.fields(opponents.meetings(FIELD))
    rows = [*opponents.against_teams(live), *opponents.against_teams(met)]
    assert [(row["label"], row["kind"], row["percent"], row["span"], row["outcome"]) for row in rows] == [
        ("X", "live", "65 %", "58–71", "better"),
        ("M", "replayed", "70 %", "60–80", "better"),
        ("X", "replayed", "55 %", "45–65", "too close to call"),
        ("Y", "replayed", "50 %", "40–60", "too close to call"),
    ]  # fmt: skip
    assert [len(row["variants"]) for row in rows] == [0, 1, 0, 1]
    (own,) = opponents.own_matches(met)
    assert [(row["label"], row["outcome"]) for row in own] == [
        ("all human teams", "better"),
        ("X", "too close to call"),
        ("Y", "never met"),
    ]
    chart = dot_charts.share_chart(own, "M")
    assert chart["title"] == "M is better than all human teams; too close to call against X."
    assert chart["note"].startswith("Replayed: ")
    assert opponents.own_matches(met.assign(a_yours=False)) == []
    second = comparison(("N", "replayed", True, "Y (replayed, 0.5)", "replayed", 0.6, 0.5, 0.7))
    field = opponents.meetings(pd.concat([FIELD, second], ignore_index=True))
    names = [rows[0]["name"] for rows in opponents.own_matches(opponents.fields(field)[1])]
    assert names == ["M (replayed, -0.03)", "N"]  # one that has not met the teams comes last


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        (("-0.03", "tuned"), "-0.03"),
        (("-0.03", "-0.05", "tuned"), "tuned"),
        (("-0.03", "-0.05", "as stated", "tuned"), "as stated"),
        (("-0.03", "-0.05"), "-0.03"),
        (("logit, -0.03", "logit, -0.05", "verbalized, tuned"), "verbalized, tuned"),
    ],
)
def test_thresholds_of_other_models_do_not_stand_for_a_model(words, stands):
    """Several given ones are not the model's own: the one tuned on other questions comes before them."""
    rows = [(f"M (replayed, {word})", "replayed", True, *TEAMS, 0.7, 0.6, 0.8) for word in words]
    chosen = opponents.main_variants(opponents.meetings(comparison(*rows)))
    assert chosen == {"M": f"M (replayed, {stands})"}


def test_the_users_own_model_has_the_first_sentences():
    leads = headlines.lead_sentences(Named(leaderboard_pairs=FIELD))
    assert leads == [
        "Too close to call against X, the best of the replayed published models against the teams. M (replayed, -0.03) won 40 % of the 8 questions that either got right (95 % interval 30–55); the chance that it is better is below 0.1 %.",
        "Better than the human teams: 70 % (60–80; chance below 0.1 %).",
    ]
    found = headlines.headlines(Named(leaderboard_pairs=FIELD))
    text = "is the share won by X, live against the human teams (95 % interval 58–71)."
    assert [(one["number"], one["text"]) for one in found] == [("65 %", text)]
    assert headlines.lead_sentences(Named()) == headlines.headlines(Named()) == []
    second = comparison(("Z", "submitted", False, *TEAMS, 0.52, 0.4, 0.6), ("M (replayed, -0.03)", "replayed", True, "Z", "submitted", 0.2, 0.1, 0.3))  # fmt: skip
    _, *others = headlines.lead_sentences(Named(leaderboard_pairs=pd.concat([FIELD, second])))
    assert others == [f"Worse than Z: 20 % (10–30; chance below 0.1 %). {leads[1]}"]


@pytest.mark.parametrize(
    ("share", "verdict"),
    [(0.1, "Worse than X"), (0.5, "No verdict against X"), (0.9, "No verdict against X")],
)
def test_a_replay_without_published_replays_is_set_against_the_best_live_model(share, verdict):
    """An opponent who is first keeps a live model from answering: a replay is worse in spite of it, never better for it."""
    alone = FIELD[(FIELD["b_kind"] == TEAMS[1]) & FIELD["a"].isin(["M (replayed, -0.03)", "X"])]
    pair = ("X", "live", False, "M (replayed, -0.03)", "replayed", 1 - share, 0.95 - share, 1.05 - share)
    pair = comparison(pair).assign(b_yours=True)
    field = pd.concat([alone, pair])
    first, *more = headlines.lead_sentences(Named(leaderboard_pairs=field))
    assert first.startswith(
        f"{verdict}, the best live model against the teams. M (replayed, -0.03) won {100 * share:.0f} % of the 8 questions"
    )
    assert first.endswith("Only a live model loses questions to an earlier answer.")
    assert more == ["Better than the human teams: 70 % (60–80; chance below 0.1 %)."]
    first, *_ = headlines.lead_sentences(Named(leaderboard_pairs=alone))
    assert first.startswith("Better than the human teams")  # it has not met X


def test_two_models_of_the_users_are_both_spoken_of():
    """The one that does best against the teams in full, then the other; neither is a rival of the other."""
    second = comparison(
        ("N (replayed, 0.5)", "replayed", True, *TEAMS, 0.6, 0.55, 0.65),
        (
            "N (replayed, 0.5)",
            "replayed",
            True,
            "X (replayed, as stated)",
            "replayed",
            0.3,
            0.2,
            0.4,
        ),
        ("M (replayed, -0.03)", "replayed", True, "N (replayed, 0.5)", "replayed", 0.8, 0.7, 0.9),
    )
    second["b_yours"] = second["b"] == "N (replayed, 0.5)"
    field = pd.concat([FIELD, second])
    alone = headlines.lead_sentences(Named(leaderboard_pairs=FIELD))
    *first, other = headlines.lead_sentences(Named(leaderboard_pairs=field))
    assert first == alone
    assert other == "Your other model, N, is worse than X: 30 % (20–40). Better than the human teams: 60 % (55–65)."  # fmt: skip
    (chart,) = index_page.share_charts(opponents.fields(opponents.meetings(field)))
    assert chart["title"] == "M is better than all human teams and N (yours); too close to call against X."  # fmt: skip
    assert [row["label"] for row in chart["rows"] if row["yours"]] == ["N"]
    third = second[:1].replace("N (replayed, 0.5)", "O (replayed, 0.5)").assign(a_value=0.1)
    *_, other = headlines.lead_sentences(Named(leaderboard_pairs=pd.concat([field, third])))
    assert other.startswith("The next of your 3 models, N, is worse than X")


def charted(ways) -> Named:
    """A study of (model, elicitation, reduction, CalScore), with the same in one category."""
    columns = ["model", "elicitation", "reduction", "calscore"]
    rows = pd.DataFrame(ways, columns=columns)
    rows = rows.assign(marks="engine", definition="paper", n_questions=240)
    rows = rows.assign(calscore_low=rows["calscore"] - 0.1, calscore_high=rows["calscore"] + 0.1)
    parts = [rows.assign(level="merged", category=name, calscore=rows["calscore"] + more) for name, more in (("Arts", 0), ("Pop", 0.1))]  # fmt: skip
    study = Named(table1=rows, table5=pd.concat(parts))
    study.options["primary_definition"] = "paper"
    return study


LOGIT, STATED = ("logit", "exp_mean_logprob"), ("verbalized", "stated")


@pytest.mark.parametrize(
    ("ways", "title"),
    [
        ([("A", *LOGIT, 0.5), ("B", *LOGIT, 0.6)], "By GRACE's formula A has the lowest CalScore, 0.50."),
        ([("A", "logit", "mean_prob", 0.5), ("B", *LOGIT, 0.6), ("C", *STATED, 0.7)], "By GRACE's formula A has the lowest CalScore, 0.50, with confidence by the mean of tokens (others: as stated, by the geometric mean)."),
        ([("A", *STATED, 0.5), ("B", *LOGIT, 0.6), ("C", *STATED, 0.7)], "By GRACE's formula A has the lowest CalScore, 0.50, with confidence as stated (some others: by the geometric mean)."),
        ([("A", *STATED, 0.5), ("A", *LOGIT, 0.6)], "By GRACE's formula A has a CalScore of 0.50."),
    ],
)  # fmt: skip
def test_the_lowest_score_says_whose_confidence_was_elicited_in_another_way(ways, title):
    assert dot_charts.table1_chart(charted(ways))["title"] == title


def test_marks_of_the_second_elicitation_are_pale_as_the_note_says():
    chart = dot_charts.table1_chart(charted([("A", *LOGIT, 0.5), ("A", *STATED, 0.6)]))
    assert "Dark: logit; pale: verbalized; the number is the lowest." in chart["note"]
    assert "Confidence by the geometric mean (logit) and as stated (verbalized); judged" in chart["note"]
    macro = base.environment().get_template("parts.html.j2").module.dots
    style = base.source("page.css")
    # One mark and its interval are pale, by a rule of the page's style.
    text = str(macro(chart))
    assert "0.50. A: 0.50" in text and text.count('class="pale"') == 2 and ".track .pale { opacity" in style


def test_scores_on_one_step_of_the_axis_have_no_chart():
    study = charted([("A", *LOGIT, 0.5)])
    study["table1"] = study["table1"].assign(calscore_low=np.nan, calscore_high=np.nan)
    assert dot_charts.table1_chart(study) is None


def test_a_score_on_some_questions_or_by_marks_of_the_file_says_so():
    study = charted([("A", *LOGIT, 0.5), ("B", *LOGIT, 0.6)])
    study["table1"].loc[0, "n_questions"] = 100
    issues = [
        ("marks in place of the engine", "A", "300 guesses"),
        ("questions without a guess", "A logit", "it has guesses on 100 of 240 questions"),
    ]
    study["findings"] = pd.DataFrame(issues, columns=["finding", "place", "detail"])
    chart = dot_charts.table1_chart(study)
    assert chart["title"] == "By GRACE's formula A has the lowest CalScore, 0.50 on 100 of 240 questions."
    assert "judged by the marks of its file." in chart["note"]
    assert "A: judged by the marks of the file alone." in chart["note"]
    assert "A: scored on 100 of 240 questions, not on the same as others." in chart["note"]
    leads = headlines.lead_sentences(Named(leaderboard_pairs=FIELD, findings=study["findings"]))
    assert leads[-1] == "A logit: it has guesses on 100 of 240 questions; the others count as silence here."  # fmt: skip


def test_the_lowest_score_says_by_which_formula_and_who_is_lowest_by_the_other():
    """Bars and words rest on one interval: that over questions and teams, where there is one."""
    study = charted([("A", *LOGIT, 0.5), ("B", *LOGIT, 0.6), ("C", *LOGIT, 0.7)])
    paper = study["table1"].assign(calscore_two_way_low=0.3, calscore_two_way_high=0.7)
    release = paper.assign(definition="release", calscore=[0.9, 0.8, 0.81])
    study["table1"] = pd.concat([paper, release], ignore_index=True)
    sides = {f"{name}_{side}": value for side in "ab" for name, value in (("elicitation", "logit"), ("marks", "engine"))}  # fmt: skip
    pair = sides | {"kind": "models", "category": "all", "metric": "calscore", "model_a": "A", "model_b": "B"}  # fmt: skip
    differs = {"low": -0.2, "high": -0.1, "two_way_low": [-0.2, 0.1], "two_way_high": [0.1, 0.2]}
    models = pd.DataFrame(pair | differs | {"definition": ["paper", "release"]})
    rival = models.iloc[[0]].assign(definition="release", model_a="C")
    study["comparisons"] = pd.concat([models, rival], ignore_index=True)
    study["readings"] = pd.DataFrame({"table": [1, 1], "rank": [1, 2], "read_as": "calscore", "h_definition": ["buzzed_on_question", "buzzed_so_far"]})  # fmt: skip
    chart = dot_charts.table1_chart(study)
    assert chart["title"] == (
        "By GRACE's formula A has the lowest CalScore, 0.50; its difference from B may be chance. "
        "By GRACE's released code B has, 0.80 against 0.90, beyond chance; its difference from C may be chance."
    )
    assert chart["rows"][0]["span"] == "0.30–0.70"
    assert chart["note"] == (
        "Lower is better. h in GRACE's formula: right human buzzes over all human buzzes so far. "
        "The scores printed in Table 1 fit another h better (ledger). Confidence by the geometric mean (logit); "
        "judged by the answer matcher. Intervals (95 %) resample questions and human teams."
    )
    study["comparisons"] = study["comparisons"].assign(**dict.fromkeys(differs, np.nan))
    title = dot_charts.table1_chart(study)["title"]
    assert title.endswith("CalScore, 0.50. By GRACE's released code B has, 0.80 against 0.90.")


def test_the_chart_of_categories_says_whom_it_leaves_out():
    chart = dot_charts.category_chart(charted([("A", *LOGIT, 0.5), ("B", *LOGIT, 0.6)]))
    assert chart["note"] == "Lower is better; the number is the mean over models. Judged by the answer matcher."  # fmt: skip
    # Means without intervals name no category as the highest.
    assert chart["title"] == "By GRACE's formula mean CalScore by category runs from 0.55 to 0.65; no difference is tested here."  # fmt: skip
    assert [(row["label"], row["note"]) for row in chart["rows"]] == [("Arts", "240 questions"), ("Pop", "240 questions")]  # fmt: skip
    ways = [("A", *LOGIT, 0.5), ("A", *STATED, 0.4), ("B", *LOGIT, 0.6)]
    note = dot_charts.category_chart(charted(ways))["note"]
    assert note.endswith("answer matcher. Confidence: logit.")
    note = dot_charts.category_chart(charted([*ways, ("C", *STATED, 0.7)]))["note"]
    assert note.endswith("Confidence: logit; dots and mean leave out C.")


def test_the_sentence_of_figure_4_has_intervals_and_the_best_quartile():
    """The third quartile may be above the top one; a single model has no interval over teams."""
    columns = ["rule", "group", "per_question", "per_question_low", "per_question_high"]
    rows = [("paper", "Q1", 0.2, 0.1, 0.3), ("paper", "Q3", 0.52, 0.49, 0.56), ("paper", "Q4", 0.5, 0.4, 0.6), ("model", "X", 0.62, 0.54, 0.69)]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns).assign(outcome="correct", clue=9)
    table["per_question_two_way_low"] = [0.05, 0.37, 0.4, np.nan]
    table["per_question_two_way_high"] = [0.4, 0.67, 0.7, np.nan]
    study = Named(cumulative_buzzes=table)
    study.options["quartile_rule"] = "paper"
    assert index_page._figure4_sentence(study) == (
        "By the last clue X has 0.62 (0.54–0.69) right buzzes per question heard, if each of its buzzes was made in all its matches. "
        "Quartiles of human teams, by total correct buzzes, have at most 0.52 (0.37–0.67)."
    )
    study["cumulative_buzzes"] = table[:3]
    assert index_page._figure4_sentence(study) == (
        "By the last clue the top quartile of teams, by total correct buzzes, has 0.50 (0.40–0.70) right buzzes per question heard, "
        "the bottom one 0.20 (0.05–0.40)."
    )
    # Teams are ranked by the buzzes that are then compared: on other packets they come nearer together.
    gaps = {"gap_same_half": 0.534, "gap_other_half": 0.466, "gap_other_half_two_way_low": 0.294, "gap_other_half_two_way_high": 0.617}  # fmt: skip
    study["quartile_shrinkage"] = pd.DataFrame([{"score": "total", "n_halves": 9} | gaps, {"score": "rate", "n_halves": 9}])  # fmt: skip
    assert index_page._figure4_sentence(study).endswith(
        "the bottom one 0.20 (0.05–0.40). Ranked on half of the packets, they are 0.53 apart there and 0.47 (0.29–0.62) on the other half."
    )
    study["quartile_shrinkage"]["n_halves"] = 0
    assert index_page._figure4_sentence(study).endswith("(0.05–0.40).")


def test_a_tournament_opens_with_its_winner_and_with_how_sure_its_packets_are():
    standings = pd.DataFrame({"tournament": "Cup", "phase": "all", "bracket": "all", "rank": [1, 2], "team": ["A", "B"], "wins": [3, 2], "losses": [0, 1], "ties": [1, 0], "points_per_game": [312.5, 200]})  # fmt: skip
    games = pd.DataFrame({"packet": ["p1"] * 8 + [None]})
    issues = pd.DataFrame({"finding": ["match may have read another packet"] * 2})
    tables = {"standings": standings, "games": games, "plays": pd.DataFrame({"word_index": [9], "n_words": [9]})}  # fmt: skip
    champion, packets = headlines.headlines(tables | {"findings": issues})
    best = "Best record over all matches: A in Cup (3–0–1, 312.5 points a match)."
    assert champion["text"] == best
    assert (packets["number"], packets["href"]) == ("6 of 9", "statistics.html#warnings")
    start = "matches have a packet and show no clear sign of another (from rooms and number of their round, and from buzzes past the end)."  # fmt: skip
    assert packets["text"] == f"{start} 2 may have read another. 1 names a packet that is missing."
    # Findings, games → what is added: a sign that is not clear is told too.
    rounds = pd.DataFrame({"finding": ["rounds may be swapped"]})
    past = pd.DataFrame({"word_index": [103, 96, None], "n_words": [96, 96, 96]})
    for findings, own, number, words, href in (
        (issues[:0], games[:8], "8 of 8", "", "#data"),
        (rounds, games[:8], "8 of 8", " 1 doubt about whole rounds.", "statistics.html#warnings"),
        (issues[:0], games[8:], "0 of 1", " 1 names a packet that is missing.", "statistics.html#warnings"),
    ):  # fmt: skip
        told = headlines.headlines(tables | {"findings": findings, "games": own})[1]
        assert (told["number"], told["text"], told["href"]) == (number, start + words, href)
    told = headlines.headlines(tables | {"findings": issues[:0], "plays": past})[1]
    assert told["text"].startswith(f"{start} 1 buzz lies past the end.")
    mirror = standings.assign(tournament="Mirror", team=["C", "D"], ties=0)
    (champion,) = headlines.headlines({"standings": pd.concat([standings, mirror])})
    assert champion["number"] == "2 tournaments"
    assert champion["text"] == f"{best[:-1]}; C in Mirror (3–0, 312.5 points a match)."


@pytest.mark.parametrize(
    ("phases", "words"),
    [
        (["Round robin", "Second"], "all matches (Round robin, Second): A"),
        (["Prelims", "Playoffs"], "all matches (Prelims, Playoffs): A"),
        (["all"], "all matches: A"),
    ],
)
def test_a_record_names_the_phases_that_there_are(phases, words):
    """A final is spoken of where a phase can have one."""
    row = {"tournament": "Cup", "bracket": "all", "rank": 1, "team": "A", "wins": 3, "losses": 0, "ties": 0, "points_per_game": 9.0}  # fmt: skip
    table = pd.DataFrame([row | {"phase": phase} for phase in ["all", *phases]][:3])
    table = table.drop_duplicates("phase")
    (best,) = headlines.headlines({"standings": table})
    assert words in best["text"]
    assert ("final is not identified" in best["text"]) == ("Playoffs" in phases)


def test_every_live_model_is_set_beside_the_teams_buzzes():
    """Those that differ for sure, the farthest first, in either direction; then the others."""
    columns = ["group", "name", "kind", "value", "low", "high", "difference", "difference_low", "difference_high"]  # fmt: skip
    none = (np.nan,) * 3
    rows = [("human", "human", "human", 0.787, 0.737, 0.835, *none), ("model", "all", "model", 0.7, 0.6, 0.8, *none)]  # fmt: skip
    rows += [("b", "B", "model", 0.867, 0.8, 0.9, 0.08, 0.001, 0.154), ("a", "A", "model", 0.605, 0.5, 0.7, -0.182, -0.278, -0.089), ("c", "C", "model", 0.75, 0.7, 0.8, -0.03, -0.1, 0.05)]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns).assign(category="all")
    (found,) = headlines.headlines(Named(precision=table))
    assert found["text"] == "of the teams' buzzes are right (74–84). A has 18 points fewer (8.9–27.8), B 8 more (0.1–15.4). Too close to call: C."  # fmt: skip
    (found,) = headlines.headlines(Named(precision=table[:3]))
    assert found["text"].endswith("(74–84). B has 8 points more (0.1–15.4).")
    (found,) = headlines.headlines(Named(precision=table[:2]))
    assert found["text"].endswith("are right (74–84).")


def asked(*wrong_answers) -> dict:
    """Tables of a question with three wrong answers, of those with ``wrong_answers``, and of one that nobody answered."""
    rows = [("x", "y", "z"), *wrong_answers, ("x", None, None)]
    questions = pd.DataFrame(rows, columns=["wrong_1", "wrong_2", "wrong_3"]).assign(answer="a", row=range(len(rows)))  # fmt: skip
    return {"option_questions": questions, "option_results": questions[:-1].assign(setting="distractor")}


def test_blind_guessing_is_that_of_the_options_of_the_questions_answered():
    """One of four, one of three where a wrong answer is empty, one of two where another is the right one."""
    assert headlines._blind_guessing(asked()) == "among 4 options is right in 25 %"
    assert headlines._blind_guessing(asked(("x", "y", None), ("x", None, "A"))) == "among 2 to 4 options is right in 36 %"  # fmt: skip


def test_models_with_options_are_counted_with_their_intervals():
    """Of two that gain, one gain may be chance; the greatest change has its interval."""
    row = {"judging": "shared", "model": "m", "name": "M", "N_right_share": 0.2, "D_right_share": 0.64, "right_change": 0.44, "right_change_low": 0.4, "right_change_high": 0.48, "N_ece": np.nan, "D_ece": np.nan}  # fmt: skip
    other = row | {"model": "n", "name": "N", "D_right_share": 0.21, "right_change": 0.01, "right_change_low": -0.02}  # fmt: skip
    (found,) = headlines.headlines(Named(**asked(), option_scores=pd.DataFrame([row, other])))
    assert found["number"] == "2 of 2"
    assert found["text"] == "models are right more often with answer options, 1 of them beyond chance. M changes most, by 44 points (40–48), from 20 % to 64 %. Blind guessing among 4 options is right in 25 %."  # fmt: skip


def test_a_verdict_about_samples_says_how_many_are_beyond_chance():
    rows = pd.DataFrame({"beyond_chance": ["yes", "no", "no", "too few", None]})
    assert statement_view.sureness(rows) == "1 beyond chance, 2 not beyond chance, 1 by too few events to tell, 1 not about a sample"  # fmt: skip
    assert statement_view.sureness(rows[4:]) == ""


# ends, even value and share → outcome; value and form → text
OUTCOMES = [((0.4, 0.6, 0.5), "too close to call"), ((0.51, 0.9, 0.5), "better"), ((0.1, 0.49, 0.5), "worse"), ((0.5, 0.9, 0.5), "too close to call"), ((float("nan"), 1, 0.5, 0.5), "too close to call"), ((0.1, 0.2, 0.5, float("nan")), "never met")]  # fmt: skip
NUMBERS = [
    (wording.percent(0.634), "63 %"), (wording.percent(float("nan")), "–"), (wording.percent_span(0.5455, 0.711), "55–71"),
    (wording.decimal(-0.026), "−0.03"), (wording.decimal(0.5, 1, signed=True), "+0.5"), (wording.span(-0.1, 0.25), "−0.10 to 0.25"),
    (wording.span(float("nan"), 1), ""), (wording.count_noun(1, "match", "matches"), "1 match"), (wording.count_noun(1200, "item"), "1,200 items"),
    (wording.chance(0.0004), "below 0.1 %"), (wording.chance(0.9996), "above 99.9 %"), (wording.chance(0.634), "63 %"), (wording.chance(0.0123), "1.2 %"),
    (wording.join_names(["a"]), "a"), (wording.join_names(["a", "b", "c"]), "a, b and c"),
]  # fmt: skip


def test_outcomes_and_numbers_have_one_form():
    assert [wording.outcome(*given) for given, _ in OUTCOMES] == [want for _, want in OUTCOMES]
    assert [got for got, _ in NUMBERS] == [want for _, want in NUMBERS]


def test_replies_without_an_end_are_told():
    counts = {"cut": [424, 0], "filtered": [3, 0], "reasoning_only": 0, "tool_calls": 0}
    series = {"model": ["mine", "yours"], "elicitation": "logit", "guesses": 1500}
    table = pd.DataFrame(series | counts)
    assert index_page.unfinished_replies(table, {"mine": "My model"}) == [
        "My model, logit: of 1,500 guesses 424 cut at the token limit, 3 ended by a filter. They are scored as they came."
    ]


def test_no_finding_rests_on_an_open_statement():
    table = pd.DataFrame({"statement": ["a", "b"], "claims": ["a", "b"], "verdict": ["open", "holds"], "weight": "result", "shown": False, "cells": 0, "cells_same": 0})  # fmt: skip
    claims = pd.DataFrame({"id": ["a", "b"], "headline": ["1|is open.", "2|holds."]})
    made = Named(statements=table, claims=claims)
    made.provenance = {"study": {}}
    assert [finding[:2] for finding in headlines._paper_findings(made)] == [("2", "holds.")]
    # Of those that fail another one is told than that which has a finding of its own.
    extra = table.assign(verdict="fails", statement=["b", "c"], claims=["b", "c"], says=["B.", "C."], section="§1", beyond_chance=None)  # fmt: skip
    made["statements"] = extra
    ((number, text, *_),) = headlines._failing_statements(made)
    assert (number, text) == (
        "2",
        "of the paper's 2 testable statements fail. For example (§1): C.",
    )


def test_live_and_replayed_are_set_side_by_side_on_the_same_questions():
    columns = ["model", "name", "rule", "n_questions", "live_right", "live_wrong", "offline_right", "offline_wrong", "same_outcome"]  # fmt: skip
    rows = [("M1", "X", "given -0.03", 9, 5, 1, 0, 9, 0.1), ("M1", "X", "stated", 9, 5, 1, 2, 4, 0.593), ("M2", "Y", "given -0.03", 8, 1, 2, 7, 1, 0.5), ("M2", "Y", "given -0.05", 8, 1, 2, 3, 4, 1)]  # fmt: skip
    # It buzzed live at its own threshold; that of another model is no replay of it.
    own = {"M1": {"threshold": -0.03}, "M2": {"name": "Y", "threshold": -0.05}, "M3": {}}
    first, second = index_page.live_and_replayed(pd.DataFrame(rows, columns=columns), own)
    assert first == "X heard 9 questions: 5 right and 1 wrong live, 2 and 4 replayed (as stated); the outcome is the same on 59 %."  # fmt: skip
    assert second.startswith("Y heard 8") and "3 and 4 replayed (given −0.05)" in second


CLAIMS = [
    ("a", "§1", "it has <five>", "contradicted", "result", "31", "31 of 240 questions have fewer.", "tidy/questions.parquet: all 240 rows"),
    ("b.x", "§2", "it rises", "reproduced", "description", "[0.25, 0.5]", "It rises.", "tidy/buzzes.parquet with tidy/questions.parquet: 3 rows"),
    ("b.y", "§2", "it rises", "contradicted", "description", '{"M1": 0.123456}', "It falls.", "config/published/x.yaml: y"),
    ("c", "§3", "unknown", "needs unpublished data", "description", "", "Cannot be settled.", ""),
]  # fmt: skip


def study(folder, features=RELEASE, tables=()):
    """A results folder of a few tables with its record."""
    names = ["id", "section", "statement", "status", "weight", "recomputed", "says", "evidence"]
    claims = pd.DataFrame(CLAIMS, columns=names)
    same = {"predicate": "x > 1", "published": "5.09", "tolerance": 0.005, "form": "reading"}
    same |= {"shown": False, "headline": None, "decides": "", "intervals": "", "note": ""}
    first = {"difference": -0.02, "low": -0.1, "high": 0.06, "stays": 0.7, "beyond_chance": "no"}
    claims = claims.assign(of=claims["statement"], **same)
    claims["basis"] = claims["evidence"].map(verbalise.basis)
    for key, value in first.items():
        claims[key] = [value, *[None if key == "beyond_chance" else np.nan] * (len(claims) - 1)]
    ledger = verbalise.ledger_tables(claims)
    made = {
        "claims": store.frame(ledger["claims"].replace("", pd.NA), "claims"),
        "statements": ledger["statements"],
        "leaderboard_pairs": paired(kind="submitted"),
        "leaderboard": None,
    }
    board = {"submission": ["a", "b"], "name": ["a", "Bee"], "questions": 5, "buzzes": 4, "right": 2, "errors": 0, "error_buzzes": 0, "early_stopped": False}  # fmt: skip
    score = {"metric": "expected_score", "reading": "manual", "value": [0.1, -0.25], "low": -1.0, "high": 1.0, "note": None, "coverage": 1.0, "rank": [1, 2]}  # fmt: skip
    made["leaderboard"] = store.frame(pd.DataFrame(board | score), "leaderboard")
    titles = {}
    for name in tables:
        one = catalog.product(name, "table")
        (folder / one.file).parent.mkdir(parents=True, exist_ok=True)
        store.save(made[name], name, folder / one.file)
        titles[one.file] = one.title
    options = {"models": {"M1": {"name": "GPT-4"}}, "level": 0.95}
    record = {"study": {"name": "s", "options": options}, "titles": titles, "folder": "results/s"}
    (folder / "audit").mkdir(parents=True)
    path = folder / "audit" / "provenance.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return Study(folder)


CHECKS = pd.DataFrame({"check": ["columns", "low ≤ high", "buzzes fit"], "result": "pass"})


def test_the_index_says_what_holds_with_links_to_the_ledger(tmp_path):
    path = study(tmp_path, tables=["claims", "statements", "leaderboard_pairs", "leaderboard"])
    page = index_page.index(path, CHECKS, masthead("T", RELEASE))["index_page"]
    assert re.findall(r"<h2>([^<]+)", page) == ["In pictures", "Data and checks", "The paper's statements", "All tables and figures"]  # fmt: skip
    assert re.findall(r'class="b-([\w-]+)" style="flex-grow:(\d)"', page) == [
        ("fails", "1"), ("in-part", "1"), ("open", "1"),
    ]  # fmt: skip
    assert 'href="ledger.html#verdict=in+part"' in page
    assert "31 of 240 questions have fewer." in page and "it has &lt;five&gt;" in page
    assert "1 recount and 2 format checks pass." in page
    lead = "Too close to call against a, the best of the submitted published models against the teams. Bee won 62 %"
    assert lead in page
    assert "A row for each opponent" in page
    rest = page[page.index("All other statements") :]
    assert rest.index("Cannot be settled.") < rest.index("</details>")
    assert outside(page) == []


def test_results_stand_first_and_the_rest_is_folded(tmp_path):
    """Of the weightiest kind there is, as many as are shown, those to be shown before others; then kind by kind."""
    kinds = ["typo", "label", "description", *["result"] * 8]
    table = pd.DataFrame({"quote": [f"s{i}" for i in range(11)], "weight": kinds})
    table = table.assign(statement=table["quote"], section="§1", verdict="holds", says="So.", basis="data", checks=1, claims="a", robustness=None, beyond_chance=None, cells=0, cells_same=0)  # fmt: skip
    table["shown"] = table["quote"].isin(["s0", "s10"])
    (group,) = statement_view.statements({"statements": table})
    assert [one["quote"] for one in group["top"]] == ["s10", "s3", "s4", "s5", "s6"]
    folded = {name: [one["quote"] for one in of] for name, of in group["folded"]}
    assert folded == {"results": ["s7", "s8", "s9"], "descriptions": ["s2"], "labels": ["s1"], "slips of the pen": ["s0"]}  # fmt: skip
    (group,) = statement_view.statements({"statements": table.assign(verdict="open")})
    assert not group["top"] and sum(len(of) for _, of in group["folded"]) == 11


@pytest.mark.parametrize("features", [["irt"], ["options"], ["leaderboard", "submissions"]])
def test_a_study_without_a_paper_or_models_has_no_empty_sections(tmp_path, features):
    page = index_page.index(study(tmp_path), CHECKS, masthead("T", features))["index_page"]
    assert re.findall(r"<h2>([^<]+)", page) == ["Data and checks", "All tables and figures"]
    assert "ledger.html" not in page


def test_what_holds_in_part_is_not_said_to_be_beyond_chance(tmp_path):
    path = study(tmp_path, tables=["claims", "statements"])
    table = path["statements"].assign(beyond_chance="yes")
    groups = statement_view.statements(Named(statements=table))
    said = {group["verdict"]: {row["chance"] for row in group["rows"]} for group in groups}
    assert said == {"fails": {"beyond chance"}, "in part": {""}, "open": {"beyond chance"}}


def test_the_ledger_shows_each_row_in_words_within_its_statement(tmp_path):
    path = study(tmp_path, tables=["claims", "statements"])
    page = index_page.ledger(path, masthead("T", RELEASE))["ledger_page"]
    assert re.findall(r'<details class="entry" id="statement/([\w.]+)" data-verdict="([\w ]+)"', page) == [
        ("a", "fails"), ("b.x", "in part"), ("c", "open"),
    ]  # fmt: skip
    assert re.findall(r'id="row/([\w.]+)"', page) == ["a", "b.x", "b.y", "c"]
    verdicts = re.findall(r"<dt>verdict</dt><dd>(\w+)", page)
    assert verdicts == ["fails", "holds", "fails", "open"]
    values = re.findall(r"<dt>recomputed</dt><dd>([^<]*)</dd>", page)
    assert values == ["31", "0.25 and 0.5", "GPT-4 0.123"]
    assert '<a href="audit/index.html#tidy/buzzes.parquet">' in page
    assert "Deciding difference, above 0 for a yes: −0.020 (−0.100 to 0.060). Its interval decides: it holds 0, so this is not beyond chance, though 70 % of resampled studies agree with these data." in page  # fmt: skip
    assert '<span class="chance">In these data; not beyond chance</span>. ' in page


def test_warnings_about_packets_come_with_the_lines_that_settle_them():
    rows = [
        ("tournament", "match may have read another packet", "warning", "m1", f"fits packet 4{packet_matching.LINE}m1: packet 4", "not moved"),
        ("tournament", "no packet", "warning", "m2", "x", "left out"),
        ("tournament", "no packet", "warning", "m3", "x", "left out"),
        ("tournament", "mirrors of one set", "info", "m3", "x", "pooled"),
    ]  # fmt: skip
    columns = ["stage", "finding", "severity", "place", "detail", "handling"]
    issues = index_page.data_warnings({"findings": pd.DataFrame(rows, columns=columns)})
    (grave,) = issues["grave"]
    assert grave["title"] == "Match may have read another packet"
    assert grave["lines"] == ["m1: packet 4"]
    again = pd.DataFrame([rows[0], rows[0]], columns=columns)
    (grave,) = index_page.data_warnings({"findings": again})["grave"]
    assert grave["title"] == "Match may have read another packet (2 entries)"
    assert issues["others"] == [{"finding": "no packet", "n": 2, "handling": "left out"}]
    assert index_page.data_warnings({}) == {"grave": [], "others": []}


def test_the_study_in_a_sentence(tmp_path):
    class Few(dict):
        folder = tmp_path

    questions = pd.DataFrame({"question_id": range(3)})
    buzzes = pd.DataFrame({"kind": ["human", "human", "model"], "team": ["H1", "H2", "M1"]})
    assert statement_view.study_sentence(Few(questions=questions, buzzes=buzzes)) == "3 questions and 3 live buzzes of 2 human teams and 1 model."  # fmt: skip
    played = Few(questions=questions, buzzes=buzzes, plays=pd.concat([buzzes] * 2))
    assert "6 live buzzes (3 left out of comparisons) of 2 human" in statement_view.study_sentence(played)  # fmt: skip
    played["games"], played["exposures"] = questions, pd.DataFrame({"question_id": [0, 0, 2]})
    played["findings"] = pd.DataFrame({"finding": ["one team under two spellings?", "x"]})
    assert statement_view.study_sentence(played) == "3 questions (2 heard by a team) and 6 live buzzes (3 left out of comparisons) of 2 human teams (1 perhaps counted twice) and 1 model."  # fmt: skip


def irt_study(aspects=2, compared=(True, True), several=False):
    chances = [("human", "human", 5, 0.6, 0.5, 0.7), ("ai", "live model", 5, 0.5, 0.4, 0.6)]
    if several:
        chances += [("human", "human, 1 player", 5, 0.4, 0.3, 0.5), ("human", "human, 5 players", 5, 0.8, 0.7, 0.9)]  # fmt: skip
    columns = ["kind", "agent_type", "depth", "p", "low", "high"]
    nothing = (np.nan,) * 3
    loss = pd.DataFrame(
        [("caimira", "seen", 1, 0.5, 0.45, 0.55, *nothing), ("caimira", "seen", 2, 0.4001, 0.36, 0.44, *nothing),
         ("caimira", "seen", 5, 0.4, 0.35, 0.45, *nothing),
         ("caimira", "unseen", 1, 0.304, 0.3, 0.31, 0.004, -0.001, 0.009), ("caimira", "unseen", 2, 0.2975, 0.2, 0.3, -0.0025, -0.005, -0.001)],
        columns=["model", "split", "dimensions", "log_loss", "low", "high", "beyond_words", "beyond_words_low", "beyond_words_high"],
    )  # fmt: skip
    readings = [
        ("censored", 0.0, "none", 9, 2, 0.6, 0.7, 0.1, 0.02, 0.15),
        ("censored", 0.5, "measured", 9, 2, 0.7, 0.71, 0.01, -0.03, 0.04),
        ("backfilled", 0.0, "none", 8, 2, 0.88, 0.7, -0.18, -0.22, -0.14),
    ]
    names = ["reading", "wait", "wait_source", "humans", "systems", "p_human", "p_ai", "p_difference", "p_difference_low", "p_difference_high"]  # fmt: skip
    return {
        "irt_accuracy": pd.DataFrame(chances, columns=columns),
        "irt_readings": pd.DataFrame(readings, columns=names),
        "irt_agents": pd.DataFrame({"compared": compared}),
        "irt_scale": pd.DataFrame([("aspects", "number", aspects)], columns=["quantity", "place", "value"]),
        "irt_loss": loss,
    }  # fmt: skip


def test_item_responses_are_summed_up_in_three_findings():
    study = Named(**irt_study())
    chances, aspects, text = headlines.headlines(study)
    assert chances["number"] == "2 types"
    assert "(95 % intervals): human 0.60 (0.50–0.70); live model 0.50 (0.40–0.60)." in chances["text"]  # fmt: skip
    assert (aspects["number"], text["number"]) == ("2 aspects", "−0.0025")
    losses = "0.500 (0.450–0.550) with 1, 0.400 (0.360–0.440) with 2 and 0.400 (0.350–0.450) with 5."
    rule = " Taken are the fewest whose loss is within one standard error of the least."
    assert aspects["text"].endswith(losses + rule)
    study.options["irt"]["aspects"] = "given"
    assert headlines.headlines(study)[1]["text"].endswith(losses)
    # The chosen number of aspects first, then the one at which a text cannot say whose skill it needs.
    first, second = text["text"].split(" With one aspect")
    assert "with texts and 2 aspects" in first and "(−0.0050 to −0.0010)" in first
    assert second.endswith("difficulty alone: +0.0040 (−0.0010 to 0.0090).")
    *_, text = headlines.headlines(Named(**irt_study(1)))
    assert text["number"] == "+0.0040" and "With one aspect" not in text["text"]
    few = statement_view.response_model_caveats(Named(**irt_study(1, (True, False))))
    assert few[-1].startswith("1 agent with fewer than ten answers")
    assert statement_view.response_model_caveats({}) == []


def test_humans_beside_ai_systems_are_told_with_what_is_assumed_of_buzzes():
    """Every row of irt_readings with both sides and the difference: under two of them the order differs for sure."""
    study = Named(**irt_study())
    chances = headlines.headlines(study)[0]["text"]
    assert "Estimated chance" in chances
    told = "The humans’ chances hold if players buzz once they know. Whether humans or AI systems do better depends on that."
    assert chances.endswith(told)
    head, *lines = statement_view.response_model_caveats(study)
    assert "9 players or teams (without groups) and 2 AI systems" in head
    assert lines == [
        "If players buzz once they know: humans 0.60, AI systems 0.70; +0.10 (0.02–0.15).",
        "If players let a known clue pass with chance 0.50, as models did that also had to guess: humans 0.70, AI systems 0.71; +0.01 (−0.03 to 0.04).",
        "If agents are right from a right buzz on and wrong up to a wrong one (CAIMIRA’s reading): humans 0.88, AI systems 0.70; −0.18 (−0.22 to −0.14).",
    ]
    study["irt_readings"] = study["irt_readings"][:2]
    assert headlines.headlines(study)[0]["text"].endswith("once they know.")
    study["irt_readings"] = study["irt_readings"][:0]
    assert "The humans" not in headlines.headlines(study)[0]["text"]


def test_single_players_and_groups_are_not_averaged():
    chances, *_ = headlines.headlines(Named(**irt_study(several=True)))
    assert "Groups of players answer by majority." in chances["text"]
    assert chances["number"] == "3 types" and "0.60 (0.50" not in chances["text"]
    assert "human, 1 player 0.40 (0.30–0.50); human, 5 players 0.80" in chances["text"]


def test_agents_of_item_responses_are_counted_by_kind():
    study = {
        "item_list": pd.DataFrame({"item_id": range(4)}),
        "agents": pd.DataFrame({"agent": list("abc"), "kind": ["ai", "human", "human"]}),
        "agent_responses": pd.DataFrame({"backfilled": [True, False, False, True]}),
    }
    assert statement_view.study_sentence(study) == "4 items, 1 AI system and 2 human agents; 50 % of all responses are inferred from buzzes."  # fmt: skip


def first_screen(page: str) -> int:
    """Words from the heading to the end of the chart, as they are seen."""
    opening = page[page.index("<h1>") : page.index("</figure>", page.index('id="chart"'))]
    text = re.sub(r"<[^>]*>", " ", opening)
    return len(re.findall(r"[^\W\d_][\w’'-]*", text))


def test_the_demo_opens_with_its_findings(demo):
    page = (demo / "index.html").read_text(encoding="utf-8")
    assert "SIMULATED DATA" in page and outside(page) == []
    study = Study(demo)
    for one in study["statements"].itertuples():
        if statement_view.VERDICTS[one.verdict][2]:
            assert f'id="statement-{statement_view.slug(one.statement)}"' in page
    fields = opponents.fields(opponents.meetings(study["leaderboard_pairs"]))
    rows = [row for field in fields for row in opponents.against_teams(field)]
    assert len(re.findall(r'class="dot-row[^"]* o-', page)) == len(rows)
    assert first_screen(page) <= 150


def test_a_simulation_says_which_intervals_hold_its_truth():
    """Those of what is named; of fewer than twenty that all may hold it by luck."""
    rows = [(0.5, 0.3, 0.6), (-1.0, -0.9, 0.1), (2, None, None)]
    table = pd.DataFrame(rows * 10, columns=["truth", "low", "high"])
    table["quantity"] = ["calscore", "ECE, with options", "hazards found"] * 10
    (finding,) = headlines.headlines({"recovery": table})
    assert finding["number"] == "10 of 20"
    assert finding["text"].startswith("intervals hold the simulator’s own value (CalScore; ECE, with options).")  # fmt: skip
    assert finding["href"] == "audit/index.html#tables/recovery.csv"
    assert headlines.headlines({"recovery": table[3:]}) == []


def test_a_models_hue_is_its_own_beside_models_without_guesses():
    study = Named()
    study.options["models"] = {"M1": {"name": "GPT-4"}, "M2": {"name": "GPT-4o"}}
    styles = dot_charts.model_looks(study, ["mine", "M2"])
    whole = theme.model_styles(["M1", "M2"], ["mine"])
    expected = {model: whole[model][0] for model in ("M2", "mine")}
    assert {model: style["color"] for model, style in styles.items()} == expected


def test_how_sure_a_verdict_is_says_which_test_decides():
    row = {"robustness": 0.996, "decides": None, "difference": 0.2, "low": 0.1, "high": 0.3}
    told = [
        ("yes", 0.1, "Its interval decides: it leaves out 0, so this is beyond chance, and"),
        ("no", 0.1, "It would be beyond chance; another way to compute the statement is not."),
        ("no", -0.1, "Its interval decides: it holds 0, so this is not beyond chance, though"),
        ("too few", 0.1, "Too few events decide it, whatever is resampled:"),
    ]
    for beyond, low, words in told:
        entry = pd.Series(row | {"beyond_chance": beyond, "low": low})
        assert f"{words} 99.6 %" in statement_view._robustness(entry)


def test_a_reading_is_told_in_words():
    """Each dimension by its sentence, in the order of the code."""
    note = "nearest to the column: brier · last · authors, which gives 0.38"
    assert statement_view.readings_in_words(note) == "nearest to the column: Brier (the last clue of each question; the mark that came with the run), which gives 0.38"  # fmt: skip
    code = "calscore · paper · all · authors · buzzed_on_question · release · before_end · start · all"  # fmt: skip
    words = statement_view.readings_in_words(f"Nearest: {code}, mean 0.1")
    assert words.startswith("Nearest: CalScore (1 − r(mean of") and "·" not in words.replace(")·g·c", "")  # fmt: skip
    assert words.endswith("right buzzes of all runs so far; every buzz), mean 0.1")
    assert statement_view.readings_in_words("accuracy · authors · runs · nearest_up · first").startswith("accuracy (the mark")  # fmt: skip
    assert statement_view.readings_in_words("a · b") == "a · b"


# an interval of the ledger → what it is of, in words
CITED = [
    ("by_category.H.Geo/CE: P(correct | buzz) 0.690 [0.453, 0.913] (x)", "all human teams (Geo/CE): P(correct | buzz) 0.690 (0.453 to 0.913) (x)"),
    ("category_scores.logit.M1.Geo/CE.calscore: 0.607 [0.447, 0.768]", "GPT-4 (logit, Geo/CE, CalScore): 0.607 (0.447 to 0.768)"),
    ("release_scores.logit.M1.mce: 0.735 [0.698, 0.771]", "GPT-4 (README's formula, logit, MCE): 0.735 (0.698 to 0.771)"),
    ("curves.per-question.correct.Q4: at the last clue 0.502 [0.4, 0.6]", "top quartile (buzzes, per question, correct): at the last clue 0.502 (0.4 to 0.6)"),
    ("accuracy.M1.10: at 10 % of the clues 0.034 [0.017, 0.065]", "GPT-4 (right guesses): at 10 % of the clues 0.034 (0.017 to 0.065)"),
    ("hardness.14.share: place of p01-q15 0.033 [0.008, 0.588]", "place of p01-q15 0.033 (0.008 to 0.588)"),
    ("table3.L-3.1-8b.N_right on the 20 rows at hand: 10.000 [2.7, 30.1]", "L3 (N right) on the 20 rows at hand: 10.000 (2.7 to 30.1)"),
    ("model_contrasts.N_ece.M1.L-3.1-8b: -0.1 [-0.2, 0.0]", "GPT-4 less L3 (N ECE): −0.1 (−0.2 to 0.0)"),
    ("type_contrasts.ece_relative.Person.Place: -0.1 [-0.2, 0.0]", "Person less Place (ECE relative): −0.1 (−0.2 to 0.0)"),
]  # fmt: skip


@pytest.mark.parametrize(("cited", "words"), CITED)
def test_an_interval_names_what_it_is_of_without_keys(cited, words):
    assert statement_view._interval_in_words(cited, {"M1": "GPT-4", "L-3.1-8b": "L3"}) == words


def test_a_row_of_the_ledger_has_no_codes_of_chance_or_models():
    row = dict.fromkeys(("id", "published", "recomputed", "tolerance", "intervals", "evidence"), "")
    row |= {"status": "undecided", "beyond_chance": "too few", "note": "M1 19, MCE 2"}
    study = Named(claims=pd.DataFrame([row]), printed_cells=pd.DataFrame(columns=[*row]))
    study.options["models"] = {"M1": {"name": "GPT-4"}}
    (shown,) = statement_view.ledger_rows(study, None).values()
    assert shown["chance"] == "too few events to say more"
    assert shown["note"] == "GPT-4 19, MCE 2"


def test_a_printed_number_is_shown_with_its_own_digits_and_the_recomputed_one_too():
    row = dict.fromkeys(("id", "intervals", "evidence"), "")
    row |= {"published": "0.6646", "recomputed": "0.641643", "tolerance": 0.00005}
    empty = pd.DataFrame(columns=[*row])

    study = Named(claims=empty, printed_cells=pd.DataFrame([row]))
    (shown,) = statement_view.ledger_rows(study, None).values()
    assert (shown["printed"], shown["found"], shown["tolerance"]) == ("0.6646", "0.6416", "0.00005")


def test_a_study_of_one_model_says_what_options_do_to_it():
    place = {"judging": "shared", "model": "m", "name": "M", "reading": "release"}
    row = place | {"N_n": 20, "D_n": 20, "N_right_share": 0.1, "D_right_share": 0.55, "N_ece": 0.7049999, "D_ece": 0.28250001}  # fmt: skip
    row |= {"N_right_share_low": 0.03, "N_right_share_high": 0.3, "D_right_share_low": 0.34, "D_right_share_high": 0.74}  # fmt: skip
    overall = pd.DataFrame([place | {"ece_calibrated": value} for value in (0.124, 0.119)])
    study = Named(**asked(), option_scores=pd.DataFrame([row]), option_overall=overall)
    right, error = headlines.headlines(study)
    assert (right["number"], error["number"]) == ("55 %", "0.283")
    assert right["text"] == "of M's 20 answers with options are right (95 % interval 34–74), 10 % of its 20 without (3–30). Blind guessing among 4 options is right in 25 %."  # fmt: skip
    assert error["text"] == (
        "is the calibration error of its 20 answers with options, as the released code has it, and 0.705 without. "
        "Calibrated models would have 0.12 over as many answers."
    )


def test_a_study_of_options_says_who_answered_what_and_what_options_change():
    names = pd.DataFrame({"name": ["M", "M"]})
    tables = {"option_questions": pd.DataFrame({"row": range(9)}), "option_scores": names}
    few = tables | {"option_results": pd.DataFrame({"row": [0, 1, 1]})}
    assert statement_view.study_sentence(few) == "9 questions, the first 2 of them answered with and without options by M."  # fmt: skip
    whole = tables | {"option_results": pd.DataFrame({"row": range(9)})}
    assert statement_view.study_sentence(whole) == "9 questions, answered with and without options by M."  # fmt: skip
    row = {"judging": "shared", "model": "m", "name": "M", "harmed_of_right": 0.5, "harmed_of_right_low": 0.09, "harmed_of_right_high": 0.91, "harmed": 1, "right_before": 2}  # fmt: skip
    other = row | {"model": "n", "name": "N", "harmed_of_right": 0.1, "harmed_of_right_low": 0.0, "harmed_of_right_high": 0.2, "harmed": 159, "right_before": 1590}  # fmt: skip
    of_two = "M 1 of 2 (9–91 %)."
    for rows, ends in (([row], of_two), ([row, other], f"N 159 of 1,590 (0–20 %) to {of_two}")):
        comparisons = {"option_comparisons": pd.DataFrame(rows)}
        sentence = index_page._fallback_sentence(comparisons, "option_harm")
        assert sentence == f"Wrong with options, of the answers that were right without them: {ends}"
    change = {"right_change": 0.45, "right_change_low": 0.2, "right_change_high": 0.7, "n_paired": 20}  # fmt: skip
    comparisons = {"option_comparisons": pd.DataFrame([row | change])}
    sentence = index_page._fallback_sentence(comparisons, "option_transitions")
    assert sentence == "How answers move from without options (N) to with them (D). Change of the share right, in points: M 45 (20–70; 20 answers)."  # fmt: skip


def test_teams_that_share_the_first_place_have_their_own_records():
    rows = [("A", 3, 0, 0, 1, 350.0), ("B", 1, 0, 0, 1, 300.0), ("C", 1, 2, 0, 3, 200.0)]
    columns = ["team", "wins", "losses", "ties", "rank", "points_per_game"]
    table = pd.DataFrame(rows, columns=columns).assign(tournament="Cup", phase="all", bracket="all")
    told = {"A and B in Cup (3–0 and 1–0)": table, "A in Cup (3–0, 350.0 points a match)": table[table["team"] != "B"]}  # fmt: skip
    for words, standings in told.items():
        (best,) = headlines.headlines({"standings": standings})
        assert best["text"] == f"Best record over all matches: {words}."
