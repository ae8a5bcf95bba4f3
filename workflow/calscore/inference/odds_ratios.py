"""Odds ratios: what makes a buzz right.

A buzz is a Bernoulli trial whose log-odds are linear in the share of the question heard, the team (all human teams are the
reference, each model is a fixed effect) and the category. The same question is buzzed on by many teams and the same team buzzes
on many questions, so the errors are clustered, and :data:`METHODS` differ in which clusters they allow for and how. With 17 teams
a plain sandwich by team is too narrow; the bias-reduced one (Mancl and DeRouen 2001) and t with 16 degrees of freedom make up for
most of it. The two-way variance (by question + by team − by both) can by chance come out below either of its parts.
"""

import warnings

import numpy as np
import pandas as pd

from ..core import store
from ..human.curves import share_heard

METHODS = {
    "logit_independent": "logit, every buzz independent (too narrow, for comparison)",
    "logit_question": "logit, cluster-robust by question",
    "logit_team": "logit, cluster-robust by human team",
    "logit_two_way": "logit, cluster-robust by question and human team",
    "gee_question": "GEE, exchangeable within question",
    "gee_team_bias_reduced": "GEE by human team, bias-reduced",
}
HUMAN = "human"
POPULATIONS = ("all", HUMAN)
STEP = 0.1
"""The odds ratio of position is per this share of the question's words."""
TERMS = ("intercept", ""), ("position", f"+{STEP:.0%} of the question")
"""(term, level) that every population has."""


def buzz_rows(questions: pd.DataFrame, buzzes: pd.DataFrame) -> pd.DataFrame:
    """One row per buzz: question_id, team, group, category, position (share heard, over 1 past the end), correct.

    ``group`` is ``human`` or the model's key.
    """
    about = questions.set_index("question_id")
    return pd.DataFrame(
        {
            "question_id": buzzes["question_id"],
            "team": buzzes["team"],
            "group": buzzes["team"].where(buzzes["kind"] == "model", HUMAN),
            "category": buzzes["question_id"].map(about["category"]),
            "position": share_heard(questions, buzzes),
            "correct": buzzes["correct"].astype(bool),
        }
    ).reset_index(drop=True)


def factor_levels(rows: pd.DataFrame, column: str, preferred: str | None = None) -> pd.DataFrame:
    """A row per level of a factor ``column``: level, n, n_correct, status; reference first, separated last, else by falling n.

    ``separated``: all right or all wrong, so that its odds ratio has no finite estimate. ``reference``: ``preferred`` if it
    is not separated, else the level with most buzzes that is not. The others are ``estimated``. ``rows``: :func:`buzz_rows`.
    """
    counts = rows.groupby(column, observed=True)["correct"].agg(["size", "sum"]).reset_index()
    counts.columns = ["level", "n", "n_correct"]
    counts[["n", "n_correct"]] = counts[["n", "n_correct"]].astype("int64")
    one_sided = (counts["n_correct"] == 0) | (counts["n_correct"] == counts["n"])
    counts["status"] = np.where(one_sided, "separated", "estimated")
    order = counts.assign(bad=one_sided, later=counts["level"] != preferred, few=-counts["n"])
    counts = counts.loc[order.sort_values(["bad", "later", "few", "level"]).index]
    counts = counts.reset_index(drop=True)
    if (counts["status"] == "estimated").any():
        counts.loc[0, "status"] = "reference"
    return counts


def is_separated(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether some direction of the columns of a design separates right from wrong.

    ``x``: (n, k), ``y``: (n,) bool. A linear program asks for b with −1 ≤ b ≤ 1 that gives every right row a
    value ≥ 0 and every wrong one ≤ 0, and some row not 0; where there is one, the likelihood has no finite
    maximum (Albert and Anderson 1984; Konis 2007).
    """
    from scipy.optimize import linprog

    signed = np.where(y, 1.0, -1.0)[:, None] * x
    solution = linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(len(x)), bounds=(-1, 1))
    return solution.status == 0 and -solution.fun > 1e-7


def _fit_method(
    method: str, y: np.ndarray, x: np.ndarray, question: np.ndarray, team: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(estimates, variances) of the coefficients (k,), log-odds, by a method of :data:`METHODS`.

    ``y`` (n,): 0 or 1; ``x``: (n, k); ``question`` and ``team`` (n,): codes of clusters.
    """
    # Not statsmodels.api, which imports everything.
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.genmod import cov_struct
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_estimating_equations import GEE

    clusters = {
        "logit_question": question,
        "logit_team": team,
        "logit_two_way": np.column_stack([question, team]),
    }
    if method == "logit_independent":
        fit = Logit(y, x).fit(disp=0, maxiter=200)
    elif method in clusters:
        by_cluster = {"cov_type": "cluster", "cov_kwds": {"groups": clusters[method]}}
        fit = Logit(y, x).fit(disp=0, maxiter=200, **by_cluster)
    elif method == "gee_question":
        model = GEE(y, x, question, family=Binomial(), cov_struct=cov_struct.Exchangeable())
        fit = model.fit(maxiter=200)
    else:
        model = GEE(y, x, team, family=Binomial(), cov_struct=cov_struct.Independence())
        fit = model.fit(maxiter=200, cov_type="bias_reduced")
    return np.asarray(fit.params), np.diag(fit.cov_params())


def _team_codes(rows: pd.DataFrame) -> tuple[np.ndarray, int]:
    """(cluster of each row, number of human teams), by human team.

    Each buzz of a model is a cluster by itself: a model is a fixed effect, and with one cluster its dummy would absorb that
    cluster's residuals and leave it no variance.
    """
    human = (rows["group"] == HUMAN).to_numpy()
    codes = np.empty(len(rows), dtype=np.int64)
    human_codes, names = pd.factorize(rows.loc[human, "team"], sort=True)
    codes[human] = human_codes
    codes[~human] = len(names) + np.arange(int((~human).sum()))
    return codes, len(names)


def _design_matrix(
    rows: pd.DataFrame, factors: dict[str, pd.DataFrame]
) -> tuple[np.ndarray, list[tuple[str, str]]]:
    """(matrix (n, k), [(term, level)] of its columns): intercept, position in units of :data:`STEP`, dummies of estimated levels.
    ``factors``: column → :func:`factor_levels`."""
    columns = [np.ones(len(rows)), rows["position"].to_numpy(dtype=float) / STEP]
    names = [*TERMS]
    for column, table in factors.items():
        for level in table.loc[table["status"] == "estimated", "level"]:
            columns.append((rows[column] == level).to_numpy(dtype=float))
            names.append((column, level))
    return np.column_stack(columns), names


def odds_ratio_rows(rows: pd.DataFrame, level: float) -> pd.DataFrame:
    """Table odds_ratios: odds ratios of a right buzz, a row per population, method (:data:`METHODS`), term and level.

    ``rows``: from :func:`buzz_rows`; populations are all and human. ``status``: estimated, reference (odds
    ratio 1), separated (no finite estimate), empty (no rows to fit), too few clusters, or not fitted; only
    the first has an interval. p values are not adjusted. Rows without position or category are left out of
    the fit (``n_fitted``).
    """
    everything = {name: sorted(rows[name].dropna().unique()) for name in ("group", "category")}
    parts = []
    for population in POPULATIONS:
        population_rows = rows if population == "all" else rows[rows["group"] == HUMAN]
        parts += _population_rows(population_rows.reset_index(drop=True), population, everything, level)
    counts = dict.fromkeys(["n", "n_correct", "n_fitted"], "int64")
    return store.frame(parts, "odds_ratios").astype(counts | {"clusters": "Int64", "df": "Int64"})


def _population_rows(
    rows: pd.DataFrame, population: str, everything: dict[str, list], level: float
) -> list[dict]:
    """Rows of table odds_ratios for one population; ``everything``: column → levels of all populations."""
    factors = {
        "group": factor_levels(rows, "group", HUMAN),
        "category": factor_levels(rows, "category"),
    }
    keep = rows[["position", *factors]].notna().all(axis=1)
    for column, table in factors.items():
        bad = table.loc[table["status"] == "separated", "level"]
        keep &= ~rows[column].isin(bad)
    used = rows[keep].reset_index(drop=True)
    x, names = _design_matrix(used, factors)
    y = used["correct"].to_numpy(dtype=float)
    reason = "empty" if not len(used) else "separated" if is_separated(x, y > 0) else None
    skeleton = _unfitted_rows(rows, population, factors, everything)
    parts = []
    for method in METHODS:
        fit = reason or _fit_or_status(method, y, x, used)
        for entry in skeleton:
            row = dict(entry, method=method, n_fitted=len(used))
            if row["status"] == "estimated" and isinstance(fit, str):
                row["status"] = fit
            elif row["status"] == "estimated":
                row |= _coefficient_columns(fit, names.index((row["term"], row["level"])), level)
            parts.append(row)
    return parts


def _unfitted_rows(
    rows: pd.DataFrame, population: str, factors: dict[str, pd.DataFrame], everything: dict[str, list]
) -> list[dict]:
    """A row for every term and level of a population, with counts and status, before any fit."""
    totals = {"n": len(rows), "n_correct": int(rows["correct"].sum())}
    base = {"population": population, "reference": ""}
    entries = [base | totals | {"term": term, "level": text, "status": "estimated"} for term, text in TERMS]
    for column, names in everything.items():
        if population == HUMAN and column == "group":
            continue
        table = factors[column].set_index("level")
        # The reference comes first, where there is one.
        reference = next(iter(table.index[table["status"] == "reference"]), "")
        for name in names:
            row = base | {"term": column, "level": name, "reference": reference}
            if name not in table.index:
                row |= {"n": 0, "n_correct": 0, "status": "empty"}
            else:
                row |= table.loc[name, ["n", "n_correct", "status"]].to_dict()
            if row["status"] == "reference":
                row |= {"log_odds": 0.0, "odds_ratio": 1.0}
            entries.append(row)
    return entries


def _fit_or_status(
    method: str, y: np.ndarray, x: np.ndarray, used: pd.DataFrame
) -> tuple[np.ndarray, np.ndarray, int, int] | str:
    """(estimates, variances, clusters, degrees of freedom) of one method, or the status that says why there are none."""
    question = pd.factorize(used["question_id"], sort=True)[0]
    team, n_human = _team_codes(used)
    by_team = "team" in method or "two_way" in method
    if len(np.unique(question)) <= x.shape[1] or (by_team and n_human < 2):
        return "too few clusters"
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            estimate, variance = _fit_method(method, y, x, question, team)
        except (np.linalg.LinAlgError, ValueError):
            return "not fitted"
    if not (np.isfinite(estimate).all() and np.isfinite(variance).all()):
        return "not fitted"
    if method == "logit_independent":
        return estimate, variance, len(y), len(y) - x.shape[1]
    # Fixed effects add no teams to the population that human teams are drawn from.
    clusters = n_human if by_team else int(question.max()) + 1
    return estimate, variance, clusters, clusters - 1


def _coefficient_columns(fit: tuple, index: int, level: float) -> dict[str, object]:
    """Columns of table odds_ratios for the coefficient ``index`` of :func:`_fit_or_status`, by Student's t."""
    from scipy.stats import t

    estimate, variance, clusters, df = fit
    if variance[index] <= 0:
        return {"status": "not fitted", "clusters": clusters, "df": df}
    b, se = float(estimate[index]), float(np.sqrt(variance[index]))
    reach = float(t.ppf((1 + level) / 2, df)) * se
    return {
        "log_odds": b,
        "se": se,
        "odds_ratio": float(np.exp(b)),
        "low": float(np.exp(b - reach)),
        "high": float(np.exp(b + reach)),
        "p": float(2 * t.sf(abs(b / se), df)),
        "clusters": clusters,
        "df": df,
    }


def odds_ratios(questions: pd.DataFrame, buzzes: pd.DataFrame, level: float) -> dict[str, pd.DataFrame]:
    """``{"odds_ratios": table}`` of every live buzz: :func:`odds_ratio_rows`."""
    return {"odds_ratios": odds_ratio_rows(buzz_rows(questions, buzzes), level)}
