"""Where the clues of a question end: segmentations, and what falls in a clue.

A clue is a prefix of the question (paper §3.1, footnote 6), so a segmentation is a list of ends, given both in characters and in
words heard. A word is what ``str.split()`` returns; a word has been heard once it has begun. Ends are exclusive: clue t reveals
``text[:end_char]`` and the words ``0 ... end_word - 1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core import store
from ..core.errors import DataError, Fault, raise_faults
from ..core.extract_files import TEXTS, clue_ends
from .sentences import sentence_spans

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["segmentation", "question_id", "clue", "end_word", "end_char", "revealed"]
OWN = "authors"
"""Segmentation with each model's own cuts: nothing is cut again or carried over."""
GUESSED = ("given", OWN)
_WORD = re.compile(r"\S+")
_CUT = re.compile(r"sentences|(?P<kind>sentence|chars|words)-(?P<size>[1-9]\d*)")

# --- Segmentations -----------------------------------------------------------------------------


def cut_text(text: str, length: int) -> list[int]:
    """Ends (characters, exclusive) of runs of about ``length`` characters, each cut before a space; the last is the text's.
    For idx = length, 2·length, … < len(text) the cut is the first U+0020 in [idx, idx + length); without one there the run
    goes on."""
    ends = []
    for idx in range(length, len(text), length):
        cut = text.find(" ", idx, idx + length)
        # a kept cut lies before the next idx, so one found from there on is always later
        if cut >= 0:
            ends.append(cut)
    return [*ends, len(text)]


def _word_spans(text: str) -> np.ndarray:
    """Start and end (characters) of every word: shape (words, 2)."""
    return np.array([m.span() for m in _WORD.finditer(text)], dtype=np.int64).reshape(-1, 2)


def segment_text(text: str, segmentation: str) -> tuple[list[int], list[int]]:
    """(ends in characters, ends in words heard) of the clues of ``text``, which has a word; the last is the text's. Presets:
    ``sentence-<L>`` (:func:`cut_text` restarted at each sentence), ``chars-<L>`` (runs over the whole text), ``words-<N>``
    (after every Nth word), ``sentences``; ``DataError`` for others. A cut that adds only space is dropped."""
    words = _word_spans(text)
    cut = _CUT.fullmatch(segmentation)
    if not cut:
        expected = "sentences, or sentence, chars or words with a number, as sentence-100"
        raise DataError.at("", "", "segmentation", segmentation, expected)
    kind, size = cut["kind"], int(cut["size"] or 0)
    if kind == "words":
        ends = words[size - 1 :: size, 1].tolist()
    elif kind == "chars":
        ends = cut_text(text, size)
    else:
        ends = []
        for begin, end in sentence_spans(text):
            runs = cut_text(text[begin:end], size or end - begin)
            ends += [begin + run for run in runs]
    # of several ends with the same words, the first is kept; the last clue runs to the end
    heard = np.searchsorted(words[:, 0], ends, side="left")
    counts, first_ends = np.unique(heard, return_index=True)
    inside = (counts > 0) & (counts < len(words))
    chars = np.array(ends)[first_ends[inside]].tolist()
    return [*chars, len(text)], [*counts[inside].tolist(), len(words)]


def _checked_texts(questions: pd.DataFrame) -> dict[str, str]:
    """question_id → text; ``DataError`` naming every question whose text is missing or has no word."""
    texts = dict(zip(questions["question_id"], questions["text"], strict=True))
    raise_faults(
        Fault("questions", f"question_id={key}", "text", text, "a text with at least one word")
        for key, text in texts.items()
        if not isinstance(text, str) or not text.strip()
    )
    return texts


def cut_questions(questions: pd.DataFrame, segmentations: list[str]) -> pd.DataFrame:
    """Table ``clues``: a row for each text-based segmentation, question and clue, in the order given. ``questions`` needs
    question_id and text; ``revealed`` is end_word / words of the text. ``DataError`` for a question whose text is missing or
    has no word."""
    texts, pieces = _checked_texts(questions), []
    for name in segmentations:
        for key, text in texts.items():
            chars, words = segment_text(text, name)
            pieces.append((name, key, chars, words, words[-1]))
    return _clue_table(pieces)


def _clue_table(pieces: list[tuple]) -> pd.DataFrame:
    """Table ``clues``, clues numbered from 1, from (segmentation, question_id, end_chars, end_words, n_words) entries."""
    import pandas as pd

    names = ["segmentation", "question_id", "end_char", "end_word", "n_words"]
    table = pd.DataFrame(pieces, columns=names).explode(["end_char", "end_word"])
    table["clue"] = table.groupby(level=0).cumcount() + 1
    integers = dict.fromkeys(("clue", "end_word", "end_char"), "int64")
    table = table.astype({"segmentation": "str", "question_id": "str"} | integers)
    table["revealed"] = table["end_word"] / table["n_words"].astype("int64")
    return table[COLUMNS].reset_index(drop=True)


def clues_at_guess_positions(
    questions: pd.DataFrame, positions: pd.DataFrame, name: str = "given"
) -> pd.DataFrame:
    """Table ``clues`` of a segmentation ``name``: a clue ends wherever any model guessed. ``positions``: question_id and
    position (words heard, from 1), repeated or not. The last clue is the last position, be the question over or not; questions
    without guesses have no rows. ``DataError`` for any text without words, and for all positions outside their texts."""
    texts = _checked_texts(questions)
    heard = positions.groupby("question_id")["position"].agg(lambda ends: sorted({*map(int, ends)}))
    pieces, spans = [], {key: _word_spans(text) for key, text in texts.items() if key in heard}
    raise_faults(
        Fault("guesses", f"question_id={key}", "position", end, f"a whole number from 1 to {len(words)}")
        for key, words in spans.items()
        for end in heard[key]
        if not 1 <= end <= len(words)
    )
    for key, words in spans.items():
        ends = heard[key]
        chars = words[np.array(ends) - 1, 1].tolist()
        pieces.append((name, key, chars, ends, len(words)))
    return _clue_table(pieces)


# --- What falls in a clue ----------------------------------------------------------------------


def _question_codes(
    clues: pd.DataFrame, keys: pd.Series, file: str
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """(``clues`` sorted by question and end_word, code of the question of each, code of each of ``keys``). ``keys``: question
    ids; ``DataError`` naming ``file`` for one without clues."""
    import pandas as pd

    clues = clues.sort_values(["question_id", "end_word"], kind="stable")
    codes, questions = pd.factorize(clues["question_id"])
    places = questions.get_indexer(pd.Index(keys))
    raise_faults(
        Fault(file, "", "question_id", key, "a question that has clues")
        for key in pd.unique(keys[places < 0])
    )
    return clues, codes, places


def assign_clues(clues: pd.DataFrame, events: pd.DataFrame) -> pd.Series:
    """Clue number that each event falls in: the first clue whose end_word exceeds its word_index, else the last. ``clues``:
    rows of one segmentation. ``events`` needs question_id and word_index (0-based, last word heard). Returns an int64 Series
    ``clue`` on the index of ``events``; ``DataError`` for a question without clues."""
    import pandas as pd

    clues, codes, places = _question_codes(clues, events["question_id"], "events")
    word = events["word_index"].to_numpy(dtype=np.int64)
    end_word = clues["end_word"].to_numpy()
    stride = int(end_word.max(initial=0)) + 1
    last_clue = np.searchsorted(codes, places, side="right") - 1
    # within the question by construction, so the key cannot run into the next one
    word = np.minimum(word, end_word[last_clue] - 1)
    place_of_clue = np.searchsorted(codes * stride + end_word, places * stride + word, side="right")
    return pd.Series(clues["clue"].to_numpy()[place_of_clue], index=events.index, name="clue", dtype="int64")


def last_guesses(clues: pd.DataFrame, positions: pd.DataFrame) -> pd.DataFrame:
    """The guess that each model and elicitation stands by at the end of each clue: its last at or before end_word.

    ``clues``: rows of one segmentation. ``positions``: a row for each guess with model, elicitation, question_id and position
    (words heard); of two at one position the later row counts. Returns model, elicitation, question_id, clue, end_word, row
    (0-based place in ``positions``, for ``iloc``) and carried (position < end_word), sorted by the first four. A clue before
    its first guess has no row. ``DataError`` for a question without clues.
    """
    names = ["model", "elicitation"]
    clues, codes, places = _question_codes(clues, positions["question_id"], "guesses")
    position = positions["position"].to_numpy(dtype=np.int64)
    end_word, clue = clues["end_word"].to_numpy(), clues["clue"].to_numpy()

    # one group for each model, elicitation and question, numbered in that order
    group = positions[names].assign(code=places).groupby([*names, "code"], observed=True)
    group = group.ngroup().to_numpy(dtype=np.int64)
    stride = max(int(end_word.max(initial=0)), int(position.max(initial=0))) + 1
    key = group * stride + position
    order = np.argsort(key, kind="stable")
    first_of_group = np.unique(group, return_index=True)[1]

    # every clue of the question of every group
    begin = np.searchsorted(codes, places[first_of_group], side="left")
    count = np.searchsorted(codes, places[first_of_group], side="right") - begin
    groups = np.repeat(np.arange(len(first_of_group)), count)
    offsets = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count - begin, count)
    place = np.searchsorted(key[order], groups * stride + end_word[offsets], side="right") - 1
    row = order[np.maximum(place, 0)]
    is_made = (place >= 0) & (group[row] == groups)
    row, offsets = row[is_made], offsets[is_made]
    result = positions[[*names, "question_id"]].iloc[row].reset_index(drop=True)
    result["clue"] = clue[offsets].astype(np.int64)
    result["end_word"] = end_word[offsets].astype(np.int64)
    result["row"] = row.astype(np.int64)
    result["carried"] = position[row] < end_word[offsets]
    return result


def cutting_guesses(guesses: pd.DataFrame, printed: Iterable[str]) -> pd.DataFrame:
    """Rows of ``guesses`` at which clues end: those of the models ``printed`` (keys), or all if these have none."""
    is_printed = guesses["model"].isin(list(printed))
    return guesses[is_printed] if is_printed.any() else guesses


def clues_of_extract(
    questions: pd.DataFrame, segmentations: list[str], ends: list[tuple[str, str, int, int]]
) -> pd.DataFrame:
    """Table ``clues`` from (segmentation, question_id, end_word, end_char) of an extract, in order of clues.
    ``authors`` has the cuts of ``given``. ``DataError`` for another segmentation that ``ends`` lacks."""
    cuts: dict[tuple, list] = {}
    for name, key, *end in ends:
        cuts.setdefault((name, key), []).append(end[::-1])
    presets = {OWN, *(name for name, _ in cuts)}
    lacking = [name for name in segmentations if name not in presets]
    if lacking:
        expected = f"one of {', '.join(sorted(presets))}; others need the texts ({TEXTS})"
        raise DataError.at("config", "options", "segmentations", lacking[0], expected)
    pieces = []
    for name in segmentations:
        cut_as = GUESSED[0] if name == OWN else name
        for key, count in zip(questions["question_id"], questions["n_words"], strict=True):
            if (cut_as, key) in cuts:
                pieces.append((name, key, *zip(*cuts[cut_as, key], strict=True), count))
    return _clue_table(pieces)


def every_clue(
    questions: pd.DataFrame,
    segmentations: list[str],
    guesses: pd.DataFrame | None = None,
    parts: list[Path] | None = None,
    printed: Iterable[str] = (),
    extract: Path | None = None,
) -> dict[str, pd.DataFrame | Iterator[pd.DataFrame]]:
    """``{"clues": table}`` under each of ``segmentations``; those of guesses only if ``guesses`` are given. ``printed``:
    as :func:`cutting_guesses` takes it. ``parts``: files of :func:`clues_of_shard`; the table is then an iterator of
    their frames. ``extract``: folder of an extract, for a study without texts; it has the cuts of guesses too."""
    import pandas as pd

    if parts:
        return {"clues": store.iter_shards("clues", parts)}
    if extract:
        return {"clues": clues_of_extract(questions, segmentations, clue_ends(extract))}
    tables = [cut_questions(questions, [name for name in segmentations if name not in GUESSED])]
    for name in GUESSED:
        if name in segmentations and guesses is not None:
            positions = cutting_guesses(guesses, printed)[["question_id", "position"]]
            tables.append(clues_at_guess_positions(questions, positions, name))
    return {"clues": pd.concat(tables, ignore_index=True)}


def clues_of_shard(
    questions: pd.DataFrame,
    segmentations: list[str],
    guesses: pd.DataFrame | None,
    shard: str,
    shards: str,
    printed: Iterable[str] = (),
) -> dict[str, pd.DataFrame]:
    """:func:`every_clue` of part ``shard`` of ``shards`` of the questions, as of :func:`.store.shard_rows`."""
    if guesses is not None:
        guesses = store.shard_rows(cutting_guesses(guesses, printed), questions, shard, shards)
    questions = store.shard_rows(questions, questions, shard, shards)
    return every_clue(questions, segmentations, guesses)
