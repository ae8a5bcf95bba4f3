"""Invariants of raw files, questions, buzzes, exposures, guesses and the survey."""

from pathlib import Path

import numpy as np
import pandas as pd

from ..core.check_result import (
    Outcome,
    compare_tables,
    failing_rows,
    first_failure,
    is_close,
    warning,
)
from ..core.checksums import files_of, sha256

_SERIES = ["model", "elicitation"]


def raw_files_match(table: pd.DataFrame, folder: Path) -> Outcome:
    """Every raw file of the manifest exists with its size and SHA-256."""
    paths = {path.as_posix(): path for path in files_of(folder / "raw")}
    wrong = []
    for row in table.itertuples():
        # A file lies in a folder named after its role, or beside the files of all roles.
        ends = (f"/{row.role}/{row.file}", f"/{row.file}")
        path = next((paths[p] for end in ends for p in paths if p.endswith(end)), None)
        matches = path and path.stat().st_size == row.bytes and sha256(path) == row.sha256
        wrong.append(not matches)
    return failing_rows(table, wrong, "role", "file")


def question_counts_match(questions: pd.DataFrame) -> Outcome:
    """Ids come from packet and number, word and character counts from the text where there is one. A question has one
    sentence to one for each word, and a fine category one merged category."""
    q = questions
    ids = [f"p{p:02d}-q{n:02d}" for p, n in zip(q["packet"], q["number"], strict=True)]
    text = q["text"].where(q["text"].notna(), "")
    miscounted = q["n_words"] != text.str.split().str.len()
    miscounted |= q["n_chars"] != text.str.len()
    wrong = (q["question_id"] != ids) | (miscounted & q["text"].notna())
    wrong |= ~q["n_sentences"].between(1, q["n_words"])
    # A fine category belongs to one merged category.
    wrong |= q.groupby("category_fine")["category"].transform("nunique") > 1
    return failing_rows(q, wrong, "question_id")


def buzzes_fit_questions(
    table: pd.DataFrame, questions: pd.DataFrame, plays: pd.DataFrame | None = None
) -> Outcome:
    """A buzz has its question's packet and a source row of its own. With ``plays`` it lies within the text or where
    the match logged it; without, the team's first letter (H or M) is that of its kind."""
    question = questions.set_index("question_id").reindex(table["question_id"])
    wrong = table["word_index"].to_numpy() >= question["n_words"].to_numpy()
    if plays is not None:
        place = ["source_row", "word_index"]
        logged = plays[place].drop_duplicates()
        wrong &= (table[place].merge(logged, how="left", indicator=True)["_merge"] != "both").to_numpy()
    else:
        # The release logs some buzzes past the last word.
        wrong = table["kind"] != table["team"].str[0].map({"H": "human", "M": "model"})
    wrong |= table["packet"].to_numpy() != question["packet"].to_numpy()
    wrong |= table.duplicated("source_row")
    return failing_rows(table, wrong, "question_id", "team", "word_index")


_BUZZES, _SHUFFLES = 20_000, 999


def _last_word(buzzes: pd.DataFrame, questions: pd.DataFrame) -> np.ndarray:
    """0-based index of the last word of each buzz's question as a float, shape (buzzes,); nan for an unknown question."""
    words = questions.set_index("question_id")["n_words"].reindex(buzzes["question_id"])
    return words.to_numpy(dtype=float) - 1


def _first_human_buzzes(buzzes: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """The earliest human buzz of each team on each question, by word: rows of ``buzzes``, of those before the last word."""
    human = buzzes[(buzzes["kind"] == "human") & (buzzes["word_index"] < _last_word(buzzes, questions))]
    return human.sort_values("word_index").drop_duplicates(["question_id", "team"])


@warning
def teams_buzz_apart_by_chance(buzzes: pd.DataFrame, questions: pd.DataFrame) -> Outcome:
    """Chance explains which pairs of teams never buzz within a word of each other on a question. Where marks
    in a text count as words, later marks of the same file move on: teams of one file are then at least two
    words apart. It warns if such pairs hold more pairs of buzzes than in any of 999 shuffles. Only first
    human buzzes before the last word count, the first 20,000 by question."""
    rows = _first_human_buzzes(buzzes, questions).sort_values(["question_id", "team"])[:_BUZZES]
    rows = rows[["question_id", "team", "word_index"]]
    pairs = rows.merge(rows, on="question_id").query("team_x < team_y")
    teams = pairs.groupby(["team_x", "team_y"]).ngroup().to_numpy()
    close = (pairs["word_index_x"] - pairs["word_index_y"]).abs().to_numpy() < 2
    total = np.bincount(teams) if len(teams) else np.zeros(0)
    rng = np.random.default_rng(0)

    def never_close(flags) -> int:
        """Number of pairs of buzzes of those pairs of teams that have none in ``flags``."""
        return int(total[np.bincount(teams, flags, len(total)) == 0].sum())

    n_apart = never_close(close)
    least = max((never_close(rng.permutation(close)) for _ in range(_SHUFFLES)), default=0)
    at_last = buzzes["word_index"] >= _last_word(buzzes, questions)
    order = buzzes.groupby("question_id")["word_index"].rank(method="first")
    at_end = [
        f"{at_last[order.between(*ends)].mean():.0%} of marks {name}"
        for name, ends in {"1 to 8": (1, 8), "from 9": (9, np.inf)}.items()
        if order.between(*ends).any()
    ]
    detail = (
        f"{n_apart} of {len(pairs)} pairs of buzzes are of teams never closer than two words; by chance"
        f" at most {least}. In the last word: {', '.join(at_end)}"
    )
    return Outcome(len(pairs), n_apart if n_apart > least else 0, detail if n_apart > least else "")


@warning
def shifts_are_odd_or_even(
    output_buzzes: pd.DataFrame, buzzes: pd.DataFrame, questions: pd.DataFrame
) -> Outcome:
    """Buzzes whose word differs between release and outputs have moved by odd and even numbers alike. It
    warns if the count of even shifts is more than 3.3 standard deviations from half of them."""
    key = ["question_id", "team", "correct"]
    moved = _first_human_buzzes(buzzes, questions).merge(
        _first_human_buzzes(output_buzzes, questions), on=key
    )
    shift = (moved["word_index_x"] - moved["word_index_y"]).to_numpy()
    shift = shift[shift != 0]
    even = int((shift % 2 == 0).sum())
    uneven = abs(even - len(shift) / 2) > 1.65 * np.sqrt(len(shift))
    detail = (
        f"{even} of {len(shift)} buzzes have moved by an even number of words,"
        f" {int((shift > 0).sum())} are later in the release"
    )
    return Outcome(len(shift), max(even, len(shift) - even) if uneven else 0, detail if uneven else "")


def buzzing_teams_are_exposed(
    exposures: pd.DataFrame, questions: pd.DataFrame, buzzes: pd.DataFrame
) -> Outcome:
    """Every team that buzzed on a question heard it; a team has one kind; packets match."""
    key = ["question_id", "team", "kind"]
    buzzed = buzzes[key].drop_duplicates().merge(exposures[key], how="left", indicator=True)
    packet = exposures["question_id"].map(questions.set_index("question_id")["packet"])
    wrong = (exposures["packet"] != packet) | (exposures.groupby("team")["kind"].transform("nunique") > 1)
    return first_failure(
        failing_rows(buzzed, buzzed["_merge"] == "left_only", *key),
        failing_rows(exposures, wrong, *key),
    )


def participation_names_questions(participation: pd.DataFrame, questions: pd.DataFrame) -> Outcome:
    """Each row has its question's source_id; an identifier is a team everywhere or nowhere."""
    source = participation["question_id"].map(questions.set_index("question_id")["source_id"])
    wrong = (participation["source_id"] != source) | (
        participation.groupby("team")["is_team"].transform("nunique") > 1
    )
    return failing_rows(participation, wrong, "table", "question_id", "team")


def guesses_fit_questions(guesses: pd.DataFrame, questions: pd.DataFrame) -> Outcome:
    """A guess ends within its question and has a source row of its own; mean_logprob is the mean of token_logprobs;
    ``sent`` is null or differs from the guess."""
    words = guesses["question_id"].map(questions.set_index("question_id")["n_words"])
    wrong = (guesses["position"] > words) | guesses.duplicated("source_row")
    wrong |= guesses["sent"].notna() & (guesses["sent"] == guesses["guess"])
    tokens = guesses["token_logprobs"]
    has_tokens = tokens.map(lambda t: t is not None and not np.isscalar(t)).astype(bool)
    means = tokens[has_tokens].map(np.mean).astype(float)
    wrong |= has_tokens & ~is_close(guesses["mean_logprob"], means.reindex(guesses.index))
    return failing_rows(guesses, wrong, "model", "question_id", "position")


def survey_positions_grow(survey: pd.DataFrame, questions: pd.DataFrame) -> Outcome:
    """A survey position lies within the question, grows with the clue, and is the same for all players; source rows
    are unique."""
    words = survey["question_id"].map(questions.set_index("question_id")["n_words"])
    ordered = survey.sort_values(["player", "question_id", "clue"], kind="stable")
    step = ordered.groupby(["player", "question_id"])["position"].diff().reindex(survey.index)
    positions = survey.groupby(["question_id", "clue"])["position"].transform("nunique")
    wrong = (step <= 0) | (survey["position"] > words) | (positions > 1)
    wrong |= survey.duplicated("source_row")
    return failing_rows(survey, wrong, "player", "question_id", "clue")


def replies_add_up(replies: pd.DataFrame, guesses: pd.DataFrame, unparsed_replies: pd.DataFrame) -> Outcome:
    """Counts of replies, guesses, cleaned and unfinished ones are those of ``guesses``. Parsed and unparsed replies,
    and the kinds of reply, add up to all replies; unparsed ones are listed."""
    counted = guesses[_SERIES].assign(
        replies=guesses["raw"].notna() & (guesses["elicitation"] == "verbalized"),
        guesses=guesses["guess"].notna(),
        read=guesses["sent"].notna(),
        cut=guesses["finish_reason"].isin(["length", "max_tokens"]),
        filtered=guesses["finish_reason"] == "content_filter",
        reasoning_only=guesses["finish_reason"] == "reasoning",
        tool_calls=guesses["finish_reason"].isin(["tool_calls", "function_call"]),
    )
    counts = counted.groupby(_SERIES).sum().astype(int).reset_index()
    listed = unparsed_replies.groupby(_SERIES).size().rename("unparsed")
    counts = counts.merge(listed.reset_index(), on=_SERIES, how="left").fillna({"unparsed": 0})
    counts = counts[(counts["replies"] > 0) | counts[_SERIES].isin(replies[_SERIES]).all(axis=1)]
    wrong = replies["parsed"] + replies["unparsed"] != replies["replies"]
    wrong |= replies[["answer", "none", "refusal", "empty"]].sum(axis=1) != replies["replies"]
    wrong |= replies["without_probability"] > replies["unparsed"]
    cleaned = replies[["escapes", "json", "wrapper", "quotes", "rest"]]
    wrong |= (cleaned.sum(axis=1) < replies["read"]) | (cleaned.max(axis=1) > replies["read"])
    wrong |= replies["read"] + replies["nothing"] > replies["guesses"]
    unfinished = ["cut", "filtered", "reasoning_only", "tool_calls"]
    columns = ["replies", "guesses", "read", "unparsed", *unfinished]
    return first_failure(
        compare_tables(replies, counts, _SERIES, columns),
        failing_rows(replies, wrong, *_SERIES),
    )
