"""What a model is prompted with: the text of each question up to each clue, one JSON object a line."""

import json
from pathlib import Path

from ..core.errors import Fault, raise_faults, split_source_row
from . import segment


def _text_segmentations(segmentations: list[str], primary_segmentation: str) -> list[str]:
    """The segmentations that cut texts, the primary one first, each once; ["sentence-100"] if there is none."""
    names = dict.fromkeys([primary_segmentation, *segmentations])
    return [name for name in names if name not in segment.GUESSED] or ["sentence-100"]


def prompt_lines(questions, segmentations: list[str], primary_segmentation: str) -> dict[str, str]:
    """``{"prompts": JSON Lines}``: a line for each segmentation that cuts texts, question and clue. Its keys: segmentation,
    question_id, position (words heard, as a guess has it), clue (from 1), clues (how many), and the text up to there. No line
    has an answer. ``questions``: a frame with question_id and text."""
    clues = segment.cut_questions(questions, _text_segmentations(segmentations, primary_segmentation))
    texts = dict(zip(questions["question_id"], questions["text"], strict=True))
    count = clues.groupby(["segmentation", "question_id"])["clue"].transform("size")
    rows = (
        {
            "segmentation": clue.segmentation,
            "question_id": clue.question_id,
            "position": int(clue.end_word),
            "clue": int(clue.clue),
            "clues": int(total),
            "text": texts[clue.question_id][: clue.end_char],
        }
        for clue, total in zip(clues.itertuples(), count, strict=True)
    )
    return {"prompts": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)}


def check_positions(
    questions,
    guesses,
    sources: list[dict],
    segmentations: list[str],
    primary_segmentation: str,
    printed: list[str] | None = None,
    extract: Path | None = None,
) -> None:
    """``DataError`` for guesses in the JSON Lines of ``sources`` at a position where no clue ends;
    questions without clues pass. Clues end where texts are cut, and under segmentations of guesses where the
    ``printed`` models (or all) were asked. ``extract``: folder of an extract, where nothing is cut."""
    json_lines = [s["path"] for s in sources if s["format"] == "jsonl" and "path" in s]
    file = guesses["source_row"].map(lambda row: split_source_row(row)[0])
    lines_read = guesses[file.isin([Path(str(path)).name for path in json_lines])]
    if lines_read.empty:
        return
    names = segmentations
    if extract is None:
        names = [*_text_segmentations(segmentations, primary_segmentation), *segmentations]
    clues = segment.every_clue(
        questions, list(dict.fromkeys(names)), guesses, printed=printed or (), extract=extract
    )["clues"]
    ends = clues.groupby("question_id")["end_word"].agg(set).to_dict()
    faults, columns = [], ["question_id", "position", "source_row"]
    for key, position, row in lines_read[columns].itertuples(index=False):
        if position not in ends.get(key, {position}):
            nearest = min(ends[key], key=lambda end: (abs(end - position), end))
            expected = (
                f"a position in a prompt of {key} (nearest: {nearest}); guesses made elsewhere need a segmentation that "
                "ends there, as words-1 under options.segmentations"
            )
            faults.append(Fault(*split_source_row(row), "position", int(position), expected))
    raise_faults(faults)
