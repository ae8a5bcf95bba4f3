"""From raw rows to numbers a second time, by plain means.

Nothing here uses what the rules computed on the way: confidence comes from the token
log-probabilities of ``tidy/guesses``, correctness from the verdict in ``judged/judgements``, h from counting
``tidy/buzzes``, and the scores from their definitions (paper §4.1 to §4.3, Appendices G and K). Where two
ways to one number agree to 1e-12, neither is a slip of the pen.
"""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import pandas as pd

SERIES = ["model", "elicitation", "reduction", "marks"]
H = {"paper": "buzzed_so_far", "release": "buzzed_on_question"}
TOTALS = {
    "buzzed_so_far": "human_buzzes",
    "buzzed_on_question": "on_question",
    "heard": "heard_by",
    "heard_seen": "seen_by",
}
"""Definition of h → column of :attr:`Trace.human` that it is a share of."""
TOLERANCE = 1e-12


def sigmoid_share(x: np.ndarray) -> np.ndarray:
    """(σ(x) − σ(−1)) / (σ(1) − σ(−1)), elementwise, which is 0 at −1 and 1 at 1 (Appendix K)."""
    return (1 / (1 + np.exp(-x)) - 1 / (1 + np.e)) / (1 / (1 + np.exp(-1.0)) - 1 / (1 + np.e))


class Trace:
    """All terms of one ``segmentation``, the primary one by default. ``tables``: name → frame (a study will do). ``shown``:
    only the reduction that is shown for each model, as in the printed tables; else all. A series is a model, elicitation,
    reduction and judge (:data:`SERIES`)."""

    def __init__(
        self,
        tables: Mapping[str, pd.DataFrame],
        options: dict,
        segmentation: str | None = None,
        shown: bool = True,
    ) -> None:
        self.tables, self.options, self.shown = tables, options, shown
        self.segmentation = segmentation or options["primary_segmentation"]
        clues = tables["clues"]
        clues = clues[clues["segmentation"] == self.segmentation]
        self.clues = clues.sort_values(["question_id", "clue"], ignore_index=True)

    @property
    def keeps_own_cuts(self) -> bool:
        """Whether each model keeps its own cuts (segmentation authors), so that it answers only where it guessed."""
        return self.segmentation == "authors"

    @cached_property
    def human(self) -> pd.DataFrame:
        """A row for each question and clue: counts of human buzzes and teams, and each h of :data:`TOTALS` as a share (0 of
        none). human_buzzes, human_right: up to the clue's end (last: all). on_question, heard_by, seen_by: of the question. A team
        is right once on a question."""
        buzzes = self.tables["buzzes"]
        buzzes = buzzes[buzzes["kind"] == "human"].sort_values("word_index", kind="stable")
        repeated = buzzes.duplicated(["question_id", "team", "correct"])
        buzzes = buzzes.assign(correct=buzzes["correct"].astype(bool) & ~repeated)
        exposures = self.tables["exposures"]
        exposures = exposures[exposures["kind"] == "human"]
        declared = exposures[exposures["source"] != "packet"]
        rows = self.clues[["question_id", "clue", "end_word"]].copy()
        is_last = rows["clue"] == rows.groupby("question_id")["clue"].transform("max")
        joined = rows.assign(last=is_last).merge(
            buzzes[["question_id", "word_index", "correct"]], on="question_id"
        )
        # The last clue takes what comes after it, as a buzz after the last word.
        heard_buzzes = joined[(joined["word_index"] < joined["end_word"]) | joined["last"]]
        count = heard_buzzes.groupby(["question_id", "clue"])["correct"].agg(["size", "sum"])
        clue_index = pd.MultiIndex.from_frame(rows[["question_id", "clue"]])
        count = count.reindex(clue_index, fill_value=0)
        rows["human_buzzes"] = count["size"].to_numpy(dtype=int)
        rows["human_right"] = count["sum"].to_numpy(dtype=int)
        per_question = buzzes.groupby("question_id").size()
        rows["on_question"] = rows["question_id"].map(per_question).fillna(0).astype(int)
        for name, heard in (("heard_by", exposures), ("seen_by", declared)):
            teams = heard.groupby("question_id")["team"].nunique()
            rows[name] = rows["question_id"].map(teams).fillna(0).astype(int)
        for name, total in TOTALS.items():
            rows[name] = (rows["human_right"] / rows[total].where(rows[total] > 0)).fillna(0.0)
        return rows

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """A row for each judge (``marks``) and guess (``guess_row``: its position in the table guesses): its columns,
        condition, verdict, rule, source, ``right`` (boolean). The source's own marks (``authors``) count only for a model and
        elicitation that are marked throughout. Guesses keep their order within a judge."""
        from ..judging import guess_verdicts

        guesses = self.tables["guesses"].reset_index(drop=True)
        guesses = guesses.assign(
            condition=guess_verdicts.met_conditions(guesses, self.tables["questions"]),
            guess_row=np.arange(len(guesses)),
        )
        key = ["question_id", "guess", "condition"]
        j = self.tables["judgements"]
        j = j[[*key, "verdict", "engine", "score", "rule", "source"]]
        read = guesses.merge(j, on=key, how="left", sort=False)
        engine = read.assign(verdict=read["engine"])
        judged = {"engine": engine}
        if (j["source"] == "override").any():
            # An arguable verdict leaves alone the runs on which mark and engine agree.
            arguable = read["source"].eq("override") & read["rule"].map(guess_verdicts.is_arguable)
            accepted = read["engine"].eq("accept") & read["guess"].notna()
            agreed = arguable & read["correct_given"].astype("boolean").eq(accepted).fillna(False)
            judged["adjudicated"] = read.assign(
                verdict=read["verdict"].mask(agreed.fillna(False).astype(bool), read["engine"])
            )
        if guesses["sent"].notna().any():
            sent = guesses["sent"].fillna(guesses["guess"])
            joined = guesses.assign(read=guesses["guess"], guess=sent).merge(j, on=key, how="left")
            judged["strict"] = joined.assign(verdict=joined["engine"], guess=joined["read"])
        by_source = read.assign(rule="mark of the run", source="given")
        by_source["verdict"] = np.where(read["correct_given"].fillna(False).astype(bool), "accept", "reject")
        marked = read["correct_given"].notna()
        marked = marked.groupby([read["model"], read["elicitation"]]).transform("all")
        if marked.any():
            judged["authors"] = by_source[marked]
        rows = pd.concat([judged_rows.assign(marks=name) for name, judged_rows in judged.items()])
        right = (rows["verdict"] == "accept") & (rows["guess"].notna() | (rows["marks"] == "authors"))
        return rows.assign(right=right.to_numpy()).reset_index(drop=True)

    @cached_property
    def numbered_guesses(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """(model, elicitation, marks, question_id and their number ``of``; :attr:`verdicts` with ``of`` alone, by position)."""
        guesses, columns = self.verdicts, ["model", "elicitation", "marks", "question_id"]
        guesses = guesses.assign(of=guesses.groupby(columns).ngroup())
        series = guesses[[*columns, "of"]].drop_duplicates("of")
        return series, guesses.drop(columns=columns).sort_values("position", kind="stable")

    @cached_property
    def states(self) -> pd.DataFrame:
        """A row for each series, question and clue: the last guess up to its end, if any. With :attr:`keeps_own_cuts` only one at
        the end, unless the model guessed elsewhere. ``c``: nan if not parsed. Columns: of :attr:`verdicts`, :attr:`human` too."""
        series, guesses = self.numbered_guesses
        grid = series.merge(self.human, on="question_id").sort_values("end_word", kind="stable")
        latest = pd.merge_asof(grid, guesses, left_on="end_word", right_on="position", by="of")
        latest = latest[latest["guess_row"].notna()]
        latest["guess_row"] = latest["guess_row"].astype(int)
        if self.keeps_own_cuts:
            # A model that was asked elsewhere than where clues end answers by its last guess.
            ends = set(zip(self.clues["question_id"], self.clues["end_word"], strict=True))
            places = zip(self.verdicts["question_id"], self.verdicts["position"], strict=True)
            elsewhere = self.verdicts.loc[[place not in ends for place in places], "model"]
            at_end = latest["position"] == latest["end_word"]
            latest = latest[at_end | latest["model"].isin(set(elsewhere))]
        frame = pd.concat(
            [
                pd.DataFrame({"guess_row": allowed, "reduction": name, "c": values})
                for name, allowed, values in self.confidences
            ]
        )
        rows = latest.merge(frame, on="guess_row")
        rows = rows.sort_values([*SERIES[:3], "of", "clue"], ignore_index=True)
        return rows.drop(columns="of")

    @cached_property
    def confidences(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """(reduction, guess_row of the guesses that have it, their confidences) for each reduction; nan if not parsed."""
        guesses, parts = self.tables["guesses"], []
        tokens = guesses["token_logprobs"]
        rows = np.flatnonzero([t is not None and not np.isscalar(t) for t in tokens])
        if len(rows):
            lists = tokens.to_numpy()[rows]
            size = np.array([len(values) for values in lists])
            logs, row = np.concatenate(lists).astype(float), np.repeat(np.arange(len(rows)), size)
            total, log_sum = (
                np.bincount(row, weights, minlength=len(rows)) for weights in (np.exp(logs), logs)
            )
            parts.append(("mean_prob", rows, np.minimum(total / size, 1.0)))
            parts.append(("exp_sum_logprob", rows, np.exp(log_sum)))
        mean = guesses["mean_logprob"].to_numpy(dtype=float)
        given = np.flatnonzero(np.isfinite(mean))
        parts.append(("exp_mean_logprob", given, np.exp(mean[given])))
        stated = guesses["confidence"].to_numpy(dtype=float)
        none = (guesses["elicitation"] == "verbalized").to_numpy() & ~np.isfinite(mean)
        none &= ~np.isin(np.arange(len(guesses)), rows)
        chosen = np.flatnonzero(np.isfinite(stated) | none)
        return [*parts, ("stated", chosen, stated[chosen])]

    def shown_rows(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Of ``rows``, those of each model and elicitation's first reduction in the options; all unless ``shown``."""
        if not self.shown:
            return rows
        rank = {name: place for place, name in enumerate([*self.options["reductions"], "stated"])}
        ranks = rows["reduction"].map(rank)
        return rows[ranks == ranks.groupby([rows["model"], rows["elicitation"]]).transform("min")]

    @cached_property
    def terms(self) -> pd.DataFrame:
        """:meth:`shown_rows` of :attr:`states` that have a confidence, with the per-clue terms. ``gc_paper``, ``gc_release``:
        g·c with g 1/−1 and 1/0; ``term_paper``, ``term_release``: (1−h)·g·c with the h of each."""
        rows = self.shown_rows(self.states)
        rows = rows[np.isfinite(rows["c"])].reset_index(drop=True)
        right = rows["right"].to_numpy(dtype=float)
        for definition, h in H.items():
            g = 2 * right - 1 if definition == "paper" else right
            rows[f"gc_{definition}"] = g * rows["c"]
            rows[f"term_{definition}"] = (1 - rows[h]) * g * rows["c"]
        return rows

    @cached_property
    def questions(self) -> pd.DataFrame:
        """A row for each series, question and definition: n_clues (scored), mean_gc, mean_term ((1−h)·g·c), mce, calscore."""
        grouped = self.terms.groupby([*SERIES, "question_id"], sort=True)
        parts = []
        for definition in H:
            mean = grouped[[f"gc_{definition}", f"term_{definition}"]].mean()
            mean.columns = ["mean_gc", "mean_term"]
            shift = sigmoid_share if definition == "paper" else (lambda x: x)
            part = mean.assign(
                n_clues=grouped.size(),
                mce=1 - shift(mean["mean_gc"]),
                calscore=1 - shift(mean["mean_term"]),
            )
            parts.append(part.reset_index().assign(definition=definition))
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def benchmark(self) -> pd.DataFrame:
        """A row for each definition and series: mce, calscore (means over questions), n_questions, brier, ece."""
        means = self.questions.groupby(["definition", *SERIES])[["mce", "calscore"]].mean()
        means["n_questions"] = self.questions.groupby(["definition", *SERIES]).size()
        scored = []
        for series, rows in self.terms.groupby(SERIES, sort=True):
            for definition in H:
                scores = in_scope(rows, definition)
                scored.append((definition, *series, brier(scores), ece(scores, definition)))
        columns = ["definition", *SERIES, "brier", "ece"]
        return means.reset_index().merge(pd.DataFrame(scored, columns=columns), on=["definition", *SERIES])

    @cached_property
    def answers(self) -> pd.DataFrame:
        """:meth:`shown_rows` of :attr:`states`, with or without a confidence, and ``n_clues`` of the question. Where each model
        keeps its own cuts, ``clue`` (from 1) and ``n_clues`` count those of the series."""
        rows = self.shown_rows(self.states)
        if self.keeps_own_cuts:
            by_question = rows.groupby([*SERIES, "question_id"])["clue"]
            return rows.assign(clue=by_question.rank().astype(int), n_clues=by_question.transform("size"))
        total = self.clues.groupby("question_id")["clue"].max()
        return rows.assign(n_clues=rows["question_id"].map(total))


def in_scope(rows: pd.DataFrame, definition: str) -> pd.DataFrame:
    """Those of ``rows`` (:attr:`Trace.terms`) that ECE and Brier run over: all under "paper", else the last clue."""
    if definition == "paper":
        return rows
    return rows.sort_values("clue", kind="stable").drop_duplicates([*SERIES, "question_id"], keep="last")


def brier(rows: pd.DataFrame) -> float:
    """Mean of (c − g)², g 1/0 (Appendix G), over ``rows`` with ``c`` and ``right``; nan for none."""
    return float(((rows["c"] - rows["right"].astype(float)) ** 2).mean())


def bin_of(c: np.ndarray | pd.Series, definition: str) -> np.ndarray:
    """Bin 0…9 of each confidence: [a, b) exact in decimal (1 in bin 9); under "release" (a, b], with exactly 0 in bin 9."""
    c = np.asarray(c, dtype=float)
    if definition == "paper":
        return np.searchsorted([k / 10 for k in range(1, 10)], c, side="right")
    return (np.searchsorted(np.linspace(0, 1, 11), c, side="left") - 1) % 10


def ece(rows: pd.DataFrame, definition: str) -> float:
    """Σ over bins of ``|Σ (g − c)|`` / rows, ten equal bins (Appendix G), over ``rows`` with ``c`` and ``right``; nan for none."""
    if rows.empty:
        return float("nan")
    gap = pd.Series(rows["right"].to_numpy(dtype=float) - rows["c"].to_numpy())
    return float(gap.groupby(bin_of(rows["c"], definition)).sum().abs().sum() / len(rows))
