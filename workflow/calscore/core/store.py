"""Tables as declared (:mod:`calscore.core.catalog`): validated when written, so that one on disk is valid.

Types: ``string``, ``integer``, ``number``, ``boolean``, ``numbers`` (a list of numbers). Intermediates are
Parquet files, sorted by their key; what people look at is CSV at full precision, in the order of its rows.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from . import catalog
from .errors import DataError, Fault, Faults

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

schema = catalog.table


def columns(name: str) -> list[str]:
    """Names of the declared columns of table ``name``, in order; ``KeyError`` for an undeclared table."""
    return list(catalog.table(name)["columns"])


def frame(rows: pd.DataFrame | Iterable[dict], name: str) -> pd.DataFrame:
    """``rows`` with just the columns of table ``name``, in order. Nothing is validated: absent ones are nan, others dropped."""
    import pandas as pd

    return pd.DataFrame(rows).reindex(columns=columns(name))


def arrow_schema(name: str) -> pa.Schema:
    """Arrow schema of table ``name``; descriptions and units are in its metadata. ``KeyError`` for an undeclared table."""
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "numbers": pa.list_(pa.float64()),
    }
    declared = schema(name)
    fields = []
    for column, spec in declared["columns"].items():
        metadata = {key: spec[key] for key in ("description", "unit") if key in spec}
        fields.append(pa.field(column, types[spec["type"]], spec.get("nullable", False), metadata))
    about = {"table": declared["stored_as"], "description": declared["description"]}
    return pa.schema(fields, metadata=about)


def validation_errors(frame: pd.DataFrame, name: str, parents: dict | None = None) -> Faults:
    """Faults (none: empty) of ``frame`` against the declaration of ``name``, but for types; if columns are
    absent or unknown, those alone. Only the first repeated key and the first of each foreign key is named.
    ``parents``: table → frame, for the foreign keys; a table that is not in it, and keys with a null part,
    are not checked."""
    declared, faults = catalog.table(name), Faults(name)
    for column in declared["columns"]:
        if column not in frame:
            faults.add("", column, None, "the column to be present")
    for column in frame:
        if catalog.column_of(str(column), declared) is None:
            faults.add("", str(column), column, f"one of {', '.join(declared['columns'])}")
    if faults:
        return faults
    faults, key = value_faults(frame, name), declared["key"]
    double = frame.duplicated(key) if key else None
    if key and double.any():
        place, _ = _first(frame, key, double)
        expected = f"a key that occurs once ({int(double.sum())} repeat)"
        faults.add(place, ", ".join(key), place, expected)
    for parent, columns in declared.get("foreign_keys", {}).items():
        if parents and parent in parents:
            parent_rows = parents[parent][columns].drop_duplicates()
            rows = frame[columns].drop_duplicates().dropna()
            merged = rows.merge(parent_rows, on=columns, how="left", indicator=True)["_merge"]
            bad = (merged == "left_only").to_numpy()
            if bad.any():
                row = rows.iloc[int(bad.argmax())]
                text = " / ".join(f"{c}={row[c]}" for c in columns)
                faults.add(text, ", ".join(columns), text, f"a row of table {parent}")
    return faults


def value_faults(frame: pd.DataFrame, name: str) -> Faults:
    """Faults of a table with all its columns: for each column, unless ``nullable``, the first null cell, and
    the first outside each declared limit. A CSV table may leave cells outside its key empty."""
    declared, faults = catalog.table(name), Faults(name)
    key = declared["key"]
    for column in frame:
        spec, values = catalog.column_of(str(column), declared), frame[column]
        null = values.isna()
        # What a final table cannot say it leaves empty; only what names its rows must be there.
        needed = column in key or not declared["file"].endswith(".csv")
        if needed and not spec.get("nullable", False) and null.any():
            place, _ = _first(frame, key, null)
            faults.add(place, column, None, f"a value ({int(null.sum())} are missing)")
        present = values[~null] if null.any() else values
        limits = []
        if "minimum" in spec and len(present):
            limits.append((present < spec["minimum"], f"at least {spec['minimum']}"))
        if "maximum" in spec and len(present):
            limits.append((present > spec["maximum"], f"at most {spec['maximum']}"))
        if "values" in spec and len(present):
            limits.append((~present.isin(spec["values"]), f"one of {spec['values']}"))
        for bad, expected in limits:
            if bad.any():
                place, row = _first(frame, key, bad.reindex(frame.index, fill_value=False))
                faults.add(place, column, row[column], expected)
    return faults


def _first(frame: pd.DataFrame, key: list[str], mask: pd.Series) -> tuple[str, pd.Series]:
    """(key of the first row in ``mask`` as text, that row as a Series)."""
    row = frame.iloc[int(mask.to_numpy().argmax())]
    return " / ".join(f"{k}={row[k]}" for k in key), row


def check(frame: pd.DataFrame, name: str, parents: dict | None = None) -> pd.DataFrame:
    """``frame``, without ``patterns`` its columns in declared order; ``DataError`` with every fault of
    :func:`validation_errors`."""
    validation_errors(frame, name, parents).refuse()
    return frame if "patterns" in catalog.table(name) else frame[columns(name)]


def empty(name: str) -> pd.DataFrame:
    """Table ``name`` without rows, with its columns and types."""
    return arrow_schema(name).empty_table().to_pandas()


def write(frame: pd.DataFrame, name: str, path: str | Path, parents: dict | None = None) -> None:
    """Validate ``frame`` (``DataError``) as table ``name`` and write it as Parquet, sorted by key; equal rows give equal bytes."""
    import pyarrow.parquet as pq

    pq.write_table(_validated_arrow(frame, name, parents), path, compression="zstd")


def _validated_arrow(frame: pd.DataFrame, name: str, parents: dict | None = None) -> pa.Table:
    """``frame`` as an Arrow table, sorted by key and of declared types; ``DataError`` where it does not fit."""
    import pyarrow as pa

    frame = check(frame, name, parents)
    frame = frame.sort_values(schema(name)["key"], kind="stable", ignore_index=True)
    try:
        table = pa.Table.from_pandas(frame, schema=arrow_schema(name), preserve_index=False)
    except pa.ArrowException as error:
        raise DataError(f"{name}: {error}") from None
    return table.replace_schema_metadata(arrow_schema(name).metadata)


ROW_GROUP = 1 << 20
"""Rows of a row group: pyarrow's own default, so that a table written in pieces has the same bytes."""


def write_pieces(pieces: Iterator[pd.DataFrame], name: str, path: str | Path) -> None:
    """Write frames as one Parquet table, byte for byte as :func:`write` would; foreign keys are not checked.

    ``ValueError`` where a piece does not come after the one before, by key. Memory holds a row group and a piece.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow, key = arrow_schema(name), schema(name)["key"]
    remainder, previous = arrow.empty_table(), None
    with pq.ParquetWriter(path, arrow, compression="zstd") as writer:
        for piece in pieces:
            if piece.empty:
                continue
            table = _validated_arrow(piece, name)
            begin, end = ([table[column][position].as_py() for column in key] for position in (0, -1))
            if previous is not None and not previous < begin:
                raise ValueError(f"{name}: {begin} comes after {previous}")
            previous, remainder = end, pa.concat_tables([remainder, table])
            while len(remainder) >= ROW_GROUP:
                writer.write_table(remainder[:ROW_GROUP].combine_chunks(), ROW_GROUP)
                remainder = remainder[ROW_GROUP:]
        writer.write_table(remainder.combine_chunks(), ROW_GROUP)


class Stored(NamedTuple):
    """Path of a declared table on disk and its name, for functions that read it in parts."""

    path: Path
    name: str


def question_ranges(tables: Sequence[Stored], rows: int) -> list[tuple[str | None, str | None]]:
    """Ranges (first, last) of question_id, both included, in each of which ``tables`` have about ``rows``
    rows in all. [(None, None)] if they have no more than ``rows``. Else questions that the first table lacks
    do not count, and may be in no range."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    if sum(pq.read_metadata(table.path).num_rows for table in tables) <= rows:
        return [(None, None)]
    columns = [pq.read_table(table.path, columns=["question_id"])["question_id"] for table in tables]
    ids = pa.chunked_array([chunk for column in columns for chunk in column.chunks], pa.string())
    counted = pa.table(dict(zip(("id", "n"), ids.value_counts().flatten(), strict=True))).sort_by("id")
    counted = counted.filter(pc.is_in(counted["id"], columns[0]))
    group = np.cumsum(counted["n"].to_numpy()) // rows
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    ends = np.append(starts, len(group))[1:] - 1
    return list(zip(*(counted["id"].take(places).to_pylist() for places in (starts, ends)), strict=True))


def read_questions(tables: Iterable[Stored], ends: tuple[str | None, str | None]) -> list[pd.DataFrame]:
    """For each of ``tables`` a frame of its rows on questions from first to last of ``ends``; of (None, None) all rows."""
    begin, end = ends
    limits = [("question_id", ">=", begin), ("question_id", "<=", end)]
    return [read(table.path, limits if end is not None else None) for table in tables]


def shard_rows(table: pd.DataFrame, questions: pd.DataFrame, shard: str, shards: str) -> pd.DataFrame:
    """Rows of ``table`` on the questions of part ``shard`` ("1" and up): the sorted ids of ``questions``, cut
    into ``shards`` runs that are equal but for one id, longer ones first."""
    import numpy as np

    ids = np.array_split(sorted(questions["question_id"]), int(shards))[int(shard) - 1]
    return table[table["question_id"].isin(ids)]


def iter_shards(name: str, paths: Iterable[Path]) -> Iterator[pd.DataFrame]:
    """Yields frames of table ``name``, in order of its key, from its shards: those of ``paths`` named
    <name>.parquet. One for each value of the key columns before question_id and shard, and it may be empty.
    Each shard must have later questions than the one before."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths = [path for path in paths if path.stem == name]
    key = schema(name)["key"]
    before = key[: key.index("question_id")]
    parts = [pq.read_table(path, columns=before).group_by(before).aggregate([]) for path in paths]
    values = pa.concat_tables(parts).group_by(before).aggregate([]).to_pylist()
    for row in sorted(values, key=lambda row: [row[column] for column in before]):
        filters = [(column, "==", row[column]) for column in before]
        yield from (read(path, filters) for path in paths)


def read(path: str | Path, filters: list[tuple] | None = None) -> pd.DataFrame:
    """A Parquet table of :func:`write`; ``filters`` as pyarrow takes them, such as [("clue", ">", 1)].

    Nullable integers and booleans come as Int64 and boolean, so that null stays null and 2 does not become
    2.0."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if filters:
        table = pq.read_table(path, filters=filters)
    else:
        # pyarrow's datasets, which filter, are dear to import and to open a single file.
        with pq.ParquetFile(path) as file:
            table = file.read()
    frame = table.to_pandas()
    kinds = {pa.int64(): "Int64", pa.bool_(): "boolean"}
    for field in table.schema:
        if field.nullable and field.type in kinds:
            frame[field.name] = table.column(field.name).to_pandas(integer_object_nulls=True)
            frame[field.name] = frame[field.name].astype(kinds[field.type])
    return frame


_FORMULA = r"^'*[=+\-@\t\r\n]"
"""Text that a spreadsheet would take for a formula, apostrophes before it or not."""


def escape_formulas(text: pd.Series) -> pd.Series:
    """A Series with an apostrophe before each text that a spreadsheet would take for a formula; signed numbers stay."""
    risky = [
        text_value for text_value in text.unique() if isinstance(text_value, str) and _is_formula(text_value)
    ]
    if not risky:
        return text
    text = text.astype(object)
    return text.mask(text.isin(risky), "'" + text.where(text.isin(risky), "").astype(str))


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet would take ``text`` for a formula; numbers with a sign are none."""
    if not re.match(_FORMULA, text):
        return False
    try:
        return not math.isfinite(float(text))
    except ValueError:
        return True


def unescape_formula(text: str) -> str:
    """``text`` of a cell without the apostrophe of :func:`escape_formulas`."""
    return text[1:] if text.startswith("'") and re.match(_FORMULA, text) else text


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write ``frame`` as CSV without index: floats at full precision, formulas in cells and headings escaped."""
    import pandas as pd

    texts = [column for column in frame if not pd.api.types.is_numeric_dtype(frame[column].dtype)]
    frame = frame.copy()
    for column in texts:
        frame[column] = escape_formulas(frame[column])
    # A carriage return within a cell would end the row where only line feeds are quoted.
    broken = any("\r" in str(cell) for column in texts for cell in frame[column].unique())
    frame.columns = escape_formulas(pd.Series(frame.columns, dtype=object))
    quoting = csv.QUOTE_NONNUMERIC if broken else csv.QUOTE_MINIMAL
    frame.to_csv(path, index=False, lineterminator="\n", encoding="utf-8", quoting=quoting)


_INERT = re.compile(rb"'[=+\-@\t\r\n]")
"""Bytes without which a file has no cell as :func:`escape_formulas` writes it."""
_PLAIN = {"Int64": "int64", "boolean": "bool"}
_READ_AS = {"string": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}


def read_csv(path: str | Path, name: str | None = None) -> pd.DataFrame:
    """A CSV table: numbers exactly as written, only empty cells null, :func:`escape_formulas` undone.

    With a ``name`` declared columns have its types: Int64 and boolean where a value is missing, else int64
    and bool."""
    import pandas as pd

    # Later versions read floats exactly by themselves and warn of the option.
    old = tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1)
    exact = {"float_precision": "round_trip"} if old else {}
    content, types = Path(path).read_bytes(), {}
    if name is not None:
        declared = catalog.table(name)
        head = next(csv.reader(io.TextIOWrapper(io.BytesIO(content), "utf-8", newline="")), [])
        specs = {column: catalog.column_of(column, declared) for column in head}
        types = {column: _READ_AS[spec["type"]] for column, spec in specs.items() if spec}
    source = io.BytesIO(content)
    frame = pd.read_csv(source, keep_default_na=False, na_values=[""], dtype=types, **exact)
    frame.columns = frame.columns.map(unescape_formula)
    inert_cells = _INERT.search(content)
    for column, values in frame.items():
        kind = types.get(column)
        if kind in _PLAIN and not values.isna().any():
            frame[column] = values.astype(_PLAIN[kind])
        elif inert_cells and not pd.api.types.is_numeric_dtype(values.dtype):
            frame[column] = values.map(unescape_formula, na_action="ignore").astype(values.dtype)
    return frame


def load(path: str | Path, name: str) -> pd.DataFrame:
    """The frame of table ``name`` at ``path``: Parquet by :func:`read`, other files by :func:`read_csv`."""
    return read(path) if str(path).endswith(".parquet") else read_csv(path, name)


def save(
    frame: pd.DataFrame | Iterator[pd.DataFrame], name: str, path: str | Path, parents: dict | None = None
) -> None:
    """Validate ``frame`` (``DataError``) as table ``name`` and write it, Parquet or CSV by the suffix of
    ``path``. A Parquet table can come in pieces (an iterator of frames in the order of its key), whose
    foreign keys are not checked; other tables' are, by ``parents`` as in :func:`validation_errors`."""
    if hasattr(frame, "__next__"):
        write_pieces(frame, name, path)
    elif str(path).endswith(".parquet"):
        write(frame, name, path, parents)
    else:
        write_csv(check(frame, name, parents), path)


def parse_number(text: str) -> float:
    """The float in a cell from outside, nan and inf too; ``ValueError`` for others and for 1_0, which Python takes."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def check_separator(header: str, file: str, delimiter: str = ",") -> None:
    """``DataError`` if ``header``, the first line of a CSV ``file``, has another separator in place of ``delimiter``."""
    signs = [sign for sign in ";\t|" if sign in header and delimiter not in header]
    if signs:
        expected = f"columns parted by {delimiter!r}, not {signs[0]!r}"
        raise DataError.at(file, "1", "", header.rstrip("\r\n"), expected)


def check_columns(header: str, names: Sequence[str], columns: Sequence[str], file: str) -> None:
    """``DataError`` unless ``columns`` are among the ``names`` of a CSV ``file``, each once; a single fault, which shows its
    ``header``, if none of several is."""
    missing = [name for name in columns if name not in names]
    if len(columns) > 1 and missing == [*columns]:
        expected = f"columns {', '.join(columns)}"
        raise DataError.at(file, "1", "", header.rstrip("\r\n") or "nothing", expected)
    twice = sorted({name for name in names if names.count(name) > 1})
    faults = [Fault(file, "", name, None, "the column to be present") for name in missing]
    faults += [Fault(file, "", name, name, "a column that occurs once") for name in twice]
    if faults:
        raise DataError(faults)


def read_raw_csv(path: str | Path, columns: Sequence[str], delimiter: str = ",") -> pd.DataFrame:
    """A frame of a CSV from outside, parted by ``delimiter``: every cell as text, empty ones as "", further
    columns kept. ``DataError`` if it is no CSV, a cell has a NUL, or a row has more or fewer cells than the
    header. So it is if a column occurs twice or one of ``columns`` is missing."""
    import pandas as pd

    file = Path(path).name
    # pandas fills up short rows without a word; a table is not built from the rows here, as that takes ten times the memory.
    with Path(path).open(encoding="utf-8-sig", newline="") as handle:
        csv.field_size_limit(2**31 - 1)
        lines = csv.reader(handle, strict=True, delimiter=delimiter)
        try:
            header = next((line for line in handle if line.strip()), "")
            handle.seek(0)
            if len(columns) > 1:
                check_separator(header, file, delimiter)
            names = next((row for row in lines if len(row) > 1 or "".join(row).strip()), [])
            if not names:
                raise DataError.at(file, "", "", "an empty file", "a CSV table")
            check_columns(header, names, columns, file)
            for row in lines:
                if row and len(row) != len(names):
                    expected = f"{len(names)} cells, as many as columns"
                    raise DataError.at(file, f"{lines.line_num}", "", f"{len(row)} cells", expected)
                # pandas ends a text at a NUL.
                if any("\0" in cell for cell in row):
                    raise DataError.at(file, f"{lines.line_num}", "", row, "text without NUL")
        except (csv.Error, UnicodeDecodeError) as error:
            raise DataError.at(file, "", "", str(error), "a CSV table") from None
    return pd.read_csv(path, dtype="str", keep_default_na=False, sep=delimiter)


def extra_columns(table: pd.DataFrame, columns: Collection[str], file: str) -> list[str]:
    """Names, in order, of the columns of ``table``, a CSV from outside, that are not in ``columns``.

    ``DataError`` that names ``file`` for a column without a name, as pandas writes row numbers."""
    for name in table:
        if name.startswith("Unnamed: "):
            raise DataError.at(file, "", "", name, "columns with names (to_csv with index=False)")
    return [name for name in table if name not in columns]
