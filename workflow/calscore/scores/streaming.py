"""Tables of scores from clues in batches of whole questions, so that memory does not grow with a study.

What a question adds to each score is computed with all other clues of its batch, by the same functions whatever
the batches are: scores of questions are the same to the last bit. Sums over questions, from which intervals come,
are added batch by batch, so that they can differ from those of one batch by rounding, about 1e-15 of their size.

Batches hang together in at most :data:`CHUNKS` chunks, whose sums are added in their order. Jobs that share the work
take runs of whole chunks (:func:`scored_shard`): the same sums, however many jobs there are.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..core import store
from ..human import curves
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap
from . import metrics, score, two_way_bootstrap
from .score import SERIES, Clues


class Batch(NamedTuple):
    """Whole questions: where they stand among those of the segmentation, their chunk, their clues, who made their h."""

    part: slice
    chunk: int
    clues: Clues
    crowd: curves.TeamClueCounts | None


class SegmentationBatches(NamedTuple):
    """The scored clues of one segmentation: S series (a frame), Q question ids, human teams, batches of questions.

    ``own``: the questions that the batches have together; ``folder``: for what is known of each question and
    replicate; None keeps it in memory.
    """

    segmentation: str
    series: pd.DataFrame
    questions: pd.Index
    teams: pd.Index
    batches: Iterable[Batch]
    own: slice
    folder: Path | None = None
    threads: int = 1


def as_single_batch(of: Clues, crowd: curves.TeamClueCounts | None) -> SegmentationBatches:
    """Clues in memory as one batch."""
    teams = pd.Index([]) if crowd is None else crowd.teams
    own = slice(0, len(of.questions))
    return SegmentationBatches(
        of.segmentation, of.series, of.questions, teams, [Batch(own, 0, of, crowd)], own
    )


class QuestionArrayStore:
    """Numbers of each series and question by name, shapes (S, Q, …), put together from parts of the questions.

    In files (NumPy's format) of ``folders``, each of which has the next of the questions, and of which only what is asked
    for is read; in memory where there are none. What is added has questions of ``own``.
    """

    def __init__(self, folders: list[Path], own: slice):
        self.folders, self.own = folders, own
        self.arrays: dict = {}

    def add(self, key, part: slice, values: np.ndarray) -> None:
        if not self.folders:
            self.arrays[key] = values
            return
        if key not in self.arrays:
            path = self.arrays[key] = _file(self.folders[0], key)
            shape = (len(values), self.own.stop - self.own.start, *values.shape[2:])
            np.lib.format.open_memmap(path, "w+", values.dtype, shape)
        at = slice(part.start - self.own.start, part.stop - self.own.start)
        # Opened for each part: what is mapped counts as memory.
        np.load(self.arrays[key], mmap_mode="r+")[:, at] = values

    def of(self, key, series: slice) -> np.ndarray:
        if not self.folders:
            return self.arrays[key][series]
        parts = [np.load(_file(one, key), mmap_mode="r")[series] for one in self.folders]
        return np.concatenate(parts, axis=1)


def _file(folder: Path, key) -> Path:
    return folder / f"{'-'.join(key)}.npy"


class Scored(NamedTuple):
    """What all batches of one segmentation gave.

    ``kept``: (definition, metric) → sums of each question, (definition, n) → its clues in scope, (definition,
    bin_n), (definition, bin_right) and (definition, bin_confidence) → clues, right ones and confidence by bin of
    confidence; ``sums``: (drawn, definition, metric), and with teams drawn too (two_way, definition, metric), →
    numerators and, last, the denominator of each replicate, shape (S, k + 1, R).
    """

    whole: SegmentationBatches
    kept: QuestionArrayStore
    sums: dict

    def chunks(self, width: int) -> Iterator[slice]:
        """Some series at a time, so that ``width`` numbers of each question are few enough."""
        step = max(1, 8_000_000 // (len(self.whole.questions) * width))
        for first in range(0, len(self.whole.series), step):
            yield slice(first, first + step)


def _score(batch: Batch, weights: Callable, team_weights, teams: pd.Index):
    """What one batch adds: arrays to keep, and sums of replicates."""
    of, keep, sums = batch.clues, {}, {}
    of_questions = weights(batch.part)
    for scored, found in score.iter_question_sums(of):
        definition = found.definition
        at = of.scope(definition)
        cell, c = of.cell[at], of.c[at]
        place = cell * metrics.N_BINS + metrics.bins(c, score.bin_edges_of(definition))
        shape = (*of.shape, metrics.N_BINS)
        n, right, total = (
            np.bincount(place, w, np.prod(shape)).reshape(shape) for w in (None, of.g[at], c)
        )
        keep[definition, "n"] = n.sum(axis=2).astype("uint16")
        keep[definition, "bin_n"], keep[definition, "bin_right"] = (
            n.astype("uint16"),
            right.astype("uint16"),
        )
        keep[definition, "bin_confidence"] = total
        keep |= {(definition, metric): value for metric, value in scored.items()}
        for metric, of_metric in found.sums.items():
            keep[definition, metric] = of_metric.numerator
            top, under = resample.weighted_sums(of_metric, of_questions)
            sums["drawn", definition, metric] = np.hstack([top, under[:, None]])
    if batch.crowd is not None:
        own = team_weights[:, teams.get_indexer(batch.crowd.teams)]
        two_way = _two_way(of, batch.crowd, (of_questions, own))
        sums |= {("two_way", *key): pair.swapaxes(0, 1) for key, pair in two_way.items()}
    return batch.part, batch.chunk, keep, sums


def _two_way(of: Clues, crowd, weights) -> dict:
    """(definition, metric) → numerator and denominator of each replicate with teams drawn too, (2, S, R)."""
    forms: dict = {}
    for definition in metrics.DEFINITIONS:
        # A metric with an h of its own is the same under every definition.
        names = [
            metric.name
            for metric in metrics.metrics_for("scores")
            if metric.human and (metric.curve is None or ("paper", metric.name) not in forms)
        ]
        found = two_way_bootstrap.registered_forms(of, definition, names)
        forms |= {(definition, name): form for name, form in found.items()}
    return two_way_bootstrap.two_way_sums(of, crowd, weights, forms)


def _in_order(items: Iterable, function: Callable, threads: int) -> Iterator:
    """What ``function`` gives of each item, in their order, ``threads`` at a time."""
    if threads == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        under_way: deque = deque()
        for item in items:
            under_way.append(pool.submit(function, item))
            if len(under_way) > threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def _added(parts: Iterable[dict]) -> dict:
    """Sums of replicates by name, one part after the other; every part has all names."""
    return reduce(lambda one, two: {key: one[key] + two[key] for key in one | two}, parts)


def _by_chunk(
    whole: SegmentationBatches, kept: QuestionArrayStore, bootstrap: Bootstrap
) -> Iterator[tuple[int, dict]]:
    """(chunk, sums of replicates) of the batches; what is known of their questions goes into ``kept``."""
    weights = bootstrap.question_weights_by_part(len(whole.questions), whole.folder)
    team_weights = bootstrap.team_weights(len(whole.teams)) if len(whole.teams) else None

    def of_batch(batch: Batch):
        return _score(batch, weights, team_weights, whole.teams)

    def sums(made):
        for part, _, keep, added in made:
            for key, values in keep.items():
                kept.add(key, part, values)
            yield added

    every = _in_order(whole.batches, of_batch, whole.threads)
    for chunk, made in groupby(every, key=lambda one: one[1]):
        yield chunk, _added(sums(made))


def score_batches(whole: SegmentationBatches, bootstrap: Bootstrap) -> Scored:
    """All batches of a segmentation."""
    kept = QuestionArrayStore([whole.folder] if whole.folder else [], whole.own)
    return Scored(whole, kept, _added(one for _, one in _by_chunk(whole, kept, bootstrap)))


def merge_shards(whole: SegmentationBatches, folders: Iterable[Path]) -> Scored:
    """What :func:`score_batches` gives, from folders of :func:`scored_shard` in the order of the questions."""
    some = [folder for folder in folders if folder.exists()]
    chunks = sorted((path for one in some for path in one.glob("*.npz")), key=lambda p: int(p.stem))
    read = ({tuple(k.split("-")): v for k, v in np.load(path).items()} for path in chunks)
    return Scored(whole, QuestionArrayStore(some, whole.own), _added(read))


def _of_questions(found: Scored, name: str) -> Iterator[pd.DataFrame]:
    """scores/question_scores or scores/sh_scores of a segmentation, in the order of their keys."""
    whole = found.whole
    columns = [
        one.name
        for one in metrics.metrics_for("scores")
        if one.over == "questions" and not one.curve
    ]
    kinds = {one: (one, {name: name for name in columns}) for one in metrics.DEFINITIONS}
    kind = "definition"
    if name == "sh_scores":
        kind, kinds = "form", {one: ("paper", {"sh": f"sh_{one}"}) for one in metrics.SH_FORMS}
    for one, (definition, wanted) in sorted(kinds.items()):
        for chunk in found.chunks(20):
            n = found.kept.of(("paper", "n"), chunk)
            number, question = np.nonzero(n)
            table = whole.series[chunk].iloc[number].reset_index(drop=True)
            table["question_id"] = whole.questions[question]
            table["n_clues"] = n[number, question].astype("int64")
            values = {
                column: found.kept.of((definition, metric), chunk)[number, question, 0]
                for column, metric in wanted.items()
            }
            table = table.assign(segmentation=whole.segmentation, **{kind: one}, **values)
            yield table[store.columns(name)]


def _statistic(sums: np.ndarray) -> np.ndarray:
    return resample.statistic(sums[:, :-1], sums[:, -1])


def _of_models(found: Scored, bootstrap: Bootstrap) -> Iterator[pd.DataFrame]:
    """Values and intervals of every series of a segmentation."""
    whole, names = found.whole, resample.Interval._fields
    for kind, definition, metric in found.sums:
        if kind != "drawn":
            continue
        drawn = _statistic(found.sums[kind, definition, metric])
        over = metrics.METRICS[metric].over
        for chunk in found.chunks(metrics.N_BINS if over == "bins" else 1):
            count = found.kept.of((definition, "n"), chunk)
            under = count.astype(float) if over != "questions" else (count > 0).astype(float)
            sums = resample.Sums(found.kept.of((definition, metric), chunk), under)
            value = resample.estimate(sums)
            bounds = bootstrap.bca(drawn[chunk], value, resample.jackknife(sums))
            table = whole.series[chunk].assign(
                segmentation=whole.segmentation,
                definition=definition,
                metric=metric,
                value=value,
                **dict(zip(names, bounds, strict=True)),
                n_questions=sums.present.sum(axis=1),
                n_rows=count.sum(axis=1, dtype="int64"),
            )
            table[["two_way_se", "two_way_low", "two_way_high"]] = np.nan
            own = definition if metrics.METRICS[metric].curve is None else "paper"
            if ("two_way", own, metric) in found.sums:
                both = _statistic(found.sums["two_way", own, metric])[chunk]
                table["two_way_se"] = np.nanstd(both, axis=1, ddof=1)
                ends = np.nanquantile(both, bootstrap.tails, axis=1)
                ends = bootstrap.basic(value, *ends, table["n_questions"])
                table["two_way_low"], table["two_way_high"] = metrics.clip_to_range(metric, ends)
            yield table


def rank_models(table: pd.DataFrame) -> pd.DataFrame:
    """scores/model_scores: ranks within segmentation, definition, elicitation, reduction and marks.

    Ties share the better rank; which end is better stands in the registry.
    """
    # Equal scores must share a rank even where summation order differs in the last bits.
    value = table["value"].round(12)
    ordered = value.where(~table["metric"].map(lambda name: metrics.METRICS[name].higher), -value)
    within = ("segmentation", "definition", "elicitation", "reduction", "marks", "metric")
    group = [table[name] for name in within]
    table["rank"] = ordered.groupby(group).rank(method="min").astype("int64")
    return table


def _bins(found: Scored, level: float) -> Iterator[pd.DataFrame]:
    """scores/reliability of a segmentation: the bins behind each ECE, with intervals of the share right.

    Clues of a question hang together: Wilson's interval is taken on the number of independent answers
    that they are worth (:func:`calscore.stats.proportions.effective_sample_size`).
    """
    whole = found.whole
    for definition in metrics.DEFINITIONS:
        for number in range(len(whole.series)):
            at = slice(number, number + 1)
            n = found.kept.of((definition, "bin_n"), at)[0].astype(float)
            right = found.kept.of((definition, "bin_right"), at)[0].astype(float)
            total = found.kept.of((definition, "bin_confidence"), at)[0]
            if not n.any():
                continue
            worth = proportions.effective_sample_size(right, n)
            n, right, confidence = (one.sum(axis=0) for one in (n, right, total))
            some, nothing = n > 0, np.full(len(n), np.nan)
            accuracy = np.divide(right, n, out=nothing.copy(), where=some)
            low, high = proportions.wilson(np.where(some, accuracy, 0) * worth, worth, level)
            mean = np.divide(confidence, n, out=nothing.copy(), where=some)
            table = pd.DataFrame(
                {
                    "bin": np.arange(metrics.N_BINS),
                    "low": metrics.DECIMAL_EDGES[:-1],
                    "high": metrics.DECIMAL_EDGES[1:],
                    "n": n.astype("int64"),
                    "n_effective": worth,
                    # A mean of equal numbers can exceed them by one unit in the last place.
                    "confidence": mean.clip(0, 1),
                    "accuracy": accuracy,
                    "accuracy_low": low,
                    "accuracy_high": high,
                }
            )
            table[SERIES] = whole.series.iloc[number].tolist()
            table = table.assign(segmentation=whole.segmentation, definition=definition)
            yield table[store.columns("reliability")]


def tables(found: list[Scored], bootstrap: Bootstrap) -> dict:
    """All score tables by name, each in pieces in the order of its key.

    Intervals (percentile and BCa) resample questions; all series of a segmentation share the draws. Scores
    that rest on human behaviour also have two-way ones where it is known who made h.
    """
    models = pd.concat(
        [one for each in found for one in _of_models(each, bootstrap)], ignore_index=True
    )
    bins = [one for each in found for one in _bins(each, bootstrap.level)]
    of_questions = {
        name: chain.from_iterable(map(partial(_of_questions, name=name), found))
        for name in ("question_scores", "sh_scores")
    }
    return of_questions | {
        "model_scores": [rank_models(models)[store.columns("model_scores")]],
        "reliability": bins,
    }


def score_all(responses, human_curve, bootstrap: Bootstrap, crowds=None) -> dict:
    """:func:`of_rows` of what :func:`calscore.scores.score.scored_rows` gives."""
    rows = score.scored_rows(responses, human_curve)
    return of_rows(rows, bootstrap, crowds)


def of_rows(rows, bootstrap: Bootstrap, crowds=None) -> dict:
    """All score tables by name: question_scores, sh_scores, model_scores, reliability.

    With ``crowds`` (:func:`calscore.human.curves.team_clue_counts_from_table`) the human teams behind h are resampled too.
    """
    wholes = [
        as_single_batch(of, (crowds or {}).get(of.segmentation)) for of in score.clues_of(rows)
    ]
    found = tables([score_batches(whole, bootstrap) for whole in wholes], bootstrap)
    return {name: pd.concat(parts, ignore_index=True) for name, parts in found.items()}


# --- Batches from tables on disk -------------------------------------------------------------------

CLUES_OF_A_MEGABYTE = 250
"""Scored clues of one segmentation that are taken together for each MB of memory; more are cut into batches."""

CHUNKS = 32
"""Chunks of a segmentation that is cut into more batches: at most so many jobs can share it."""

_OF_STUDY = """
CREATE TABLE questions AS
SELECT segmentation, question_id, row_number() OVER upto - 1 AS question,
    CASE WHEN sum(n) OVER every > {limit} THEN (sum(n) OVER upto - n) // {size} ELSE 0 END AS batch
FROM (SELECT segmentation, question_id, count(*) AS n FROM {responses} WHERE confidence IS NOT NULL GROUP BY ALL)
WINDOW every AS (PARTITION BY segmentation), upto AS (PARTITION BY segmentation ORDER BY question_id);
CREATE TABLE series AS
SELECT *, row_number() OVER (PARTITION BY segmentation ORDER BY {names}) - 1 AS number
FROM (SELECT DISTINCT segmentation, {names} FROM {responses} WHERE confidence IS NOT NULL);
"""
_CLUES = """
WITH own AS (
    SELECT question_id, question, batch FROM questions
    WHERE segmentation = {segmentation} AND question BETWEEN {first} AND {last}
), numbers AS (SELECT * EXCLUDE (segmentation) FROM series WHERE segmentation = {segmentation}), h AS (
    SELECT question, clue, {curves} FROM {human_curve} JOIN own USING (question_id)
    WHERE segmentation = {segmentation} GROUP BY ALL
)
SELECT batch, number, question, clue, correct AS g, confidence AS c, {definitions}
FROM {responses} JOIN own USING (question_id) JOIN numbers USING ({names}) LEFT JOIN h USING (question, clue)
WHERE segmentation = {segmentation} AND confidence IS NOT NULL ORDER BY question, number, clue
"""
_OF_QUESTIONS = """
SELECT {columns} FROM {table} WHERE segmentation = {segmentation} AND question_id BETWEEN {first} AND {last}
"""


def _quoted(text: str) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def _arrays(piece) -> dict[str, np.ndarray]:
    return {name: piece.column(name).to_numpy(zero_copy_only=False) for name in piece.schema.names}


def _cut(pieces: Iterable[dict]) -> Iterator[dict]:
    """Clues that come in the order of batches, those of one batch at a time."""
    left: dict | None = None
    for piece in pieces:
        if left is not None:
            piece = {name: np.concatenate([left[name], piece[name]]) for name in piece}
        while len(piece["batch"]) and piece["batch"][0] != piece["batch"][-1]:
            end = np.searchsorted(piece["batch"], piece["batch"][0], "right")
            yield {name: values[:end] for name, values in piece.items()}
            piece = {name: values[end:] for name, values in piece.items()}
        left = piece
    if left is not None and len(left["batch"]):
        yield left


def _of_shard(questions: pd.DataFrame, shard: int, shards: int) -> pd.DataFrame:
    """``questions`` with their chunk, and whether one of so many jobs has them: each a run of chunks of the study."""
    batches = questions.groupby("segmentation")["batch"]
    chunk = batches.transform(lambda batch: pd.factorize(batch)[0] * CHUNKS // batch.nunique())
    place = chunk.groupby([questions["segmentation"], chunk]).ngroup()
    mine = place * shards // (place.max() + 1) == shard - 1
    return questions.assign(chunk=chunk, mine=mine)


def wholes(
    responses, human_curve, crowd, clues, memory: int, threads: int, folder, shard=1, shards=1
) -> Iterator[SegmentationBatches]:
    """The scored clues of every segmentation, from tables on disk (:class:`calscore.core.store.Stored`).

    DuckDB joins and sorts them with at most a third of ``memory`` (MB), the rest of its work goes to
    ``folder``. A segmentation with more clues than :data:`CLUES_OF_A_MEGABYTE` allow comes in batches. Of several
    ``shards`` one has some of the batches, and of the segmentations those that it has a batch of.
    """
    import duckdb

    given = {
        "memory_limit": f"{max(memory // 3, 200)}MB",
        "temp_directory": str(folder),
        "threads": threads,
    }
    connection = duckdb.connect(config=given)
    names = ", ".join(SERIES)
    read = {
        name: f"read_parquet({_quoted(table.path)})"
        for name, table in (
            ("responses", responses),
            ("human_curve", human_curve),
            ("crowd", crowd),
            ("clues", clues),
        )
    }
    limit = int(memory * CLUES_OF_A_MEGABYTE)
    size = limit // 10
    read |= {"names": names, "definitions": ", ".join(curves.H_DEFINITIONS)}
    read["curves"] = ", ".join(
        f"max(h) FILTER (h_definition = '{one}') AS {one}" for one in curves.H_DEFINITIONS
    )
    connection.execute(_OF_STUDY.format(**read, limit=limit, size=size))
    every = connection.execute("SELECT DISTINCT team FROM {crowd} ORDER BY 1".format(**read)).df()
    teams = pd.Index(every["team"])
    all_questions = connection.execute("SELECT * FROM questions ORDER BY segmentation, question")
    for segmentation, of in _of_shard(all_questions.df(), shard, shards).groupby("segmentation"):
        mine = np.flatnonzero(of["mine"])
        if not len(mine):
            continue
        series = connection.execute(
            f"SELECT {names} FROM series WHERE segmentation = ? ORDER BY number", [segmentation]
        ).df()
        own = slice(int(mine[0]), int(mine[-1]) + 1)
        whole = of["batch"].iloc[-1] == 0

        def batches(segmentation=segmentation, of=of, series=series, own=own, whole=whole):
            questions, chunks = pd.Index(of["question_id"]), of["chunk"].to_numpy()
            place = read | {"segmentation": _quoted(segmentation)}
            reader = (
                connection.cursor()
                .sql(_CLUES.format(**place, first=own.start, last=own.stop - 1))
                .to_arrow_reader(1_000_000 if whole else size)
            )
            for rows in _cut(map(_arrays, reader)):
                first, last = int(rows["question"][0]), int(rows["question"][-1]) + 1
                order = np.argsort(rows["number"], kind="stable")
                rows = {name: values[order] for name, values in rows.items()}
                h = {name: rows[name].astype(float) for name in curves.H_DEFINITIONS}
                one = Clues(
                    segmentation, series, questions[first:last], rows["number"],
                    rows["question"] - first, rows["clue"], rows["g"].astype(bool), rows["c"], h,
                )  # fmt: skip
                ends = {"first": _quoted(questions[first]), "last": _quoted(questions[last - 1])}
                frames = [
                    connection.cursor()
                    .execute(
                        _OF_QUESTIONS.format(
                            **place,
                            **ends,
                            table=place[name],
                            columns=", ".join(store.columns(name)),
                        )
                    )
                    .df()
                    for name in ("crowd", "clues")
                ]
                (crowd_of,) = curves.team_clue_counts_from_table(*frames).values()
                yield Batch(slice(first, last), int(chunks[first]), one, crowd_of)

        yield SegmentationBatches(
            segmentation,
            series,
            pd.Index(of["question_id"]),
            teams,
            batches(),
            own,
            None if whole else Path(tempfile.mkdtemp(dir=folder)),
            1 if whole else threads,
        )


def scored_shard(
    responses: store.Stored,
    human_curve: store.Stored,
    crowd: store.Stored,
    clues: store.Stored,
    replicates: int,
    seed: int,
    memory: int,
    threads: int,
    shard: str,
    shards: str,
    scored: Path,
) -> None:
    """What one of so many runs of chunks adds to all scores: a folder ``scored`` that :func:`scores` merges."""
    tables, bootstrap = (responses, human_curve, crowd, clues), Bootstrap(replicates, seed, 0.0)
    with tempfile.TemporaryDirectory(prefix="calscore-") as place:
        scored.mkdir(parents=True, exist_ok=True)
        for whole in wholes(*tables, memory, threads, place, int(shard), int(shards)):
            folder = scored / whole.segmentation
            folder.mkdir()
            kept = QuestionArrayStore([folder], whole.own)
            for chunk, sums in _by_chunk(whole, kept, bootstrap):
                np.savez(folder / f"{chunk}.npz", **{"-".join(key): sums[key] for key in sums})


def scores(
    responses: store.Stored,
    human_curve: store.Stored,
    crowd: store.Stored,
    clues: store.Stored,
    replicates: int,
    seed: int,
    level: float,
    memory: int,
    threads: int,
    parts=None,
) -> dict:
    """All score tables by name, from tables on disk, those of questions in pieces.

    ``parts``: folders of :func:`scored_shard` in their order, where some jobs have shared the work.
    """
    bootstrap = Bootstrap(replicates, seed, level)
    place = tempfile.TemporaryDirectory(prefix="calscore-")
    found = [
        merge_shards(whole, [one / whole.segmentation for one in parts])
        if parts
        else score_batches(whole, bootstrap)
        for whole in wholes(responses, human_curve, crowd, clues, memory, threads, place.name)
    ]
    made = tables(found, bootstrap)

    def pieces(tables):
        # The folder lives as long as something is read from it.
        yield from tables
        place  # noqa: B018

    streamed = {name: pieces(made.pop(name)) for name in ("question_scores", "sh_scores")}
    return streamed | {name: pd.concat(some, ignore_index=True) for name, some in made.items()}
