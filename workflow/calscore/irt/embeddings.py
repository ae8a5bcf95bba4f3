"""Vectors of items' texts: an input table, or TF-IDF and truncated SVD."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store
from ..core.checksums import text_sha256
from ..core.errors import DataError, Fault, raise_faults
from .items import rows_of_items


def texts(items: pd.DataFrame, parts: Sequence[str] = ("clues",)) -> list[str]:
    """Text of each item, its ``parts`` (of clues, answer, summary) joined in their order by blanks.

    ``items``: item_id, text, answer, summary. Raises ``DataError`` where a part is None or nan, ``KeyError``
    for another part.
    """
    columns = {"clues": "text", "answer": "answer", "summary": "summary"}
    chosen = [columns[part] for part in parts]
    for column in chosen:
        missing = items[items[column].isna()]
        if len(missing):
            expected = f"text ({len(missing)} have none)"
            raise DataError.at("items", missing["item_id"].iloc[0], column, None, expected)
    return [" ".join(row) for row in items[chosen].astype(str).itertuples(index=False)]


def digest(text: str) -> str:
    """First 16 hex digits of the SHA-256 of a text, by which a stored vector is known to belong to it."""
    return text_sha256(text)[:16]


def tfidf(items: pd.DataFrame, parts: Sequence[str], size: int, seed: int = 0) -> np.ndarray:
    """Vectors of items (J, n ≤ ``size``) by TF-IDF and truncated SVD.

    Counts k become 1 + ln k; words of one item and English stop words are left out. ``parts``: of
    :func:`texts`. ``DataError`` where too few words recur.
    """
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2)
    try:
        counts = vectoriser.fit_transform(texts(items, parts))
    except ValueError as error:
        raise DataError(f"items: {error} (no word occurs in two items)") from None
    size = min(size, counts.shape[1] - 1, counts.shape[0] - 1)
    if size < 1:
        raise DataError("items: too few distinct words for an embedding")
    return TruncatedSVD(size, algorithm="arpack", random_state=seed).fit_transform(counts)


def sentence_transformer(items: pd.DataFrame, parts: Sequence[str], name: str) -> np.ndarray:
    """Vectors of items (J, n) by the model ``name`` of the library sentence-transformers, ``DataError`` without it.

    ``parts``: of :func:`texts`.
    """
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        expected = "tfidf, or sentence-transformers installed"
        raise DataError.at("config", "options/irt", "embedding", name, expected) from None
    return np.asarray(SentenceTransformer(name).encode(texts(items, parts)), dtype=float)


def embed(items: pd.DataFrame, settings: dict, vectors: Path | None = None) -> np.ndarray:
    """Vectors of items (J, n): of the file ``vectors``, else made from the text; (J, 0) where no item has text.

    ``settings``: embedding, embedding_size, text, seed.
    """
    if vectors:
        return read_vectors(vectors, items)
    if not items["text"].str.strip().any():
        return np.empty((len(items), 0))
    if settings["embedding"] == "tfidf":
        return tfidf(items, settings["text"], settings["embedding_size"], settings["seed"])
    return sentence_transformer(items, settings["text"], settings["embedding"])


def read_vectors(path: Path, items: pd.DataFrame) -> np.ndarray:
    """Vectors of items (J, n) from a file: CSV ``id, model, e0, e1, …`` or Parquet ``id, model, vector``.

    A column ``hash``, if present, holds :func:`digest` of each item's clues or is empty. Raises ``DataError``
    for an item without a vector, vectors of several lengths, values that are not finite and another hash.
    """
    path, file = Path(path), Path(path).name
    if path.suffix == ".parquet":
        raw = pd.read_parquet(path)
        for name in ("id", "model", "vector"):
            if name not in raw:
                raise DataError.at(file, "", name, None, "the column to be present")
        vectors = raw["vector"].to_list()
    else:
        raw = store.read_raw_csv(path, ["id", "model"])
        columns = store.extra_columns(raw, ("id", "model", "hash"), file)
        try:
            vectors = [[float(v) for v in row] for row in raw[columns].itertuples(index=False)]
        except ValueError as error:
            raise DataError.at(file, "", "vector", str(error), "numbers") from None
    if not vectors:
        raise DataError.at(file, "", "", 0, "at least one vector")
    size, faults = int(pd.Series(vectors).map(len).mode().iloc[0]), []
    for name, vector in zip(raw["id"], vectors, strict=True):
        if len(vector) != size:
            faults.append(Fault(file, str(name), "vector", len(vector), f"{size} numbers"))
        elif not np.isfinite(np.asarray(vector, dtype=float)).all():
            problem = "a value that is not finite"
            faults.append(Fault(file, str(name), "vector", problem, "finite numbers"))
    raise_faults(faults)
    table = rows_of_items(raw.assign(vector=vectors), items, file, "a vector for every item")
    if "hash" in table:
        for name, stored, text in zip(table.index, table["hash"], texts(items), strict=True):
            if stored and stored != digest(text):
                expected = f"{digest(text)}, that of the item's text"
                raise DataError.at(file, name, "hash", stored, expected)
    return np.vstack(table["vector"].to_list()).astype(float)
