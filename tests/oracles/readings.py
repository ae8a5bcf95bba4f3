"""Every reading of every printed column, computed from answers and buzzes without the package."""

from itertools import product

import numpy as np
import pandas as pd
from calscore.core.check_result import compare_tables

_LEAST = 1 / (1 + np.e)
"""The logistic function at −1."""


def _shares_right(rows, buzzes, exposures):
    """h of each row (question_id, place, before, last) under every reading: its dimensions and values, (readings, rows)."""
    human = exposures[exposures["kind"] == "human"]
    teams = rows["question_id"].map(human.groupby("question_id")["team"].nunique()).fillna(0)
    of = {"heard": teams, "all_teams": pd.Series(human["team"].nunique(), rows.index)}
    named, found = [], []
    for source, table in buzzes.items():
        if table is None:
            continue
        b = table[table["kind"] == "human"]
        entry = b["source_row"].astype(str).str.extract(r"(\d+)$")[0].astype(float)
        b = b.assign(entry=entry, right=b["correct"].astype(bool))
        b = b.sort_values(["question_id", "word_index", "entry"])
        at = ["question_id", "word_index"]
        kept = {keep: b.drop_duplicates(at, keep=keep) for keep in ("first", "last")}
        kept = {"all": b} | kept
        for name, some in (("buzzed", b), ("positions", kept["first"])):
            sizes = some.groupby("question_id").size()
            of[f"{name}_on_question"] = rows["question_id"].map(sizes).fillna(0)
        for positions, some in kept.items():
            pairs = rows[["question_id", "place", "before", "last"]].reset_index()
            pairs = pairs.merge(some[[*at, "right"]], on="question_id")
            word, right = pairs["word_index"], pairs["right"]

            def up_to(end, mask, pairs=pairs, word=word):
                hit = pairs.loc[mask & (word <= end), "index"]
                return np.bincount(hit, minlength=len(rows))

            for counted in ("in_run", "next_run", "before_end"):
                late = counted == "next_run"
                live = (word < pairs["last"]) | (counted != "before_end")
                so_far = up_to(pairs["place"] - late, live & right)
                own = so_far - up_to(pairs["before"] - late, live & right)
                of["buzzed_so_far"] = up_to(pairs["place"] - late, live)
                for since, top in (("start", so_far), ("run", own)):
                    for definition, total in of.items():
                        named.append((definition, source, counted, since, positions))
                        total = np.asarray(total, dtype=float)
                        share = np.divide(top, total, out=np.zeros(len(rows)), where=total > 0)
                        found.append(np.minimum(share, 1))
    return named, np.array(found)


_FIFTHS = {
    "nearest_up": lambda x: np.floor(x + 0.5 + 1e-9),
    "nearest_down": lambda x: np.ceil(x - 0.5 - 1e-9),
    "nearest_even": lambda x: np.rint(np.round(x, 9)),
    "whole": lambda x: np.floor(x + 1e-9),
    "begun": lambda x: np.ceil(x - 1e-9),
}


def _fifth(share, how: str, below, series):
    """(rows, 5): whether an answer at a ``share`` of the question counts in each fifth, by one way to say so."""
    ends = np.arange(1, 6)
    if how in _FIFTHS:
        found = _FIFTHS[how](share * 5)
        return (np.maximum(found, 1) if below == "first" else found)[:, None] == ends
    if how == "first_run":
        near = pd.DataFrame(share[:, None] * 5 >= ends - 5e-9)
        return (near & (near.groupby(series).cumsum() == 1)).to_numpy()
    near = pd.DataFrame(share[::-1, None] * 5 <= ends + 5e-9)
    return (near & (near.groupby(series[::-1]).cumsum() == 1)).to_numpy()[::-1]


def readings(searched, reading_cells, buzzes, exposures, questions, options, traced, output_buzzes=None):
    """Every reading of every printed column is computed again from answers and buzzes: its deviations, and how many
    numbers it gives.
    """
    r = traced(options["primary_segmentation"]).verdicts
    r = r[(r["elicitation"] == "logit") & r["correct_given"].notna() & r["mean_logprob"].notna()]
    r = r.sort_values(["marks", "model", "question_id", "position"])
    kept = set(searched["marks"])
    judged = {name: of["right"].to_numpy(bool) for name, of in r.groupby("marks") if name in kept}
    r = r[r["marks"] == "authors"].reset_index(drop=True)
    c = np.exp(r["mean_logprob"].to_numpy(float))
    series = r.groupby(["model", "question_id"]).ngroup().to_numpy()
    starts = np.flatnonzero(np.diff(series, prepend=-1))
    last = np.r_[starts[1:], len(r)] - 1
    size = np.diff(np.r_[starts, len(r)])
    about = questions.set_index("question_id")
    words = r["question_id"].map(about["n_words"]).to_numpy()
    r = r.assign(place=r["position"] - 1, last=words - 1)
    r["before"] = r.groupby(series)["place"].shift().fillna(-1)
    named, h = _shares_right(r, {"release": buzzes, "outputs": output_buzzes}, exposures)
    model = r["model"].to_numpy()[starts]
    category = r["question_id"].map(about["category"]).to_numpy()[starts]
    groups = {(m, None): model == m for m in np.unique(model)}
    groups |= {(m, k): (model == m) & (category == k) for m in np.unique(model) for k in np.unique(category)}  # fmt: skip
    mean = np.array([mask / max(mask.sum(), 1) for mask in groups.values()]).T
    squash = lambda x: (1 / (1 + np.exp(-x)) - _LEAST) / (1 - 2 * _LEAST)  # noqa: E731
    dimensions = ["form", "clues", "marks", "edges", "h_definition", "h_source", "h_counted"]
    dimensions += ["h_since", "h_positions", "share", "fifth", "below"]
    rows, values = [], []
    left = 1 - np.vstack([np.zeros(len(r)), h])
    places = [dict.fromkeys(dimensions[4:9])]
    places += [dict(zip(dimensions[4:9], one, strict=True)) for one in named]
    forms = {"paper": lambda v: 1 - squash(v), "paper_linear": lambda v: (1 - v) / 2}
    forms = {-1.0: forms, 0.0: {"release": lambda v: 1 - v, "release_rescaled": forms["paper"]}}
    for (marks, right), (wrong_is, ways) in product(judged.items(), forms.items()):
        terms = left * (np.where(right, 1.0, wrong_is) * c)
        tried = [(terms, ways)]
        if wrong_is:
            tried.append((1 - squash(terms), {"paper_by_clue": lambda v: v}))
        for (of, how), clues in product(tried, ("all", "last")):
            one = of[:, last] if clues == "last" else np.add.reduceat(of, starts, axis=1) / size
            for form, error in how.items():
                values.append(error(one) @ mean)
                told = {"form": form, "clues": clues, "marks": marks}
                for at in places:
                    rows.append({"read_as": "calscore" if at["h_source"] else "mce"} | told | at)
    known = [(np.vstack(values), rows, list(groups))]
    every, names = {"all": np.arange(len(r)), "last": last}, np.unique(model)
    for metric, edges in (("brier", [None]), ("ece", ["exact", "released"])):
        rows, values = [], []
        for (clues, at), marks, edge in product(every.items(), judged, edges):
            g, of = judged[marks][at].astype(float), pd.Series(r["model"].to_numpy()[at])
            if metric == "brier":
                values.append(pd.Series((c[at] - g) ** 2).groupby(of).mean())
            else:
                if edge == "released":
                    bins = (np.searchsorted(np.linspace(0, 1, 11), c[at], side="left") - 1) % 10
                else:
                    bins = np.searchsorted([k / 10 for k in range(1, 10)], c[at], side="right")
                gap = pd.Series(g - c[at]).groupby([of, bins]).sum().abs().groupby(level=0).sum()
                values.append(gap / of.value_counts().sort_index())
            rows.append({"read_as": metric, "clues": clues, "marks": marks, "edges": edge})
        known.append((np.array(values), rows, [(m, None) for m in names]))
    index = np.arange(len(r)) - np.repeat(starts, size)
    runs = np.repeat(size, size)
    shares = {"runs": (index + 1) / runs, "runs_before": index / runs}
    shares["words"] = r["position"].to_numpy() / words
    rows, values = [], []
    of_model = [(r["model"] == m).to_numpy()[:, None] for m in names]
    ways = [*product(_FIFTHS, ("first", "dropped")), ("last_run", None), ("first_run", None)]
    for (how, below), (name, share) in product(ways, shares.items()):
        at = _fifth(share, how, below, series)
        mine = [(at & one, (at & one).sum(axis=0)) for one in of_model]
        told = {"read_as": "accuracy", "share": name, "fifth": how, "below": below}
        for marks, right in judged.items():
            rows.append(told | {"marks": marks})
            with np.errstate(invalid="ignore"):
                values.append(np.concatenate([right.astype(float) @ one / n for one, n in mine]))
    known.append((np.array(values), rows, [(m, 20 * k) for m in names for k in range(1, 6)]))
    parts = []
    for (table, metric), cells in reading_cells.groupby(["table", "metric"]):
        kind = metric if metric in ("brier", "ece", "accuracy") else "calscore"
        values, rows, keys = next(one for one in known if one[1][-1]["read_as"] == kind)
        wanted = [_key(cell) for cell in cells.itertuples()]
        digits = float(cells["printed"].str.partition(".")[2].str.len().max())
        scale = 100.0 if metric == "accuracy" else 1.0
        off = np.abs(values[:, [keys.index(one) for one in wanted]] - cells["printed"].astype(float).to_numpy() / scale)  # fmt: skip
        told = pd.DataFrame(rows).assign(table=table, metric=metric, deviation_max=off.max(axis=1))
        told["within"] = (off <= 0.5 / scale / 10.0**digits + 1e-9).sum(axis=1)
        told = told.assign(cells=len(cells), tried=len(rows), deviation_mean=off.mean(axis=1))
        parts.append(told)
    key = ["table", "metric", "read_as", *dimensions]
    columns = ["cells", "within", "tried", "deviation_max", "deviation_mean"]
    again = pd.concat(parts).reindex(columns=[*key, *columns]).dropna(subset="deviation_mean")
    blank = dict.fromkeys(dimensions, "")
    both = (table.astype({"table": str}).fillna(blank) for table in (searched, again))
    return compare_tables(*both, key, columns, 1e-9)


def _key(cell) -> tuple:
    """Model, and category or share, of a printed number."""
    if isinstance(cell.category, str):
        return cell.model, cell.category
    return cell.model, None if pd.isna(cell.share) else int(cell.share)
