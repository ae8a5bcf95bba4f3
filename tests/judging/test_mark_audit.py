"""Marks that came with the guesses against the engine: who is right, and by what cause."""

import pandas as pd
import pytest
from answer_lines import real
from calscore.core import catalog
from calscore.judging import checks, guess_verdicts, mark_audit, plot
from calscore.raw import archive, model_output_files, release
from calscore.raw.guesses import guess_table
from support import ROOT

CITY = "Florence (“FLOR-unss”) [or Firenze; accept Renaissance Florence; prompt on Tuscany]"
RIVER = "Rhône River [accept Le Rhône; accept Delta until it is read; reject “Rhine”]"

# (answer line, guess as read, as sent, verdict and rule of the engine) → cause, from the texts alone.
CAUSES = [
    # What only the engine takes: what was sent around the answer first, then what the line prints beside it.
    (("Vermeer", "Vermeer", "The answer is: Vermeer", "accept", "exact"), "wrapper"),
    (("Vermeer", "Vermeer", '{"guess": "Vermeer"}', "accept", "exact"), "wrapper"),
    ((CITY, "Florence", "The answer is: Florence.\n\nThe", "accept", "exact"), "wrapper"),
    ((RIVER, "Rhône", r"Rh\xf4ne", "accept", "class word"), "escape"),
    (("DNA", "DNA", "DNA \n\nThe question is about", "accept", "exact"), "text after it"),
    ((CITY, "Florence", None, "accept", "exact"), "guide or note"),
    (("Sanskrit (The first play is A.)", "Sanskrit", None, "accept", "exact"), "guide or note"),
    (("“The Lottery” [or “A”]", "The Lottery", None, "accept", "exact"), "quotation marks"),
    (("J. D. Vance", "J.D. Vance", None, "accept", "exact"), "signs"),
    (("Eugene O’Neill", "Eugene_O'Neill", None, "accept", "exact"), "signs"),
    (("Japanese-American", "Japanese Americans", None, "accept", "exact"), "signs"),
    (("Salvador Dalí", "Salvador Dali", None, "accept", "exact"), "signs"),
    (("white dwarfs", "White dwarf.", None, "accept", "exact"), "signs"),
    (("C [accept The C Contest; accept ISO C]", "C Contest", None, "accept", "alias"), "alias"),
    (("logs [or Yule logs]", "Yule Log", None, "accept", "alias"), "alias"),
    (("Czech", "Czech language", None, "accept", "title"), "other wording"),
    ((RIVER, "Rhône", None, "accept", "class word"), "other wording"),
    (("Iran", "Persia", None, "accept", "other name"), "other wording"),
    (("meaning", "The Meaning", None, "accept", "exact"), "same words"),
    # What only the authors take.
    ((CITY, "Tuscany", None, "prompt", "prompt"), "prompt"),
    ((CITY, "Tuscany", "The answer is: Tuscany", "prompt", "prompt"), "prompt"),
    ((RIVER, "Delta", None, "reject", "too late"), "too late"),
    (("greedy", "Greedy heuristic", None, "reject", "more"), "more words"),
    (("Haitian Vodou", "Vodou", None, "reject", "part"), "fewer words"),
    (("annual yields [or net yield]", "Yield", None, "reject", "part"), "fewer words"),
    (("annual yields", "Yield (finance)", None, "reject", "part"), "fewer words"),
    (("Andrey Markov", "Markov chain", None, "reject", "no match"), "some words"),
    (("Zarathustra", "Zoroaster", None, "reject", "no match"), "no word"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "cause"), CAUSES)
def test_the_cause_follows_from_the_texts(case, cause):
    assert mark_audit.disagreement_cause(*case) == cause


CUT = "United States presidential election, 182"


@pytest.mark.parametrize(
    ("sent", "verdict", "rule", "length", "cause"),
    [
        (None, "reject", "other number", 40, "cut"),
        (CUT[:38] + r"\xe9", "reject", "other number", 40, "cut"),
        (None, "reject", "other number", 41, "some words"),
        (None, "accept", "exact", 40, "other wording"),
    ],
)
def test_a_guess_as_long_as_the_cut_is_cut(sent, verdict, rule, length, cause):
    given = "election of 1824", CUT, sent, verdict, rule, length
    assert mark_audit.disagreement_cause(*given) == cause


def lengths(counts):
    return pd.Series(["x" * length for length, n in counts.items() for _ in range(n)])


@pytest.mark.parametrize(
    ("counts", "cut"),
    [
        ({10: 50, 38: 12, 39: 11, 40: 60}, 40),
        ({10: 50, 38: 12, 39: 11, 40: 60, 44: 2}, 40),  # an escape that was cut later
        ({10: 50, 38: 12, 39: 11, 40: 10}, None),  # long guesses thin out
        ({10: 9}, None),
        ({}, None),
    ],
)
def test_where_guesses_are_cut_shows_in_their_lengths(counts, cut):
    assert mark_audit.truncation_length(lengths(counts).astype("str")) == cut


def test_every_cause_is_declared_and_drawn():
    named = {cause for _, cause in CAUSES} | {"cut"}
    assert named == set(mark_audit.CAUSES)
    assert catalog.table("judging_disagreements")["columns"]["cause"]["values"] == [*mark_audit.CAUSES]
    assert catalog.table("marks")["columns"]["cause"]["values"] == [*mark_audit.CAUSES]


QUESTIONS = pd.DataFrame(
    {
        "question_id": ["q1", "q2"],
        "answerline": [CITY, "greedy"],
        "text": ["Name this city on the Arno.", "Name this idea."],
    }
)


def guesses(rows):
    """Guesses of model, question, position, guess, as sent, and the authors' mark."""
    names = ["model", "question_id", "position", "guess", "sent", "correct_given"]
    table = pd.DataFrame(rows, columns=names)
    table["correct_given"] = table["correct_given"].astype("boolean")
    return table.assign(elicitation="logit", source_row=[f"f#{i}" for i in range(len(table))])


MARKED = guesses(
    [
        ("a", "q1", 1, "Florence", None, False),  # guide on the line
        ("a", "q1", 2, "Florence", None, True),
        ("a", "q1", 3, "Tuscany", None, True),  # a prompt counted as right
        ("a", "q2", 1, "Greedy heuristic", None, True),
        ("a", "q2", 2, "Dijkstra", None, False),
        ("b", "q1", 1, "Florence", "The answer is: Florence", False),
        ("b", "q2", 1, "Greedy heuristic", None, True),
        ("b", "q2", 2, None, None, False),
        ("b", "q2", 3, "greedy", None, None),  # nobody marked it
    ]
)


def overrides(tmp_path):
    path = tmp_path / "grace.csv"
    path.write_text(
        "question_id,guess,condition,verdict,who,reason\n"
        "q1,Florence,*,accept,the project,the city itself\n"
        "q1,Tuscany,,prompt,the project,the line says so\n"
        "q2,Greedy heuristic,*,accept,the project,arguable: a word is asked for\n"
    )
    return path


def disagreements(path=None, marked=MARKED):
    return mark_audit.mark_disagreements(QUESTIONS, marked, path, None)["judging_disagreements"]


def test_disagreements_run_by_run(tmp_path):
    table = disagreements(overrides(tmp_path))
    columns = ["model", "question_id", "position", "given", "engine", "cause", "adjudicated"]
    assert table.sort_values(columns[:3])[[*columns, "arguable"]].to_numpy().tolist() == [
        ["a", "q1", 1, "reject", "accept", "guide or note", "accept", False],
        ["a", "q1", 3, "accept", "prompt", "prompt", "prompt", False],
        ["a", "q2", 1, "accept", "reject", "more words", "accept", True],
        ["b", "q1", 1, "reject", "accept", "wrapper", "accept", False],
        ["b", "q2", 1, "accept", "reject", "more words", "accept", True],
    ]


def test_without_verdicts_by_hand_nothing_is_upheld():
    table = disagreements()
    assert len(table) == 5
    assert table[["adjudicated", "arguable"]].isna().all(axis=None)


def test_without_marks_the_table_is_empty():
    unmarked = MARKED.assign(correct_given=pd.array([None] * len(MARKED), dtype="boolean"))
    assert disagreements(marked=unmarked).empty


def test_counts_by_model_cause_and_who_says_right(tmp_path):
    found = disagreements(overrides(tmp_path))
    # Greedy heuristic is taken by the authors alone, so the adjudication is on their side.
    counted = mark_audit.mark_counts(MARKED, found)["marks"]
    columns = ["model", "says", "cause", "runs", "pairs"]
    upheld = ["engine_runs", "authors_runs", "arguable_runs", "engine_pairs", "authors_pairs"]
    rows = counted[[*columns, *upheld]].astype(object)
    none = [None] * 5
    assert rows.where(rows.notna(), None).to_numpy().tolist() == [
        ["all", "both", None, 1, 1, *none],
        ["all", "authors", "prompt", 1, 1, 1, 0, 0, 1, 0],
        ["all", "authors", "more words", 2, 1, 0, 2, 2, 0, 1],
        ["all", "engine", "wrapper", 1, 1, 1, 0, 0, 1, 0],
        ["all", "engine", "guide or note", 1, 1, 1, 0, 0, 1, 0],
        ["all", "neither", None, 2, 1, *none],
        ["a", "both", None, 1, 1, *none],
        ["a", "authors", "prompt", 1, 1, 1, 0, 0, 1, 0],
        ["a", "authors", "more words", 1, 1, 0, 1, 1, 0, 1],
        ["a", "engine", "guide or note", 1, 1, 1, 0, 0, 1, 0],
        ["a", "neither", None, 1, 1, *none],
        ["b", "authors", "more words", 1, 1, 0, 1, 1, 0, 1],
        ["b", "engine", "wrapper", 1, 1, 1, 0, 0, 1, 0],
        ["b", "neither", None, 1, 0, *none],
    ]
    assert counted.set_index(["model", "says", "cause"]).at[("a", "engine", "guide or note"), "examples"] == "q1"  # fmt: skip


def test_the_checks_hold_and_fail_where_a_count_is_wrong(tmp_path):
    found = disagreements(overrides(tmp_path))
    counted = mark_audit.mark_counts(MARKED, found)["marks"]
    assert checks.marks_add_up(counted, MARKED, found).failures == 0
    one = (counted["says"] == "engine") & (counted["model"] == "a")
    for column, value in (("runs", 5), ("says", "authors"), ("cause", "alias"), ("engine_runs", 0)):
        wrong = counted.assign(**{column: counted[column].mask(one, value)})
        assert checks.marks_add_up(wrong, MARKED, found).failures, column
    assert checks.marks_add_up(counted, MARKED, found.iloc[1:]).failures

    check = checks.disagreements_with_the_source
    assert check(found, MARKED).failures == 0
    for column, value in (("given", "accept"), ("engine", "reject"), ("guess", "another")):
        first = found.index == 0
        wrong = found.assign(**{column: found[column].mask(first, value)})
        assert check(wrong, MARKED).failures, column


def test_the_figure_draws_every_part(style):
    table = mark_audit.mark_counts(MARKED, disagreements())["marks"]
    figure = plot.marks_figure(table, {"a": "Model A"})["marks"]
    widths = [sum(bar.get_width() for bar in ax.patches) for ax in figure.axes]
    assert widths == [1, 2, 3]  # right by both, by the engine alone, by the marks alone
    assert [t.get_text() for t in figure.axes[0].get_yticklabels()] == ["Model A", "b"]


# ------------------------------------------------------------------ the authors' marks on GRACE


@pytest.fixture(scope="module")
def grace(model_outputs):
    """Questions of the release, the authors' runs as tidy guesses, and what came of comparing them."""
    zipped = real("grace", "[public]ALL_final_buzzpoints_enc.zip")
    members = archive.read_members(zipped, password="buzzbuzz")
    questions = pd.DataFrame(release.parse_packets(members, {}, {}).questions)
    rows, _ = model_output_files.parse_guesses(model_outputs, questions, "logit")
    table = guess_table(rows)
    found = mark_audit.mark_disagreements(questions, table, ADJUDICATIONS, None)["judging_disagreements"]
    return questions, table, found


ADJUDICATIONS = ROOT / "config" / "adjudications" / "grace.csv"


def test_how_often_marks_and_engine_differ_on_grace(grace):
    _, guesses, found = grace
    assert guesses["correct_given"].sum() == 1895
    assert len(found) == 456
    assert len(found.drop_duplicates(["question_id", "guess"])) == 152
    by_model = found["model"].value_counts().sort_index().to_dict()
    assert by_model == {"M1": 79, "M2": 112, "M3": 40, "M4": 87, "M5": 46, "M6": 92}
    assert (found["given"] == "reject").sum() == 261
    assert (found["engine"] == "prompt").sum() == 31


def test_wrapped_right_answers_of_llama_2_are_marked_wrong(grace):
    """Counted from the raw texts: after the wrapper stands what the line begins with."""
    questions, guesses, found = grace
    main = questions.set_index("question_id")["answerline"].str.split(r"\s[\[(]", regex=True).str[0]
    start = "The answer is: "
    of = guesses[guesses["sent"].fillna("").str.startswith(start)]
    said = of["sent"].str.removeprefix(start).str.split("\n").str[0].str.rstrip(". ")
    same = of[said.str.casefold() == of["question_id"].map(main).str.casefold()]
    assert len(same) > 30
    assert not same["correct_given"].any()
    listed = found.merge(same[["model", "question_id", "position"]])
    assert len(listed) == len(same)
    assert set(listed["cause"]) == {"wrapper"}
    assert (listed["model"] == "M4").sum() > 30


def test_every_disagreement_on_grace_is_decided_by_hand(grace):
    _, guesses, found = grace
    assert found["adjudicated"].notna().all()
    pairs = found.drop_duplicates(["question_id", "guess"])
    engine = (pairs["adjudicated"] == "accept") == (pairs["engine"] == "accept")
    sides = pd.crosstab(engine, pairs["arguable"].astype(bool))
    assert sides.to_numpy().tolist() == [[11, 15], [93, 33]]  # authors, engine; clear, arguable
    counted = mark_audit.mark_counts(guesses, found)["marks"]
    assert checks.marks_add_up(counted, guesses, found).failures == 0
    rows = counted[counted["model"] == "all"].groupby("says")["runs"].sum().to_dict()
    assert rows == {"both": 1700, "authors": 195, "engine": 261, "neither": 9118}


def test_the_adjudications_are_short_and_each_meets_a_guess(grace):
    questions, guesses, _ = grace
    table = guess_verdicts.read_overrides(ADJUDICATIONS, questions).table
    assert set(table["who"]) == {"the project"}
    ids = map(guess_verdicts.override_key, guesses["question_id"], guesses["guess"])
    met = set(zip(guesses["question_id"], ids, strict=True))
    assert set(zip(table["question_id"], table["guess"], strict=True)) <= met


def test_a_run_whose_guess_was_cut_is_judged_by_itself(grace):
    """A verdict on a text that was cut turns no mark that the engine shares: those who marked saw all of it."""
    questions, guesses, _ = grace
    cut = guesses["guess"].str.len() >= mark_audit.truncation_length(guesses["sent"].fillna(guesses["guess"]))
    guesses, judged, _ = guess_verdicts.judge_rows(guesses, questions, ADJUDICATIONS, None, "engine")
    marks, _ = guess_verdicts.marks_by_judge(guesses, judged)
    turned = marks["adjudicated"] != guesses["correct_given"]
    disputed = marks["engine"] != guesses["correct_given"]
    assert not (turned & ~disputed).any()
    assert [column.sum() for column in (turned, cut, cut & disputed, cut & turned)] == [
        395,
        344,
        8,
        1,
    ]
