"""Features of items' texts, features from a file, and the regression of difficulty on them."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from ..core import store
from ..core.errors import DataError
from ..stats import ranks

_TIME = re.compile(
    r"\b(1[0-9]{3}s?|20[0-9]{2}s?|\d{1,2}(st|nd|rd|th)[ -]century|century|centuries|decade|era)\b",
    re.I,
)
_EVENT = re.compile(
    r"\b(after|before|during|following|until|since|prior to|in the wake of)\b", re.I
)
_SUPERLATIVE = re.compile(
    r"\b(most|least|best|worst|first|last|only|largest|smallest|highest|oldest|longest|earliest|"
    r"latest|greatest|[a-z]{3,}est)\b",
    re.I,
)
_NOT_SUPERLATIVE = re.compile(r"\b(west|forest|interest|request|test|rest|guest|quest|harvest|arrest|protest|conquest|contest|honest|suggest|priest|east|chest|nest|modest|tempest|invest|digest)\b", re.I)  # fmt: skip
_POP_CULTURE = re.compile(
    r"\b(films?|movies?|television|tv|sitcoms?|episodes?|albums?|(hit|lead|debut) singles?|rappers?|hip.hop|pop songs?|"
    r"(rock|punk|metal|boy|pop|indie) bands?|"
    r"video games?|superhero(es)?|franchises?|actors?|actress(es)?|celebrit(y|ies)|quarterbacks?|nba|nfl|mlb)\b",
    re.I,
)
_TRASH = re.compile(r"\b(trash|pop(ular)? culture)\b", re.I)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+")
_SENTENCE = re.compile(r"[.!?]+(?:\s|$)")


def text_features(items, categories: bool = True):
    """Interpretable features of each item (Appendix D), in raw units, indexed by item_id.

    Binary ``c_<category>``, ``t_range`` (a period), ``t_relative`` (before or after something),
    ``o_superlative``, ``o_trash`` (pop culture, by its category or words); counts and means: clues, words, capitalised names per 100 words, digits,
    quotation marks, words per sentence, and the Coleman-Liau readability index, which needs no
    syllables.
    """
    rows = []
    for text, category in zip(items["text"], items["category"], strict=True):
        words = text.split()
        n = max(len(words), 1)
        letters = sum(c.isalpha() for c in text)
        sentences = max(len(_SENTENCE.findall(text)), 1)
        plain = _NOT_SUPERLATIVE.sub(" ", text)
        rows.append(
            {
                "t_range": float(bool(_TIME.search(text))),
                "t_relative": float(bool(_EVENT.search(text))),
                "o_superlative": float(bool(_SUPERLATIVE.search(plain))),
                "o_trash": float(bool(_POP_CULTURE.search(text) or _TRASH.search(str(category)))),
                "n_words": float(n),
                "names_per_100_words": 100 * len(_NAME.findall(text)) / n,
                "numbers_per_100_words": 100 * sum(w[:1].isdigit() for w in words) / n,
                "quotes_per_100_words": 100 * (text.count('"') + text.count("“")) / n,
                "words_per_sentence": n / sentences,
                "coleman_liau": 5.88 * letters / n - 29.6 * sentences / n - 15.8,
            }
        )
    table = pd.DataFrame(rows, index=pd.Index(items["item_id"], name="item_id"))
    table.insert(0, "n_clues", items["clue"].to_numpy(float))
    if categories:
        dummies = pd.get_dummies(items["category"], dtype=float).add_prefix("c_")
        dummies.index = table.index
        table = pd.concat([dummies, table], axis=1)
    return table


#: Values that a text column of features may have.
MOST_VALUES = 20


def read_features(path, items, covariates=()):
    """Further features of items from a CSV (id and numbers), indexed by item_id as items are in order; and the names of those
    that are ``covariates``.

    A covariate may be text (easy, medium, hard): each of its values is a column of 0 and 1, ``<column>=<value>``.
    """
    table = store.read_raw_csv(path, ["id", *covariates]).set_index("id")
    missing = sorted(set(items["item_id"]) - set(table.index))
    if missing:
        raise DataError.at(path.name, missing[0], "id", None, "features of every item")
    if table.index.has_duplicates:
        twice = table.index[table.index.duplicated()][0]
        raise DataError.at(path.name, twice, "id", twice, "an id once")
    table = table.loc[items["item_id"]]
    tables, chosen = [], []
    for name in store.further(table, (), path.name):
        column = pd.to_numeric(table[name], errors="coerce").rename(name).to_frame()
        if name in covariates and not np.isfinite(column.to_numpy()).any():
            column = pd.get_dummies(table[name], prefix=name, prefix_sep="=", dtype=float)
            if len(column.columns) > MOST_VALUES:
                number = f"{len(column.columns)} texts"
                raise DataError.at(
                    path.name, "", name, number, f"at most {MOST_VALUES}, or numbers"
                )
        bad = np.flatnonzero(~np.isfinite(column.to_numpy()).all(axis=1))
        if len(bad):
            row, value = items["item_id"].iloc[bad[0]], table[name].iloc[bad[0]]
            raise DataError.at(path.name, row, name, value, "a finite number")
        tables.append(column)
        chosen += list(column) if name in covariates else []
    numbers = pd.concat(tables, axis=1) if tables else pd.DataFrame(index=table.index)
    return numbers.rename_axis("item_id"), chosen


def difficulty_regression(difficulty, features, questions, level: float):
    """What makes items difficult: linear regression of ``difficulty`` (J,) on the features (after Benedetto et al. 2020).

    Numeric features are standardised; standard errors cluster by question; p-values are Holm's over all coefficients.
    ``status``: ``fitted``, ``constant`` (the feature does not vary), or ``collinear`` (others determine it).
    """
    from scipy.stats import norm

    codes = np.unique(np.asarray(questions), return_inverse=True)[1]
    z = norm.ppf((1 + level) / 2)
    binary = features.isin([0.0, 1.0]).all()
    spread = features.std(ddof=0).where(~binary, 1.0).replace(0.0, 1.0)
    x = (features - features.mean().where(~binary, 0.0)) / spread
    varied = [name for name in features if features[name].nunique() > 1]
    chosen, dropped = _independent(x, varied)
    status = dict.fromkeys(features, "constant") | dict.fromkeys(chosen, "fitted")
    status |= dict.fromkeys(dropped, "collinear")
    design = np.column_stack([np.ones(len(x)), x[chosen].to_numpy(float)])
    coefficients = np.linalg.lstsq(design, difficulty, rcond=None)[0]
    errors = clustered_errors(design, difficulty - design @ coefficients, codes)
    rows = []
    for name in features:
        estimate = error = p = np.nan
        if status[name] == "fitted":
            place = chosen.index(name) + 1
            estimate, error = coefficients[place], errors[place]
            p = 2 * norm.sf(abs(estimate) / error)
        ends = estimate - z * error, estimate + z * error
        rows.append((name, status[name], len(x), estimate, error, *ends, p))
    table = pd.DataFrame(rows, columns=store.columns("irt_difficulty")[:-1])
    table["p_holm"] = ranks.holm_adjust(table["p"].to_numpy())
    return table


def clustered_errors(design, residual, groups) -> np.ndarray:
    """Cluster-robust standard errors of least squares, scores summed by group; those of statsmodels."""
    bread = np.linalg.inv(design.T @ design)
    _, codes = np.unique(groups, return_inverse=True)
    sums = np.zeros((codes.max() + 1, design.shape[1]))
    np.add.at(sums, codes, design * residual[:, None])
    g, (n, k) = len(sums), design.shape
    correction = g / (g - 1) * (n - 1) / (n - k)
    return np.sqrt(np.diag(correction * bread @ (sums.T @ sums) @ bread))


def _independent(x, names):
    """Names whose columns are linearly independent together with a constant, and the others."""
    chosen, dropped = [], []
    basis = np.ones((len(x), 1)) / np.sqrt(len(x))
    for name in names:
        column = x[name].to_numpy(float)
        remainder = column - basis @ (basis.T @ column)
        remainder = remainder - basis @ (basis.T @ remainder)
        if np.linalg.norm(remainder) < 1e-6 * max(np.linalg.norm(column), 1e-300):
            dropped.append(name)
        else:
            chosen.append(name)
            basis = np.column_stack([basis, remainder / np.linalg.norm(remainder)])
    return chosen, dropped
