"""Sentence splitting, segmentations, and what falls in a clue."""

import itertools

import numpy as np
import pandas as pd
import pytest
from calscore.clues import segment
from calscore.core import store
from calscore.core.errors import DataError
from hypothesis import given as forall
from hypothesis import strategies as st

SEGMENTATIONS = ["sentence-100", "sentence-35", "chars-100", "words-7", "sentences", "chars-3"]


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in segment.sentence_spans(text)]


# --- Sentences: cases by hand, "|" where a sentence starts ---

CASES = """
This is one.| This is two.
Dr. Silas Mitchell met Mr. and Mrs. Hooper.| They left.
A chapel named for St. Luke was put up in St. Augustine.| Name it.
It was used in Shelby v. Holder.| Brown v. Board of Education came first.
The case United States v. One Book Called Ulysses was about a novel.| It won.
The body has velocity v.| The body falls.
In Alien vs. The Predator, one wins.| It loses.
A pilot whose No. 6 airship flew wrote Op. 59 No. 2.| It failed.
She answered No.| Then she left.
He died ca. 300 B.C. in Rome, or c. 310.| He was old.
The light has speed c.| Three of them saw it.
W. E. B. Du Bois met J. S. Bach and J.S. Mill.| They spoke.
I. A. Richards taught T. S. Eliot.| A. J. Ayer did not.
John D. Rockefeller asked Susan B. Anthony.| Nobody knew.
The novel is about Josef K.| For 10 points, name its author.
It sticks with Protein A.| Lab grade cream does not.
After World War I.| Gavrilo Princip was jailed.
The oboe plays "C, E, G."| Beethoven wrote it.
They dominate the U.S. society and six U.S. Marines.| In the U.S. they vote.
She lives in Washington, D.C.| The city is hot.
It honours Martin Luther King, Jr.| A trilogy describes it.
Sammy Davis, Jr. Drive is a road.| It ends.
He studied laws, orders, etc.| This philosopher wrote them.
He holds a Ph.D. Thesis and all.| After that he rested.
Some works (e.g. The Iliad, i.e. Homer's) end here.| More follow.
The error is below 0.5 percent of 1.25.| It fell.
Nobody asked "Are we happy?" in this ode.| Yes!
Who's Afraid of Virginia Woolf? is a play.| Is it?| It is.
Printing "Hello, World!" to a screen is easy.| Try it!
He said “I want to die.”| This man insists.
He asked "Why not?" "because" and left.| His title is “Mr.”| The end.
One asked, "How shall I know thee? Let us name the signs" in a sonnet.| Name her.
The claim "which has to be … quiet" was cited.| It is.
I sing… | Then I stop... at last.| The end.
He waited . . . and waited . . .| Then he left.
Brno (pronounced "BUR. no") is a city.| (It is large.)| It is old.
Ozu (OH. ZOO.) Yasujiro made it.| It is slow.
The piano (K. 331 and D. 960) is old.| It is large [for us. For them not] too.
Ozu was a man (so they say.)| The man drank.
He read [Mr. A.] Smith's book (see p. 3).| Then he wept.
The word is "c."| " Ladders" of it exist.
A 6" nail.| The 7" nail.
A stray "quote here.| The next one is "whole. Yes" here.| End.
It is made by RNA polymerase.| mRNA is made.| "nada" is repeated.
He worked for Yahoo! Japan.| He left Yahoo!| The end.
It met 3 of them.| 5 did not.| $9 was paid.
""".strip().splitlines()


@pytest.mark.parametrize("case", CASES)
def test_sentences_by_hand(case):
    text = case.replace("|", "")
    assert split(text) == [part.strip() for part in case.split("|")]


def test_sentences_of_nothing():
    assert segment.sentence_spans("") == []
    assert segment.sentence_spans(" \n ") == []
    assert split("  no stop ") == ["no stop"]
    assert split("One.\nTwo\nlines.\n\nThree") == ["One.", "Two\nlines.", "Three"]


PIECES = st.sampled_from(
    ["a", "The", "B", ".", "...", "?", "!", "…", '"', "“", "”", "(", ")", "[", "]", "'", "St.", "U.S.", "No.", "v.", "5",
     "0.5", "word", "Jr.", "e.g.", "\u200b", "é"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "  ", "\n", "\u00a0"])), max_size=60).map(
        lambda parts: "".join(a + b for a, b in parts)
    ),
)
WORDED = TEXTS.filter(lambda text: bool(text.split()))


@forall(TEXTS)
def test_sentences_cover_every_word_once(text):
    spans = segment.sentence_spans(text)
    assert " ".join(text[a:b] for a, b in spans).split() == text.split()
    assert all(a < b and text[a:b] == text[a:b].strip() for a, b in spans)
    assert all(b < c and text[b:c].isspace() for (_, b), (c, _) in itertools.pairwise(spans))


# --- Runs ---


def runs_as_printed(text: str, length: int) -> list[int]:
    """The definition, word for word."""
    kept, idx = [], length
    while idx < len(text):
        cut = idx
        while cut < len(text) and text[cut] != " ":
            cut += 1
        if cut < len(text) and cut > (kept[-1] if kept else 0) and cut < idx + length:
            kept.append(cut)
        idx += length
    return [*kept, len(text)]


@forall(TEXTS, st.integers(1, 40))
def test_runs_are_the_definition(text, length):
    assert segment.cut_text(text, length) == runs_as_printed(text, length)


# --- Segmentations ---


@forall(WORDED, st.sampled_from(SEGMENTATIONS))
def test_segment_invariants(text, segmentation):
    ends, words = segment.segment_text(text, segmentation)
    assert ends[-1] == len(text)
    assert all(a < b for a, b in itertools.pairwise(ends))
    # every clue adds a word, and no word is cut in two
    pieces = [text[a:b].split() for a, b in zip([0, *ends], ends, strict=False)]
    assert all(pieces)
    assert [word for piece in pieces for word in piece] == text.split()
    assert words == np.cumsum([len(piece) for piece in pieces]).tolist()


@forall(WORDED, st.sampled_from(SEGMENTATIONS))
def test_segment_ends_where_the_preset_says(text, segmentation):
    spans, words = segment.sentence_spans(text), text.split()
    size = int(segmentation.split("-")[1]) if "-" in segmentation else 0
    if segmentation.startswith("words"):
        expected = len(range(0, len(words), size))
        assert len(segment.segment_text(text, segmentation)[0]) == expected
        return
    if segmentation.startswith("chars"):
        allowed = runs_as_printed(text, size)
    elif segmentation == "sentences":
        allowed = [end for _, end in spans]
    else:
        allowed = [a + end for a, b in spans for end in runs_as_printed(text[a:b], size)]
    counts = {len(text[:end].split()) for end in [*allowed, len(text)]} - {0}
    assert segment.segment_text(text, segmentation)[1] == sorted(counts)


def test_segment_by_hand():
    text = "One two three four. Five six seven. "
    cases = {
        "sentences": [19, 36],
        "sentence-8": [13, 19, 28, 36],  # restarts at 20
        "chars-8": [13, 19, 24, 36],  # 35 is a cut that adds no word
        "words-3": [13, 28, 36],
        "words-7": [36],
    }
    assert {name: segment.segment_text(text, name)[0] for name in cases} == cases
    assert segment.segment_text("   One   two   ", "chars-1") == ([6, 15], [1, 2])


@pytest.mark.parametrize("name", ["sentense-100", "words", "chars-", "sentence-0", "words--3", "given"])
def test_another_name_of_a_segmentation_is_refused(name):
    with pytest.raises(DataError, match=f"column segmentation: found '{name}', expected sentences, or"):
        segment.segment_text("One two.", name)


# --- Tables ---

QUESTIONS = pd.DataFrame(
    {
        "question_id": ["p01-q02", "p01-q01", "p02-q01"],
        "text": ["One two three four. Five six seven.", "Only five words in this", "Alone"],
    }
)


def test_cut_has_the_schema_and_agrees_with_segment():
    table = segment.cut_questions(QUESTIONS, SEGMENTATIONS)
    store.check(table, "clues", {"questions": QUESTIONS})
    assert list(table.columns) == store.columns("clues")
    for (name, key), rows in table.groupby(["segmentation", "question_id"], sort=False):
        text = QUESTIONS.set_index("question_id")["text"][key]
        ends = rows["end_char"].tolist(), rows["end_word"].tolist()
        assert ends == segment.segment_text(text, name)
        assert rows["clue"].tolist() == list(range(1, len(rows) + 1))
        np.testing.assert_array_equal(rows["revealed"], rows["end_word"] / len(text.split()))
    assert table["segmentation"].drop_duplicates().tolist() == SEGMENTATIONS


def test_cut_of_nothing_can_be_written(tmp_path):
    for questions, names in ((QUESTIONS[:0], SEGMENTATIONS), (QUESTIONS, [])):
        table = segment.cut_questions(questions, names)
        store.write(table, "clues", tmp_path / "clues.parquet")
        assert len(store.read(tmp_path / "clues.parquet")) == 0


@pytest.mark.parametrize("call", [segment.cut_questions, segment.clues_at_guess_positions])
def test_every_text_without_words_is_reported(call):
    bad = QUESTIONS.assign(text=["fine", "  ", None])
    positions = pd.DataFrame({"question_id": ["p01-q02"], "position": [1]})
    with pytest.raises(DataError) as caught:
        call(bad, ["sentences"] if call is segment.cut_questions else positions)
    assert [fault.row for fault in caught.value.faults] == [
        "question_id=p01-q01",
        "question_id=p02-q01",
    ]


def test_given_takes_the_distinct_positions():
    positions = pd.DataFrame(
        {
            "model": ["a", "a", "b", "b", "b"],
            "question_id": ["p01-q01", "p01-q02", "p01-q02", "p01-q02", "p01-q02"],
            "position": [5, 6, 2, 6, 3],
        }
    )
    table = segment.clues_at_guess_positions(QUESTIONS, positions)
    store.check(table, "clues", {"questions": QUESTIONS})
    assert set(table["segmentation"]) == {"given"}
    rows = table[["question_id", "clue", "end_word", "end_char"]].values.tolist()
    assert rows == [
        ["p01-q02", 1, 2, 7],
        ["p01-q02", 2, 3, 13],
        ["p01-q02", 3, 6, 28],
        ["p01-q01", 1, 5, 23],
    ]
    assert table["revealed"].tolist() == [2 / 7, 3 / 7, 6 / 7, 1.0]
    assert len(segment.clues_at_guess_positions(QUESTIONS, positions[:0])) == 0


@pytest.mark.parametrize("position", [-1, 0, 8])
def test_a_guess_outside_its_text_is_refused(position):
    positions = pd.DataFrame({"question_id": "p01-q02", "position": [2, position]})
    message = rf"question_id=p01-q02, column position: found {position}, expected a whole number from 1 to 7"
    with pytest.raises(DataError, match=message):
        segment.clues_at_guess_positions(QUESTIONS, positions)


def test_another_model_moves_no_clue_of_the_printed_ones():
    theirs = pd.DataFrame({"model": "M1", "question_id": "p01-q02", "position": [2, 6]})
    mine = theirs.assign(model="mine", position=[3, 5])
    cut = QUESTIONS, ["given", "authors"]
    alone = segment.every_clue(*cut, theirs, printed=["M1"])["clues"]
    both = pd.concat([theirs, mine])
    assert segment.every_clue(*cut, both, printed=["M1"])["clues"].equals(alone)
    assert len(segment.every_clue(*cut, both)["clues"]) == 2 * len(alone)
    assert len(segment.every_clue(*cut, mine, printed=["M1"])["clues"]) == len(alone)


# --- What falls in a clue ---


def random_clues(rng, n_questions=12):
    """Clues of one segmentation, in shuffled order."""
    rows = []
    for number in rng.permutation(n_questions):
        ends = np.sort(rng.choice(np.arange(1, 40), size=rng.integers(1, 8), replace=False))
        rows += [(f"q{number:02d}", clue, end) for clue, end in enumerate(ends, 1)]
    frame = pd.DataFrame(rows, columns=["question_id", "clue", "end_word"])
    return frame.assign(segmentation="x").sample(frac=1, random_state=int(rng.integers(1000)))


def assign_slowly(table, events):
    found = []
    for key, word in zip(events["question_id"], events["word_index"], strict=True):
        rows = table[table["question_id"] == key].sort_values("end_word")
        later = rows[rows["end_word"] > word]["clue"].tolist()
        found.append(later[0] if later else rows["clue"].iloc[-1])
    return found


@pytest.mark.parametrize("seed", range(5))
def test_assign_agrees_with_a_loop(seed):
    rng = np.random.default_rng(seed)
    table = random_clues(rng)
    events = pd.DataFrame(
        {
            "question_id": rng.choice(table["question_id"].unique(), 300),
            "word_index": rng.integers(0, 60, 300),
        },
        index=rng.permutation(300) * 7,
    )
    needed = table[["question_id", "clue", "end_word"]]
    result = segment.assign_clues(needed, events)
    assert result.tolist() == assign_slowly(table, events)
    assert result.index.equals(events.index)
    assert result.dtype == np.int64


@pytest.mark.parametrize("key", ["nowhere", None, np.nan])
def test_assign_refuses_a_question_without_clues(key):
    table = segment.cut_questions(QUESTIONS, ["words-3"])
    events = pd.DataFrame({"question_id": ["p01-q02", key], "word_index": [1, 1]})
    with pytest.raises(DataError) as caught:
        segment.assign_clues(table, events)
    (fault,) = caught.value.faults
    assert (fault.file, fault.column) == ("events", "question_id")


def last_guess_slowly(table, guesses):
    found = []
    for (model, how, key), group in guesses.assign(row=range(len(guesses))).groupby(
        ["model", "elicitation", "question_id"]
    ):
        for clue in table[table["question_id"] == key].sort_values("clue").itertuples():
            best = None
            for guess in group.itertuples():
                made = guess.position <= clue.end_word
                if made and (best is None or guess.position >= best.position):
                    best = guess
            if best is not None:
                carried = best.position < clue.end_word
                found.append((model, how, key, clue.clue, clue.end_word, best.row, carried))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_last_guess_agrees_with_a_loop(seed):
    rng = np.random.default_rng(seed)
    table = random_clues(rng)
    n = 150  # sparse enough that some clues come before the first guess, and some repeat
    guesses = pd.DataFrame(
        {
            "model": rng.choice(["m1", "m2"], n),
            "elicitation": rng.choice(["logit", "verbalized"], n),
            "question_id": rng.choice(table["question_id"].unique(), n),
            "position": rng.integers(1, 45, n),
        },
        index=rng.permutation(n) + 1000,
    )
    result = segment.last_guesses(table, guesses)
    expected = last_guess_slowly(table, guesses)
    assert list(result.itertuples(index=False, name=None)) == expected
    assert 0 < result["carried"].sum() < len(result)
    groups = guesses.groupby(["model", "elicitation", "question_id"]).size().index
    n_clues = table.groupby("question_id").size()
    assert len(result) < sum(n_clues[key] for *_, key in groups)  # some clues have no guess yet
    taken = guesses.iloc[result["row"]]
    assert taken["model"].tolist() == result["model"].tolist()
    assert taken["question_id"].tolist() == result["question_id"].tolist()
    assert (taken["position"].to_numpy() <= result["end_word"]).all()
