"""Tables of scores from clues in batches of whole questions, so that memory does not grow with a study.

What a question adds to each score is computed with all other clues of its batch, by the same functions whatever
the batches are: scores of questions are the same to the last bit. Sums over questions, from which intervals come,
are added batch by batch, so that they can differ from those of one batch by rounding, about 1e-15 of their size.

Batches hang together in at most :data:`CHUNKS` chunks, whose sums are added in their order. Jobs that share the work
take runs of whole chunks (:func:`scored_shard`): the same sums, however many jobs there are.
"""

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
from ..core.errors import DataError
from ..human import curves
from ..stats import proportions, resample
from ..stats.bootstrap import Bootstrap
from . import metrics, score, two_way_bootstrap
from .score import SERIES, Clues


class Batch(NamedTuple):
    """Whole questions of a segmentation: their slice of its questions, their chunk, and clues of these questions alone.

    ``crowd``: who made h at these clues, None where that is not known.
    """

    part: slice
    chunk: int
    clues: Clues
    crowd: curves.TeamClueCounts | None


class SegmentationBatches(NamedTuple):
    """The scored clues of one segmentation, in batches of whole questions.

    ``series``: S rows; ``questions``: Q ids; ``teams``: human teams; ``own``: the questions of these batches, all
    unless a shard has some. ``folder``: where arrays are kept, None for memory; ``threads``: batches scored at a time.
    """

    segmentation: str
    series: pd.DataFrame
    questions: pd.Index
    teams: pd.Index
    batches: Iterable[Batch]
    own: slice
    folder: Path | None = None
    threads: int = 1


def as_single_batch(clues: Clues, crowd: curves.TeamClueCounts | None) -> SegmentationBatches:
    """Clues in memory as one batch of all questions; ``crowd`` None: no two-way intervals."""
    teams = pd.Index([]) if crowd is None else crowd.teams
    own = slice(0, len(clues.questions))
    return SegmentationBatches(
        clues.segmentation, clues.series, clues.questions, teams, [Batch(own, 0, clues, crowd)], own
    )


class QuestionArrayStore:
    """Arrays of each series and question by key, (S, Q, …), added by parts of the questions.

    They lie in files of ``folders``, each of which has the next of the questions, or in memory where there are none.
    Only questions in ``own`` can be added, to the first folder.
    """

    def __init__(self, folders: list[Path], own: slice) -> None:
        self.folders, self.own = folders, own
        self.arrays: dict = {}

    def add(self, key: tuple[str, str], part: slice, values: np.ndarray) -> None:
        """Put ``values`` (S, questions of ``part``, …) of the array ``key`` in place; in memory one part has all."""
        if not self.folders:
            self.arrays[key] = values
            return
        if key not in self.arrays:
            path = self.arrays[key] = _file(self.folders[0], key)
            shape = (len(values), self.own.stop - self.own.start, *values.shape[2:])
            np.lib.format.open_memmap(path, "w+", values.dtype, shape)
        target = slice(part.start - self.own.start, part.stop - self.own.start)
        # Opened for each part: what is mapped counts as memory.
        np.load(self.arrays[key], mmap_mode="r+")[:, target] = values

    def read_array(self, key: tuple[str, str], series: slice) -> np.ndarray:
        """The array ``key`` for a slice of the series and all questions, in the order of the folders."""
        if not self.folders:
            return self.arrays[key][series]
        parts = [np.load(_file(folder, key), mmap_mode="r")[series] for folder in self.folders]
        return np.concatenate(parts, axis=1)


def _file(folder: Path, key: tuple[str, str]) -> Path:
    return folder / f"{'-'.join(key)}.npy"


class SegmentationScores(NamedTuple):
    """Sums over the questions of one segmentation, from all its batches.

    ``arrays``: (definition, metric) → sums of each question; (definition, n) → its clues in scope; (definition, bin_n
    | bin_right | bin_confidence) → clues, right ones and confidence by bin. ``sums``: (drawn, definition, metric), and
    with teams drawn too (two_way, definition, metric), → numerators and, last, the denominator of each replicate,
    shape (S, k + 1, R).
    """

    batches: SegmentationBatches
    arrays: QuestionArrayStore
    sums: dict

    def chunks(self, width: int) -> Iterator[slice]:
        """Yields slices of the series, in which ``width`` numbers of each question are at most 8 million, or of one."""
        step = max(1, 8_000_000 // (len(self.batches.questions) * width))
        for start in range(0, len(self.batches.series), step):
            yield slice(start, start + step)


def _score_batch(batch: Batch, weights: Callable, team_weights: np.ndarray | None, teams: pd.Index):
    """(slice of questions, chunk, arrays of its questions, sums of replicates), as in :class:`SegmentationScores`.

    ``weights``: slice of questions → (R, k).
    """
    clues, keep, sums = batch.clues, {}, {}
    of_questions = weights(batch.part)
    for tally in score.iter_tallies(clues):
        definition = tally.definition
        in_scope = clues.scope(definition)
        cell, c = clues.cell[in_scope], clues.c[in_scope]
        place = cell * metrics.N_BINS + metrics.confidence_bins(c, score.bin_edges_of(definition))
        shape = (*clues.shape, metrics.N_BINS)
        n, right, total = (
            np.bincount(place, w, np.prod(shape)).reshape(shape) for w in (None, clues.g[in_scope], c)
        )
        keep[definition, "n"] = n.sum(axis=2).astype("uint16")
        keep[definition, "bin_n"] = n.astype("uint16")
        keep[definition, "bin_right"] = right.astype("uint16")
        keep[definition, "bin_confidence"] = total
        for metric, of_metric in tally.sums.items():
            keep[definition, metric] = of_metric.numerator
            top, under = resample.weighted_sums(of_metric, of_questions)
            sums["drawn", definition, metric] = np.hstack([top, under[:, None]])
    if batch.crowd is not None:
        own = team_weights[:, teams.get_indexer(batch.crowd.teams)]
        two_way = _two_way_batch_sums(clues, batch.crowd, (of_questions, own))
        sums |= {("two_way", *key): pair.swapaxes(0, 1) for key, pair in two_way.items()}
    return batch.part, batch.chunk, keep, sums


def _two_way_batch_sums(clues: Clues, crowd: curves.TeamClueCounts, weights) -> dict:
    """(definition, metric) → numerator and denominator of each replicate with teams drawn too, (2, S, R)."""
    forms: dict = {}
    for definition in metrics.DEFINITIONS:
        # A metric with an h of its own is the same under every definition.
        names = [
            metric.name
            for metric in metrics.metrics_for("scores")
            if metric.human and (metric.curve is None or ("paper", metric.name) not in forms)
        ]
        own_forms = two_way_bootstrap.metric_forms(clues, definition, names)
        forms |= {(definition, name): form for name, form in own_forms.items()}
    return two_way_bootstrap.two_way_sums(clues, crowd, weights, forms)


def _map_in_order(items: Iterable, function: Callable, threads: int) -> Iterator:
    """Yields ``function`` of each item, in their order, with ``threads`` at work on the next ones."""
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


def _add_sums(parts: Iterable[dict]) -> dict:
    """Sums of replicates by key over all ``parts``, in their order; ``KeyError`` where one lacks a key."""
    return reduce(lambda total, part: {key: total[key] + part[key] for key in total | part}, parts)


def _iter_chunk_sums(
    batches: SegmentationBatches, arrays: QuestionArrayStore, bootstrap: Bootstrap
) -> Iterator[tuple[int, dict]]:
    """Yields (chunk, sums of replicates), chunk by chunk; arrays of each question are added to ``arrays`` on the way."""
    weights = resample.weights_by_part(
        len(batches.questions), bootstrap.replicates, bootstrap.seed, batches.folder
    )
    team_weights = bootstrap.team_weights(len(batches.teams)) if len(batches.teams) else None

    def of_batch(batch: Batch):
        return _score_batch(batch, weights, team_weights, batches.teams)

    def sums(results):
        for part, _, keep, added in results:
            for key, values in keep.items():
                arrays.add(key, part, values)
            yield added

    batch_results = _map_in_order(batches.batches, of_batch, batches.threads)
    for chunk, results in groupby(batch_results, key=lambda result: result[1]):
        yield chunk, _add_sums(sums(results))


def score_batches(batches: SegmentationBatches, bootstrap: Bootstrap) -> SegmentationScores:
    """Scores of all batches of a segmentation; reads ``batches`` once. Arrays lie in its folder, if any."""
    arrays = QuestionArrayStore([batches.folder] if batches.folder else [], batches.own)
    return SegmentationScores(
        batches, arrays, _add_sums(sums for _, sums in _iter_chunk_sums(batches, arrays, bootstrap))
    )


def merge_shards(batches: SegmentationBatches, folders: Iterable[Path]) -> SegmentationScores:
    """:func:`score_batches` from those of ``folders`` (of :func:`scored_shard`, in order of questions) that exist."""
    existing = [folder for folder in folders if folder.exists()]
    chunks = sorted(
        (path for folder_of_chunks in existing for path in folder_of_chunks.glob("*.npz")),
        key=lambda p: int(p.stem),
    )
    read = ({tuple(k.split("-")): v for k, v in np.load(path).items()} for path in chunks)
    return SegmentationScores(batches, QuestionArrayStore(existing, batches.own), _add_sums(read))


def question_score_rows(scored: SegmentationScores, name: str) -> Iterator[pd.DataFrame]:
    """Yields pieces of the table ``name`` (question_scores or sh_scores) for a segmentation, in order of its key."""
    batches = scored.batches
    columns = [
        metric for metric in metrics.metrics_for("scores") if metric.over == "questions" and not metric.curve
    ]
    kind = "definition"
    kinds = {
        own: (own, {metric.name: metric.name for metric in columns if own in metric.definitions})
        for own in metrics.DEFINITIONS
    }
    if name == "sh_scores":
        kind = "form"
        kinds = {form: ("paper", {"sh": f"sh_{form}"}) for form in metrics.SH_FORMS}
    for variant, (definition, wanted) in sorted(kinds.items()):
        for chunk in scored.chunks(20):
            n = scored.arrays.read_array(("paper", "n"), chunk)
            number, question = np.nonzero(n)
            table = batches.series[chunk].iloc[number].reset_index(drop=True)
            table["question_id"] = batches.questions[question]
            table["n_clues"] = n[number, question].astype("int64")
            values = {
                column: scored.arrays.read_array((definition, metric), chunk)[number, question, 0]
                for column, metric in wanted.items()
            }
            table = table.assign(segmentation=batches.segmentation, **{kind: variant}, **values)
            yield table.reindex(columns=store.columns(name))


def _statistic(sums: np.ndarray) -> np.ndarray:
    """Statistic (S, R) from ``sums`` as :class:`SegmentationScores` has them."""
    return resample.ratio_statistic(sums[:, :-1], sums[:, -1])


def model_score_rows(scored: SegmentationScores, bootstrap: Bootstrap) -> Iterator[pd.DataFrame]:
    """Yields pieces of a segmentation's model_scores, without ranks; two-way columns nan without teams or h."""
    batches, names = scored.batches, resample.Interval._fields
    for kind, definition, metric in scored.sums:
        if kind != "drawn":
            continue
        drawn = _statistic(scored.sums[kind, definition, metric])
        over = metrics.METRICS[metric].over
        for chunk in scored.chunks(metrics.N_BINS if over == "bins" else 1):
            count = scored.arrays.read_array((definition, "n"), chunk)
            under = count.astype(float) if over != "questions" else (count > 0).astype(float)
            sums = resample.Sums(scored.arrays.read_array((definition, metric), chunk), under)
            value = resample.estimate(sums)
            left_out = resample.jackknife(sums)
            bounds = resample.intervals(drawn[chunk], value, left_out, bootstrap.level)
            table = batches.series[chunk].assign(
                segmentation=batches.segmentation,
                definition=definition,
                metric=metric,
                value=value,
                **dict(zip(names, bounds, strict=True)),
                n_questions=sums.present.sum(axis=1),
                n_rows=count.sum(axis=1, dtype="int64"),
            )
            table[["two_way_se", "two_way_low", "two_way_high"]] = np.nan
            own = definition if metrics.METRICS[metric].curve is None else "paper"
            if ("two_way", own, metric) in scored.sums:
                both = _statistic(scored.sums["two_way", own, metric])[chunk]
                table["two_way_se"] = np.nanstd(both, axis=1, ddof=1)
                ends = np.nanquantile(both, bootstrap.tails, axis=1)
                ends = bootstrap.two_way_interval(value, *ends, table["n_questions"], len(batches.teams))
                table["two_way_low"], table["two_way_high"] = metrics.clip_to_range(metric, ends)
            yield table


def rank_models(table: pd.DataFrame) -> pd.DataFrame:
    """``table`` with ``rank`` added in place, among the models of one segmentation, definition, elicitation, … and metric.

    1 is best; the registry says which end that is. Values equal to 12 places share the better rank.
    """
    # Equal scores must share a rank even where summation order differs in the last bits.
    value = table["value"].round(12)
    ordered = value.where(~table["metric"].map(lambda name: metrics.METRICS[name].higher), -value)
    group_columns = ("segmentation", "definition", "elicitation", "reduction", "marks", "metric")
    group = [table[name] for name in group_columns]
    table["rank"] = ordered.groupby(group).rank(method="min").astype("int64")
    return table


def reliability_rows(scored: SegmentationScores, level: float) -> Iterator[pd.DataFrame]:
    """Yields the table reliability of a segmentation: ten bins of confidence for each definition and series.

    Clues of a question are correlated: Wilson's interval of the share right is taken on their effective number
    (:func:`calscore.stats.proportions.effective_sample_size`). Series without answers are left out.
    """
    batches = scored.batches
    for definition in metrics.DEFINITIONS:
        for number in range(len(batches.series)):
            row = slice(number, number + 1)
            n = scored.arrays.read_array((definition, "bin_n"), row)[0].astype(float)
            right = scored.arrays.read_array((definition, "bin_right"), row)[0].astype(float)
            total = scored.arrays.read_array((definition, "bin_confidence"), row)[0]
            if not n.any():
                continue
            worth = proportions.effective_sample_size(right, n)
            n, right, confidence = (values.sum(axis=0) for values in (n, right, total))
            accuracy = proportions.ratio(right, n)
            low, high = proportions.wilson(np.nan_to_num(accuracy) * worth, worth, level)
            table = pd.DataFrame(
                {
                    "bin": np.arange(metrics.N_BINS),
                    "low": metrics.DECIMAL_EDGES[:-1],
                    "high": metrics.DECIMAL_EDGES[1:],
                    "n": n.astype("int64"),
                    "n_effective": worth,
                    # A mean of equal numbers can exceed them by one unit in the last place.
                    "confidence": proportions.ratio(confidence, n).clip(0, 1),
                    "accuracy": accuracy,
                    "accuracy_low": low,
                    "accuracy_high": high,
                }
            )
            table[SERIES] = batches.series.iloc[number].tolist()
            table = table.assign(segmentation=batches.segmentation, definition=definition)
            yield table[store.columns("reliability")]


def assemble_tables(segmentations: list[SegmentationScores], bootstrap: Bootstrap) -> dict:
    """Name → iterable of frames: question_scores, sh_scores, model_scores, reliability, in pieces in order of the key.

    Scores of models have percentile and BCa intervals from the replicates of questions in ``segmentations``. Where a
    score rests on the human curve h and its teams are known, it has two-way ones too. Reliability has Wilson intervals.
    Of ``bootstrap`` the level and the formulas are used. Pieces of question_scores and sh_scores are read once.
    ``DataError`` without any.
    """
    if not segmentations:
        raise DataError.at("responses", "", "confidence", None, "at least one confidence")
    models = pd.concat(
        [frame for each in segmentations for frame in model_score_rows(each, bootstrap)],
        ignore_index=True,
    )
    bins = [frame for each in segmentations for frame in reliability_rows(each, bootstrap.level)]
    of_questions = {
        name: chain.from_iterable(map(partial(question_score_rows, name=name), segmentations))
        for name in ("question_scores", "sh_scores")
    }
    return of_questions | {
        "model_scores": [rank_models(models)[store.columns("model_scores")]],
        "reliability": bins,
    }


def score_tables(rows, bootstrap: Bootstrap, crowds: dict | None = None) -> dict[str, pd.DataFrame]:
    """Tables question_scores, sh_scores, model_scores and reliability, by name, from :func:`.score.scored_rows` in memory.

    ``crowds``: segmentation → :class:`calscore.human.curves.TeamClueCounts`; where given, the teams behind h are
    resampled too.
    """
    wholes = [
        as_single_batch(clues, (crowds or {}).get(clues.segmentation)) for clues in score.clues_of(rows)
    ]
    pieces = assemble_tables([score_batches(batches, bootstrap) for batches in wholes], bootstrap)
    return {name: pd.concat(parts, ignore_index=True) for name, parts in pieces.items()}


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
_OF_QUESTIONS = "WHERE segmentation = {segmentation} AND question_id BETWEEN {first} AND {last}"


def _quoted(text: str) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def _arrays(piece) -> dict[str, np.ndarray]:
    return {name: piece.column(name).to_numpy(zero_copy_only=False) for name in piece.schema.names}


def _split_batches(pieces: Iterable[dict]) -> Iterator[dict]:
    """Yields the clues of one batch after the other (column → array), from pieces in the order of batches."""
    carried: dict | None = None
    for piece in pieces:
        if carried is not None:
            piece = {name: np.concatenate([carried[name], piece[name]]) for name in piece}
        while len(piece["batch"]) and piece["batch"][0] != piece["batch"][-1]:
            end = np.searchsorted(piece["batch"], piece["batch"][0], "right")
            yield {name: values[:end] for name, values in piece.items()}
            piece = {name: values[end:] for name, values in piece.items()}
        carried = piece
    if carried is not None and len(carried["batch"]):
        yield carried


def _assign_chunks(questions: pd.DataFrame, shard: int, shards: int) -> pd.DataFrame:
    """``questions`` with their ``chunk``, and ``mine``: whether that is in the run of chunks of this ``shard``."""
    batches = questions.groupby("segmentation")["batch"]
    chunk = batches.transform(lambda batch: pd.factorize(batch)[0] * CHUNKS // batch.nunique())
    place = chunk.groupby([questions["segmentation"], chunk]).ngroup()
    in_shard = place * shards // (place.max() + 1) == shard - 1
    return questions.assign(chunk=chunk, mine=in_shard)


def read_batches(
    stored, memory: int, threads: int, folder: str, shard: int = 1, shards: int = 1
) -> Iterator[SegmentationBatches]:
    """Yields the batches of each segmentation with scored clues; ``stored``: tables responses, human_curve, crowd, clues.

    DuckDB joins and sorts them with a third of ``memory`` (MB), at least 200, and files in ``folder``. A
    segmentation with more clues than :data:`CLUES_OF_A_MEGABYTE` allow comes in batches. A ``shard`` (from 1)
    of ``shards`` has a run of the batches, and only segmentations of these.
    """
    import duckdb

    settings = {
        "memory_limit": f"{max(memory // 3, 200)}MB",
        "temp_directory": str(folder),
        "threads": threads,
    }
    connection = duckdb.connect(config=settings)
    limit = int(memory * CLUES_OF_A_MEGABYTE)
    size = limit // 10
    places = {
        name: f"read_parquet({_quoted(table.path)})"
        for name, table in zip(("responses", "human_curve", "crowd", "clues"), stored, strict=True)
    } | {
        "names": ", ".join(SERIES),
        "definitions": ", ".join(curves.H_DEFINITIONS),
        "curves": ", ".join(
            f"max(h) FILTER (h_definition = '{h_name}') AS {h_name}" for h_name in curves.H_DEFINITIONS
        ),
    }
    connection.execute(_OF_STUDY.format(**places, limit=limit, size=size))

    def query(text: str, **values):
        return connection.cursor().sql(text.format(**places | values))

    teams = pd.Index(query("SELECT DISTINCT team FROM {crowd} ORDER BY 1").df()["team"])
    questions = query("SELECT * FROM questions ORDER BY segmentation, question").df()
    of_series = "SELECT {names} FROM series WHERE segmentation = {segmentation} ORDER BY number"
    for segmentation, rows in _assign_chunks(questions, shard, shards).groupby("segmentation"):
        own_places = np.flatnonzero(rows["mine"])
        if not len(own_places):
            continue
        series = query(of_series, segmentation=_quoted(segmentation)).df()
        own = slice(int(own_places[0]), int(own_places[-1]) + 1)
        is_whole = rows["batch"].iloc[-1] == 0
        yield SegmentationBatches(
            segmentation,
            series,
            pd.Index(rows["question_id"]),
            teams,
            _iter_segmentation_batches(
                query, segmentation, series, rows, own, 1_000_000 if is_whole else size
            ),
            own,
            None if is_whole else Path(tempfile.mkdtemp(dir=folder)),
            1 if is_whole else threads,
        )


def _iter_segmentation_batches(
    query: Callable, segmentation: str, series: pd.DataFrame, rows, own: slice, size: int
) -> Iterator[Batch]:
    """Yields batches of the questions ``own`` of ``rows`` (from :func:`_assign_chunks`), read ``size`` clues at a time.

    ``query``: SQL and values to put into it → what DuckDB answers.
    """
    questions, chunks = pd.Index(rows["question_id"]), rows["chunk"].to_numpy()
    name = _quoted(segmentation)
    clues = query(_CLUES, segmentation=name, first=own.start, last=own.stop - 1)
    for arrays in _split_batches(map(_arrays, clues.to_arrow_reader(size))):
        part = slice(int(arrays["question"][0]), int(arrays["question"][-1]) + 1)
        order = np.argsort(arrays["number"], kind="stable")
        arrays = {column: values[order] for column, values in arrays.items()}
        own_clues = Clues(
            segmentation, series, questions[part], arrays["number"],
            arrays["question"] - part.start, arrays["clue"], arrays["g"].astype(bool), arrays["c"],
            {h_name: arrays[h_name].astype(float) for h_name in curves.H_DEFINITIONS},
        )  # fmt: skip
        ends = {"first": _quoted(questions[part][0]), "last": _quoted(questions[part][-1])}
        frames = [
            query(
                f"SELECT {', '.join(store.columns(table))} FROM {{{table}}} {_OF_QUESTIONS}",
                segmentation=name,
                **ends,
            ).df()
            for table in ("crowd", "clues")
        ]
        (crowd_of,) = curves.team_clue_counts_from_table(*frames).values()
        yield Batch(part, int(chunks[part.start]), own_clues, crowd_of)


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
    """Write sums and arrays of one run of chunks to a folder per segmentation in ``scored``, for :func:`scores`.

    ``shard`` counts from 1 to ``shards``; ``memory`` (MB) and ``threads``: of :func:`read_batches`.
    """
    stored, bootstrap = (responses, human_curve, crowd, clues), Bootstrap(replicates, seed, 0.0)
    with tempfile.TemporaryDirectory(prefix="calscore-") as place:
        scored.mkdir(parents=True, exist_ok=True)
        for batches in read_batches(stored, memory, threads, place, int(shard), int(shards)):
            folder = scored / batches.segmentation
            folder.mkdir()
            arrays = QuestionArrayStore([folder], batches.own)
            for chunk, sums in _iter_chunk_sums(batches, arrays, bootstrap):
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
    parts: list[Path] | None = None,
) -> dict[str, pd.DataFrame | Iterator[pd.DataFrame]]:
    """Tables of :func:`assemble_tables` from tables on disk, those of questions in pieces, the others whole.

    ``parts``: folders of :func:`scored_shard` in their order, where jobs have shared the work; ``memory``: MB.
    """
    bootstrap = Bootstrap(replicates, seed, level)
    place = tempfile.TemporaryDirectory(prefix="calscore-")
    stored = responses, human_curve, crowd, clues
    score_tables = assemble_tables(
        [
            merge_shards(batches, [folder / batches.segmentation for folder in parts])
            if parts
            else score_batches(batches, bootstrap)
            for batches in read_batches(stored, memory, threads, place.name)
        ],
        bootstrap,
    )

    def pieces(tables):
        # The folder lives as long as something is read from it.
        yield from tables
        place  # noqa: B018

    return {
        name: pieces(frames)
        if name in ("question_scores", "sh_scores")
        else pd.concat(frames, ignore_index=True)
        for name, frames in score_tables.items()
    }
