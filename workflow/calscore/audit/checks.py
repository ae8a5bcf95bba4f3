"""Checks of all of a study's tables, each with pass or fail (audit/checks.csv).

Any table that carries a schema is held against it: columns and types, missing values, ranges, keys, row
order, foreign keys, bounds of intervals. Invariants between tables are functions marked with
:func:`invariant`; those of one analysis run where its tables are. A failed check of severity ``error``
fails the run, a ``warning`` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..buzzing import opponents, thresholds
from ..clues import segment
from ..core import store
from ..human import curves, players, quartiles
from ..scores import proper_tables, score
from . import explain
from .trace import TOLERANCE, Trace

COLUMNS = ["table", "check", "severity", "result", "rows", "failures", "detail", "statement"]


class Outcome(NamedTuple):
    """Rows looked at, rows that break the invariant, and the first of them in words."""

    rows: int
    failures: int
    detail: str = ""


class Invariant(NamedTuple):
    """A check between tables: runs where all of ``needs`` are there; ``table`` is the one it speaks of.

    ``may``: tables that it reads where they are there. ``rule``: it reads that rule's inputs and
    parameters too, and runs where they are all at hand; ``rule:input`` where there is such an input.
    """

    table: str
    name: str
    severity: str
    needs: tuple[str, ...]
    statement: str
    run: Callable[[Context], Outcome]
    may: tuple[str, ...] = ()
    rule: str | None = None


INVARIANTS: list[Invariant] = []
TRACED = ("questions", "clues", "guesses", "judgements", "buzzes", "exposures")
"""Tables that numbers are recomputed from."""


def invariant(
    table: str,
    *needs: str,
    severity: str = "error",
    may: tuple[str, ...] = (),
    rule: str | None = None,
):
    """Mark a function of :class:`Context` as a check of ``table``; its docstring is the statement."""

    def mark(function):
        name = function.__name__.strip("_").replace("_", " ")
        statement = " ".join((function.__doc__ or "").split())
        INVARIANTS.append(
            Invariant(table, name, severity, (table, *needs), statement, function, may, rule)
        )
        return function

    return mark


class Context:
    """Tables by name, options, and what several checks share."""

    def __init__(
        self,
        tables: Mapping,
        options: dict,
        traces: dict[str, object] | None = None,
        about: str | None = None,
        schemas: Mapping | None = None,
        study=None,
    ):
        self.tables, self.options, self._about = tables, options, about
        self._traces = {} if traces is None else traces
        self.schemas = schemas or {}
        self._study, self._ran = study, {}
        # A table whose file name no other has goes by that name alone.
        known = {} if study is None else study.tables
        self._called = {table.path.rpartition(".")[0]: name for name, table in known.items()}

    def __getitem__(self, name: str):
        return self.tables[self.called(name)]

    def called(self, name: str) -> str:
        """The name that a table goes by in this study."""
        return self._called.get(name, name)

    def ran(self, rule: str):
        """Inputs and parameters of a rule (``Study.ran``), None where they are not all at hand."""
        if rule not in self._ran:
            self._ran[rule] = None if self._study is None else self._study.ran(rule)
        return self._ran[rule]

    def at_hand(self, rule: str | None) -> bool:
        """Whether what a check reads of a rule (:class:`Invariant`) is there."""
        if rule is None:
            return True
        name, _, wanted = rule.partition(":")
        ran = self.ran(name)
        return ran is not None and (not wanted or bool(ran.input.get(wanted)))

    def place(self, path: str):
        """Where a path among a rule's parameters lies now."""
        return self._study.place(path)

    def trace(self, segmentation: str) -> Trace:
        """Raw rows followed to the terms of a segmentation, every reduction."""
        if segmentation not in self._traces:
            self._traces[segmentation] = Trace(self.tables, self.options, segmentation, shown=False)
        return self._traces[segmentation]

    @cached_property
    def shown(self) -> Trace:
        """The same for what the printed tables show."""
        trace = Trace(self.tables, self.options)
        for name in ("states", "scorable", "rescored"):
            trace.__dict__[name] = getattr(self.trace(trace.segmentation), name)
        return trace

    def again(self, table: str, inputs: tuple[str, ...], make):
        """``make(self)``, a table computed from ``inputs``, kept where no input is in doubt."""
        key = ("again", table, make.__name__)
        doubt = self._about is None or self._about in map(self.called, inputs)
        kept = self._made if doubt else self._traces
        if key not in kept:
            kept[key] = make(self)
        return kept[key]

    @cached_property
    def _made(self) -> dict:
        """What is good for this run alone."""
        return {}

    @cached_property
    def rows(self):
        """Responses with h, as the scores take them."""

        return score.scored_rows(self["responses"], self["human_curve"])

    @property
    def shown_clues(self):
        """Clues of the segmentation shown first."""
        segment = self["clues"]
        return segment[segment["segmentation"] == self.options["primary_segmentation"]]

    @property
    def names(self) -> dict[str, str]:
        """Key of a model → its name."""
        return {key: model["name"] for key, model in self.options["models"].items()}

    @property
    def drawn(self) -> dict:
        """Arguments of what resamples, as the study has them."""
        return {name: self.options[name] for name in ("replicates", "seed", "level")}

    @property
    def resampling(self) -> dict:
        """Arguments of what resamples, with too few replicates to take long: intervals mean nothing."""
        return {"replicates": 2, "seed": self.options["seed"], "level": self.options["level"]}

    @property
    def segmentations(self) -> list[str]:
        return sorted(self["clues"]["segmentation"].unique())


def bad(frame, mask, *shown) -> Outcome:
    """Outcome from a mask of rows that break the invariant; ``shown`` columns name the first."""
    mask = np.asarray(pd.Series(mask).fillna(True), dtype=bool)
    if not mask.any():
        return Outcome(len(frame), 0)
    row = frame.iloc[int(mask.argmax())]
    detail = ", ".join(f"{name}={row[name]}" for name in shown)
    return Outcome(len(frame), int(mask.sum()), f"first: {detail}")


def same(
    found, wanted, key: list[str], columns: list[str], tolerance: float = TOLERANCE
) -> Outcome:
    """Whether two tables have the same rows by ``key`` and agree in ``columns``."""
    both = found[[*key, *columns]].merge(
        wanted[[*key, *columns]], on=key, how="outer", suffixes=("", "__again"), indicator=True
    )
    wrong = (both["_merge"] != "both").to_numpy()
    where = {name: wrong for name in key[:0]}
    for column in columns:
        one, two = both[column], both[f"{column}__again"]
        if pd.api.types.is_float_dtype(one.dtype) or pd.api.types.is_float_dtype(two.dtype):
            a = pd.to_numeric(one).to_numpy(dtype=float, na_value=np.nan)
            b = pd.to_numeric(two).to_numpy(dtype=float, na_value=np.nan)
            with np.errstate(invalid="ignore"):
                differ = ~((np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= tolerance) | (a == b))
        else:
            none = one.isna().to_numpy() & two.isna().to_numpy()
            equal = (one.astype(object) == two.astype(object)).fillna(False).to_numpy(dtype=bool)
            differ = ~(none | equal)
        where[column] = differ & ~wrong
    mask = wrong.copy()
    for differ in where.values():
        mask |= differ
    outcome = bad(both, mask, *key)
    if not outcome.failures:
        return outcome
    first = int(mask.argmax())
    columns = [name for name, differ in where.items() if differ[first]]
    side = both["_merge"].iloc[first]
    why = (
        ", ".join(
            f"{c} {both[c].iloc[first]!r}, recomputed {both[f'{c}__again'].iloc[first]!r}"
            for c in columns
        )
        if side == "both"
        else {"left_only": "in the table alone", "right_only": "missing from the table"}[side]
    )
    return Outcome(outcome.rows, outcome.failures, f"{outcome.detail}: {why}")


# --- of one table ------------------------------------------------------------------------------


def of_schema(name: str, frame, schema: str, parents: Mapping) -> Iterator[tuple]:
    """Checks of one table against its schema; ``parents`` for the foreign keys."""
    declared = store.schema(schema)
    columns, key = declared["columns"], declared["key"]

    def row(check, outcome, statement):
        return name, check, "error", outcome, statement

    missing = [c for c in columns if c not in frame] + [c for c in frame if c not in columns]
    yield row(
        "columns",
        Outcome(len(columns), len(missing), ", ".join(map(str, missing))),
        "columns are those of the schema",
    )
    if missing:
        return
    faults = store.faults(frame, schema, name, {})
    values = [fault for fault in faults if fault.column != ", ".join(key)]
    yield row(
        "values",
        Outcome(len(frame), len(values), "; ".join(map(str, values[:3]))),
        "types, missing values, ranges and words are those of the schema",
    )
    kinds = _wrong_types(frame, columns)
    yield row("types", Outcome(len(columns), len(kinds), ", ".join(kinds)), "column types")
    double = frame.duplicated(key)
    yield row("key", bad(frame, double, *key), f"{', '.join(key)} occurs once")
    yield row(
        "order", Outcome(len(frame), int(not _sorted(frame, key))), "rows are sorted by their key"
    )
    for parent, on in declared.get("foreign_keys", {}).items():
        if parent in parents:
            known = pd.MultiIndex.from_frame(parents[parent][on].drop_duplicates())
            mine = pd.MultiIndex.from_frame(frame[on])
            lost = ~mine.isin(known) & frame[on].notna().all(axis=1).to_numpy()
            yield row(
                f"rows of {parent}", bad(frame, lost, *on), f"{', '.join(on)} occurs in {parent}"
            )
    yield from of_numbers(name, frame)


def _wrong_types(frame, columns) -> list[str]:
    kinds = {
        "string": lambda s: s.dtype == object or pd.api.types.is_string_dtype(s),
        "integer": pd.api.types.is_integer_dtype,
        "number": pd.api.types.is_float_dtype,
        "boolean": pd.api.types.is_bool_dtype,
        "numbers": lambda s: s.dtype == object,
    }
    return [c for c, spec in columns.items() if not kinds[spec["type"]](frame[c])]


def _sorted(frame, key: list[str]) -> bool:
    order = frame[key].sort_values(key, kind="stable").index
    return bool((order == frame.index).all())


UNBOUNDED = {"right_odds_high"}
"""Upper ends that may be missing beside a lower one, as nothing bounds them: odds without a loss."""


def of_numbers(name: str, frame) -> Iterator[tuple]:
    """Numbers are finite or missing; lower ends of intervals are not above the upper ones."""
    floats = [c for c in frame if pd.api.types.is_float_dtype(frame[c])]
    if floats:
        wild = np.isinf(frame[floats].to_numpy(dtype=float, na_value=np.nan))
        names = ", ".join(str(c) for c, some in zip(floats, wild.any(axis=0), strict=True) if some)
        yield (
            name,
            "finite",
            "error",
            Outcome(len(frame), int(wild.sum()), names),
            "no number is infinite",
        )
    for low in (c for c in frame if str(c) == "low" or str(c).endswith("_low")):
        high = str(low)[: -len("low")] + "high"
        if high in frame and low in floats:
            lone = frame[low].isna() != frame[high].isna()
            if high in UNBOUNDED:
                lone = frame[low].isna() & frame[high].notna()
            turned = (frame[low] > frame[high]) | lone
            yield (
                name,
                f"{low} ≤ {high}",
                "error",
                bad(frame, turned, low, high),
                "both ends or neither, in order",
            )


# --- tidy ----------------------------------------------------------------------------------------


@invariant("questions")
def _lengths(c):
    """n_words, n_chars and n_sentences are those of the text."""
    from ..clues import segment

    q = c["questions"]
    wrong = (
        (q["n_words"] != q["text"].str.split().str.len())
        | (q["n_chars"] != q["text"].str.len())
        | (q["n_sentences"] != q["text"].map(lambda text: len(segment.sentences(text))))
    )
    return bad(q, wrong, "question_id")


@invariant("questions")
def _names(c):
    """question_id is made from packet and number."""
    q = c["questions"]
    made = [f"p{p:02d}-q{n:02d}" for p, n in zip(q["packet"], q["number"], strict=True)]
    return bad(q, q["question_id"] != made, "question_id")


@invariant("questions")
def _categories(c):
    """Fine and merged categories follow from the raw one by the configuration."""
    q, o = c["questions"], c.options
    fine = q["category_raw"].replace(o["category_aliases"])
    wrong = q["category_fine"] != fine
    for name, parts in o["categories"].items():
        matches = fine.map(lambda text, parts=parts: any(part in text for part in parts))
        wrong |= (q["category"] == name) & ~matches
    of = q.groupby("category_fine")["category"].transform("nunique")
    return bad(q, wrong | (of > 1), "question_id", "category_raw", "category_fine", "category")


@invariant("clues", "questions")
def _cut_again(c):
    """Cutting the questions once more gives the same clues."""

    names = [name for name in c.segmentations if name != "given"]
    parts = [segment.cut(c["questions"], names)]
    if "given" in c.segmentations and "guesses" in c.tables:
        parts.append(segment.given(c["questions"], c["guesses"][["question_id", "position"]]))
    key = ["segmentation", "question_id", "clue"]
    found = c["clues"]
    if "guesses" not in c.tables:
        found = found[found["segmentation"] != "given"]
    return same(found, pd.concat(parts), key, ["end_word", "end_char", "revealed"])


@invariant("buzzes", "questions")
def _within_the_question(c):
    """A buzz has the packet of its question and lies within its words, or past them as the match logged it."""
    b = c["buzzes"]
    q = c["questions"].set_index("question_id").reindex(b["question_id"])
    outside = b["word_index"].to_numpy() >= q["n_words"].to_numpy()
    if "plays" in c.tables:
        logged = pd.MultiIndex.from_frame(c["plays"][["source_row", "word_index"]])
        outside &= ~pd.MultiIndex.from_frame(b[["source_row", "word_index"]]).isin(logged)
    wrong = outside | (b["packet"].to_numpy() != q["packet"].to_numpy())
    return bad(b, wrong, "question_id", "team", "word_index")


@invariant("buzzes")
def _places_in_the_source(c):
    """No two buzzes come from one place in the raw file."""
    return bad(c["buzzes"], c["buzzes"].duplicated("source_row"), "question_id", "source_row")


@invariant("exposures", "buzzes")
def _who_buzzed_has_heard(c):
    """Every team that buzzed on a question is listed as having heard it, with its kind."""
    heard = c["exposures"][["question_id", "team", "kind"]]
    b = c["buzzes"][["question_id", "team", "kind"]].drop_duplicates()
    merged = b.merge(heard, how="left", indicator=True)
    return bad(merged, merged["_merge"] == "left_only", "question_id", "team", "kind")


@invariant("exposures", "questions", "participation", "buzzes")
def _sources(c):
    """declared: in the participation table of the configuration; buzzed: not there but seen to buzz.

    In a tournament: the tossups that its matches say each team heard.
    """
    e, p = c["exposures"], c["participation"]
    if "heard" in c.tables:
        heard = c["heard"].dropna(subset="question_id").drop_duplicates(["question_id", "team"])
        heard = heard.merge(c["questions"][["question_id", "packet"]])
        return same(e, heard, ["question_id", "team"], ["packet", "kind", "source"])
    p = p[p["is_team"] & (p["table"] == c.options["exposure_table"])]
    pairs = ["question_id", "team"]
    declared = pd.MultiIndex.from_frame(p[pairs])
    seen = pd.MultiIndex.from_frame(c["buzzes"][pairs])
    wanted = declared.union(seen).drop_duplicates()
    mine = pd.MultiIndex.from_frame(e[pairs])
    wrong = np.where(
        mine.isin(declared), e["source"] != "declared", (e["source"] != "buzzed") | ~mine.isin(seen)
    )
    q = c["questions"].set_index("question_id")["packet"]
    wrong |= (e["packet"] != e["question_id"].map(q)).to_numpy()
    wrong |= (e.groupby("team")["kind"].transform("nunique") > 1).to_numpy()
    outcome = bad(e, wrong, *pairs, "source")
    lost = wanted.difference(mine)
    if len(lost):
        return Outcome(len(e), outcome.failures + len(lost), f"missing: {lost[0]}")
    return outcome


@invariant("participation", "questions")
def _identifiers(c):
    """Each row names a question by its raw index, and an identifier is a team everywhere or nowhere."""
    p, q = c["participation"], c["questions"].set_index("question_id")
    wrong = p["source_id"] != p["question_id"].map(q["source_id"])
    both = p.groupby("team")["is_team"].transform("nunique") > 1
    return bad(p, wrong | both, "table", "question_id", "team")


@invariant("guesses", "questions")
def _positions(c):
    """A guess is made within the words of its question; no two rows come from one place in a file."""
    g = c["guesses"]
    words = c["questions"].set_index("question_id")["n_words"]
    wrong = (g["position"] > g["question_id"].map(words)) | g.duplicated("source_row")
    return bad(g, wrong, "model", "question_id", "position")


@invariant("guesses")
def _log_probabilities(c):
    """mean_logprob is the mean of token_logprobs where both are there."""
    g = c["guesses"]
    has = g["token_logprobs"].map(lambda t: t is not None and not np.isscalar(t))
    of = g[has]
    mean = of["token_logprobs"].map(lambda t: float(np.mean(np.asarray(t, dtype=float))))
    gap = (of["mean_logprob"] - mean).abs()
    return bad(of, ~(gap <= 1e-9), "model", "question_id", "position")


@invariant("guesses")
def _replies(c):
    """Guess and confidence of a verbalized reply are what reading it once more gives."""
    from ..raw import replies

    g = c["guesses"]
    of = g[g["raw"].notna()]
    again = pd.DataFrame(
        [replies.parse_reply(raw) for raw in of["raw"]], columns=["guess", "confidence"]
    )
    mine = of["confidence"].to_numpy(dtype=float)
    theirs = again["confidence"].to_numpy(dtype=float)
    differ = ~((mine == theirs) | (np.isnan(mine) & np.isnan(theirs)))
    said = of["guess"].to_numpy(dtype=object) != again["guess"].to_numpy(dtype=object)
    none = of["guess"].isna().to_numpy() & again["guess"].isna().to_numpy()
    return bad(of, differ | (said & ~none), "model", "question_id", "position", "raw")


@invariant("survey", "questions")
def _survey_positions(c):
    """A survey position lies within the question and grows with the clue; no line is used twice."""
    s = c["survey"]
    words = c["questions"].set_index("question_id")["n_words"]
    ordered = s.sort_values(["player", "question_id", "clue"], kind="stable")
    step = ordered.groupby(["player", "question_id"])["position"].diff()
    wrong = (step <= 0).reindex(s.index) | (s["position"] > s["question_id"].map(words))
    per = s.groupby(["question_id", "clue"])["position"].transform("nunique") > 1
    return bad(s, wrong | per | s.duplicated("source_row"), "player", "question_id", "clue")


# --- judged --------------------------------------------------------------------------------------


def _judged_again(c, rows, table):
    from ..answers import judging

    rows = rows.reset_index(drop=True)
    rows["condition"] = judging.conditions(rows, c["questions"])
    rows = rows[rows["guess"].notna()]
    again, _ = judging.judge(rows, c["questions"], None, c.options["matcher"])
    found = c[table]
    key = ["question_id", "guess", "condition"]
    by_hand = found[found["source"] != "engine"][key]
    again = again.merge(by_hand, on=key, how="left", indicator="by_hand")
    columns = ["verdict", "score", "rule", "source"]
    engine = again["by_hand"] == "left_only"
    lost = len(by_hand) - int((~engine).sum())
    outcome = same(found[found["source"] == "engine"], again[engine], key, columns, 1e-9)
    if lost:
        return Outcome(outcome.rows, outcome.failures + lost, "a verdict by hand on no guess")
    return outcome


@invariant("judgements", "guesses", "questions", severity="error")
def _judge_again(c):
    """Each distinct guess has one verdict, and the engine gives it again."""
    return _judged_again(c, c["guesses"], "judgements")


@invariant("survey_judgements", "survey", "questions")
def _judge_survey_again(c):
    """Each distinct survey answer has one verdict, and the engine gives it again."""
    return _judged_again(c, c["survey"], "survey_judgements")


@invariant("responses", "clues", "guesses", "judgements", "questions", "buzzes", "exposures")
def _from_the_guesses(c):
    """Guess, position, confidence, correctness and carrying follow from guesses, verdicts and clues."""
    parts = []
    for name in c.segmentations:
        rows = c.trace(name).states
        parts.append(
            rows.assign(
                segmentation=name,
                confidence=rows["c"],
                correct=rows["right"].astype(bool),
                carried=rows["position"] < rows["end_word"],
            )
        )
    key = store.schema("responses")["key"]
    columns = ["position", "guess", "confidence", "correct", "carried"]
    found = c["responses"].astype({"correct": bool})
    return same(found, pd.concat(parts, ignore_index=True), key, columns)


@invariant("responses", "guesses")
def _buzzes_of_models(c):
    """A model buzzes where its source says so, or where the mean log-probability exceeds its threshold."""
    r = c["responses"]
    limits = {k: m.get("threshold") for k, m in c.options["models"].items()}
    g = c["guesses"]
    limit = g["model"].map(limits).astype(float)
    above = (g["mean_logprob"] > limit).astype("boolean")
    above = above.mask(limit.isna() | g["mean_logprob"].isna())
    stated = g["buzzed"].astype("boolean")
    g = g.assign(would=stated.where(stated.notna(), above))
    key = ["model", "elicitation", "question_id", "position"]
    merged = r.merge(g[[*key, "would"]], on=key, how="left")
    place = ["segmentation", "model", "elicitation", "reduction", "question_id", "position"]
    first = ~merged.sort_values("clue", kind="stable").duplicated(place).reindex(merged.index)
    wanted = merged["would"].where(first | ~merged["would"].fillna(False), False)
    differ = merged["buzz"].isna() != wanted.isna()
    differ |= (merged["buzz"] != wanted).fillna(False)
    return bad(merged, differ, *store.schema("responses")["key"])


@invariant("team_responses", "clues", "buzzes")
def _backfilled_again(c):
    """Live answers, backfilled, follow from buzzes and clues."""
    from ..human import curves

    again = curves.team_responses(c["clues"], c["buzzes"])
    key = store.schema("team_responses")["key"]
    found = c["team_responses"]
    columns = ["buzz", "correct", "backfilled"]
    return same(found.astype(dict.fromkeys(columns, bool)), again, key, columns)


@invariant("survey_responses", "survey", "survey_judgements", "questions")
def _survey_backfilled_again(c):
    """Survey answers, judged and backfilled, follow from answers and verdicts."""
    from ..answers import judging
    from ..human import players

    rows = c["survey"].reset_index(drop=True)
    rows["condition"] = judging.conditions(rows, c["questions"])
    again, _ = players.survey_responses(rows, judging.verdicts(rows, c["survey_judgements"]))
    key = store.schema("survey_responses")["key"]
    columns = [name for name in store.schema("survey_responses")["columns"] if name not in key]
    return same(c["survey_responses"], again, key, columns)


# --- human ---------------------------------------------------------------------------------------


@invariant("human_curve", "clues", "buzzes", "exposures")
def _counted_again(c):
    """h, its numerator and denominator follow from counting buzzes."""
    totals = {
        "buzzed_so_far": "human_buzzes",
        "buzzed_on_question": "on_question",
        "heard": "heard_by",
    }
    parts = [
        c.trace(name).human.assign(
            segmentation=name,
            h_definition=definition,
            correct=c.trace(name).human["human_right"],
            total=c.trace(name).human[total],
            h=c.trace(name).human[definition],
        )
        for name in c.segmentations
        for definition, total in totals.items()
    ]
    key = store.schema("human_curve")["key"]
    return same(
        c["human_curve"], pd.concat(parts, ignore_index=True), key, ["correct", "total", "h"]
    )


@invariant("human_curve")
def _monotone(c):
    """h never falls from clue to clue under the two definitions whose denominator is fixed."""
    h = c["human_curve"]
    h = h[h["h_definition"] != "buzzed_so_far"]
    h = h.sort_values(store.schema("human_curve")["key"], kind="stable", ignore_index=True)
    step = h.groupby(["segmentation", "h_definition", "question_id"])["h"].diff()
    return bad(
        h, (step < -TOLERANCE).to_numpy(), "segmentation", "h_definition", "question_id", "clue"
    )


@invariant("human_curve")
def _share(c):
    """correct never exceeds total, and h is correct / total, 0 where total is 0."""
    h = c["human_curve"]
    share = (h["correct"] / h["total"].where(h["total"] > 0)).fillna(0.0)
    wrong = (h["correct"] > h["total"]) | ((h["h"] - share).abs() > TOLERANCE)
    return bad(h, wrong, "segmentation", "h_definition", "question_id", "clue")


@invariant("human_curve", "buzzes")
def _buzzes_conserved(c):
    """At the last clue every human buzz has been counted once, under every segmentation."""
    h = c["human_curve"]
    h = h[h["h_definition"] == "buzzed_so_far"]
    last = h.sort_values("clue").drop_duplicates(["segmentation", "question_id"], keep="last")
    curves = c["buzzes"][c["buzzes"]["kind"] == "human"]
    sums = last.groupby("segmentation")[["total", "correct"]].sum().reset_index()
    sums = sums[sums["segmentation"] != "given"]
    wrong = (sums["total"] != len(curves)) | (sums["correct"] != curves["correct"].sum())
    return bad(sums, wrong, "segmentation", "total", "correct")


@invariant("teams", "clues", "buzzes", "exposures")
def _ranked_again(c):
    """Counts, scores and quartiles of teams follow from buzzes and exposures."""

    segment = c["clues"]
    segment = segment[segment["segmentation"] == c.options["primary_segmentation"]]
    again = curves.rank_teams(segment, c["buzzes"], c["exposures"])
    return same(c["teams"], again, ["team"], [name for name in c["teams"] if name != "team"])


@invariant("teams", "buzzes")
def _counts_conserved(c):
    """Buzzes of all teams are the buzzes there are; correct and incorrect make up all."""
    t, b = c["teams"], c["buzzes"]
    wrong = t["correct"] + t["incorrect"] != t["buzzes"]
    outcome = bad(t, wrong, "team")
    if t["buzzes"].sum() != len(b) or t["correct"].sum() != b["correct"].sum():
        return Outcome(len(t), outcome.failures + 1, f"{t['buzzes'].sum()} of {len(b)} buzzes")
    return outcome


@invariant("players", "survey_responses")
def _players_ranked_again(c):
    """Points and quartiles of players follow from their answers."""

    again = players.rank_players(c["survey_responses"])
    return same(
        c["players"], again, ["player"], [name for name in c["players"] if name != "player"]
    )


# --- scores --------------------------------------------------------------------------------------

_SCORED = ("responses", *TRACED)


@invariant("question_scores", *_SCORED)
def _from_definitions(c):
    """MCE and CalScore follow from raw rows by their definitions."""
    parts = [c.trace(name).questions.assign(segmentation=name) for name in c.segmentations]
    key = store.schema("question_scores")["key"]
    wanted = pd.concat(parts, ignore_index=True)
    return same(c["question_scores"], wanted, key, ["n_clues", "mce", "calscore"])


@invariant("question_scores")
def _calscore_at_least_mce(c):
    """CalScore ≥ MCE under the definition ``release``."""
    s = c["question_scores"]
    s = s[s["definition"] == "release"]
    return bad(s, s["calscore"] < s["mce"] - TOLERANCE, "model", "question_id", "mce", "calscore")


def _rescored(c, table, columns):
    parts = [c.trace(name).rescored[table] for name in c.segmentations]
    return same(c[table], pd.concat(parts, ignore_index=True), store.schema(table)["key"], columns)


@invariant("sh_scores", *_SCORED)
def _sh_again(c):
    """SH follows from raw rows."""
    return _rescored(c, "sh_scores", ["sh"])


@invariant("model_scores", *_SCORED)
def _scored_again(c):
    """Scores, ranks and intervals follow from raw rows with the configured seed."""
    key = store.schema("model_scores")["key"]
    columns = [name for name in store.schema("model_scores")["columns"] if name not in key]
    return _rescored(c, "model_scores", columns)


@invariant("reliability", *_SCORED)
def _binned_again(c):
    """Reliability bins follow from raw rows."""
    key = store.schema("reliability")["key"]
    columns = [name for name in store.schema("reliability")["columns"] if name not in key]
    return _rescored(c, "reliability", columns)


@invariant("model_scores", "question_scores")
def _means_of_questions(c):
    """MCE and CalScore of a model are the means of its questions."""
    key = ["segmentation", "definition", "model", "elicitation", "reduction"]
    long = c["question_scores"].melt([*key, "question_id"], ["mce", "calscore"], "metric")
    mean = long.groupby([*key, "metric"])["value"].mean().reset_index()
    found = c["model_scores"]
    found = found[found["metric"].isin(["mce", "calscore"])]
    return same(found, mean, [*key, "metric"], ["value"])


# --- tables --------------------------------------------------------------------------------------


def _explained(table):
    def check(c):
        gaps = explain.compare_numbers(c.shown, table)
        shown = [*explain.KEYS[table], "column", "value", "recomputed"]
        outcome = bad(gaps, ~(gaps["difference"] <= TOLERANCE), *shown)
        return outcome

    check.__name__ = "every_number_from_raw_rows"
    check.__doc__ = f"Every number of {table} is recomputed from raw rows, to {TOLERANCE:g}."
    return check


for _name in explain.KEYS:
    invariant(_name, *_SCORED)(_explained(_name))


def _named(table, column):
    def check(c):
        names = {key: model["name"] for key, model in c.options["models"].items()}
        t = c[table]
        return bad(t, t["name"] != t[column].map(names).fillna(t[column]), column, "name")

    check.__name__ = "names"
    check.__doc__ = "Names are those of the configuration."
    return check


for _name, _column in (
    ("table1", "model"),
    ("table2", "model"),
    ("table5", "model"),
    ("team_summary", "team"),
    ("category_margins", "group"),
    ("buzz_positions", "group"),
):
    invariant(_name)(_named(_name, _column))


@invariant("table1", "model_scores")
def _reductions(c):
    """The reduction named is one that the model was scored under, the first that its data allow."""
    order = [*c.options["reductions"], "stated"]
    scored = c["model_scores"].groupby(["elicitation", "model"])["reduction"].unique()
    t = c["table1"]
    first = [
        next(name for name in order if name in scored[key])
        for key in zip(t["elicitation"], t["model"], strict=True)
    ]
    return bad(t, t["reduction"] != first, "elicitation", "model", "reduction")


@invariant("table5", "table1")
def _same_reductions(c):
    """Table 5 shows the reductions of table 1."""
    key = ["elicitation", "model"]
    one = c["table1"][[*key, "reduction"]].drop_duplicates().set_index(key)["reduction"]
    t = c["table5"]
    shown = [one.get(pair) for pair in zip(t["elicitation"], t["model"], strict=True)]
    return bad(t, t["reduction"] != shown, *key, "reduction")


@invariant("table5", "table1")
def _categories_make_up_all(c):
    """Questions of the categories make up all questions, at either level."""
    key = ["definition", "elicitation", "model"]
    sums = c["table5"].groupby(["level", *key])["n_questions"].sum().reset_index()
    wanted = c["table1"][[*key, "n_questions"]]
    parts = [same(of, wanted, key, ["n_questions"]) for _, of in sums.groupby("level")]
    failed = [one for one in parts if one.failures]
    return failed[0] if failed else parts[0]


@invariant("team_summary", "teams", "buzzes", "questions")
def _team_counts(c):
    """Counts and quartiles are those of the teams; precision is correct / buzzes; the median is of its buzzes."""
    t = c["team_summary"]
    outcome = same(t, c["teams"], ["team"], [name for name in c["teams"] if name != "team"])
    if outcome.failures:
        return outcome
    low, high = explain.wilson(t["correct"], t["buzzes"].where(t["buzzes"] > 0), c.options["level"])
    words = c["buzzes"]["question_id"].map(c["questions"].set_index("question_id")["n_words"])
    shares = ((c["buzzes"]["word_index"] + 1) / words).groupby(c["buzzes"]["team"])
    ends = {team: explain.median_ends(of, c.options["level"]) for team, of in shares}
    wrong = ~_near(t["precision"], t["correct"] / t["buzzes"].where(t["buzzes"] > 0))
    wrong |= ~_near(t["precision_low"], low) | ~_near(t["precision_high"], high)
    wrong |= ~_near(t["median_revealed"], t["team"].map(shares.median()))
    for at, end in enumerate(("low", "high")):
        wanted = [ends.get(team, (np.nan, np.nan))[at] for team in t["team"]]
        wrong |= ~_near(t[f"median_revealed_{end}"], wanted)
    heard = t["questions_heard"].where(t["questions_heard"] > 0)
    low, high = explain.wilson(t["correct"], heard, c.options["level"])
    wrong |= ~_near(t["rate_low"], low) | ~_near(t["rate_high"], high)
    return bad(t, wrong, "team", "precision", "median_revealed")


def _near(one, two, tolerance: float = 1e-9):
    a, b = np.asarray(one, dtype=float), np.asarray(two, dtype=float)
    with np.errstate(invalid="ignore"):
        return (np.abs(a - b) <= tolerance) | (np.isnan(a) & np.isnan(b))


@invariant("category_margins", "buzzes", "questions")
def _margins(c):
    """Counts are those of the buzzes; margin, ratio, precision and interval follow from them."""
    t = c["category_margins"]
    of = c["buzzes"].merge(c["questions"][["question_id", "category", "category_fine"]])
    parts = []
    for level, category in (("merged", "category"), ("fine", "category_fine")):
        for kind, group in (("pool", "kind"), ("team", "team")):
            sums = of.groupby([category, group])["correct"].agg(["sum", "size"]).reset_index()
            sums.columns = ["category", "group", "correct", "buzzes"]
            parts.append(sums.assign(level=level, group_kind=kind))
    wanted = pd.concat(parts, ignore_index=True)
    wanted["incorrect"] = wanted["buzzes"] - wanted["correct"]
    key = ["level", "category", "group_kind", "group"]
    outcome = same(t, wanted, key, ["correct", "incorrect"])
    if outcome.failures:
        return outcome
    n = t["correct"] + t["incorrect"]
    worth = t["n_effective"]
    low, high = explain.wilson(t["correct"] / n * worth, worth, c.options["level"])
    wrong = (t["margin"] != t["correct"] - t["incorrect"]) | ~_near(
        t["precision"], t["correct"] / n
    )
    wrong |= ~_near(t["ratio"], t["correct"] / t["incorrect"].where(t["incorrect"] > 0))
    wrong |= ~_near(t["low"], low) | ~_near(t["high"], high)
    wrong |= (worth > n + 1e-9) | ((t["group_kind"] == "team") & ~_near(worth, n))
    return bad(t, wrong, *key)


@invariant("buzz_positions", "buzzes", "questions")
def _twentieths(c):
    """Buzzes by twentieth of the question are those of the buzzes."""
    b = c["buzzes"]
    words = b["question_id"].map(c["questions"].set_index("question_id")["n_words"])
    # Whole numbers: the bin k is the smallest with 20·(word + 1) ≤ k·words.
    bins = (-(-20 * (b["word_index"] + 1) // words)).clip(1, 20)
    group = b["team"].where(b["kind"] == "model", "human")
    counts = pd.DataFrame({"group": group, "correct": b["correct"], "revealed": bins / 20})
    counts = counts.groupby(["group", "correct", "revealed"]).size().rename("wanted").reset_index()
    t = c["buzz_positions"]
    t = t.assign(bin=(t["revealed"] * 20).round(6))
    counts["bin"] = (counts["revealed"] * 20).round(6)
    merged = t.merge(counts.drop(columns="revealed"), on=["group", "correct", "bin"], how="outer")
    wrong = ~(merged["buzzes"] == merged["wanted"].fillna(0)) | merged["revealed"].isna()
    double = merged.duplicated(["group", "correct", "bin"]) | ~merged["bin"].isin(range(1, 21))
    return bad(merged, wrong | double, "group", "correct", "revealed")


@invariant("cumulative_buzzes", "buzzes", "clues", "exposures", "teams")
def _cumulative(c):
    """At the last clue every buzz of the group is counted; shares are counts over their denominators."""
    t = c["cumulative_buzzes"]
    key = ["rule", "group", "outcome"]
    ordered = t.sort_values([*key, "clue"], kind="stable")
    step = ordered.groupby(key)["cumulative"].diff()
    wrong = (step < 0).reindex(t.index)
    wrong |= ~_near(t["per_question"], t["cumulative"] / t["questions_heard"])
    wrong |= ~_near(t["per_match"], t["cumulative"] / t["matches"])
    outcome = bad(t, wrong, *key, "clue")
    if outcome.failures:
        return outcome
    teams = c["teams"]
    groups = {("all", "human"): set(teams.loc[teams["kind"] == "human", "team"])}
    for team in teams.loc[teams["kind"] == "model", "team"]:
        groups["model", team] = {team}
    for rule in ("paper", "release", "rate"):
        for quartile, of in teams[teams["kind"] == "human"].groupby(f"quartile_{rule}"):
            groups[rule, f"Q{int(quartile)}"] = set(of["team"])
    b, e = c["buzzes"], c["exposures"]
    segment = c["clues"]
    segment = segment[segment["segmentation"] == c.options["primary_segmentation"]]
    ends = segment.groupby("question_id")["end_word"].apply(np.asarray)
    at = [
        int(min(np.searchsorted(ends[q], w, side="right"), len(ends[q]) - 1)) + 1
        for q, w in zip(b["question_id"], b["word_index"], strict=True)
    ]
    b = b.assign(at=at)
    n_clues = segment.groupby("question_id").size()
    rows = []
    for (rule, group), members in groups.items():
        heard = e[e["team"].isin(members)]
        matches = len(heard.drop_duplicates(["team", "packet"]))
        reach = heard["question_id"].map(n_clues).to_numpy()
        for outcome_name, right in (("correct", True), ("incorrect", False)):
            mine = b[b["team"].isin(members) & (b["correct"] == right)]["at"].to_numpy()
            told = 0
            for clue in range(1, int(segment["clue"].max()) + 1):
                told += int((reach >= clue).sum())
                cumulative = int((mine <= clue).sum())
                share = cumulative / told if told else 0.0
                counts = (len(members), cumulative, len(heard), matches, share)
                rows.append((rule, group, outcome_name, clue, *counts))
    columns = ["n_teams", "cumulative", "questions_heard", "matches", "per_clue"]
    wanted = pd.DataFrame(rows, columns=[*key, "clue", *columns])
    return same(t, wanted, [*key, "clue"], columns)


@invariant("extreme_questions", "question_scores", "questions", "table1")
def _extremes(c):
    """Mean, smallest and largest CalScore over models, ranked, also with a model left out; category, answer line."""
    t = c["extreme_questions"]
    s = c["question_scores"]
    s = s[s["segmentation"] == c.options["primary_segmentation"]]
    shown = c["table1"][["elicitation", "model", "reduction"]].drop_duplicates()
    s = s.merge(shown)
    key = ["definition", "elicitation", "question_id"]
    mean = s.groupby(key)["calscore"].agg(["mean", "min", "max", "size"]).reset_index()
    mean.columns = [*key, "calscore", "lowest", "highest", "n_models"]
    mean = mean.merge(c["questions"][["question_id", "category", "answerline"]])
    group = mean.groupby(["definition", "elicitation"])["calscore"]
    mean["rank"] = group.rank(method="first").astype(int)
    mean["n"] = group.transform("size")
    ranks = []
    for _, of in s.groupby("elicitation"):
        for left in of["model"].unique():
            rest = of[of["model"] != left].groupby(key)["calscore"].mean().round(12)
            ranks.append(rest.groupby(level=[0, 1]).rank(method="first"))
    ranks = pd.concat(ranks, axis=1)
    ranges = pd.DataFrame({"rank_least": ranks.min(axis=1), "rank_greatest": ranks.max(axis=1)})
    mean = mean.merge(ranges, how="left", left_on=key, right_index=True)
    count = c.options["extreme_questions"]
    ends = [
        mean[mean["rank"] <= count].assign(end="best"),
        mean[mean["rank"] > mean["n"] - count].assign(end="worst"),
    ]
    columns = ["rank", "rank_least", "rank_greatest", "calscore", "lowest", "highest", "n_models"]
    columns += ["category", "answerline"]
    return same(t, pd.concat(ends), [*key, "end"], columns)


def _shares(table):
    def check(c):
        t = c[table]
        worth = t["n_effective"]
        low, high = explain.wilson(t["accuracy"] * worth, worth, c.options["level"])
        wrong = ~_near(t["accuracy"], t["correct"] / t["n"]) | (worth > t["n"] + 1e-9)
        wrong |= ~_near(t["low"], low) | ~_near(t["high"], high)
        return bad(t, wrong, "reading", "revealed", "n", "correct", "accuracy")

    check.__name__ = "shares"
    check.__doc__ = "accuracy is correct / n, with Wilson's interval on the effective number."
    return check


for _name in ("accuracy_by_share", "survey_accuracy"):
    invariant(_name)(_shares(_name))


@invariant("dataset", "questions", "buzzes")
def _counts(c):
    """Questions and buzzes are counted as they are; every quantity is there once."""
    t = c["dataset"]
    values = dict(zip(t["quantity"], t["value"], strict=True))
    b = c["buzzes"]
    wanted = {"questions": len(c["questions"]), "buzzes": len(b)}
    wanted |= {f"{kind} buzzes": n for kind, n in b["kind"].value_counts().items()}
    wanted |= {
        f"questions in {name}": n for name, n in c["questions"]["category"].value_counts().items()
    }
    wrong = [name for name, n in wanted.items() if values.get(name) != n]
    return Outcome(len(t), len(wrong) + int(t.duplicated("quantity").sum()), ", ".join(wrong))


@invariant("to_verify", "judgements")
def _engine_verdicts(c):
    """Verdict, score and rule of the engine are those of the judgements."""
    t = c["to_verify"]
    t = t.assign(condition=t["condition"].astype(object).where(t["condition"].notna(), ""))
    j = c["judgements"].rename(columns={"verdict": "engine_verdict"})
    key = ["question_id", "guess", "condition"]
    kept = j.merge(t[key], on=key)
    return same(t, kept, key, ["engine_verdict", "score", "rule"])


@invariant("claims")
def _verdicts_known(c):
    """Every statement has one of the known verdicts, and an identifier of its own."""
    t = c["claims"]
    known = {
        "reproduced",
        "contradicted",
        "internally inconsistent",
        "needs unpublished data",
        "not applicable (simulated)",
        "not in the source",
    }
    return bad(t, ~t["status"].isin(known) | t.duplicated("id"), "id", "status")


# --- made again ----------------------------------------------------------------------------------

INTERVALS = ("low", "high")


def _text(values) -> np.ndarray:
    """Words with nothing for what is missing or empty, as a CSV does not tell them apart."""
    return values.astype(object).where(values.notna(), "").to_numpy()


def _differ(one, two, tolerance: float) -> np.ndarray:
    """Where two columns of one length differ: numbers and lists of them as numbers, all else as words."""
    if two.dtype == object and isinstance(two.iloc[:1].squeeze(), (list, np.ndarray)):
        return np.array([not _near_lists(a, b, tolerance) for a, b in zip(one, two, strict=True)])
    kinds = [pd.api.types.is_numeric_dtype(v) or not v.notna().any() for v in (one, two)]
    if not all(kinds):
        a, b = _text(one), _text(two)
        differ = np.asarray(a != b, dtype=bool)
        # What is no word, as a number or a truth, is compared as it is written.
        differ[differ] = [str(x) != str(y) for x, y in zip(a[differ], b[differ], strict=True)]
        return differ
    a, b = (v.to_numpy(dtype=float, na_value=np.nan) for v in (one, two))
    with np.errstate(invalid="ignore"):
        near = (a == b) | (np.abs(a - b) <= tolerance * np.maximum(1, np.abs(b)))
    return ~(near | (np.isnan(a) & np.isnan(b)))


def _near_lists(one, two, tolerance: float) -> bool:
    if np.shape(one) != np.shape(two):
        return False
    a, b = np.asarray(one, dtype=float), np.asarray(two, dtype=float)
    return bool(_near(a, b, tolerance * max(1.0, np.abs(b).max(initial=0))).all())


def alike(found, wanted, skip=(), tolerance: float = 1e-9) -> Outcome:
    """Whether two tables have the same rows in the same order; columns that end in ``skip`` are left out."""
    if len(found) != len(wanted):
        gap = abs(len(found) - len(wanted))
        return Outcome(len(found), gap, f"{len(found)} rows, recomputed {len(wanted)}")
    mask, why = np.zeros(len(found), dtype=bool), ""
    for column in wanted:
        if skip and str(column).endswith(tuple(skip)):
            continue
        if column not in found:
            return Outcome(len(found), len(found), f"no column {column}")
        one, two = found[column].reset_index(drop=True), wanted[column].reset_index(drop=True)
        differ = _differ(one, two, tolerance)
        if differ.any() and not why:
            at = int(differ.argmax())
            why = f"row {at + 1}: {column} {one[at]!r}, recomputed {two[at]!r}"
        mask |= differ
    return Outcome(len(found), int(mask.sum()), why)


def by(*columns: str):
    """What sorts a table by columns, for one whose order the record does not tell."""
    return lambda table: table.sort_values(list(columns), kind="stable")


def again(
    table: str,
    *inputs: str,
    skip=(),
    of=None,
    may: tuple[str, ...] = (),
    rule: str | None = None,
    tolerance: float = 1e-9,
):
    """Mark a function of :class:`Context` that makes ``table`` once more from ``inputs``.

    Columns that end in ``skip`` are not compared; ``of`` maps either table to what is. ``may`` and
    ``rule`` are those of :class:`Invariant`.
    """

    def mark(make):
        def check(c):
            found, wanted = c[table], c.again(table, (*inputs, *may), make)
            kind = c.schemas.get(c.called(table))
            if kind:
                key = store.schema(kind)["key"]
                wanted = wanted.sort_values(key, kind="stable")
            if of is not None:
                found, wanted = of(found), of(wanted)
            return alike(found, wanted, skip, tolerance)

        check.__name__ = "made_again"
        check.__doc__ = make.__doc__
        invariant(table, *inputs, may=may, rule=rule)(check)
        return make

    return mark


_LIVE = ("clues", "buzzes", "exposures")


@again("dataset", "questions", *_LIVE)
def _dataset(c):
    """Counts and lengths follow from questions, clues, buzzes and exposures."""
    from ..scores import tables

    return tables.dataset(*(c[name] for name in ("questions", *_LIVE)))


@again("buzz_positions", "questions", "buzzes", of=by("group", "correct", "revealed"))
def _positions_again(c):
    """Buzzes by twentieth and their intervals follow from the buzzes."""
    from ..scores import tables

    return tables.buzz_positions(c["questions"], c["buzzes"], c.names, **c.drawn)


def _states(c):
    from ..scores import tables

    o = c.options
    return tables.model_states(
        c["responses"], c["clues"], o["primary_segmentation"], o["reductions"]
    )


@again("accuracy_by_share", "responses", "clues")
def _accuracy(c):
    """Accuracies by share of clues follow from the responses."""
    from ..scores import tables

    group = ["elicitation", "model"]
    return tables.accuracy_by_share(
        _states(c), group, tables.DECILES, c.options["level"], ["question_id"]
    )


@again("buzz_given", "responses", "clues")
def _buzz_given(c):
    """P(buzz | right or wrong) follows from the responses."""
    from ..scores import tables

    agents = tables.as_agents(_states(c))
    return tables.buzz_given(agents, ["model", "elicitation"], **c.drawn)


def _ranked(c):
    ranked = c["survey_responses"].merge(c["players"][["player", "quartile", "half"]], on="player")
    return ranked.assign(group="Q" + ranked["quartile"].astype(str))


@again("survey_accuracy", "survey_responses", "players")
def _survey_accuracy(c):
    """Accuracies of quartiles of players follow from the survey."""
    from ..scores import tables

    clusters = ["player", "question_id"]
    return tables.accuracy_by_share(
        _ranked(c), ["group"], tables.DECILES, c.options["level"], clusters
    )


@again("survey_buzz_given", "survey_responses", "players")
def _survey_buzz_given(c):
    """P(buzz | right or wrong) of halves of players follows from the survey."""
    from ..scores import tables

    halves = _ranked(c)
    halves = halves.assign(agent=halves["player"], correct=halves["observed"])
    return tables.buzz_given(halves, ["half"], **c.drawn)


@again("replies", "guesses")
def _reply_counts(c):
    """Replies by kind are those of the guesses."""
    from ..raw import replies

    return replies.account(c["guesses"])[0]


@again("unparsed_replies", "guesses")
def _unparsed(c):
    """Unparsed replies are those of the guesses."""
    from ..raw import replies

    return replies.account(c["guesses"])[1]


# Scores of guesses.


def _lasting_notes(table):
    """Notes without what they say of resamples, whose parts come in any order."""
    notes = table["note"].fillna("").astype(str)
    notes = notes.str.replace(r"[^;]*undefined in \d+ of \d+ resamples", "", regex=True)
    parts = notes.str.split(";").map(lambda said: sorted(filter(None, map(str.strip, said))))
    return table.assign(note=parts.str.join("; "))


@again("scores/proper", "responses", "human_curve", skip=INTERVALS, of=_lasting_notes)
def _proper(c):
    """Values and counts follow from responses and human curve; intervals are not resampled."""
    from ..scores import proper_tables

    return proper_tables.proper_scores(c.rows, **c.resampling)


@again("tables/proper_scores", "scores/proper", of=_lasting_notes)
def _proper_wide(c):
    """The wide table is the long one."""

    o = c.options
    return proper_tables.wide(
        c["scores/proper"], o["primary_segmentation"], o["reductions"], c.names
    )


@invariant("scores/proper", "responses")
def _proper_crossed(c):
    """Two-way bounds are those of the forms of CalScore, in the segmentation and reductions shown first."""
    from ..scores import score, tables

    t, o = c["scores/proper"], c.options
    shown = tables.primary(t, o["primary_segmentation"], o["reductions"]).index
    wanted = t["metric"].isin(score.RESCALED) & t.index.isin(shown) & t["value"].notna()
    return bad(t, t["two_way_low"].notna() != wanted, "segmentation", "model", "metric")


_DIFFERED = ("se", "low", "high", "p_a_better", "replicates")


@again("proper_comparisons", "responses", "human_curve", *_LIVE, skip=_DIFFERED)
def _proper_differences(c):
    """Pairs, differences and questions follow from responses and human curve; nothing is resampled."""
    from ..scores import tables

    o = c.options
    segmentation = o["primary_segmentation"]
    crowd = curves.crowds(c.shown_clues, c["buzzes"], c["exposures"])[segmentation]
    rows = tables.primary(c.rows, segmentation, o["reductions"])
    return proper_tables.score(
        rows,
        crowd,
        segmentation,
        o["primary_definition"],
        o["reductions"],
        c.names,
        **c.resampling,
    )[1]


@invariant("proper_comparisons")
def _proper_bounds(c):
    """Replicates are at most those drawn, shares 0 to 1; BCa is for means, two-way columns for CalScore."""
    t = c["proper_comparisons"]
    crossed = t["metric"] == "calscore_normalised"
    means = crossed | (t["metric"] == "log_score_clipped")
    wrong = (t["bca_low"].notna() & ~means) | (t["se"] < 0)
    wrong |= t["replicates"].isna() | (t["replicates"] > c.options["replicates"])
    wrong |= t["se"].isna() != (t["replicates"] < 2)
    wrong |= t["p_a_better"].isna() != (t["replicates"] < 1)
    for column in ("p_a_better", "two_way_p_a_better"):
        wrong |= (t[column] < 0) | (t[column] > 1)
    wrong |= t["two_way_low"].notna() != crossed
    wrong |= t["two_way_p_a_better"].notna() != crossed
    return bad(t, wrong, "metric", "model_a", "model_b")


@again("risk_coverage", "responses", "human_curve", skip=INTERVALS)
def _risk_coverage(c):
    """Risk, threshold and rows at each coverage follow from responses and human curve."""

    o = c.options
    return proper_tables.risk_coverage(
        c.rows, o["primary_segmentation"], o["reductions"], **c.resampling
    )


@again("calibration_slopes", "responses")
def _slopes(c):
    """Calibration regressions are those of the responses."""
    from ..inference import regressions

    r = c["responses"]
    r = r[r["segmentation"] == c.options["primary_segmentation"]]
    return regressions.slopes(r, c.options["level"])


# Differences.

_DRAWN = ("se", "low", "high", "p_a_better", "p", "p_adjusted")
_COMPARED = ("responses", "human_curve", "question_scores", "sh_scores", "questions", *_LIVE)


@again("differences", *_COMPARED, skip=_DRAWN)
def _compared(c):
    """Pairs, differences, questions and family follow from the scores; nothing is resampled."""
    from ..inference import comparisons

    named = ("primary_segmentation", "primary_definition", "reductions", "declared_metrics")
    return comparisons.compare(
        c.rows,
        c["question_scores"],
        c["sh_scores"],
        c["questions"],
        curves.crowds(*(c[name] for name in _LIVE)),
        **{name: c.options[name] for name in named},
        **c.resampling,
        permutations=1,
    )[0]


@invariant("differences", "model_scores")
def _differences_of_scores(c):
    """Over all questions, where either side has them all, the difference is that of the model scores."""
    t, s = c["differences"], c["model_scores"]
    t = t[t["category"] == "all"].reset_index(drop=True)
    key = ["segmentation", "definition", "metric"]
    own = ["model", "elicitation", "reduction"]
    s = s.set_index([*key, *own])[["value", "n_questions"]]
    sides = [
        s.reindex(pd.MultiIndex.from_frame(t[[*key, *(f"{n}_{side}" for n in own)]]))
        for side in "ab"
    ]
    a, b = (side["value"].to_numpy(dtype=float) for side in sides)
    whole = np.all([side["n_questions"].to_numpy() == t["n_questions"] for side in sides], axis=0)
    wrong = whole & ~np.isnan(a) & ~np.isnan(b) & ~_near(t["difference"], a - b)
    return bad(t, wrong, *key, "model_a", "model_b", "difference")


@invariant("differences")
def _corrected(c):
    """Holm's p values of the declared family follow from the plain ones; none is below the plain one."""
    from ..stats import ranks

    t = c["differences"]
    declared = (t["family"] == "declared").to_numpy()
    wrong = (t["p_adjusted"] < t["p"] - 1e-9) | (t["p_adjusted"].isna() != t["p"].isna())
    wrong = np.array(wrong, dtype=bool)
    wrong[declared] |= ~_near(t["p_adjusted"][declared], ranks.holm(t["p"][declared]))
    return bad(t, wrong, "metric", "model_a", "model_b", "p", "p_adjusted")


@invariant("differences")
def _crossed(c):
    """Two-way columns are those of CalScore, over all questions and by category, two questions or more."""
    t = c["differences"]
    wanted = (t["metric"] == "calscore") & (t["n_questions"] > 1)
    names = [name for name in t if str(name).startswith("two_way_")]
    wrong = (t[names].notna().to_numpy() != wanted.to_numpy()[:, None]).any(axis=1)
    return bad(t, wrong, "metric", "category", "model_a", "model_b")


@again("tables/comparisons", "differences")
def _comparisons_shown(c):
    """The final table is what the long one says of the segmentation and reductions shown first."""
    from ..inference import comparisons

    o = c.options
    return comparisons.shown(c["differences"], o["primary_segmentation"], o["reductions"], c.names)


@invariant("ranks")
def _certain_to_have_a_rank(c):
    """The probabilities of a model's ranks make up 1, and there are as many ranks as models."""
    t = c["ranks"]
    race = ["segmentation", "definition", "elicitation", "reduction", "metric"]
    total = t.groupby([*race, "model"])["probability"].transform("sum")
    by = t.groupby(race)
    size = by["model"].transform("nunique")
    wrong = ~_near(total, 1) | (by["rank"].transform("size") != size**2) | (t["rank"] > size)
    # By CalScore also with human teams resampled; nothing for the others.
    both = t.groupby([*race, "model"])["two_way_probability"].transform("sum")
    crossed = t["metric"] == "calscore"
    wrong |= crossed & ~_near(both, 1)
    wrong |= t["two_way_probability"].notna() != crossed
    return bad(t, wrong, *race, "model", "rank")


@again("tables/rank_probabilities", "ranks")
def _ranks_shown(c):
    """The final table is what the long one says of the segmentation and reductions shown first."""
    from ..inference import comparisons

    o = c.options
    return comparisons.ranks_shown(c["ranks"], o["primary_segmentation"], o["reductions"], c.names)


_SERIES = ["model", "elicitation", "reduction"]


@again("inference/model_minus_human", "responses", "human_curve", skip=INTERVALS)
def _against_humans(c):
    """Accuracies of model and human teams are means over clues; the difference is theirs."""
    rows = c.rows
    rows = rows[rows["segmentation"] == c.options["primary_segmentation"]]
    clue = rows.groupby([*_SERIES, "question_id"])["clue"]
    parts = []
    for scope, of in (
        ("every clue", rows),
        ("last clue", rows[rows["clue"] == clue.transform("max")]),
    ):
        by = of.assign(right=of["correct"].astype(float)).groupby(_SERIES)
        part = by.agg(
            n_questions=("question_id", "nunique"),
            n_rows=("right", "size"),
            accuracy=("right", "mean"),
            human=("heard", "mean"),
        ).reset_index()
        parts.append(part.assign(scope=scope, difference=part["accuracy"] - part["human"]))
    return pd.concat(parts, ignore_index=True)


def _copied(name):
    key = store.schema(name)["key"]

    @again(f"tables/{name}", f"inference/{name}", of=lambda table: table.sort_values(key))
    def copied(c):
        """The final table is the typed one."""
        return c[f"inference/{name}"]


for _name in ("model_minus_human", "precision"):
    _copied(_name)


@invariant("inference/precision", "buzzes", "questions")
def _precision(c):
    """Counts are those of the buzzes; value, naive error and difference from humans follow."""
    t = c["inference/precision"]
    of = c["buzzes"].merge(c["questions"][["question_id", "category"]])
    parts = []
    for rows in (of, of.assign(category="all")):
        models = rows[rows["kind"] == "model"]
        for group, some in (("kind", rows), ("team", models)):
            by = some.assign(group=some[group]).groupby(["category", "group"])
            counts = by.agg(
                kind=("kind", "first"),
                teams=("team", "nunique"),
                buzzes=("correct", "size"),
                correct=("correct", "sum"),
            )
            parts.append(counts.reset_index())
    wanted = pd.concat(parts, ignore_index=True)
    wanted["value"] = wanted["correct"] / wanted["buzzes"]
    wanted["se_naive"] = np.sqrt(wanted["value"] * (1 - wanted["value"]) / wanted["buzzes"])
    wanted["name"] = wanted["group"].map(c.names).fillna(wanted["group"])
    curves = wanted["kind"] == "human"
    wanted["method"] = np.where(curves, "questions and teams", "questions")
    humans = wanted[curves].set_index("category")["value"]
    wanted["difference"] = (wanted["value"] - wanted["category"].map(humans)).where(~curves)
    columns = [name for name in wanted if name not in ("category", "group")]
    outcome = same(t, wanted, ["category", "group"], columns, 1e-9)
    if outcome.failures:
        return outcome
    curves = t["kind"] == "human"
    both = t["difference"].notna()
    wrong = (t["se_team"].isna() == curves) | (t["se_two_way"].isna() == curves)
    wrong |= t["se_question"].isna() | (t["p_better"].notna() != both)
    return bad(t, wrong, "category", "group")


# The crowd.


@again("odds_ratios", "questions", "buzzes")
def _odds_ratios(c):
    """Regressions are those of the buzzes."""
    from ..inference import regressions

    rows = regressions.buzz_rows(c["questions"], c["buzzes"])
    return regressions.ratios(rows, c.options["level"])


@again("inference/opponents", "questions", "buzzes", "exposures")
def _opponents(c):
    """Opponents are inferred from the buzzes."""
    from ..human import incidence

    return incidence.opponents(c["questions"], c["buzzes"], c["exposures"])


@again("incidence", "questions", *_LIVE, "inference/opponents", "teams", skip=INTERVALS)
def _incidence(c):
    """Counts and incidences follow from buzzes, exposures and opponents."""
    from ..human import cumulative, incidence

    live = c["questions"], c.shown_clues, c["buzzes"], c["exposures"], c["inference/opponents"]
    return incidence.incidence(*live, cumulative.group_members(c["teams"]), **c.resampling)


@again("fair_quartiles", "questions", *_LIVE)
def _fair_quartiles(c):
    """Curves of quartiles, and of quartiles drawn on half the packets, follow from the buzzes."""
    return _fair(c)[0]


@again("quartile_shrinkage", "questions", *_LIVE)
def _shrinkage(c):
    """Gaps between the quartiles follow from the buzzes."""
    return _fair(c)[1]


def _fair(c):
    def make(c):

        live = c["questions"], c.shown_clues, c["buzzes"], c["exposures"]
        return quartiles.fair_quartiles(quartiles.play(*live), c.options["halves"], **c.drawn)

    return c.again("fair", ("questions", *_LIVE), make)


@again("exposure_correlation", "teams", "exposures", "questions")
def _correlations(c):
    """Correlations of scores with questions heard follow from teams and exposures."""
    from ..human import quartiles

    given = c["teams"], c["exposures"], c["questions"]
    return quartiles.exposure_correlations(*given, **c.drawn)


# Specifications and judges.


@again("specifications", "responses", "human_curve", "questions", "matcher_verdicts")
def _specified(c):
    """Every score under every choice follows from responses, human curve and verdicts."""
    from ..answers import judging
    from ..inference import specification

    rows = c.rows.assign(condition=judging.conditions(c.rows, c["questions"]))
    return specification.curve(rows, c["matcher_verdicts"])


def _conclusions(c, printed=None):
    from ..inference import specification

    o, found = c.options, c["specifications"]
    found = found.assign(**{name: found[name].fillna("") for name in specification.CHOICES})
    shown = o["primary_segmentation"], o["primary_definition"], o["reductions"]
    return specification.orders(found, printed, c["differences"], *shown)


@again("conclusions", "specifications", "differences")
def _concluded(c):
    """Shares and ranges follow from the specifications, what is shown from the comparisons."""
    wanted = _conclusions(c)
    printed = [name for name in wanted if "published" in name or name == "share_holding"]
    return wanted.drop(columns=printed)


@invariant("conclusions", "specifications", "differences")
def _printed_order(c):
    """Each model has one printed number; order and share that it holds in follow, but for ties."""
    t = c["conclusions"]
    key = ["metric", "elicitation", "model"]
    columns = [["metric", "elicitation", f"model_{s}", f"published_{s}"] for s in "ab"]
    sides = [t[names].set_axis([*key, "printed"], axis=1) for names in columns]
    counts = pd.concat(sides).groupby(key)["printed"].nunique(dropna=False)
    wrong = np.zeros(len(t), dtype=bool)
    printed: dict = {}
    for side in sides:
        wrong |= counts.reindex(pd.MultiIndex.from_frame(side[key])).to_numpy() > 1
        for metric, elicitation, model, number in side.dropna().itertuples(index=False):
            printed.setdefault(elicitation, {}).setdefault(model, {})[metric] = str(number)
    again = _conclusions(c, printed)
    if len(again) != len(t):
        return Outcome(len(t), abs(len(again) - len(t)), f"recomputed {len(again)} rows")
    # How wide a printed tie is depends on zeros at the end, which a table of numbers loses.
    tied = (t["published_a"] == t["published_b"]).to_numpy()
    wrong |= _differ(t["published_order"], again["published_order"], 0)
    wrong |= ~tied & _differ(t["share_holding"], again["share_holding"], 1e-9)
    wrong |= (t["share_holding"].isna() != again["share_holding"].isna()).to_numpy()
    return bad(t, wrong, "metric", "elicitation", "model_a", "model_b", "share_holding")


@invariant("matcher_verdicts", "judgements")
def _of_the_engine(c):
    """Every judged guess has one verdict of each matcher; the engine's is that of the judgements."""
    t, j = c["matcher_verdicts"], c["judgements"]
    key = ["question_id", "guess", "condition"]
    pairs = j[key].merge(
        pd.DataFrame({"matcher": sorted(t["matcher"].dropna().unique())}), how="cross"
    )
    outcome = same(t, pairs, [*key, "matcher"], [])
    if outcome.failures or c.options["matcher"] != "engine":
        return outcome
    both = t[t["matcher"] == "engine"].merge(j[j["source"] == "engine"], on=key)
    accepted = both["verdict"] == "accept"
    return bad(both, both["right"].astype(object) != accepted.astype(object), *key)


@invariant("matchers", "model_scores", "specifications")
def _by_judge(c):
    """As used, values are the model scores; differences are from those; a matcher's are specifications."""
    from ..answers import verification
    from ..inference import specification

    t, o = c["matchers"], c.options
    key = ["definition", "elicitation", "model", "metric"]
    shown = verification.headline(c["model_scores"], o["primary_segmentation"], o["reductions"])
    outcome = same(t[t["judging"] == "as used"], shown, key, ["value"])
    if outcome.failures:
        return outcome
    base = shown.set_index(key)["value"].reindex(pd.MultiIndex.from_frame(t[key])).to_numpy()
    wrong = ~_near(t["difference"], t["value"] - base)
    each = t.groupby("judging")["value"].transform("size")
    wrong |= (each != len(shown)) | t.duplicated(["judging", *key])
    s = c["specifications"]
    s = s[s["segmentation"] == o["primary_segmentation"]]
    series = shown[[*key[1:3], "reduction"]].drop_duplicates()
    s = s.merge(series, on=list(series))
    own = {"paper": ("buzzed_so_far", "exact"), "release": ("buzzed_on_question", "released")}
    parts = []
    for definition, (h, edges) in own.items():
        scope = {d: name for name, d in specification.SCOPES.items()}[definition]
        keep = s["h_definition"].isna() | (s["h_definition"] == h)
        keep &= s["form"].isna() | (s["form"] == definition)
        keep &= s["scope"].isna() | (s["scope"] == scope)
        keep &= s["edges"].isna() | (s["edges"] == edges)
        parts.append(s[keep].assign(definition=definition))
    found = pd.concat(parts).set_index([*key, "matcher"])["value"]
    at = pd.MultiIndex.from_frame(t[[*key, "judging"]].rename(columns={"judging": "matcher"}))
    value = found.reindex(at).to_numpy(dtype=float)
    wrong |= ~np.isnan(value) & ~_near(t["value"], value)
    return bad(t, wrong, "judging", *key)


@again("to_verify", "judgements", "responses", "questions", skip=("who", "reason"))
def _first_to_verify(c):
    """Rows touched, uncertainty, impact and order follow from judgements and responses."""
    from ..answers import judging, verification

    r, q = c["responses"], c["questions"]
    shown = r[(r["segmentation"] == c.options["primary_segmentation"]) & r["guess"].notna()]
    shown = shown.drop_duplicates(["model", "elicitation", "question_id", "clue"])
    shown = shown.assign(condition=judging.conditions(shown, q))
    return verification.to_verify(c["judgements"], shown, q)


@again(
    "verification",
    "matchers",
    skip=INTERVALS,
    of=lambda t: t[~t["quantity"].astype(str).str.startswith("Cohen")],
)
def _moved(c):
    """What the verdicts in use moved follows from the scores under each judge."""
    from ..answers import verification

    t = c["matchers"]
    used, engine = (t[t["judging"] == name] for name in ("as used", "engine"))
    return pd.DataFrame(verification.moved(used, engine))


# What was printed.


@again("forensics_cells", "forensics")
def _cells(c):
    """The verdict on a printed cell follows from those under each reading."""
    from ..published import verdicts

    return verdicts.verdicts(_as_made(c["forensics"]))


def _as_made(table):
    """A final table with empty words again where words were empty."""
    words = [
        n for n in table if not pd.api.types.is_numeric_dtype(table[n]) or table[n].isna().all()
    ]
    return table.assign(**{name: _text(table[name]) for name in words})


@again(
    "forensics_readings",
    "forensics",
    of=lambda t: t[~t["table"].astype(str).str.contains(" with ")],
)
def _readings(c):
    """Cells that each reading excludes are counted in the checks of all cells."""
    from ..published import verdicts

    return verdicts.readings(_as_made(c["forensics"]), {})


@invariant("forensics", "human_curve", "questions")
def _within_reach(c):
    """Ranges of CalScore follow from the human curve; what is possible lies in its range."""
    t = c["forensics"]
    t = t[(t["check"] == "range") & (t["read_as"] == "calscore")]
    place = ["segmentation", "h_definition"]
    free = c["human_curve"].assign(free=lambda h: 1.0 - h["h"])
    free = free.groupby([*place, "question_id"])["free"].mean().reset_index()
    free = free.merge(c["questions"][["question_id", "category"]], on="question_id")
    free = pd.concat([free, free.assign(category="")])
    ends = []
    for definition in ("paper", "release"):
        of = free.assign(definition=definition, low=1.0 - free["free"], high=1.0)
        if definition == "paper":
            span = 1.0 - 2.0 / (1.0 + np.e)
            for end, sign in (("low", 1), ("high", -1)):
                scaled = 1.0 / (1.0 + np.exp(-sign * free["free"])) - 1.0 / (1.0 + np.e)
                of[end] = 1.0 - scaled / span
        ends.append(of)
    key = [*place, "definition", "category"]
    ends = pd.concat(ends).groupby(key)[list(INTERVALS)].mean().reset_index()
    t = t.assign(category=t["category"].astype(object).where(t["category"].notna(), ""))
    both = t[key].merge(ends, on=key, how="left")
    wrong = ~_near(t["low"], both["low"]) | ~_near(t["high"], both["high"])
    inside = (t["printed_low"] <= t["high"]) & (t["low"] <= t["printed_high"])
    tested = t["verdict"] != "cannot be tested"
    wrong |= tested & (inside != (t["verdict"] == "possible"))
    return bad(t, wrong, "table", "cell", "columns", *key)


# Submissions and buzzing.


@again(
    "runs", "buzzes", "exposures", "questions", of=lambda t: t[t["live"].fillna(True).astype(bool)]
)
def _live_runs(c):
    """Runs of live models are their first buzzes."""
    from ..leaderboard import submissions

    live = submissions.live_runs(c["buzzes"], c["exposures"], c["questions"])
    return live.sort_values(store.schema("runs")["key"], kind="stable")


@invariant("human_plays", "buzzes", "questions")
def _plays_of_the_teams(c):
    """Where the plays are those of the study's own teams, they are their buzzes."""
    from ..leaderboard import submissions

    t = c["human_plays"]
    teams = set(c["buzzes"]["team"])
    if not t["team"].isin(teams).mean() > 0.5:
        return Outcome(len(t), 0, "plays of others")
    key = store.schema("human_plays")["key"]
    wanted = submissions.plays(c["buzzes"], c["questions"]).sort_values(key, kind="stable")
    return alike(t, wanted)


_BOARD = ("runs", "human_plays", "questions", "buzzes", "exposures")


def _entered(c):
    """Live and submitted: a field of the leaderboard."""

    def make(c):
        from ..leaderboard import submissions, tossups

        runs, plays = c["runs"], c["human_plays"]
        asked = runs.loc[~runs["live"], ["submission", "question_id"]]
        asked = pd.concat([asked, submissions.heard_live(c["exposures"])], ignore_index=True)
        asked = submissions.asked(asked, runs, plays, c.options["missing_questions"])
        return tossups.field(runs, asked, plays)

    return c.again("entered", _BOARD, make)


_REPLAYS = ("buzzpoints", "human_plays", "responses", "clues")


def _replays(c):
    """Replayed from guesses: a field of the leaderboard."""

    def make(c):
        from ..leaderboard import replayed
        from ..scores import tables

        o = c.options
        limits = {key: model.get("threshold") for key, model in o["models"].items()}
        own = {key: limit for key, limit in limits.items() if limit is not None}
        rules = replayed.chosen(c["buzzpoints"], own, o["opponents"])
        shown = tables.primary(c["responses"], o["primary_segmentation"], o["reductions"])
        beliefs = replayed.beliefs(shown, c["clues"])
        plays = c["human_plays"]
        return replayed.field(c["buzzpoints"], rules, plays, o["missing_questions"], beliefs)

    return c.again("replays", _REPLAYS, make)


def _rows(replays: bool):
    """A table's rows of live and submitted, or of replayed ones."""
    from ..leaderboard import replayed

    return lambda t: t[replayed.is_replayed(t["submission"]) == replays]


def _boards(c, fields):
    from ..leaderboard import tossups

    fields = [one for one in fields if len(one.scored)]
    flag = c.options["score_early_stopped"]
    board = tossups.boards(fields, *c.drawn.values(), score_stopped=flag)
    return tossups.described(
        board,
        pd.concat([one.scored for one in fields], ignore_index=True),
        pd.concat([one.stopped for one in fields], ignore_index=True),
    )


@again("leaderboard", *_BOARD, of=_rows(False))
def _board(c):
    """Values, counts and ranks of live and submitted ones follow from runs and plays."""
    return _boards(c, [_entered(c)])


@again("leaderboard", *_REPLAYS, *_BOARD, of=_rows(True))
def _replayed_board(c):
    """Values, counts and ranks of replayed ones follow from buzzpoints, plays and beliefs, and from nothing without them."""
    if not c.options["replayed_submissions"]:
        return c["leaderboard"].iloc[:0]
    return _boards(c, [_entered(c), _replays(c)])


@again("leaderboard_ranks", "leaderboard", *_BOARD, may=_REPLAYS)
def _board_ranks(c):
    """Values and bounds are those of the leaderboard, how sure ranks are follows from the draws."""
    from ..leaderboard import ranks, tossups

    fields = [_entered(c)]
    if c.options["replayed_submissions"] and "buzzpoints" in c.tables:
        fields.append(_replays(c))
    fields = [one for one in fields if len(one.scored)]
    terms: dict = {}
    for one in fields:
        terms |= one.terms(c.options["score_early_stopped"])
    scored = pd.concat([one.scored for one in fields], ignore_index=True)
    table = ranks.ranks(c["leaderboard"])
    among = tossups.among(fields)
    return ranks.sure(table, scored, c["human_plays"], terms, among, *c.drawn.values())


@invariant("leaderboard_ranks")
def _how_sure(c):
    """Bounds of a rank are where there is a rank, in order, and reach 1 just where rank 1 is not rare."""
    t = c["leaderboard_ranks"]
    tail = (1 - c.options["level"]) / 2
    sure = t["rank"].notna()
    wrong = sure & t[["rank_low", "rank_high", "p_first", "resampled"]].isna().any(axis=1)
    wrong |= (
        (t["rank_low"] > t["rank_high"])
        | (t["rank_low"] < 1)
        | ~t["p_first"].fillna(0).between(0, 1)
    )
    # One replicate lies between the share and the bound.
    near = 1 / c.options["replicates"]
    wrong |= sure & (t["p_first"] > tail + near) & (t["rank_low"] != 1)
    wrong |= sure & (t["p_first"] < tail - near) & (t["rank_low"] == 1)
    both = t["resampled"] == "questions and teams"
    wrong |= both != t["two_way_low"].notna()
    wrong |= both != t["two_way_high"].notna()
    wrong |= t["two_way_low"] > t["two_way_high"]
    return bad(t, wrong, "submission", "column")


@again("head_to_head", *_BOARD)
def _pairs(c):
    """Wins of each pair follow from runs and buzzes."""
    from ..leaderboard import tossups

    others = tossups.team_firsts(c["buzzes"], c["exposures"], c["questions"])
    return tossups.head_to_head(_entered(c).firsts, others, c.options["level"])


@again("leaderboard_classes", *_BOARD, of=_rows(False))
def _classes(c):
    """Classes of questions follow from the runs."""
    from ..leaderboard import tossups

    runs, firsts = c["runs"], _entered(c).firsts
    live = set(runs.loc[runs["live"], "submission"])
    return tossups.classes(firsts[~firsts["submission"].isin(live)], c.options["level"])


@again("leaderboard_classes", *_REPLAYS, of=_rows(True))
def _replayed_classes(c):
    """Classes of questions of replayed ones follow from the buzzpoints."""
    from ..leaderboard import tossups

    if not c.options["replayed_submissions"]:
        return c["leaderboard_classes"].iloc[:0]
    return tossups.classes(_replays(c).firsts, c.options["level"])


_CROWD = ("questions", "buzzes", "exposures")


def _curves(c):
    from ..buzzing import opponents

    points = opponents.observed(*(c[name] for name in _CROWD))
    return points, opponents.curves(points)


@again("tables/opponents", *_CROWD, skip=INTERVALS)
def _pi(c):
    """π and the observed shares follow from the buzzes."""

    return opponents.tabulated(*_curves(c))


@invariant("tables/opponents")
def _bounds_of_shares(c):
    """Bounds of the observed share are the same beside every curve, and fall as more is heard."""
    t = c["tables/opponents"]
    ends = ["share_low", "share_high"]
    first = t.groupby("revealed")[ends].transform("first")
    wrong = (t[ends].isna() != first.isna()) | ((t[ends] - first).abs() > 1e-9)
    wrong |= t.sort_values("revealed").groupby("opponents")[ends].diff().reindex(t.index) > 1e-9
    return bad(t, wrong.any(axis=1), "opponents", "revealed", *ends)


@invariant("tables/opponents")
def _bounds_of_the_fitted(c):
    """The curve fitted here has bounds everywhere, those of others have none."""
    t = c["tables/opponents"]
    missing = t[["pi_low", "pi_high"]].isna().any(axis=1)
    return bad(t, missing == t["opponents"].eq("fitted"), "opponents", "revealed")


def _of_study(table):
    """Rows of the study's own questions whose rule looks at no other questions."""
    own = table["set"].ne("past")
    if "rule" in table:
        own &= ~table["rule"].astype(str).str.endswith("past questions")
    return table[own]


_BUZZING = ("guesses", "judgements", *_CROWD)


def _analysed(c):
    def make(c):
        from ..answers import judging

        guesses = c["guesses"]
        guesses = guesses.assign(condition=judging.conditions(guesses, c["questions"]))
        right = judging.verdicts(guesses, c["judgements"], c.options["judging"])
        states = thresholds.states(guesses, right, c["questions"], "study")
        o = c.options
        return thresholds.analyse(
            states, _curves(c)[1], o["thresholds"], o["folds"], **c.resampling
        )

    if "analysed" not in c.__dict__:
        c.__dict__["analysed"] = c.again("analysed", _BUZZING, make)
    return c.__dict__["analysed"]


@again("buzzpoints", *_BUZZING, of=_of_study)
def _buzzpoints(c):
    """What each rule decides follows from guesses and verdicts."""
    return _analysed(c)["buzzpoints"].sort_values(store.schema("buzzpoints")["key"], kind="stable")


def _with_names(c, table):
    return table.assign(name=table["model"].map(c.names).fillna(table["model"]))


@again("thresholds", *_BUZZING, of=_of_study)
def _thresholds(c):
    """What each rule gives follows from guesses and verdicts, Wilson's intervals included."""
    table = _with_names(c, _analysed(c)["thresholds"])
    drawn = [f"{name}_{end}" for name in ("mean_revealed", "mean_words") for end in INTERVALS]
    return table.drop(columns=[*INTERVALS, *drawn])


@again("expected_wins", *_BUZZING, of=_of_study)
def _expected_wins(c):
    """Expected wins at each threshold follow from guesses and verdicts, Wilson's intervals included."""
    return _with_names(c, _analysed(c)["expected_wins"]).drop(columns=list(INTERVALS))


def _live(table):
    return table[table["rule"] == "live"]


@again("matches", *_CROWD, skip=INTERVALS, of=_live)
def _live_matches(c):
    """Matches replayed from live buzzes."""
    from ..buzzing import matches

    return _played(c, matches.live_points(c["buzzes"], c["exposures"]))


@again("matches", "buzzpoints", *_CROWD, skip=INTERVALS)
def _matches(c):
    """Matches replayed from buzzpoints and buzzes."""
    from ..buzzing import matches

    points = c["buzzpoints"]
    shown = matches.shown(points, c.options["opponents"])
    live = matches.live_points(c["buzzes"], c["exposures"])
    return _played(c, pd.concat([live, matches.replayed_points(points, shown)], ignore_index=True))


def _played(c, points):
    from ..buzzing import matches

    table = matches.pairs(points, c["buzzes"], c["exposures"], c["questions"])
    played = matches.replay(table, c.options["match_points"])
    return matches.matches(played, c.names, **c.resampling)


@again("win_matrix", "matches")
def _won(c):
    """Wins, losses and draws are those of the matches."""
    from ..buzzing import matches

    t = c["matches"]
    return matches.win_matrix(t.assign(elicitation=t["elicitation"].fillna("")))


# --- run -----------------------------------------------------------------------------------------


def run(
    tables: Mapping,
    options: dict,
    schemas: Mapping,
    about: str | None = None,
    traces: dict[str, object] | None = None,
    study=None,
) -> Iterator[dict]:
    """Every check as a row of audit/checks.csv.

    ``schemas``: table name → schema name or None. ``about``: only the checks that read this table.
    ``traces``: what an earlier run recomputed, with other tables than ``about`` the same and none of
    :data:`TRACED` changed; used and added to. ``study``: where raw files lie; without it none is read.
    """
    for name in schemas:
        frame = tables[name]
        kind = schemas[name]
        if kind:
            parents = store.schema(kind).get("foreign_keys", {})
            if about in (None, name) or about in parents:
                yield from map(_row, of_schema(name, frame, kind, _Known(tables, schemas)))
        elif about in (None, name):
            yield _row(
                (
                    name,
                    "repeats",
                    "error",
                    bad(frame, frame.duplicated(), *list(frame)[:3]),
                    "no row occurs twice",
                )
            )
            yield from map(_row, of_numbers(name, frame))
    context = Context(_Known(tables, schemas), options, traces, about, schemas, study)
    for one in INVARIANTS:
        needs = [context.called(name) for name in one.needs]
        if about not in (None, *needs, *map(context.called, one.may)):
            continue
        if all(name in schemas for name in needs) and context.at_hand(one.rule):
            try:
                outcome = one.run(context)
            except Exception as error:
                # What cannot be computed is a failure of the tables, and the other checks still run.
                outcome = Outcome(0, 1, f"cannot be computed: {type(error).__name__}: {error}")
            yield _row((needs[0], one.name, one.severity, outcome, one.statement))


class _Known(Mapping):
    """Tables that are there, read when asked for."""

    def __init__(self, tables, names):
        self._tables, self._names = tables, names

    def __getitem__(self, name):
        if name not in self._names:
            raise KeyError(name)
        return self._tables[name]

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)


def _row(found) -> dict:
    table, check, severity, outcome, statement = found
    result = "fail" if outcome.failures else "pass"
    values = (
        table,
        check,
        severity,
        result,
        outcome.rows,
        outcome.failures,
        outcome.detail,
        statement,
    )
    return dict(zip(COLUMNS, values, strict=True))


def of_study(study):
    """All checks of a results folder as a table."""
    schemas = {name: table.schema for name, table in study.tables.items()}
    rows = list(run(study, study.options, schemas, study=study))
    return pd.DataFrame(rows, columns=COLUMNS)


def failed(table) -> list[str]:
    """Failed checks of severity error, one line each."""
    rows = table[(table["result"] == "fail") & (table["severity"] == "error")]
    return [
        f"{r.table}: {r.check}: {r.failures} of {r.rows} rows; {r.detail}"
        for r in rows.itertuples()
    ]


# Further invariants, by analysis; they mark themselves.
from . import checks_inputs, checks_irt, checks_options, checks_tournament  # noqa: E402, F401
