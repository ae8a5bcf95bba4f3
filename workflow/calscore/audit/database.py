"""All tables of a study in one DuckDB file, with views for the questions that people ask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.checksums import text_sha256
from ..core.package import FOLDER
from ..core.results_folder import Study

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

VIEWS = FOLDER / "audit" / "views.sql"

NOTES = "table_notes"
"""Table of the database with a row for each column: description, unit, type, rule."""


def views() -> dict[str, tuple[list[str], str]]:
    """Name of a view → (names of the tables that it needs, its SQL query), in the order of views.sql."""
    parts = re.split(r"^-- (\w+): (.+)$", VIEWS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {
        name: (needs.split(), query.strip())
        for name, needs, query in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    }


def _read_arrow(path: Path) -> pa.Table:
    """A Parquet or CSV file as an Arrow table without metadata; columns of a CSV have the types of their values."""
    import pyarrow.parquet as pq

    if path.suffix == ".parquet":
        return pq.read_table(path).replace_schema_metadata(None)
    from ..core import store

    return _arrow_table(store.read_csv(path))


def _arrow_table(frame: pd.DataFrame) -> pa.Table:
    """A frame as an Arrow table; a column without any value is of strings."""
    import pyarrow as pa

    empty = [name for name in frame if frame[name].isna().all()]
    table = pa.Table.from_pandas(frame.astype(dict.fromkeys(empty, object)), preserve_index=False)
    fields = [pa.field(f.name, pa.string() if f.type == pa.null() else f.type) for f in table.schema]
    return table.replace_schema_metadata(None).cast(pa.schema(fields))


def write_database(study: Study, database: str | Path, checks: pd.DataFrame | None = None) -> None:
    """Write the DuckDB file ``database`` anew: the study's tables, ``checks`` unless None, :func:`column_notes` (as
    :data:`NOTES`) and :func:`views`. Rows keep the order of their file. A view is made where all tables it needs are there."""
    import pyarrow as pa

    # A job that was killed, or found the disk full, leaves its log of changes beside the file.
    for old in (Path(database), Path(f"{database}.wal")):
        old.unlink(missing_ok=True)
    with _connected(database) as connection:
        connection.execute("SET threads = 1")
        # What is made in one go is written once, not first to a log of changes.
        connection.begin()
        names = {name: _read_arrow(study.folder / table.file) for name, table in study.tables.items()}
        if checks is not None:
            names["checks"] = _arrow_table(checks)
        columns = {name: names[name].column_names for name in study.tables}
        names[NOTES] = pa.Table.from_pandas(column_notes(study, columns), preserve_index=False)
        for name, arrow in names.items():
            connection.register("incoming", arrow)
            connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM incoming')
            connection.unregister("incoming")
        for view, (needs, query) in views().items():
            if all(name in names for name in needs):
                connection.execute(f'CREATE VIEW "{view}" AS {query}')
        connection.commit()


@contextmanager
def _connected(path: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Context manager: a connection to a DuckDB file. It is removed after an error of DuckDB, as half a database looks whole."""
    import duckdb

    try:
        with duckdb.connect(str(path)) as connection:
            yield connection
    except duckdb.Error:
        for half in (Path(path), Path(f"{path}.wal")):
            half.unlink(missing_ok=True)
        raise


def column_notes(study: Study, columns: dict[str, list[str]]) -> pd.DataFrame:
    """Frame (table, column, type, unit, description, rule), a row for each of ``columns`` (table → names), as text, "" for none."""
    import pandas as pd

    from ..core import catalog, store
    from . import provenance

    rows = []
    for name, table in study.tables.items():
        rule = provenance.maker(study.provenance, table.file) or ""
        declared = store.schema(name)
        for column in columns[name]:
            spec = catalog.column_of(column, declared)
            kind = spec.get("type", "")
            rows.append((name, column, kind, spec.get("unit", ""), spec["description"], rule))
    return pd.DataFrame(rows, columns=["table", "column", "type", "unit", "description", "rule"], dtype="str")


def content_digests(path: str | Path) -> dict[str, str]:
    """Name of a table or view of a DuckDB file → SHA-256 of a table's columns, types and rows, or of a view's query."""
    import duckdb

    digests = {}
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.execute("SET threads = 1")
        for name, query in connection.execute(
            "SELECT table_name, NULL FROM duckdb_tables() WHERE NOT internal "
            "UNION ALL SELECT view_name, sql FROM duckdb_views() WHERE NOT internal ORDER BY 1"
        ).fetchall():
            if query is None:
                types = connection.sql(f'DESCRIBE "{name}"').fetchall()
                rows = connection.sql(
                    f'SELECT sha256(string_agg(CAST(to_json(t) AS VARCHAR) ORDER BY rowid)) FROM "{name}" t'
                )
                query = f"{types} {rows.fetchall()}"
            digests[name] = text_sha256(query)
    return digests
