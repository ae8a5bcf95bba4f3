"""What a model is prompted with: the text of each question up to each clue, one JSON object a line."""

from __future__ import annotations

import json

from . import segment


def lines(questions, segmentations: list[str], primary_segmentation: str) -> dict:
    """prompts.jsonl: every clue of every question under each segmentation that cuts texts.

    A line has segmentation, question_id, position (words heard, as a guess has it), clue (from 1), clues (how
    many), and the text up to there. The segmentation that is shown first comes first; where it takes the words
    at which models were asked, the default one stands for it. No line has an answer.
    """
    names = [primary_segmentation, *segmentations]
    names = [name for name in dict.fromkeys(names) if name not in segment.GUESSED]
    clues = segment.cut(questions, names or ["sentence-100"])
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
