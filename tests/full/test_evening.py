"""A student's evening: prompts from the release, guesses of a model of one's own, and the page that answers.

The model is a TF-IDF look-up among past questions, written here and not with the package's guesser.
"""

import gzip
import json
import re
import shutil

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from support import ROOT, data_folder, run_snakemake, workspace

CORPUS = "quizbowl/qanta.buzzdev.json.gz"


def guesses(prompts, corpus):
    """A guess a line of ``prompts`` of one segmentation, in the format of the README."""
    vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    past = vectors.fit_transform(one["text"] for one in corpus)
    similar = vectors.transform([one["text"] for one in prompts]) @ past.T
    best = np.asarray(similar.argmax(axis=1)).ravel()
    for place, (prompt, at) in enumerate(zip(prompts, best, strict=True)):
        yield {
            "model": "mine",
            "elicitation": "verbalized",
            "question_id": prompt["question_id"],
            "position": prompt["position"],
            "guess": (corpus[at]["page"] or corpus[at]["answer"]).replace("_", " "),
            "confidence": round(float(similar[place, at]), 3),
        }


def test_is_it_better_than_gpt_4(grace, release_dir, tmp_path):
    with gzip.open(data_folder(CORPUS) / CORPUS, "rt", encoding="utf-8") as handle:
        corpus = json.load(handle)
    prompts = [json.loads(line) for line in (grace / "prompts.jsonl").open(encoding="utf-8")]
    first = [one for one in prompts if one["segmentation"] == prompts[0]["segmentation"]]
    assert len({one["question_id"] for one in first}) == 240

    work = tmp_path / "evening"
    workspace(work)
    shutil.copytree(grace.parent, work / "results", symlinks=True)
    shutil.copytree(grace.parent.parent / ".snakemake", work / ".snakemake", symlinks=True)
    with (work / "my_runs.jsonl").open("w", encoding="utf-8") as handle:
        handle.writelines(json.dumps(one) + "\n" for one in guesses(first, corpus))
    settings = ("--configfile", str(ROOT / "config" / "grace.yaml"), "--config")
    done = run_snakemake(*settings, f"release={release_dir}", "guesses=my_runs.jsonl", cwd=work)
    assert "Open results/grace/index.html" in (done.stdout + done.stderr).splitlines()

    page = (work / "results" / "grace" / "index.html").read_text(encoding="utf-8")
    table = pd.read_csv(work / "results" / "grace" / "tables" / "leaderboard_pairs.csv")
    table = table[table["metric"] == "head_to_head"]
    (row,) = table[(table["a"] == "M1") & table["b"].str.startswith("mine")].itertuples()
    assert row.b_yours
    # GPT-4 was right in six of ten buzzes; a look-up among past questions is worse, and the page says so first.
    leads = re.findall(r'<p class="lead">([^<]*)', page)
    assert leads[0].startswith("Worse than GPT-4")
    assert "the best live model against the teams. mine" in leads[0]
    assert re.fullmatch(r"Worse than the human teams: \d+ % \(.*; chance below 0.1 %\)\.", leads[1])
