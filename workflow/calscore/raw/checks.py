"""What holds of what came in: raw files, questions, buzzes, who heard what, guesses, the survey."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..audit.outcome import Outcome, bad, near, same, worst


def raw_files(table, folder):
    """Every raw file is listed once, with its size and SHA-256, and lies there."""
    from ..core.digest import files_of, sha256

    # In a folder of its role, or beside the files of all roles.
    files = {path for path in files_of(folder / "raw") if path.suffix != ".csv" or path.parent.name}
    listed = {}
    for row in table.itertuples():
        ends = (f"/{row.role}/{row.file}", f"/{row.file}")
        at = [path for end in ends for path in files if path.as_posix().endswith(end)]
        listed[row.Index] = at[0] if at else None
    wrong = [
        path is None or path.stat().st_size != size or sha256(path) != digest
        for path, size, digest in zip(listed.values(), table["bytes"], table["sha256"], strict=True)
    ]
    twice = pd.Series(listed.values(), index=table.index).duplicated()
    return bad(table, np.array(wrong) | twice, "role", "file")


def lengths(questions):
    """n_words and n_chars are those of the text; there are sentences, at most one a word."""
    text = questions["text"]
    wrong = (questions["n_words"] != text.str.split().str.len()) | (
        questions["n_chars"] != text.str.len()
    )
    wrong |= ~questions["n_sentences"].between(1, questions["n_words"])
    return bad(questions, wrong, "question_id")


def identifiers_of_questions(questions):
    """question_id is made from packet and number."""
    q = questions
    made = [f"p{p:02d}-q{n:02d}" for p, n in zip(q["packet"], q["number"], strict=True)]
    return bad(q, q["question_id"] != made, "question_id")


def categories(questions, options):
    """Fine and merged categories follow from the raw one by the configuration."""
    q = questions
    fine = q["category_raw"].replace(options["category_aliases"])
    wrong = q["category_fine"] != fine
    for name, parts in options["categories"].items():
        matches = fine.map(lambda text, parts=parts: any(part in text for part in parts))
        wrong |= (q["category"] == name) & ~matches
    of = q.groupby("category_fine")["category"].transform("nunique")
    return bad(q, wrong | (of > 1), "question_id", "category_raw", "category_fine", "category")


def within_the_question(buzzes, questions, plays=None):
    """A buzz has the packet of its question and lies within its words, or past them as the match logged it."""
    b, q = buzzes, questions.set_index("question_id").reindex(buzzes["question_id"])
    outside = b["word_index"].to_numpy() >= q["n_words"].to_numpy()
    if plays is not None:
        logged = pd.MultiIndex.from_frame(plays[["source_row", "word_index"]])
        outside &= ~pd.MultiIndex.from_frame(b[["source_row", "word_index"]]).isin(logged)
    wrong = outside | (b["packet"].to_numpy() != q["packet"].to_numpy())
    return bad(b, wrong, "question_id", "team", "word_index")


def places_in_the_source(buzzes):
    """No two buzzes come from one place in the raw file."""
    return bad(buzzes, buzzes.duplicated("source_row"), "question_id", "source_row")


def whose(buzzes, options, output_buzzes=None):
    """The buzzes are all from the outputs, and all of theirs, or none is: as the options say."""
    outputs = buzzes["source_row"].str.contains("_model_human_output.json#", regex=False)
    if options["human_buzzes"] != "outputs":
        return bad(buzzes, outputs, "question_id", "source_row")
    key = ["question_id", "team", "word_index"]
    return worst(
        bad(buzzes, ~outputs, "question_id", "source_row"),
        same(buzzes, output_buzzes, key, ["correct", "kind", "source_row"]),
    )


def entries_of_outputs(output_buzzes, questions):
    """A buzz has the packet of its question and the kind of its team's letter, and an entry of its own."""
    b = output_buzzes
    packets = questions.set_index("question_id")["packet"]
    wrong = b["packet"].to_numpy() != b["question_id"].map(packets).to_numpy()
    wrong |= b["kind"].to_numpy() != b["team"].str[0].map({"H": "human", "M": "model"}).to_numpy()
    return bad(b, wrong | b.duplicated("source_row"), "question_id", "team", "word_index")


def who_buzzed_has_heard(exposures, buzzes):
    """Every team that buzzed on a question is listed as having heard it, with its kind."""
    key = ["question_id", "team", "kind"]
    merged = buzzes[key].drop_duplicates().merge(exposures[key], how="left", indicator=True)
    return bad(merged, merged["_merge"] == "left_only", *key)


def sources(exposures, questions, buzzes, options, participation=None, heard=None):
    """declared: in the participation table of the configuration; buzzed: not there but seen to buzz; packet:
    neither, but of a packet in which the team buzzed and of which it has nothing declared.

    In a tournament: the tossups that its matches say each team heard.
    """
    e, pairs = exposures, ["question_id", "team"]
    if heard is not None:
        told = heard.dropna(subset="question_id").drop_duplicates(pairs)
        told = told.merge(questions[["question_id", "packet"]])
        return same(e, told, pairs, ["packet", "kind", "source"])
    p = participation
    p = p[p["is_team"] & (p["table"] == options["exposure_table"])]
    declared = pd.MultiIndex.from_frame(p[pairs])
    seen = pd.MultiIndex.from_frame(buzzes[pairs])
    mine = pd.MultiIndex.from_frame(e[pairs])
    packets = questions.set_index("question_id")["packet"]
    told, there = (
        set(zip(of["question_id"].map(packets), of["team"], strict=True)) for of in (p, buzzes)
    )
    known = declared.union(seen).drop_duplicates()
    if options["heard"] == "packets" and there - told:
        of_packet = packets.groupby(packets).groups
        whole = [(q, team) for packet, team in sorted(there - told) for q in of_packet[packet]]
        known = known.union(pd.MultiIndex.from_tuples(whole, names=pairs)).drop_duplicates()
    source = np.select([mine.isin(declared), mine.isin(seen)], ["declared", "buzzed"], "packet")
    wrong = (e["source"] != source).to_numpy() | ~mine.isin(known)
    wrong |= (e["packet"] != e["question_id"].map(packets)).to_numpy()
    wrong |= (e.groupby("team")["kind"].transform("nunique") > 1).to_numpy()
    outcome = bad(e, wrong, *pairs, "source")
    lost = known.difference(mine)
    if len(lost):
        return Outcome(len(e), outcome.failures + len(lost), f"missing: {lost[0]}")
    return outcome


def identifiers(participation, questions):
    """Each row names a question by its raw index, and an identifier is a team everywhere or nowhere."""
    p, q = participation, questions.set_index("question_id")
    wrong = p["source_id"] != p["question_id"].map(q["source_id"])
    both = p.groupby("team")["is_team"].transform("nunique") > 1
    return bad(p, wrong | both, "table", "question_id", "team")


def positions(guesses, questions):
    """A guess is made within the words of its question; no two rows come from one place in a file."""
    words = questions.set_index("question_id")["n_words"]
    wrong = guesses["position"] > guesses["question_id"].map(words)
    wrong |= guesses.duplicated("source_row")
    return bad(guesses, wrong, "model", "question_id", "position")


def log_probabilities(guesses):
    """mean_logprob is the mean of token_logprobs where both are there."""
    lists = guesses["token_logprobs"]
    of = guesses[lists.map(lambda t: t is not None and not np.isscalar(t)).astype(bool)]
    counts = of["token_logprobs"].map(len).to_numpy()
    mean = np.zeros(0)
    if len(of):
        every = np.concatenate(of["token_logprobs"].to_list()).astype(float)
        row = np.repeat(np.arange(len(of)), counts)
        mean = np.bincount(row, every, minlength=len(of)) / counts
    return bad(of, ~near(of["mean_logprob"], mean), "model", "question_id", "position")


def as_sent(guesses):
    """What was read stands in what was sent, and is not all of it; an escape makes other characters."""
    of = guesses[guesses["sent"].notna()]
    wrong = [
        guess == sent or not guess or (guess not in sent and "\\" not in sent)
        for guess, sent in zip(of["guess"], of["sent"], strict=True)
    ]
    return bad(of, np.array(wrong, dtype=bool), "model", "question_id", "position")


def survey_positions(survey, questions):
    """A survey position lies within the question and grows with the clue; no line is used twice."""
    s = survey
    words = questions.set_index("question_id")["n_words"]
    ordered = s.sort_values(["player", "question_id", "clue"], kind="stable")
    step = ordered.groupby(["player", "question_id"])["position"].diff()
    wrong = (step <= 0).reindex(s.index) | (s["position"] > s["question_id"].map(words))
    per = s.groupby(["question_id", "clue"])["position"].transform("nunique") > 1
    return bad(s, wrong | per | s.duplicated("source_row"), "player", "question_id", "clue")


_SERIES = ["model", "elicitation"]


def counts_of_replies(replies, guesses):
    """Replies are the verbalized guesses with a reply; parsed and unparsed ones, and the kinds, make up all.

    Guesses that were read are those that differ from what was sent, each of one kind at least.
    """
    one = guesses[_SERIES].assign(
        replies=guesses["raw"].notna() & (guesses["elicitation"] == "verbalized"),
        guesses=guesses["guess"].notna(),
        read=guesses["sent"].notna(),
    )
    n = one.groupby(_SERIES).sum().astype(int).reset_index()
    listed = n["replies"].gt(0) | n[_SERIES].apply(tuple, axis=1).isin(
        replies[_SERIES].apply(tuple, axis=1)
    )
    outcome = same(replies, n[listed], _SERIES, ["replies", "guesses", "read"])
    kinds = ["answer", "none", "refusal", "empty"]
    wrong = replies["parsed"] + replies["unparsed"] != replies["replies"]
    wrong |= replies[kinds].sum(axis=1) != replies["replies"]
    wrong |= replies["without_probability"] > replies["unparsed"]
    done = replies[["escapes", "json", "wrapper", "quotes", "rest"]]
    wrong |= (done.sum(axis=1) < replies["read"]) | (done.max(axis=1) > replies["read"])
    wrong |= replies["read"] + replies["nothing"] > replies["guesses"]
    return worst(outcome, bad(replies, wrong, *_SERIES))


def all_unparsed(unparsed_replies, replies, guesses):
    """As many as are counted for each model, with the words of the guess's reply."""
    t = unparsed_replies
    n = t.groupby(_SERIES).size().rename("unparsed").reset_index()
    counted = same(n, replies[replies["unparsed"] > 0], _SERIES, ["unparsed"])
    key = [*_SERIES, "question_id", "position"]
    both = t.merge(guesses[[*key, "raw"]], on=key, how="left")
    return worst(counted, bad(both, both["reply"] != both["raw"], *key))


def aligned_once(alignment, questions):
    """A question that guesses were aligned with is one of the study's."""
    known = set(questions["question_id"])
    t = alignment
    used = t["used"].astype(object).eq(True)
    return bad(t, used & ~t["question_id"].isin(known), "set", "qid", "question_id")
