"""Agents and their responses: read, validated.

A response is right or wrong on one item; what nobody saw has no row.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store
from ..core.data_issues import Finding
from ..core.errors import DataError, Fault, raise_faults
from .groups import RESPONSE, data_issue, order_keys
from .items import item_id, pick, read_json_lines, split_id

_WORDS = {"1": True, "true": True, "1.0": True, "0": False, "false": False, "0.0": False}


def guess_responses(responses: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Frame agent, item_id, question_id, clue, correct, backfilled (False) from judged/responses of one segmentation.

    Each model and elicitation is an agent, ``<name> (<elicitation> guesses)``, with the first row of each clue; ``names``:
    model key → name. Carried guesses count as answers.
    """
    rows = responses.drop_duplicates(["model", "elicitation", "question_id", "clue"])
    model = rows["model"].astype(str).map(lambda key: names.get(key, key))
    label = model + " (" + rows["elicitation"].astype(str) + " guesses)"
    table = rows.assign(agent=label, backfilled=False)
    table["item_id"] = list(map(item_id, table["question_id"], table["clue"]))
    return table[RESPONSE].astype({"correct": bool}).reset_index(drop=True)


def _parse_verdict(value, file: str, row: int, column: str) -> bool:
    """True or False from a cell (1, 1.0, true, 0, 0.0, false in any case); else a ``DataError``."""
    truth = _WORDS.get(str(value).strip().lower())
    if truth is None:
        raise DataError.at(file, str(row), column, value, "1 or 0 (right or wrong)")
    return truth


def gather_responses(
    rows: Iterable[tuple], file: str, cumulative: bool, steps: dict[str, int]
) -> pd.DataFrame:
    """Frame agent, item_id, question_id, clue, correct, line, backfilled (False), file from tuples (line, agent, item id, value).

    The value is a verdict; for an item in ``steps`` (id → most points) it is the points got. Points become one response
    a step: steps up to them are right, the next is wrong, later ones have no row. ``cumulative``: of :func:`.items.split_id`.
    ``DataError`` for another value or id.
    """
    records, labels = [], {}
    for line, agent, item, value in rows:
        points = steps.get(item)
        if points:
            got = _parse_points(value, points, file, line)
            for step in range(1, min(got + 1, points) + 1):
                records.append((agent, item_id(item, step), item, step, step <= got, line))
            continue
        correct = _parse_verdict(value, file, line, "score")
        if item not in labels:
            labels[item] = split_id(item, file, line, cumulative)
        records.append((agent, item, *labels[item], correct, line))
    table = pd.DataFrame(records, columns=[*RESPONSE[:5], "line"])
    return table.assign(backfilled=False, file=file)


def _parse_points(value, most: int, file: str, line: int) -> int:
    """Points in a cell, a whole number from 0 to ``most``; else a ``DataError``."""
    try:
        points = store.parse_number(str(value))
    except ValueError:
        points = -1.0
    if points not in range(most + 1):
        raise DataError.at(file, str(line), "score", value, f"a whole number from 0 to {most}")
    return int(points)


def read_delimited(path: Path, columns: list[str]) -> pd.DataFrame:
    """A table of text, separated by comma, semicolon or tab, whichever the first line has most of.

    ``columns``: those that it must have, else ``DataError``.
    """
    with Path(path).open(encoding="utf-8-sig", errors="replace") as handle:
        header = handle.readline()
    delimiter = max(",;\t", key=header.count)
    return store.read_raw_csv(path, columns, delimiter)


def _table_rows(path: Path, _steps) -> Iterator[tuple]:
    """Yields (line, agent, item id, value) from a CSV ``agent_type, qc_id, score``; ``qc_id``: q<id>_<clue>.

    Where ``score`` is empty the answer engine judges the column ``prediction`` against ``answer``.
    """
    from ..answers.hybrid_judge import judge

    raw = read_delimited(path, ["agent_type", "qc_id", "score"])
    raw = raw.reindex(columns=[*raw, *({"answer", "prediction"} - set(raw))], fill_value="")
    judged = cache(lambda answer, prediction: judge(answer, prediction).verdict == "accept")
    for number, row in enumerate(raw.itertuples(index=False), 2):
        value = row.score.strip()
        if not value:
            if not row.answer.strip():
                expected = "1 or 0, or an answer to judge by"
                raise DataError.at(path.name, str(number), "score", "", expected)
            value = judged(row.answer, row.prediction)
        if not row.agent_type.strip():
            raise DataError.at(path.name, str(number), "agent_type", "", "an agent")
        yield number, row.agent_type.strip(), row.qc_id, value


def _matrix_rows(path: Path, steps) -> Iterator[tuple]:
    """Yields (line, agent, item id, value) from a CSV with a row for each agent, its name first, and a column for each item.

    A blank cell is no response.
    """
    file, raw = path.name, read_delimited(path, [])
    items = list(raw)[1:]
    if not items:
        raise DataError.at(file, "", "", len(items), "a column of agents and columns of items")
    names = raw.iloc[:, 0]
    for row, name in names[names.str.strip().duplicated()].items():
        raise DataError.at(file, str(row + 2), names.name, name, "an agent once")
    for number, row in enumerate(raw.itertuples(index=False, name=None), 2):
        agent = row[0].strip()
        if not agent:
            raise DataError.at(file, str(number), names.name, "", "an agent")
        for item, value in zip(items, row[1:], strict=True):
            if not value.strip():
                continue
            if item not in steps and value.strip().lower() not in _WORDS:
                raise DataError.at(file, str(number), item, value, "1, 0 or blank")
            yield number, agent, item, value


def _json_rows(path: Path, _steps) -> Iterator[tuple]:
    """Yields (line, agent, item id, value) from JSON lines with ``agent_id``, ``query_id`` and ``score`` (correct, ruling)."""
    for entry in read_json_lines(path):
        agent = str(pick(entry, ("agent_id", "agent", "agent_type"), path.name))
        item = str(pick(entry, ("query_id", "item_id", "qc_id"), path.name))
        yield entry["_row"], agent, item, pick(entry, ("score", "correct", "ruling"), path.name)


#: Format → function of a path and steps that yields (line, agent, item id, value) of each response.
READERS = {"jsonl": _json_rows, "table": _table_rows, "matrix": _matrix_rows}


def read_responses(
    path: Path, format_name: str, cumulative: bool = True, steps: dict | None = None
) -> pd.DataFrame:
    """Responses in the file ``path``, a frame as :func:`gather_responses` gives it.

    ``format_name``: of :data:`READERS`, else ``KeyError``; ``steps``: id → most points of an item. ``cumulative``: of
    :func:`.items.split_id`. Raises ``DataError`` for the first fault, or with all lines of a JSON file that are no objects.
    """
    path, steps = Path(path), steps or {}
    return gather_responses(READERS[format_name](path, steps), path.name, cumulative, steps)


def kind_by_name(*names: str) -> str:
    """``human`` if any of ``names`` begins with it in any case, as ``human_team_3`` does, else ``ai``."""
    return "human" if any(name.lower().startswith("human") for name in names) else "ai"


def read_agents(path: Path) -> pd.DataFrame:
    """Agents (agent, kind, agent_type) from JSON lines with ``id``, ``kind`` (human or ai) and ``type``.

    A missing kind follows from :func:`kind_by_name`, a missing type is the kind. ``DataError`` for another kind or no id.
    """
    file = Path(path).name
    rows = []
    for entry in read_json_lines(path):
        name = str(pick(entry, ("id", "agent_id"), file))
        group = pick(entry, ("type", "agent_type"), file, required=False)
        kind = pick(entry, ("kind",), file, required=False) or kind_by_name(name, str(group or ""))
        if kind not in ("human", "ai"):
            raise DataError.at(file, str(entry["_row"]), "kind", kind, "human or ai")
        rows.append((name, kind, str(group or kind)))
    return pd.DataFrame(rows, columns=["agent", "kind", "agent_type"])


def read_buzzes(path: Path) -> pd.DataFrame:
    """Human buzzes (agent, question_id, word_index, correct) from a CSV ``player, question_id, word_index, correct``.

    ``word_index``: 0-based last word heard. Where ``correct`` is empty (None) the player heard so far and did not buzz.
    ``DataError`` for a cell that is none of this and for a file without rows.
    """
    file = Path(path).name
    raw = store.read_raw_csv(path, ["player", "question_id", "word_index", "correct"])
    rows = []
    for number, row in enumerate(raw.itertuples(index=False), 2):
        if not row.player.strip():
            raise DataError.at(file, str(number), "player", "", "a player")
        if not row.word_index.strip().isdecimal() or len(row.word_index) > 9:
            expected = "0-based index of a word"
            raise DataError.at(file, str(number), "word_index", row.word_index, expected)
        verdict_text = row.correct.strip()
        correct = _parse_verdict(verdict_text, file, number, "correct") if verdict_text else None
        rows.append((row.player.strip(), row.question_id, int(row.word_index), correct))
    if not rows:
        raise DataError.at(file, "", "", 0, "at least one buzz")
    return pd.DataFrame(rows, columns=["agent", "question_id", "word_index", "correct"])


def check_buzzes(buzzes: pd.DataFrame, items: pd.DataFrame, file: str) -> None:
    """Raises ``DataError`` where a buzz is on no question of ``items`` (question_id, end_word) or after its last word."""
    ends = items.groupby("question_id")["end_word"].max()
    for number, row in enumerate(buzzes.itertuples(index=False), 2):
        length = ends.get(row.question_id)
        if length is None:
            expected = "a question of the items"
            raise DataError.at(file, str(number), "question_id", row.question_id, expected)
        if row.word_index >= length:
            expected = f"less than the question's {length} words"
            raise DataError.at(file, str(number), "word_index", row.word_index, expected)


def split_mixed_types(agents: pd.DataFrame) -> pd.Series:
    """``agent_type`` of each of ``agents`` (kind, agent_type), in their order.

    A type of both humans and AI systems becomes ``<type>, human`` and ``<type>, ai``.
    """
    shared = agents.groupby("agent_type")["kind"].transform("nunique") > 1
    return agents["agent_type"].where(~shared, agents["agent_type"] + ", " + agents["kind"])


def validate_responses(responses, items, agents) -> tuple[pd.DataFrame, list[Finding]]:
    """(responses sorted by agent and item, findings): repeats with the same verdict are dropped, which is a finding.

    ``responses``: columns :data:`RESPONSE`, alone in the result, and file and line where known; ``items``: item_id;
    ``agents``: agent. Raises ``DataError`` for a response to an unknown item, by an unknown agent or repeated with
    another verdict, and for an agent without responses or listed twice.
    """
    file, faults = "responses", []
    for name, allowed, column in (
        ("item_id", set(items["item_id"]), "qc_id"),
        ("agent", set(agents["agent"]), "agent"),
    ):
        bad = ~responses[name].isin(allowed)
        for index in responses.index[bad][:20]:
            value = responses.at[index, name]
            expected = "an item with text" if name == "item_id" else "an agent of the list"
            row = responses.at[index, "agent"]
            if "line" in responses and responses.at[index, "line"] > 0:
                row = f"{responses.at[index, 'file']}#{responses.at[index, 'line']:.0f}"
            faults.append(Fault(file, str(row), column, value, expected))
    key = ["agent", "item_id"]
    repeated = responses[responses.duplicated(key, keep=False)]
    differs = repeated.groupby(key)["correct"].nunique()
    for agent, item in differs[differs > 1].index[:20]:
        place, both = f"{agent}, {item}", "right and wrong"
        faults.append(Fault(file, place, "score", both, "one verdict per agent and item"))
    silent = sorted(set(agents["agent"]) - set(responses["agent"]))
    faults += [Fault(file, name, "agent", 0, "at least one response") for name in silent]
    twice = agents[agents["agent"].duplicated()]["agent"]
    faults += [Fault(file, name, "agent", name, "an agent once") for name in twice]
    raise_faults(faults)
    findings = []
    extra = int(responses.duplicated(key).sum())
    if extra:
        findings.append(data_issue("response repeated", file, f"{extra} rows"))
    single = responses.drop_duplicates(key)
    return single[RESPONSE].sort_values(key, ignore_index=True), findings


def sort_agents(agents: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """``agents`` in the order of the fit: AI systems, then humans, each by a hash of their responses, so names do not count."""
    key = order_keys(responses, 0)
    keyed = agents.assign(key=agents["agent"].map(key)).sort_values(["kind", "key"], kind="stable")
    return keyed.drop(columns="key").reset_index(drop=True)


def response_matrix(responses, items, agents) -> np.ndarray:
    """Signs (items, agents), floats in the order of both tables: 1 right, −1 wrong, 0 no response.

    ``responses``: item_id, agent, correct; ``KeyError`` for one of another item or agent.
    """
    signs = np.zeros((len(items), len(agents)))
    row = pd.Series(np.arange(len(items)), index=items["item_id"]).loc[responses["item_id"]]
    column = pd.Series(np.arange(len(agents)), index=agents["agent"]).loc[responses["agent"]]
    signs[row.to_numpy(), column.to_numpy()] = np.where(responses["correct"], 1.0, -1.0)
    return signs
