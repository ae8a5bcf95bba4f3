"""Proper scores of every model with intervals, and the risk–coverage curve; options as in :mod:`calscore.scores.tables`."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..human import curves
from ..stats import resample
from ..stats.bootstrap import Bootstrap
from . import metrics, proper_scoring, tables, two_way_bootstrap
from . import score as scores
from .score import SERIES, Clues, bin_edges_of, clues_of, scored_clues

COVERAGE = np.arange(1, 101) / 100


def proper_question_sums(clues: Clues, definition: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Metric → per-question (numerator, denominator), arrays (Q,), of the proper scores that are ratios of sums.

    ``clues``: all of one series. brier and log_score_clipped are sums over answers. The three forms of CalScore are
    means over questions, without those where they are undefined.
    """
    size = len(clues.questions)
    code, g, c = _answers(clues, definition)
    rows = np.bincount(code, minlength=size).astype(float)
    sums = {
        "brier": (np.bincount(code, (c - g) ** 2, size), rows),
        "log_score_clipped": (
            np.bincount(code, proper_scoring.log_losses(g, c, proper_scoring.CLIP), size),
            rows,
        ),
    }
    starts, h = clues.starts, clues.h[metrics.DEFINITIONS[definition]]
    least, greatest = proper_scoring.calscore_range(h, starts, definition)
    per_question = {
        "calscore_normalised": proper_scoring.calscore_normalised(clues.g, clues.c, h, starts, definition),
        "calscore_least": least,
        "calscore_greatest": greatest,
    }
    for name, values in per_question.items():
        finite = np.isfinite(values)
        question = clues.question[starts][finite]
        sums[name] = (
            np.bincount(question, values[finite], size),
            np.bincount(question, minlength=size).astype(float),
        )
    return sums


def _answers(clues: Clues, definition: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(question index, right or not as 0/1, confidence) of the clues that a definition takes (:meth:`.Clues.scope`)."""
    in_scope = clues.scope(definition)
    return clues.question[in_scope], clues.g[in_scope].astype(float), clues.c[in_scope]


def proper_replicates(clues: Clues, definition: str, weights, cache=None) -> dict[str, np.ndarray]:
    """Metric → its replicates for one series, (R,) or fewer (:func:`.answer_draws`); ``weights`` (R, Q): ones first.

    ``cache``: what depends on answers alone, by the answers; it is added to, as two segmentations may cut alike.
    """
    metrics_drawn = {
        name: resample.ratio_draws(weights, *sums)
        for name, sums in proper_question_sums(clues, definition).items()
    }
    code, g, c = _answers(clues, definition)
    cache = {} if cache is None else cache
    key = (g.tobytes(), c.tobytes(), code.tobytes(), weights.shape, bin_edges_of(definition))
    if key not in cache:
        cache[key] = proper_scoring.answer_draws(weights, g, c, code, bin_edges_of(definition))
    return metrics_drawn | cache[key]


def percentile_bounds(values: np.ndarray, level: float) -> tuple[float, float]:
    """(low, high) of draws (R,) without nan, nan where none is left; inf counts as a value and is never interpolated."""
    values = values[~np.isnan(values)]
    if not len(values):
        return np.nan, np.nan
    if np.isinf(values).any():
        tails = ((1 - level) / 2, "lower"), ((1 + level) / 2, "higher")
        low, high = (np.quantile(values, p, method=method) for p, method in tails)
    else:
        low, high = resample.percentile_interval(values, level)
    return float(low), float(high)


def _notes(clues: Clues, definition: str, metrics_drawn: dict) -> dict[str, str]:
    """Metric → note where a score is undefined, infinite, clipped, or leaves out answers or bins; "" or no key else."""
    code, g, c = _answers(clues, definition)
    notes = {}
    certain = int(np.isinf(proper_scoring.log_losses(g, c)).sum())
    if certain:
        words = f"{certain} of {len(g)} rows were certain and wrong"
        notes["log_score"] = f"{words}: infinite"
        clipped = int((proper_scoring.log_losses(g, c) > -np.log(proper_scoring.CLIP)).sum())
        notes["log_score_clipped"] = f"{clipped} rows taken at probability 2^-52"
    if not 0 < g.sum() < len(g):
        notes["auroc"] = f"every answer is {'right' if g.all() else 'wrong'}: undefined"
    if metrics_drawn["ece_smooth"][0] <= proper_scoring.FINEST:
        bounds = f"at least this, at most {proper_scoring.FINEST:.1g}"
        notes["ece_smooth"] = f"{bounds}: bandwidths below are not resolved"
    rows = np.zeros((len(clues.questions), metrics.N_BINS), dtype=int)
    np.add.at(rows, (code, metrics.confidence_bins(c, bin_edges_of(definition))), 1)
    for square, count, unit in (
        ("debiased", rows.sum(axis=0), "row"),
        ("across", (rows > 0).sum(axis=0), "question"),
    ):
        alone = int((count == 1).sum())
        singles = f"bins of one {unit} count as 0: {alone}" if alone else ""
        notes[f"ece2_{square}"] = singles
        below = metrics_drawn[f"ece2_{square}"][0] < 0
        root = "the square is below 0, its root is taken as 0" if below else ""
        notes[f"ece_{square}"] = "; ".join(filter(None, (singles, root)))
    hopeless = np.fmin.reduceat(clues.h[metrics.DEFINITIONS[definition]], clues.starts) >= 1
    if hopeless.any():
        notes["calscore_normalised"] = (
            f"{int(hopeless.sum())} of {len(hopeless)} questions left out: h is 1 at every clue"
        )
    return notes


class SeriesDraws(NamedTuple):
    """Draws of one ``series`` (key) with its ``clues``; ``values``: metric → (R + 1,) or fewer, the data first."""

    definition: str
    series: tuple
    clues: Clues
    values: dict[str, np.ndarray]


def _weights(n_questions: int, bootstrap: Bootstrap) -> np.ndarray:
    """Ones, then the weights of the replicates of scores/model_scores: shape (R + 1, Q)."""
    return np.vstack([np.ones(n_questions), bootstrap.question_weights(n_questions)])


def iter_series_draws(rows: pd.DataFrame, bootstrap: Bootstrap) -> Iterator[SeriesDraws]:
    """Yields :class:`SeriesDraws` of :func:`.score.scored_rows`, in order of series, segmentation and definition."""
    wholes = clues_of(rows)
    weights = [_weights(len(clues.questions), bootstrap) for clues in wholes]
    placed_series = sorted(
        (key, index, number)
        for index, clues in enumerate(wholes)
        for number, key in enumerate(clues.series.itertuples(index=False, name=None))
    )
    for key, places in groupby(placed_series, key=itemgetter(0)):
        cache: dict = {}
        for _, index, number in places:
            clues = wholes[index]
            own_clues = clues.select(slice(*np.searchsorted(clues.number, [number, number + 1])))
            for definition in metrics.DEFINITIONS:
                values = proper_replicates(own_clues, definition, weights[index], cache)
                yield SeriesDraws(definition, key, own_clues, values)


def proper_rows(drawn: SeriesDraws, bootstrap: Bootstrap) -> list[dict]:
    """Rows of scores/proper of one series, one per metric, without the two-way columns."""
    notes = _notes(drawn.clues, drawn.definition, drawn.values)
    answered = _answers(drawn.clues, drawn.definition)[0]
    lines = []
    for metric in metrics.metric_names("proper"):
        values = drawn.values[metric]
        low, high = percentile_bounds(values[1:], bootstrap.level)
        lost = int(np.isnan(values[1:]).sum())
        undefined = f"undefined in {lost} of {len(values) - 1} resamples" if lost else ""
        lines.append(
            {
                "segmentation": drawn.clues.segmentation,
                "definition": drawn.definition,
                **dict(zip(SERIES, drawn.series, strict=True)),
                "metric": metric,
                "value": values[0],
                "low": low,
                "high": high,
                "n_questions": len(np.unique(answered)),
                "n_rows": len(answered),
                "note": "; ".join(filter(None, (notes.get(metric, ""), undefined))),
            }
        )
    return lines


class TwoWayDraws(NamedTuple):
    """Clues and series (S) of one segmentation; two-way ``values``: definition → metric → (S, R); weights (R, Q), (R, T)."""

    clues: Clues
    series: list[tuple]
    weights: tuple[np.ndarray, np.ndarray]
    values: dict[str, dict[str, np.ndarray]]

    @property
    def n_teams(self) -> int:
        return self.weights[1].shape[1]


def draw_two_way(rows, crowd: curves.TeamClueCounts, bootstrap: Bootstrap) -> TwoWayDraws:
    """Two-way draws of the scores :data:`.two_way_bootstrap.RESCALED`, under both definitions.

    ``rows``: frame of :func:`.score.scored_rows`, of one segmentation; ``crowd``: of the same segmentation.
    """
    (clues,) = clues_of(rows)
    weights = bootstrap.two_way_weights(len(clues.questions), len(crowd.teams))
    names = two_way_bootstrap.RESCALED
    values = {
        definition: two_way_bootstrap.two_way_draws(clues, crowd, definition, weights, names)
        for definition in metrics.DEFINITIONS
    }
    series = list(clues.series.itertuples(index=False, name=None))
    return TwoWayDraws(clues, series, weights, values)


def _with_two_way(lines: list[dict], crossed: TwoWayDraws, segmentation: str, bootstrap: Bootstrap):
    """Table scores/proper from rows of :func:`proper_rows`, with the two-way bounds of ``crossed`` in ``segmentation``."""
    keys, ends = ["segmentation", "definition", *SERIES, "metric"], ["two_way_low", "two_way_high"]
    bounds = [
        (segmentation, definition, *key, metric, *percentile_bounds(series_draws, bootstrap.level))
        for definition, by_metric in crossed.values.items()
        for metric, draws_of in by_metric.items()
        for key, series_draws in zip(crossed.series, draws_of, strict=True)
    ]
    table = pd.DataFrame(lines)
    table = table.sort_values(["segmentation", *SERIES], kind="stable", ignore_index=True)
    bounds = pd.DataFrame(bounds, columns=[*keys, *ends])
    table = table.merge(bounds, on=keys, how="left", validate="one_to_one")
    values = (table[name] for name in ("value", *ends, "n_questions"))
    # The three forms of CalScore, which alone have such bounds, are shares.
    table[ends] = np.clip(np.column_stack(bootstrap.two_way_interval(*values, crossed.n_teams)), 0, 1)
    return table[store.columns("proper")]


def score_and_compare(
    rows: pd.DataFrame,
    crowd: curves.TeamClueCounts,
    segmentation: str,
    definition: str,
    reductions: list[str],
    names: dict[str, str],
    bootstrap: Bootstrap,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tables (proper, proper_comparisons), the second from the draws of the first.

    ``rows``: :func:`.score.scored_rows`; ``names``: model → name shown. ``crowd``: of ``segmentation``, the primary
    one. Only its series with the shown reduction have two-way bounds; these are compared, under ``definition``.
    """
    primary_rows = tables.primary_rows(rows, segmentation, reductions, every_judge=True)
    crossed = draw_two_way(primary_rows, crowd, bootstrap)
    primary_draws, lines = {}, []
    for series_draws in iter_series_draws(rows, bootstrap):
        lines += proper_rows(series_draws, bootstrap)
        is_primary = (series_draws.clues.segmentation, series_draws.definition) == (
            segmentation,
            definition,
        )
        if is_primary and series_draws.series in crossed.series:
            primary_draws[series_draws.series] = series_draws
    table = _with_two_way(lines, crossed, segmentation, bootstrap)
    comparisons = compare_proper_scores(primary_draws, crossed, crowd, definition, reductions, bootstrap)
    for side in "ab":
        model = comparisons[f"model_{side}"]
        comparisons[f"name_{side}"] = model.replace(names)
    return table, comparisons


def compare_proper_scores(
    drawn: dict[tuple, SeriesDraws],
    crossed: TwoWayDraws,
    crowd: curves.TeamClueCounts,
    definition: str,
    reductions: list[str],
    bootstrap: Bootstrap,
) -> pd.DataFrame:
    """Table proper_comparisons without names: paired differences a − b of series over the questions that both have.

    A row per pair (:func:`.score.series_pairs`) with a shared question, and metric. ``drawn``: series → its draws, under
    ``definition``, of the segmentation of ``crossed`` and ``crowd``. A series with more questions than are shared is drawn again
    on these. Bounds are percentiles, BCa for means, and two-way for normalised CalScore; the log score is the clipped one. No tests.
    """
    keys = sorted(drawn)
    series_pairs = scores.series_pairs(pd.DataFrame(keys, columns=SERIES), reductions)
    questions = drawn[keys[0]].clues.questions
    has = np.zeros((len(keys), len(questions)), dtype=bool)
    for number, key in enumerate(keys):
        has[number, drawn[key].clues.question] = True
    weights: list = []

    @cache
    def side(number: int, mask: bytes):
        """Draws of a series on the questions of a mask, and its sums per question."""
        series_draws = drawn[keys[number]]
        if has[number].tobytes() == mask:
            return series_draws.values, proper_question_sums(series_draws.clues, definition)
        if not weights:
            weights.append(_weights(len(questions), bootstrap))
        shared = series_draws.clues.select(np.frombuffer(mask, dtype=bool)[series_draws.clues.question])
        return proper_replicates(shared, definition, weights[0]), proper_question_sums(shared, definition)

    lines = []
    for pair in series_pairs.itertuples():
        mask = has[pair.a] & has[pair.b]
        if not mask.any():
            continue
        a, b = (side(number, mask.tobytes()) for number in (pair.a, pair.b))
        names = keys[pair.a], keys[pair.b]
        size = mask.sum(), crossed.n_teams
        both = {
            "calscore_normalised": _two_way_difference(crossed, crowd, definition, *names, questions[mask])
        }
        for metric in metrics.metrics_for("proper_comparisons"):
            name = metric.name
            sums = (a[1][name], b[1][name]) if name in a[1] else None
            line = _difference(a[0][name], b[0][name], sums, both.get(name), size, bootstrap)
            if metric.higher:
                line |= {share: 1 - line[share] for share in ("draws_a_better", "two_way_draws_a_better")}
            line |= {"definition": definition, "kind": pair.kind, "metric": name}
            for end, key in zip("ab", names, strict=True):
                line |= {f"{k}_{end}": v for k, v in zip(SERIES, key, strict=True)}
            lines.append(line | {"n_questions": int(mask.sum())})
    table = store.frame(lines, "proper_comparisons")
    order = ["kind", "metric", "elicitation_a", "marks_a", "marks_b", "model_a", "model_b"]
    ascending = [False, *[True] * 6]
    return table.sort_values(order, ascending=ascending, ignore_index=True)


def _difference(a, b, sums, both, size, bootstrap: Bootstrap) -> dict:
    """Columns of one difference, from paired draws ``a`` and ``b`` (R + 1,), the data first; "better" means lower here.

    ``sums``: per-question sums of a and b for BCa, or None; ``both``: two-way draws of the difference, or None;
    ``size``: (number of shared questions, number of teams).
    """
    value, drawn = a[0] - b[0], a[1:] - b[1:]
    drawn = drawn[np.isfinite(drawn)]
    line = {"difference": value, "replicates": len(drawn), "two_way_draws_a_better": np.nan}
    line["low"], line["high"] = percentile_bounds(drawn, bootstrap.level)
    line["draws_a_better"] = resample.prob_less(drawn[None])[0]
    if len(drawn) > 1:
        line["se"] = drawn.std(ddof=1)
    if sums is not None and len(drawn):
        top, under = (np.stack(part) for part in zip(*sums, strict=True))
        leave_one_out = resample.jackknife(resample.Sums(top[..., None], under))
        left_out = leave_one_out[:1] - leave_one_out[1:]
        bounds = resample.intervals(drawn[None], np.array([value]), left_out, bootstrap.level)
        line["bca_low"], line["bca_high"] = bounds.bca_low[0], bounds.bca_high[0]
    if both is not None:
        ends = bootstrap.two_way_interval(value, *percentile_bounds(both, bootstrap.level), *size)
        line["two_way_low"], line["two_way_high"] = map(float, ends)
        line["two_way_draws_a_better"] = resample.prob_less(both[None])[0]
    return line


def _two_way_difference(
    crossed: TwoWayDraws, crowd, definition: str, a: tuple, b: tuple, shared: pd.Index
) -> np.ndarray:
    """Two-way draws (R,) of series a − series b in normalised CalScore, over the questions ``shared``."""
    metric = "calscore_normalised"
    places = np.array([crossed.series.index(key) for key in (a, b)])
    if len(shared) == len(crossed.clues.questions):
        drawn = crossed.values[definition][metric][places]
    else:
        mask = crossed.clues.questions.isin(shared)
        part = crossed.clues.restrict(mask, places)
        weights = crossed.weights[0][:, mask], crossed.weights[1]
        drawn = two_way_bootstrap.two_way_draws(part, crowd, definition, weights, (metric,))[metric]
    return drawn[0] - drawn[1]


def proper_scores_table(table, segmentation: str, reductions: list, names: dict) -> pd.DataFrame:
    """Table proper_scores from ``table`` (proper): a row per definition, elicitation (descending), judge and model, so sorted.

    Columns: :func:`.tables.widen_metrics` of :func:`.tables.primary_rows`, under every judge. ``note`` joins the notes of
    the metrics, each after its name."""
    rows = tables.primary_rows(table, segmentation, reductions, every_judge=True)
    key = ["definition", "elicitation", "model", "reduction", "marks", "n_questions", "n_rows"]
    wanted = metrics.metrics_for("proper")
    out = tables.widen_metrics(rows, wanted, key, ["value", *tables.ENDS], names)
    noted = rows[rows["note"] != ""]
    notes = noted["metric"] + ": " + noted["note"]
    notes = notes.groupby([noted[name] for name in key]).agg("; ".join)
    out["note"] = notes.reindex(pd.MultiIndex.from_frame(out[key])).fillna("").to_numpy()
    order = ["definition", "elicitation", "marks", "model"]
    return out.sort_values(order, ascending=[True, False, True, True], ignore_index=True)


def risk_coverage(rows, segmentation: str, reductions: list, bootstrap: Bootstrap) -> pd.DataFrame:
    """Table risk_coverage: ``risk``, the share wrong among the most confident answers, by hundredth of answers kept.

    ``rows``: frame of :func:`.score.scored_rows`. A row per definition, primary series and coverage, with the
    least confidence kept (``threshold``). Bounds are percentiles of at most 1,000 resamples of questions.
    """
    rows = tables.primary_rows(rows, segmentation, reductions)
    questions = pd.Index(sorted(rows["question_id"].unique()))
    weights = _weights(len(questions), bootstrap)[: proper_scoring.SORTED_REPLICATES + 1]
    parts = []
    for definition in metrics.DEFINITIONS:
        for key, answers in scored_clues(rows, definition).groupby(SERIES, sort=True):
            code = questions.get_indexer(answers["question_id"])
            risk, threshold = proper_scoring.risk_coverage(
                weights, answers["correct"], answers["confidence"], code, COVERAGE
            )
            complete = ~np.isnan(risk[1:]).any(axis=1)
            low, high = bootstrap.percentile(risk[1:][complete], axis=0)
            parts.append(
                pd.DataFrame(
                    {
                        "definition": definition,
                        **dict(zip(SERIES, key, strict=True)),
                        "coverage": COVERAGE,
                        "threshold": threshold,
                        "risk": risk[0],
                        "low": low,
                        "high": high,
                        "n_rows": len(answers),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def proper_score_tables(
    responses: pd.DataFrame,
    human_curve: pd.DataFrame,
    crowd: pd.DataFrame,
    clues: pd.DataFrame,
    primary_segmentation: str,
    primary_definition: str,
    reductions: list[str],
    names: dict[str, str],
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, pd.DataFrame]:
    """Tables proper, proper_scores, proper_comparisons and risk_coverage, by name; ``names``: model → name shown."""
    rows = scores.scored_rows(responses, human_curve)
    primary_choice = primary_segmentation, reductions
    bootstrap = Bootstrap(replicates, seed, level)
    primary_clues = clues[clues["segmentation"] == primary_segmentation]
    humans = curves.team_clue_counts_from_table(crowd, primary_clues)[primary_segmentation]
    table, compared = score_and_compare(
        rows, humans, primary_segmentation, primary_definition, reductions, names, bootstrap
    )
    return {
        "proper": table,
        "proper_scores": proper_scores_table(table, *primary_choice, names),
        "proper_comparisons": compared,
        "risk_coverage": risk_coverage(rows, *primary_choice, bootstrap),
    }
