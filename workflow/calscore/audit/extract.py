"""The numbers of a release and its model outputs, without texts: what :mod:`calscore.raw.extract` reads."""

import hashlib
from pathlib import Path

import numpy as np
import pandas as pd

from ..answers.score import Model, read_model
from ..core.checksums import text_sha256
from ..core.extract_files import FILES, SUMS, TEAMS, guess_id
from ..judging import guess_verdicts, matchers
from ..raw import clean_guess, formats, model_output_files, safe_pickle
from ..raw.guesses import count_guess_words

_RUN = ["question_id", "model", "position"]


def write_extract(
    questions: pd.DataFrame,
    clues: pd.DataFrame,
    buzzes: pd.DataFrame,
    guesses: pd.DataFrame,
    judgements: pd.DataFrame,
    matcher_verdicts: pd.DataFrame,
    judging_disagreements: pd.DataFrame,
    model: Path,
    release: Path,
    files: dict[str, dict],
    sources: list[dict],
    fetched: Path | None,
    folder: Path,
) -> None:
    """Write every table of an extract to ``folder``, which is made, and the list of their SHA-256 sums. The tables are those of
    a study with texts. ``model``: file of the learned score; ``release``: folder with its ``files`` (role → entry with name);
    ``sources`` and ``fetched``: where the model outputs lie (:func:`.formats.model_output_folder`)."""
    folder.mkdir(parents=True, exist_ok=True)
    places = questions.set_index("question_id")[["packet", "number"]]
    conditions = condition_names(questions)
    outputs = formats.model_output_folder(sources, fetched)
    tables = {
        "questions": _questions_table(questions, conditions),
        "clues": _clues_table(clues),
        "buzzes": _release_buzzes(buzzes),
        "output_buzzes": _output_buzzes(outputs, questions),
        "participation": _participation_table(release, files),
        "guesses": _guesses_table(guesses, questions, matcher_verdicts, conditions, read_model(model)),
        "runs": _runs_table(guesses, questions, judgements, judging_disagreements),
    }
    sums = []
    for name, columns in FILES.items():
        table = tables[name]
        if "question_id" in table:
            table = table.join(places, on="question_id")
        content = _csv_bytes(table[list(columns)])
        (folder / f"{name}.csv").write_bytes(content)
        sums.append(f"{hashlib.sha256(content).hexdigest()}  {name}.csv\n")
    (folder / SUMS).write_text("".join(sums), encoding="utf-8")


def _csv_bytes(table: pd.DataFrame) -> bytes:
    """A table as CSV, truth as 1 and 0, what is missing empty."""
    flags = [name for name in table if pd.api.types.is_bool_dtype(table[name].dtype)]
    return table.astype(dict.fromkeys(flags, int)).to_csv(index=False, lineterminator="\n").encode()


def condition_names(questions: pd.DataFrame) -> dict[str, tuple[dict[str, str], str]]:
    """question_id → ({condition of its answer line that is met: c1, c2, …; "": ""}, text ``12=c1 40=``: words where it changes)."""
    conditions = {}
    for row in questions.itertuples():
        positions = np.arange(1, row.n_words + 1)
        rows = pd.DataFrame({"question_id": row.question_id, "position": positions})
        met = guess_verdicts.met_conditions(rows, questions[questions["question_id"] == row.question_id])
        names, changes = {"": ""}, []
        for position, (before, now) in enumerate(zip(["", *met[:-1]], met, strict=True), start=1):
            if now != before:
                names.setdefault(now, f"c{len(names)}")
                changes.append(f"{position}={names[now]}")
        conditions[row.question_id] = (names, " ".join(changes))
    return conditions


def _questions_table(
    questions: pd.DataFrame, conditions: dict[str, tuple[dict[str, str], str]]
) -> pd.DataFrame:
    """questions.csv: sizes, categories and conditions of each question, and hashes in place of text and answer line."""
    return pd.DataFrame(
        {
            "packet": questions["packet"],
            "number": questions["number"],
            "source_id": questions["source_id"],
            "category": questions["category_raw"],
            "words": questions["n_words"],
            "characters": questions["n_chars"],
            "sentences": questions["n_sentences"],
            "answer_words": questions["n_answer_words"],
            "points_word": questions["text"].map(_points_word),
            "conditions": [conditions[key][1] for key in questions["question_id"]],
            "text_sha256": questions["text"].map(text_sha256),
            "answer_sha256": questions["answerline"].map(text_sha256),
        }
    )


def _points_word(text: str) -> int:
    """Number (from 1) of the first word of ``text`` that begins with "points", 0 where none does."""
    words = text.lower().split()
    return next((n for n, word in enumerate(words, start=1) if word.startswith("points")), 0)


def _clues_table(clues: pd.DataFrame) -> pd.DataFrame:
    """clues.csv: ends of the clues of each question, joined by blanks, under the segmentations of texts and ``given``."""
    rows = clues[clues["segmentation"].isin(["sentence-100", "sentence-35", "given"])]
    rows = rows.sort_values(["segmentation", "question_id", "clue"])
    ends = rows.groupby(["segmentation", "question_id"])[["end_word", "end_char"]]
    table = ends.agg(lambda values: " ".join(map(str, values))).reset_index()
    return table.rename(columns={"end_word": "end_words", "end_char": "end_characters"})


def _entry_number(source_row: pd.Series) -> pd.Series:
    """Number at the end of each source_row, as integers."""
    return source_row.str.extract(r"(\d+)$")[0].astype(int)


def _release_buzzes(buzzes: pd.DataFrame) -> pd.DataFrame:
    """Rows of buzzes.csv without packet and number: team, word and truth of each buzz, sorted by question and entry."""
    table = pd.DataFrame(
        {
            "question_id": buzzes["question_id"],
            "entry": _entry_number(buzzes["source_row"]),
            "team": buzzes["team"],
            "word": buzzes["word_index"],
            "right": buzzes["correct"],
        }
    )
    return table.sort_values(["question_id", "entry"])


def _output_buzzes(folder: Path, questions: pd.DataFrame) -> pd.DataFrame:
    """Rows of output_buzzes.csv, as :func:`_release_buzzes`, from the buzzes in the model outputs of ``folder``."""
    entries = model_output_files.position_entries(folder, questions)
    rows = [
        (key, int(source.rsplit("/", 1)[1]), team, word, right)
        for key in sorted(entries)
        for word, team, right, source in entries[key]
    ]
    return pd.DataFrame(rows, columns=["question_id", "entry", "team", "word", "right"])


def _participation_table(release: Path, files: dict[str, dict]) -> pd.DataFrame:
    """participation.csv: the release's three lists of who took part, a row each, names joined by blanks."""
    per_packet, combined, teams = (
        safe_pickle.load_plain(release / files[role]["name"]) for role in ("per_packet", "combined", "teams")
    )
    rows = [(TEAMS, 1, 0, "", " ".join(teams))]
    rows += [
        (
            "per_packet",
            n,
            entry["packet"],
            entry["tossup_index"],
            " ".join(entry["total_human_teams"]),
        )
        for n, entry in enumerate(per_packet, start=1)
    ]
    rows += [
        ("combined", n, entry["packet"], key, " ".join(entry["seen"]))
        for n, (key, entry) in enumerate(combined.items(), start=1)
    ]
    return pd.DataFrame(rows, columns=list(FILES["participation"]))


def _guesses_table(
    guesses: pd.DataFrame,
    questions: pd.DataFrame,
    matcher_verdicts: pd.DataFrame,
    conditions: dict[str, tuple[dict[str, str], str]],
    model: Model,
) -> pd.DataFrame:
    """guesses.csv: verdict of the engine and accepting matchers for each question, guess (as a hash) and condition."""
    guesses = guesses.assign(condition=guess_verdicts.met_conditions(guesses, questions))
    table = guess_verdicts.automatic_judgements(
        guess_verdicts.distinct_pairs(guesses), questions, model=model
    )
    key = ["question_id", "guess", "condition"]
    accepted = matcher_verdicts[matcher_verdicts["right"]]
    by_key = accepted.groupby(key)["matcher"].agg(set).to_dict()
    order = matchers.MATCHERS
    table["matchers"] = [
        " ".join(sorted(by_key.get(pair, ()), key=order.index))
        for pair in zip(*(table[name] for name in key), strict=True)
    ]
    table["condition"] = [
        conditions[question][0][condition]
        for question, condition in zip(table["question_id"], table["condition"], strict=True)
    ]
    table["words"] = table["guess"].str.split().str.len()
    table["guess"] = list(map(guess_id, table["question_id"], table["guess"]))
    return table.sort_values(key)


def _runs_table(
    guesses: pd.DataFrame,
    questions: pd.DataFrame,
    judgements: pd.DataFrame,
    judging_disagreements: pd.DataFrame,
) -> pd.DataFrame:
    """runs.csv: every guess of the models with its words, log-probability, marks of each judge and hashes of texts."""
    guesses = guesses.sort_values(_RUN, ignore_index=True)
    texts = dict(zip(questions["question_id"], questions["text"], strict=True))
    sent = guesses["sent"].astype(object).where(guesses["sent"].notna(), None)
    as_sent = [a if a is not None else b for a, b in zip(sent, guesses["guess"], strict=True)]
    numbered = guesses.assign(condition=guess_verdicts.met_conditions(guesses, questions))
    marks, _ = guess_verdicts.marks_by_judge(numbered, judgements)
    last_words = guesses["position"] - 1
    first_words = (last_words.groupby([guesses["question_id"], guesses["model"]]).shift() + 1).fillna(0)
    causes = judging_disagreements.set_index(_RUN)["cause"]
    table = guesses.assign(
        run=_entry_number(guesses["source_row"]) - 1,
        first_word=first_words.astype(int),
        last_word=last_words,
        log_confidence=[repr(value) for value in guesses["mean_logprob"]],
        guess=list(map(guess_id, guesses["question_id"], guesses["guess"])),
        sent=[
            None if text is None else guess_id(key, text)
            for key, text in zip(guesses["question_id"], sent, strict=True)
        ],
        cleaned=[" ".join(sorted(clean_guess.clean(text).changes)) for text in as_sent],
        words_heard=count_guess_words(guesses, texts)["guess_words_heard"],
        **{name: marks[name].astype(int) for name in ("authors", "strict", "engine", "adjudicated")},
        cause=causes.reindex(pd.MultiIndex.from_frame(guesses[_RUN])).to_numpy(),
    )
    return table.assign(buzzed=table["buzzed"].astype(int))
