"""Tables with a declared schema: validated when written, so that a table on disk is a valid one.

A schema is a YAML file in ``workflow/schemas/tables``: ``description``, ``key`` (columns that are
unique together and give the row order), ``columns`` (name → ``type``, ``description`` and optionally
``unit``, ``minimum``, ``maximum``, ``values``, ``nullable``) and ``foreign_keys``
(table → columns that must occur in it). Types: ``string``, ``integer``, ``number``, ``boolean``,
``numbers`` (a list of numbers).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .errors import DataError, Fault
from .package import FOLDER

SCHEMAS = FOLDER / "tables" / "schemas"


@cache
def schema(name: str) -> dict:
    """The schema of table ``name``; raises ``KeyError`` where none is declared."""
    import yaml

    path = SCHEMAS / f"{name}.yaml"
    if not path.exists():
        raise KeyError(f"no schema for table {name!r} in {SCHEMAS}")
    with path.open(encoding="utf-8") as handle:
        return yaml.load(handle, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _arrow_type(kind: str):
    import pyarrow as pa

    return {
        "string": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "numbers": pa.list_(pa.float64()),
    }[kind]


def arrow_schema(name: str):
    """The Arrow schema of table ``name``; units and descriptions travel as field metadata."""
    import pyarrow as pa

    declared = schema(name)
    fields = []
    for column, spec in declared["columns"].items():
        metadata = {"description": spec["description"]}
        if "unit" in spec:
            metadata["unit"] = spec["unit"]
        fields.append(
            pa.field(column, _arrow_type(spec["type"]), spec.get("nullable", False), metadata)
        )
    return pa.schema(fields, metadata={"table": name, "description": declared["description"]})


def faults(frame, name: str, file: str | None = None, parents: dict | None = None) -> list[Fault]:
    """Every way in which ``frame`` breaks the schema of ``name``, one fault per kind and column.

    ``parents`` maps table names to frames, for the foreign keys; a parent that is not given is not
    checked.
    """
    declared = schema(name)
    file = file or name
    found = []
    columns = declared["columns"]
    for column in columns:
        if column not in frame:
            found.append(Fault(file, "", column, None, "the column to be present"))
    for column in frame:
        if column not in columns:
            found.append(Fault(file, "", str(column), column, f"one of {', '.join(columns)}"))
    if found:
        return found
    key = declared["key"]

    def first(mask) -> tuple[str, object]:
        position = int(mask.to_numpy().argmax())
        row = frame.iloc[position]
        return " / ".join(f"{k}={row[k]}" for k in key), row

    for column, spec in columns.items():
        values = frame[column]
        null = values.isna()
        if not spec.get("nullable", False) and null.any():
            where, _ = first(null)
            found.append(
                Fault(file, where, column, None, f"a value ({int(null.sum())} are missing)")
            )
        present = values[~null]
        for bound, compare, words in (
            ("minimum", lambda v, b: v < b, "at least"),
            ("maximum", lambda v, b: v > b, "at most"),
        ):
            if bound in spec and len(present):
                bad = compare(present, spec[bound])
                if bad.any():
                    where, row = first(bad.reindex(frame.index, fill_value=False))
                    found.append(Fault(file, where, column, row[column], f"{words} {spec[bound]}"))
        if "values" in spec and len(present):
            bad = ~present.isin(spec["values"])
            if bad.any():
                where, row = first(bad.reindex(frame.index, fill_value=False))
                found.append(Fault(file, where, column, row[column], f"one of {spec['values']}"))
    double = frame.duplicated(key)
    if double.any():
        where, _ = first(double)
        found.append(
            Fault(
                file,
                where,
                ", ".join(key),
                where,
                f"a key that occurs once ({int(double.sum())} repeat)",
            )
        )
    for parent, on in declared.get("foreign_keys", {}).items():
        if parents and parent in parents:
            known = parents[parent][on].drop_duplicates()
            merged = frame[on].merge(known, on=on, how="left", indicator=True)["_merge"]
            bad = (merged == "left_only").to_numpy() & frame[on].notna().all(axis=1).to_numpy()
            if bad.any():
                row = frame.iloc[int(bad.argmax())]
                shown = " / ".join(f"{c}={row[c]}" for c in on)
                found.append(Fault(file, shown, ", ".join(on), shown, f"a row of table {parent}"))
    return found


def check(frame, name: str, parents: dict | None = None):
    """``frame`` with the columns of the schema in its order, or ``DataError`` with every fault."""
    problems = faults(frame, name, parents=parents)
    if problems:
        raise DataError(problems)
    return frame[list(schema(name)["columns"])]


def empty(name: str):
    """A table of no rows with the columns and types of schema ``name``."""
    return arrow_schema(name).empty_table().to_pandas()


def write(frame, name: str, path, parents: dict | None = None) -> None:
    """Validate ``frame`` against schema ``name`` and write it, sorted by key, as Parquet.

    The same rows give the same bytes, whatever order they come in.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    frame = check(frame, name, parents)
    frame = frame.sort_values(schema(name)["key"], kind="stable", ignore_index=True)
    try:
        table = pa.Table.from_pandas(frame, schema=arrow_schema(name), preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise DataError(f"{name}: {error}") from None
    table = table.replace_schema_metadata(arrow_schema(name).metadata)
    pq.write_table(table, path, compression="zstd")


def read(path):
    """A table written by :func:`write`, as a pandas frame.

    Nullable integers and booleans come as pandas' own nullable types, so that missing stays missing
    and 2 does not become 2.0.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    frame = table.to_pandas()
    kinds = {pa.int64(): "Int64", pa.bool_(): "boolean"}
    for field in table.schema:
        if field.nullable and field.type in kinds:
            frame[field.name] = table.column(field.name).to_pandas(integer_object_nulls=True)
            frame[field.name] = frame[field.name].astype(kinds[field.type])
    return frame


def write_csv(frame, path) -> None:
    """Write ``frame`` as CSV at full precision (floats round-trip)."""
    frame.to_csv(path, index=False, lineterminator="\n", encoding="utf-8")


def read_raw_csv(path, columns):
    """A CSV from outside as text, empty cells as empty text.

    Raises ``DataError`` where it is no CSV or lacks one of ``columns``; further columns are kept.
    """
    import pandas as pd

    file = Path(path).name
    try:
        table = pd.read_csv(path, dtype="str", keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise DataError(Fault(file, "", "", str(error), "a CSV table")) from None
    missing = [name for name in columns if name not in table]
    if missing:
        raise DataError(
            [Fault(file, "", name, None, "the column to be present") for name in missing]
        )
    return table
