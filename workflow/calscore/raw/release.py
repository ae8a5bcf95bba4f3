"""The raw GRACE release: packets of questions with live buzzes, and the participation tables."""

from __future__ import annotations

import difflib
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..clues.sentences import count_answer_words, sentence_spans
from ..core import store, strict_json
from ..core.data_issues import Finding, data_issue
from ..core.errors import DataError, Faults
from ..core.package import FOLDER

if TYPE_CHECKING:
    import jsonschema
    import pandas as pd

MARK = re.compile(r"\[([HM]\d+), ([+-])\]")
PACKET_NAME = re.compile(r"packet(\d+)", re.IGNORECASE)
RAW_SCHEMAS = FOLDER / "raw" / "schemas"

BuzzEntry = tuple[int, str, bool, str]
"""A buzz on a question: 0-based index of the last word heard, team, whether right, source row."""
Parsed = tuple[list[dict], list[Finding]]
"""What a reader gives: rows of the tidy table that its docstring names, and findings."""


def suggest_keys(entry: dict, keys: Collection[str]) -> dict[str, str]:
    """Unknown key of ``entry`` → the similar key of ``keys`` that ``entry`` lacks. Case and separators are ignored; keys that
    begin with _ match such keys only. Keys similar to none are left out; {} if all are known."""

    def plain(key: str) -> str:
        """``key`` without case and separators."""
        return re.sub(r"[\W_]", "", key.lower())

    near = {}
    for key in (key for key in entry if key not in keys):
        private = key.startswith("_")
        lacking = {plain(key): key for key in keys if key not in entry and key.startswith("_") == private}
        if match := difflib.get_close_matches(plain(key), lacking, 1, 0.8):
            near[key] = lacking[match[0]]
    return near


def _validate_properties(
    validator: jsonschema.Draft202012Validator, properties: dict, instance: object, schema: dict
) -> Iterator[jsonschema.ValidationError]:
    """Yield schema errors of known keys, and one for each unknown key that :func:`suggest_keys` takes for a misspelling."""
    import jsonschema

    yield from jsonschema.Draft202012Validator.VALIDATORS["properties"](
        validator, properties, instance, schema
    )
    if validator.is_type(instance, "object"):
        for key, meant in suggest_keys(instance, properties).items():
            rule = {"description": f"the key {meant!r}, which is not there"}
            yield jsonschema.ValidationError(key, path=(key,), instance=key, schema=rule)


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    """Validator of raw/schemas/<name>.json that also reports misspelt keys."""
    import jsonschema

    kind = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"properties": _validate_properties})
    with (RAW_SCHEMAS / f"{name}.json").open(encoding="utf-8") as handle:
        return kind(json.load(handle))


def confidence_hint(value: object) -> str:
    """Hint for a fault, with a leading blank, on a value that is a percentage, a number as text, or negative; else ""."""
    percent = isinstance(value, str) and value.strip().endswith("%")
    try:
        number = float(str(value).strip().removesuffix("%"))
    except ValueError:
        return ""
    if percent or 1 < number <= 100:
        return f" ({number:g} % is {number / 100:g})"
    if number < 0:
        return " (a logarithm is mean_logprob)"
    return f" (a number, not text: {number:g})" if isinstance(value, str) else ""


def check_raw(
    document: object, schema: str, file: str, locate: Callable[[list], tuple[str, list]] | None = None
) -> None:
    """``DataError`` with a fault for each breach of the schema ``raw/schemas/<schema>.json``. ``locate``: path of a value in
    ``document``, as keys and indices → (name of its row, path within that). None: for a packet, a list of questions."""

    def describe(path):
        """(question of a packet in words, path within it) for ``path``."""
        if not path:
            return "", []
        entry = document[path[0]]
        index = entry.get("tossup_index") if isinstance(entry, dict) else None
        return f"question {path[0] + 1} (tossup_index {index})", path[1:]

    faults = Faults(file)
    errors = _validator(schema).iter_errors(document)
    for error in sorted(errors, key=lambda e: list(map(str, e.absolute_path))):
        row, path = (locate or describe)(list(error.absolute_path))
        columns, value = [str(part) for part in path], error.instance
        rule = f"{error.validator} {str(error.validator_value)[:60]}"
        expected = error.schema.get("description") or rule
        if error.validator == "required":
            columns.append(error.message.split("'")[1])
            value, expected = None, "the field to be present"
        elif error.schema.get("maximum") == 1:
            expected += confidence_hint(value)
        faults.add(row, "/".join(columns), value, expected)
    faults.refuse()


def marked_buzzes(marked: str) -> tuple[list[tuple[int, str]], list[str]]:
    """((0-based word before a mark or -1, mark) in order, words without marks) of a text with marks (``[H3, +]``)."""
    buzzes: list[tuple[int, str]] = []
    words: list[str] = []
    start = 0
    for match in MARK.finditer(marked):
        words += marked[start : match.start()].split()
        buzzes.append((len(words) - 1, match.group()))
        start = match.end()
    return buzzes, words + marked[start:].split()


def merge_category(raw: str, aliases: dict[str, str], merged: dict[str, list[str]]) -> tuple[str, str]:
    """(fine category, merged category) of a raw name. ``aliases``: spelling → fine name, by default the name itself;
    ``merged``: category → substrings of its fine names, the first match counting; without one the fine name."""
    fine = aliases.get(raw, raw)
    for name, parts in merged.items():
        if any(part in fine for part in parts):
            return fine, name
    return fine, fine


@dataclass
class Release:
    """Questions and buzzes of packets as rows of tidy/questions and tidy/buzzes, and findings of ``stage``, in the order added.
    ``aliases`` and ``merged``: as :func:`merge_category` takes them."""

    aliases: dict[str, str] = field(default_factory=dict)
    merged: dict[str, list[str]] = field(default_factory=dict)
    stage: str = "release"
    questions: list[dict] = field(default_factory=list)
    buzzes: list[dict] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def note(self, kind: str, place: str, detail: str) -> None:
        """Append a finding of :attr:`stage`; ``KeyError`` for a ``kind`` not declared for it."""
        self.findings.append(data_issue(self.stage, kind, place, detail))

    def add_question(self, packet: int, number: int, columns: dict) -> dict:
        """Append a row of tidy/questions and return it; ``columns``: its others (source_id, category as written, n_words, …).
        Missing texts are None. A category outside ``merged`` is noted."""
        question_id = f"p{packet:02d}-q{number:02d}"
        fine, category = merge_category(columns["category"], self.aliases, self.merged)
        if category == fine and fine not in self.merged:
            detail = f"category {columns['category']!r} matches no merged category"
            self.note("category without a group", question_id, detail)
        names = {"category": category, "category_fine": fine, "category_raw": columns["category"]}
        place = {"question_id": question_id, "packet": packet, "number": number}
        texts = {"text": None, "answerline": None, "conditions": None}
        self.questions.append(place | texts | columns | names)
        return self.questions[-1]

    def add_buzzes(self, question: dict, positions: Collection[BuzzEntry]) -> None:
        """Append a row of tidy/buzzes for each of ``positions`` (0-based word, team, right, source row), all on ``question``
        (a row of tidy/questions); teams with H are human. Noted: those past the end, teams with several, no human buzz."""
        question_id = question["question_id"]
        for index, team, right, source_row in positions:
            if index >= question["n_words"]:
                detail = f"{format_mark(team, right)} at word {index} of {question['n_words']}"
                self.note("buzz past the end", question_id, detail)
            self.buzzes.append(
                {
                    "question_id": question_id,
                    "packet": question["packet"],
                    "match": None,
                    "team": team,
                    "player": None,
                    "kind": "human" if team.startswith("H") else "model",
                    "word_index": index,
                    "correct": right,
                    "value": None,
                    "source_row": source_row,
                }
            )
        teams = Counter(team for _, team, _, _ in positions)
        for team, count in sorted(teams.items()):
            if count > 1:
                self.note("team buzzed more than once", question_id, f"{team} has {count} buzzes")
            n_right = sum(right for _, name, right, _ in positions if name == team)
            if n_right > 1:
                self.note("team right more than once", question_id, f"{team} has {n_right} right buzzes")
        if not any(team.startswith("H") for team in teams):
            self.note("no human buzz", question_id, "no human team buzzed")

    def cross_check(self) -> None:
        """Add to ``findings`` source ids that several questions have, and categories whose words are only some of another's."""
        by_source: dict[str, list[str]] = {}
        for question in self.questions:
            by_source.setdefault(question["source_id"], []).append(question["question_id"])
        for source, ids in sorted(by_source.items()):
            if len(ids) > 1:
                detail = f"tossup_index {source} names {', '.join(ids)}"
                self.note("tossup_index used twice", source, detail)
        names = Counter(question["category_raw"] for question in self.questions)
        tokens = {name: frozenset(re.findall(r"[^\W\d_]+", name.lower())) for name in names}
        for name, longer in itertools.permutations(sorted(names), 2):
            if tokens[name] and tokens[name] < tokens[longer]:
                detail = f"{name!r} ({names[name]} questions) reads like {longer!r} ({names[longer]})"
                self.note("category names vary", f"{name} / {longer}", detail)


def format_mark(team: str, right: bool) -> str:
    """A buzz as the release writes it: ``[H3, +]``, with - for a wrong one."""
    return f"[{team}, {'+' if right else '-'}]"


def packet_number(file: str) -> int:
    """The number of the first ``packet<number>``, in either case, in a file's name; ``DataError`` if there is none."""
    name = Path(file).name
    if not (number := PACKET_NAME.search(name)):
        raise DataError.at(file, "", "file name", name, "a name with packet<number>")
    return int(number[1])


def parse_packets(
    members: dict[str, bytes], aliases: dict[str, str], merged: dict[str, list[str]]
) -> Release:
    """The :class:`Release` of all packets. ``members``: file name with packet<number> → JSON, a list of questions; ``aliases``,
    ``merged``: as :func:`merge_category` takes them. ``DataError`` with all faults of the first file that breaks the raw
    schema, for a name without a number, or a number twice."""
    release = Release(aliases, merged)
    packets: dict[int, str] = {}
    for file, content in members.items():
        packet = packet_number(file)
        if packet in packets:
            expected = f"a packet number other than that of {packets[packet]}"
            raise DataError.at(file, "", "file name", packet, expected)
        packets[packet] = file
        document = strict_json.load(content, file)
        check_raw(document, "packet", file)
        for number, raw in enumerate(document, start=1):
            _parse_question(release, file, packet, number, raw)
    release.cross_check()
    bad = sum(finding.finding == "marks differ from positions" for finding in release.findings)
    detail = f"{len(release.buzzes)} positions compared with the marks in question_buzzpoints, {bad} questions differ"
    handling = "none needed" if not bad else "see the rows above"
    finding = Finding("release", "marks checked", "info", "all packets", detail, handling)
    release.findings.append(finding)
    return release


def _parse_question(release: Release, file: str, packet: int, number: int, raw: dict) -> None:
    """Add question ``raw`` (0-based words in ``position``) and its buzzes to ``release``, noting where marks differ."""
    words = raw["question"].split()
    columns = {
        "source_id": str(raw["tossup_index"]),
        "category": raw["category"],
        "text": raw["question"],
        "answerline": raw["answer"],
        "n_words": len(words),
        "n_chars": len(raw["question"]),
        "n_sentences": len(sentence_spans(raw["question"])),
        "n_answer_words": count_answer_words(raw["answer"]),
    }
    question = release.add_question(packet, number, columns)
    positions = []
    for entry, item in enumerate(raw["position"], start=1):
        ((index, mark),) = item.items()
        team, sign = MARK.fullmatch(mark).groups()
        positions.append((int(index), team, sign == "+", f"{file}#{number}/position/{entry}"))
    release.add_buzzes(question, positions)
    marks, plain = marked_buzzes(raw["question_buzzpoints"])
    listed = [(index, format_mark(team, right)) for index, team, right, _ in positions]
    if Counter(marks) != Counter(listed):
        odd = sorted((Counter(marks) - Counter(listed)) + (Counter(listed) - Counter(marks)))
        detail = f"{len(odd)} entries stand in only one of question_buzzpoints and position, first {odd[0]}"
        release.note("marks differ from positions", question["question_id"], detail)
    if plain != words:
        detail = f"question_buzzpoints without marks is not the question ({file}, question {number})"
        release.note("marked text differs", question["question_id"], detail)


def parse_participation(
    tables: dict[str, object],
    questions: pd.DataFrame,
    teams_declared: list[str] | None,
    files: dict[str, str],
) -> Parsed:
    """(rows of tidy/participation, findings), one row for each table, question and team. ``tables``: may hold ``per_packet``
    (list of entries in the order of each packet's questions) and ``combined`` (tossup_index → entry); ``files``: their names.
    ``combined`` is matched by its key alone, as its authors do, so that a key used twice shows. Without ``teams_declared`` H or
    M and a number is a team. ``DataError`` for malformed entries, and per_packet rows in another order."""
    rows: list[dict] = []
    findings: list[Finding] = []
    listed_teams = set(teams_declared or [])

    def note(*issue: str) -> None:
        findings.append(data_issue("participation", *issue))

    def add(table, question_id, source, teams):
        """A row for each distinct team that ``table`` lists for a question."""
        for team in sorted(set(teams)):
            is_team = team in listed_teams if listed_teams else re.fullmatch(r"[HM]\d+", team)
            row = {"table": table, "question_id": question_id, "source_id": str(source)}
            rows.append(row | {"team": team, "is_team": bool(is_team)})

    ordered = questions.sort_values(["packet", "number"])
    if "per_packet" in tables:
        entries, file = tables["per_packet"], files["per_packet"]
        _check_participation(entries, file, "total_human_teams")
        position: Counter = Counter()
        ids = {(q.packet, q.number): (q.question_id, q.source_id) for q in ordered.itertuples()}
        for row, entry in enumerate(entries, start=1):
            packet, index = entry["packet"], entry["tossup_index"]
            position[packet] += 1
            question_id, source = ids.get((packet, position[packet]), (None, None))
            if source != str(index):
                expected = f"{source!r}, the question in row {position[packet]} of packet {packet}"
                raise DataError.at(file, str(row), "tossup_index", index, expected)
            add("per_packet", question_id, source, entry["total_human_teams"])
        for (packet, number), (question_id, _) in ids.items():
            if number > position[packet]:
                note("question without participation", question_id, "per_packet has no row for it")
    if "combined" in tables:
        entries = tables["combined"]
        listed = list(entries.values()) if isinstance(entries, dict) else None
        _check_participation(listed, files["combined"], "seen")
        by_source = {str(key): entry for key, entry in entries.items()}
        for question in ordered.itertuples():
            question_id, source = question.question_id, question.source_id
            entry = by_source.get(source)
            if entry is None:
                note("question without participation", question_id, f"combined has no key {source}")
                continue
            if entry["packet"] != question.packet:
                detail = f"combined is keyed by tossup_index and its row {source} is about packet {entry['packet']}"
                note("table loses a question", question_id, detail)
            add("combined", question_id, source, entry["seen"])
    odd = Counter((row["table"], row["team"]) for row in rows if not row["is_team"])
    expected = f"among the {len(listed_teams)} teams" if listed_teams else "H or M and a number"
    for (table, team), count in sorted(odd.items()):
        detail = f"{team!r} in {count} rows is not {expected}"
        note("identifier is no team", f"{table}: {team}", detail)
    return rows, findings


def _check_participation(entries: object, file: str, column: str) -> None:
    """``DataError`` if ``entries`` is no list, or with all that lack an index, a packet or a list of teams in ``column``."""
    if not isinstance(entries, list):
        raise DataError.at(file, "", "", type(entries).__name__, "entries of questions")
    faults = Faults(file)
    for row, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            faults.add(row, "", entry, "a mapping")
            continue
        for name, kind, words in (
            ("tossup_index", (int, str), "an index"),
            ("packet", int, "a packet number"),
            (column, list, "a list of teams"),
        ):
            value = entry.get(name)
            texts = not isinstance(value, list) or all(isinstance(team, str) for team in value)
            if not isinstance(value, kind) or not texts:
                faults.add(row, name, value, words)
    faults.refuse()


def participation_findings(
    participation: pd.DataFrame, buzzes: pd.DataFrame, questions: pd.DataFrame
) -> list[Finding]:
    """Findings for each table of tidy/participation: buzzes of teams that it does not list, by packet and team and in all.
    Also, by packet and team, questions heard by only one of the two tables."""
    findings: list[Finding] = []
    packet = questions.set_index("question_id")["packet"]
    heard: dict[str, set] = {}

    def note(*issue: str) -> None:
        findings.append(data_issue("participation", *issue))

    pairs = list(zip(buzzes["question_id"], buzzes["team"], strict=True))
    for table, rows in participation.groupby("table"):
        heard[table] = set(zip(rows["question_id"], rows["team"], strict=True))
        odd = [pair for pair in pairs if pair not in heard[table]]
        counts = Counter((int(packet[q]), team) for q, team in odd)
        for (number, team), count in sorted(counts.items()):
            place = f"{table}: packet {number}, {team}"
            detail = f"{count} buzzes of {team} in packet {number}, which {table} says it did not hear"
            note("buzz by a team that the participation table does not list", place, detail)
        findings.append(
            Finding(
                "participation",
                "buzzes outside the participation table",
                "warning" if odd else "info",
                str(table),
                f"{len(odd)} of {len(pairs)} buzzes by teams that {table} says never heard the question",
                "exposures add them with source buzzed, and by options.heard the packets with source packet",
            )
        )
    if {"per_packet", "combined"} <= set(heard):
        counts = Counter(
            (int(packet[q]), team, "per_packet" if (q, team) in heard["per_packet"] else "combined")
            for q, team in heard["per_packet"] ^ heard["combined"]
        )
        for (number, team, table), count in sorted(counts.items()):
            detail = f"only {table} says that {team} heard {count} questions of packet {number}"
            note("participation tables disagree", f"packet {number}, {team}", detail)
    return findings


def tidy_exposures(
    questions: pd.DataFrame, buzzes: pd.DataFrame, participation: pd.DataFrame, table: str | None, heard: str
) -> pd.DataFrame:
    """tidy/exposures: a row for each question and team (a model if it begins with M) that heard it. ``source``: ``declared`` in
    ``table`` (None: no table), ``match``, ``buzzed`` or ``packet``, the first that applies. Counting the first three would select
    on the outcome. With ``heard`` "packets" a team that buzzed in a packet heard it all, unless the table declares some."""
    import pandas as pd

    pair, packets = ["question_id", "team"], questions[["question_id", "packet"]]
    declared = pd.DataFrame(columns=pair)
    if table is not None and len(participation):
        declared = participation[(participation["table"] == table) & participation["is_team"]]
    matched = buzzes["match"].notna().map({True: "match", False: "buzzed"})
    parts = [declared[pair].assign(source="declared"), buzzes[pair].assign(source=matched)]
    if heard == "packets":
        buzzed, declared_pairs = (
            pd.MultiIndex.from_frame(table_rows[pair].merge(packets)[["packet", "team"]]).unique()
            for table_rows in (buzzes, declared)
        )
        inferred = buzzed.difference(declared_pairs).to_frame(index=False).merge(packets, on="packet")
        parts.append(inferred[pair].assign(source="packet"))
    rows = pd.concat(parts, ignore_index=True).drop_duplicates(pair, keep="first")
    rows = rows.merge(packets, on="question_id", how="left")
    rows["kind"] = rows["team"].str.startswith("M").map({True: "model", False: "human"})
    return rows[store.columns("exposures")]


_BUZZES_OF_THE_RELEASE = (
    "buzz past the end",
    "team buzzed more than once",
    "team right more than once",
    "no human buzz",
)
"""Findings about the release's buzzes, which say nothing where others are used."""


def tidy_release(
    parsed: Release,
    tables: dict[str, object],
    teams: list[str],
    used: Parsed | None,
    exposure_table: str,
    heard: str,
    names: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """{questions, buzzes, participation, exposures: frames; findings: list}. ``tables`` and ``teams``: as
    :func:`parse_participation` takes them; ``used``: (rows, findings) of the outputs' buzzes, whose rows replace the release's;
    ``exposure_table``: "per_packet" or "combined", for exposures if ``tables`` has it; ``heard``: "packets" to infer whole
    packets (:func:`tidy_exposures`); ``names``: role → file name, by default the role."""
    findings, rows = parsed.findings, parsed.buzzes
    if used is not None:
        rows, _ = used
        findings = [finding for finding in findings if finding.finding not in _BUZZES_OF_THE_RELEASE]
    questions = store.frame(parsed.questions, "questions")
    buzzes = store.frame(rows, "buzzes")
    files = {role: names.get(role, role) for role in tables}
    rows, odd = parse_participation(tables, questions, teams, files)
    participation = store.frame(rows, "participation")
    findings += odd + participation_findings(participation, buzzes, questions)
    table = exposure_table if exposure_table in tables else None
    return {
        "questions": questions,
        "buzzes": buzzes,
        "participation": participation,
        "exposures": tidy_exposures(questions, buzzes, participation, table, heard),
        "findings": findings,
    }
