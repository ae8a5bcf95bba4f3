"""What the fitted model says: clusters of items, what makes an aspect relevant, who complements whom."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pandas as pd

from ..core import store
from ..core.errors import DataError
from ..stats import ranks
from ..stats.resample import bootstrap_weights, finite_percentile_interval, ratio_draws

#: In place of an agent: all of its type together.
ALL = "all"


#: Items (relevance summed) that an aspect is about, from which on it is drawn and agents are compared on it.
ABOUT = 5.0


def cluster(effective, k: int, seed: int) -> np.ndarray:
    """KMeans labels 1…k of items by effective difficulty (§5.2), the easiest cluster first."""
    from sklearn.cluster import KMeans

    k = min(k, len(np.unique(effective, axis=0)))
    labels = KMeans(k, n_init=10, random_state=seed).fit_predict(effective)
    means = np.array([effective[labels == c].sum(axis=1).mean() for c in range(k)])
    rank = np.empty(k, dtype=int)
    rank[np.argsort(means, kind="stable")] = np.arange(1, k + 1)
    return rank[labels]


def cluster_profiles(labels, relevance, effective):
    """Mean relevance and mean effective difficulty Σ r d / Σ r (eq. 13) per cluster (0: all items) and aspect."""
    rows = []
    for c in [*np.unique(labels), 0]:
        of = (labels == c) | (c == 0)
        weight = relevance[of].sum(axis=0)
        for k in range(relevance.shape[1]):
            rows.append(
                {
                    "cluster": int(c), "aspect": k + 1, "items": int(of.sum()),
                    "relevance": relevance[of, k].mean(),
                    "effective_difficulty": effective[of, k].sum() / weight[k],
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


#: Agents of one kind that are compared one by one, and pairs of a human and a system that have intervals.
MOST_AGENTS, MOST_PAIRS = 20, 200


def leading(agents, column, skill) -> list[str]:
    """Names in a column of ``agents``; of a kind with more than :data:`MOST_AGENTS`, those of the highest mean skill.

    ``skill``: of each agent, (I,).
    """
    means = agents.assign(skill=skill).groupby(["kind", column])["skill"].mean()
    kept = means.sort_values(ascending=False, kind="stable").groupby("kind").head(MOST_AGENTS)
    return sorted(kept.index.get_level_values(column))


def cluster_accuracy(labels, signs, agents, questions, replicates, seed, level):
    """Observed share right per cluster (0: all items) × type of agent, and × agent; intervals resample questions."""
    names, code = np.unique(np.asarray(questions), return_inverse=True)
    weights = bootstrap_weights(len(names), replicates, seed)
    agents = agents.reset_index(drop=True)
    members = {(*one, ALL): of.index for one, of in agents.groupby(["kind", "agent_type"])}
    singly = ["kind", "agent_type", "agent"]
    members |= {one: of.index for one, of in agents.groupby(singly)}
    key = pd.MultiIndex.from_tuples(members, names=singly)
    belongs = np.zeros((len(agents), len(members)))
    for at, of in enumerate(members.values()):
        belongs[of, at] = 1.0
    seen, right = np.abs(signs) @ belongs, (signs > 0) @ belongs
    tables = []
    for c in [*np.unique(labels), 0]:
        of = (labels == c) if c else np.ones(len(labels), dtype=bool)
        asked, at = np.unique(code[of], return_inverse=True)
        n, yes = np.zeros((2, len(asked), len(members)))
        np.add.at(n, at, seen[of])
        np.add.at(yes, at, right[of])
        ends = [
            finite_percentile_interval(one, level)
            for one in ratio_draws(weights[:, asked], yes, n).T
        ]
        low, high = np.transpose(ends)
        total = n.sum(axis=0)
        share = np.divide(yes.sum(axis=0), total, out=np.full(len(total), np.nan), where=total > 0)
        of_cluster = {"cluster": int(c), "responses": total.astype(int), "accuracy": share}
        tables.append(pd.DataFrame(of_cluster | {"low": low, "high": high}, index=key))
    return pd.concat(tables).reset_index()


def categories(items, signs, agents):
    """Questions, items and responses of humans and of AI systems by category (CAIMIRA figure 2)."""
    human = (agents["kind"] == "human").to_numpy()
    seen = signs != 0
    counts = pd.DataFrame(
        {
            "category": items["category"].to_numpy(), "question_id": items["question_id"].to_numpy(),
            "human_responses": seen[:, human].sum(axis=1), "ai_responses": seen[:, ~human].sum(axis=1),
        }
    )  # fmt: skip
    by = counts.groupby("category")
    table = by[["human_responses", "ai_responses"]].sum()
    table = table.assign(questions=by["question_id"].nunique(), items=by.size()).reset_index()
    table = table.sort_values(["questions", "category"], ascending=[False, True])
    return store.frame(table, "irt_categories").reset_index(drop=True)


#: A coefficient (log odds) beyond this is taken as a sign of separated classes.
LARGEST = 8.0

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
    given = store.read_raw_csv(path, ["id", *covariates]).set_index("id")
    missing = sorted(set(items["item_id"]) - set(given.index))
    if missing:
        raise DataError.at(path.name, missing[0], "id", None, "features of every item")
    if given.index.has_duplicates:
        twice = given.index[given.index.duplicated()][0]
        raise DataError.at(path.name, twice, "id", twice, "an id once")
    given = given.loc[items["item_id"]]
    tables, chosen = [], []
    for name in store.further(given, (), path.name):
        column = pd.to_numeric(given[name], errors="coerce").rename(name).to_frame()
        if name in covariates and not np.isfinite(column.to_numpy()).any():
            column = pd.get_dummies(given[name], prefix=name, prefix_sep="=", dtype=float)
            if len(column.columns) > MOST_VALUES:
                found = f"{len(column.columns)} texts"
                raise DataError.at(path.name, "", name, found, f"at most {MOST_VALUES}, or numbers")
        bad = np.flatnonzero(~np.isfinite(column.to_numpy()).all(axis=1))
        if len(bad):
            row, value = items["item_id"].iloc[bad[0]], given[name].iloc[bad[0]]
            raise DataError.at(path.name, row, name, value, "a finite number")
        tables.append(column)
        chosen += list(column) if name in covariates else []
    numbers = pd.concat(tables, axis=1) if tables else pd.DataFrame(index=given.index)
    return numbers.rename_axis("item_id"), chosen


def relevance_regression(relevance, features, questions, threshold: float, level: float):
    """What makes an aspect relevant: logistic regressions of r_jk > ``threshold`` (§4.3, figure 5).

    Classes weigh the same in total; numeric features are standardised; standard errors cluster by
    question; p-values by Holm over all coefficients of all aspects. One row per aspect × feature with a
    ``status``: ``fitted``, ``constant`` (the feature does not vary), ``collinear`` (others determine it), ``separated`` (it tells the classes
    apart by itself), or for the whole aspect ``one class`` (fewer than 20 items or five questions in one).
    """
    import statsmodels.api as sm
    from scipy.stats import norm

    questions = np.asarray(questions)
    codes = np.unique(questions, return_inverse=True)[1]
    binary = features.isin([0.0, 1.0]).all()
    rows = []
    z = norm.ppf((1 + level) / 2)
    for k in range(relevance.shape[1]):
        y = (relevance[:, k] > threshold).astype(float)
        status = dict.fromkeys(features, "fitted")
        few = (
            min(y.sum(), len(y) - y.sum()) < 20
            or min(len(np.unique(codes[y == v])) for v in (0, 1)) < 5
        )
        x = features.copy()
        for name in features:
            values = features[name]
            if few:
                status[name] = "one class"
            elif values.nunique() < 2:
                status[name] = "constant"
            elif _separates(values.to_numpy(), y, bool(binary[name])):
                status[name] = "separated"
        kept = [name for name in features if status[name] == "fitted"]
        for name in kept:
            if not binary[name]:
                x[name] = (features[name] - features[name].mean()) / features[name].std(ddof=0)
        kept, dropped = _independent(x, kept)
        status |= dict.fromkeys(dropped, "collinear")
        result = None
        weight = np.where(y == 1, 0.5 / max(y.mean(), 1e-9), 0.5 / max(1 - y.mean(), 1e-9))
        while kept:
            design = sm.add_constant(x[kept].to_numpy(), has_constant="add")
            # var_weights, not freq_weights: a balanced class is no larger sample.
            model = sm.GLM(y, design, family=sm.families.Binomial(), var_weights=weight)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", sm.tools.sm_exceptions.PerfectSeparationWarning)
                result = model.fit(maxiter=100)
            size = np.abs(result.params[1:])
            if result.converged and size.max() <= LARGEST:
                fitted = result.fittedvalues
                curvature, residual = weight * fitted * (1 - fitted), weight * (y - fitted)
                errors = clustered_errors(design, curvature, residual, codes)
                break
            # Several features may separate the classes together: the worst of them goes first.
            status[kept.pop(int(size.argmax()))] = "separated"
            result = None
        for name in features:
            estimate = error = p = np.nan
            if result is not None and status[name] == "fitted":
                at = kept.index(name) + 1
                estimate, error = result.params[at], errors[at]
                p = 2 * norm.sf(abs(estimate) / error)
            rows.append(
                {
                    "aspect": k + 1, "feature": name, "status": status[name],
                    "items_above": int(y.sum()), "coefficient": estimate, "standard_error": error,
                    "low": estimate - z * error, "high": estimate + z * error, "p": p,
                }
            )  # fmt: skip
    table = pd.DataFrame(rows)
    table["p_holm"] = ranks.holm_adjust(table["p"].to_numpy())
    return table


def difficulty_regression(total, difficulty, relevance, features, questions, level: float):
    """What makes items difficult: weighted linear regressions on the features (after Benedetto et al. 2020).

    Aspect 0: of ``total`` (J,), all items alike. Aspect k: of raw difficulty d_k, items weighted by the relevance r_k, as
    in the mean effective difficulty (eq. 13). Features, standard errors, p-values and ``status`` as in
    :func:`relevance_regression`; ``few``: relevances that sum to less than 20 items.
    """
    from scipy.stats import norm

    codes = np.unique(np.asarray(questions), return_inverse=True)[1]
    z = norm.ppf((1 + level) / 2)
    binary = features.isin([0.0, 1.0]).all()
    spread = features.std(ddof=0).where(~binary, 1.0).replace(0.0, 1.0)
    x = (features - features.mean().where(~binary, 0.0)) / spread
    varied = [name for name in features if features[name].nunique() > 1]
    kept, dropped = _independent(x, varied)
    status = dict.fromkeys(features, "constant") | dict.fromkeys(kept, "fitted")
    status |= dict.fromkeys(dropped, "collinear")
    design = np.column_stack([np.ones(len(x)), x[kept].to_numpy(float)])
    rows = []
    parts = [(total, np.ones(len(x))), *zip(difficulty.T, relevance.T, strict=True)]
    for k, (y, weight) in enumerate(parts):
        few = weight.sum() < 20
        if not few:
            coefficients = np.linalg.lstsq(
                design * np.sqrt(weight)[:, None], y * np.sqrt(weight), rcond=None
            )[0]
            residual = weight * (y - design @ coefficients)
            errors = clustered_errors(design, weight, residual, codes)
        for name in features:
            estimate = error = p = np.nan
            if status[name] == "fitted" and not few:
                at = kept.index(name) + 1
                estimate, error = coefficients[at], errors[at]
                p = 2 * norm.sf(abs(estimate) / error)
            rows.append(
                {
                    "aspect": k, "feature": name, "status": "few" if few else status[name],
                    "items": weight.sum(), "coefficient": estimate, "standard_error": error,
                    "low": estimate - z * error, "high": estimate + z * error, "p": p,
                }
            )  # fmt: skip
    table = pd.DataFrame(rows)
    table["p_holm"] = ranks.holm_adjust(table["p"].to_numpy())
    return table


def clustered_errors(design, curvature, residual, groups) -> np.ndarray:
    """Cluster-robust standard errors of a weighted regression, scores summed by group.

    ``curvature``: of the objective by each row's linear predictor, ``residual``: its slope; both with the weights.
    With equal weights those of statsmodels (``cov_type="cluster"``), which does not cover weights.
    """
    bread = np.linalg.inv((design * curvature[:, None]).T @ design)
    score = design * residual[:, None]
    _, codes = np.unique(groups, return_inverse=True)
    sums = np.zeros((codes.max() + 1, design.shape[1]))
    np.add.at(sums, codes, score)
    g, (n, k) = len(sums), design.shape
    correction = g / (g - 1) * (n - 1) / (n - k)
    return np.sqrt(np.diag(correction * bread @ (sums.T @ sums) @ bread))


def _separates(values, y, binary: bool) -> bool:
    if binary:
        return any(y[values == v].min() == y[values == v].max() for v in (0.0, 1.0))
    low, high = values[y == 0], values[y == 1]
    return low.max() < high.min() or high.max() < low.min()


def _independent(x, names):
    """Names whose columns are linearly independent together with a constant, and the others."""
    kept, dropped = [], []
    basis = np.ones((len(x), 1)) / np.sqrt(len(x))
    for name in names:
        column = x[name].to_numpy(float)
        rest = column - basis @ (basis.T @ column)
        rest = rest - basis @ (basis.T @ rest)
        if np.linalg.norm(rest) < 1e-6 * max(np.linalg.norm(column), 1e-300):
            dropped.append(name)
        else:
            kept.append(name)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return kept, dropped


def complementarity(p, items, agents, choice=None):
    """Per item, the model's probability of the best human, the best AI system, and either of them.

    ``p``: (J, I). ``choice``: (J, I) by which the best are chosen; where it is ``p`` itself the best of many look better
    than they are. Given the model two agents are right independently; :func:`pairs` has what was
    observed. ``gain``: what the pair adds to its better half.
    """
    human = (agents["kind"] == "human").to_numpy()
    names = agents["agent"].to_numpy()
    by = {}
    for label, columns in (("human", np.flatnonzero(human)), ("ai", np.flatnonzero(~human))):
        best = (p if choice is None else choice)[:, columns].argmax(axis=1)
        by[label] = p[np.arange(len(p)), columns[best]], names[columns[best]]
    union = 1 - (1 - by["human"][0]) * (1 - by["ai"][0])
    return pd.DataFrame(
        {
            "item_id": items["item_id"].to_numpy(), "question_id": items["question_id"].to_numpy(),
            "clue": items["clue"].to_numpy(), "end_word": items["end_word"].to_numpy(),
            "category": items["category"].to_numpy(),
            "best_human": by["human"][1], "p_human": by["human"][0],
            "best_ai": by["ai"][1], "p_ai": by["ai"][0], "p_union": union,
            "gain": union - np.maximum(by["human"][0], by["ai"][0]),
        }
    )  # fmt: skip


def complementarity_summary(table, replicates, seed, level):
    """Means over all items, by category and by number of the clue, with intervals from resampling questions."""
    if table.empty:
        return store.empty("irt_complementarity")
    names, code = np.unique(table["question_id"], return_inverse=True)
    weights = bootstrap_weights(len(names), replicates, seed)
    rows = []
    groupings = {
        "all": np.full(len(table), "all"),
        "category": table["category"].astype(str).to_numpy(),
        "clue": table["clue"].astype(str).to_numpy(),
    }
    for grouping, label in groupings.items():
        for group in pd.unique(label):
            of = label == group
            n = np.bincount(code[of], minlength=len(names)).astype(float)
            for column in ("p_human", "p_ai", "p_union", "gain"):
                total = np.bincount(code[of], table[column].to_numpy()[of], minlength=len(names))
                draws = ratio_draws(weights, total, n)
                low, high = finite_percentile_interval(draws, level)
                rows.append(
                    (grouping, group, column, int(of.sum()), total.sum() / n.sum(), low, high)
                )
    return pd.DataFrame(rows, columns=store.columns("irt_complementarity"))


def pairs(p, signs, agents, questions, replicates, seed, level, at_least: int = 20):
    """Every human-AI pair on the items that both answered: shares right, either right, and the gain.

    ``gain``: share where either was right less the better half's share. ``gain_independent``: the
    same if they were right independently given the model, so that the difference is what the model does not
    know. Pairs with fewer than ``at_least`` shared items are left out, and of more than :data:`MOST_PAIRS` those that gain least.
    """
    ai = np.flatnonzero((agents["kind"] == "ai").to_numpy())
    human = np.flatnonzero((agents["kind"] == "human").to_numpy())
    names, code = np.unique(np.asarray(questions), return_inverse=True)
    weights = bootstrap_weights(len(names), replicates, seed)
    label = agents["agent"].to_numpy()
    known, right = np.abs(signs), (signs > 0).astype(float)
    shared = known[:, human].T @ known[:, ai]
    one, other = right[:, human].T @ known[:, ai], known[:, human].T @ right[:, ai]
    gain = np.minimum(one, other) - right[:, human].T @ right[:, ai]
    gain = np.where(shared >= at_least, gain / np.maximum(shared, 1), -1)
    most = np.argsort(-gain, axis=None, kind="stable")[:MOST_PAIRS]
    rows = []
    for h, a in sorted(zip(*np.unravel_index(most, gain.shape), strict=True)):
        if shared[h, a] >= at_least:
            h, a = human[h], ai[a]
            both = (signs[:, h] != 0) & (signs[:, a] != 0)
            x, y = signs[both, h] > 0, signs[both, a] > 0
            group = code[both]
            n = np.bincount(group, minlength=len(names)).astype(float)
            counts = [
                np.bincount(group, v.astype(float), minlength=len(names)) for v in (x, y, x | y)
            ]
            asked = n > 0
            drawn = weights[:, asked]
            draws = [ratio_draws(drawn, c[asked], n[asked]) for c in counts]
            gain = draws[2] - np.maximum(draws[0], draws[1])
            low, high = finite_percentile_interval(gain, level)
            means = [c.sum() / n.sum() for c in counts]
            independent = 1 - (1 - p[both, h]) * (1 - p[both, a])
            rows.append(
                {
                    "human": label[h], "ai": label[a], "items": int(both.sum()),
                    "questions": len(np.unique(group)),
                    "human_right": means[0], "ai_right": means[1], "either_right": means[2],
                    "gain": means[2] - max(means[:2]), "low": low, "high": high,
                    "gain_independent": independent.mean()
                    - max(p[both, h].mean(), p[both, a].mean()),
                }
            )  # fmt: skip
    table = store.frame(rows, "irt_pairs")
    return table.sort_values("gain", ascending=False, kind="stable", ignore_index=True)
