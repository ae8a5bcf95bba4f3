# %% [markdown]
# # Add your model
#
# One line of JSON per guess, one line of configuration, one command. This notebook writes the first lines of such
# a file for this study's own questions and shows what comes back.

# %%
import json
import os
from pathlib import Path

import pandas as pd
from calscore.core import store
from calscore.pages.redaction import RedactedStudy, quoted
from calscore.raw.guesses import parse_jsonl
from IPython.display import HTML, Markdown, display

study = Path(os.environ.get("CALSCORE_STUDY", "results/demo"))
questions = RedactedStudy.read(study)["questions"]
clues = store.read(study / "tidy" / "clues.parquet")
question = questions.iloc[0]
provenance = json.loads((study / "audit" / "provenance.json").read_text(encoding="utf-8"))
segmentation = provenance["study"]["options"]["primary_segmentation"]
ends = clues.query("question_id == @question.question_id and segmentation == @segmentation")
display(HTML(quoted(f"{question.text[:300]} …")))
display(ends[["clue", "end_word", "revealed"]].reset_index(drop=True))

# %% [markdown]
# Ask the model at any positions; `position` is the number of words that it has read. With token log-probabilities:

# %%
lines = [
    {"model": "mine", "elicitation": "logit", "question_id": question.question_id, "position": int(end),
     "guess": question.answerline.split(" [")[0] or "…", "token_logprobs": [-0.9 + 0.8 * share, -0.1]}
    for end, share in zip(ends["end_word"], ends["revealed"], strict=True)
]  # fmt: skip
print("\n".join(json.dumps(line) for line in lines[:3]))

# %% [markdown]
# Or with what the model says of itself; guess and number are parsed from `raw`:

# %%
line = {
    "model": "mine",
    "elicitation": "verbalized",
    "question_id": question.question_id,
    "position": int(ends["end_word"].iloc[0]),
    "raw": "The answer is: X\nProbability: 0.8",
}
print(json.dumps(line))

# %% [markdown]
# The workflow reads such a file like this, and ends in one clear error where a line is wrong:

# %%
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "my_runs.jsonl"
    path.write_text("\n".join(map(json.dumps, [*lines, line])), encoding="utf-8")
    rows = pd.DataFrame(parse_jsonl(str(path), questions))
display(rows[["model", "elicitation", "question_id", "position", "guess", "confidence", "source_row"]])

# %% [markdown]
# Then, for the real questions and humans of the release:
#
# ```sh
# snakemake --cores 8 --configfile config/grace.yaml --config guesses=my_runs.jsonl
# ```
#
# What comes back, for the models that this study has:

# %%
table = study / "tables" / "table1.csv"
if table.exists():
    scores = pd.read_csv(table).query("definition == 'paper'")
    display(
        scores[
            [
                "elicitation",
                "name",
                "marks",
                "n_questions",
                "brier",
                "ece",
                "mce",
                "calscore",
                "calscore_low",
                "calscore_high",
            ]
        ].round(3)
    )
else:
    display(Markdown("This study has no guesses yet, so there is no table 1."))
