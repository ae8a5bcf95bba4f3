"""The steps of an item response study: tables in, tables out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..core import store
from ..core.errors import DataError, Fault
from ..core.findings import Finding
from . import agents as agents_module
from . import analysis, diagnostics, evaluate, uncertainty
from . import items as items_module
from .embeddings import stack
from .model import Fit, fit, permuted

#: Agents of one study that are needed for anything to be told apart.
AT_LEAST = 2


def from_live(questions, clues, buzzes, responses, names, settings):
    """Items, agents, responses and findings of a study with live buzzes.

    Teams are agents as they are, model teams of kind ``ai``; judged guesses are agents of their own.
    """
    items = items_module.from_clues(questions, clues)
    known = buzzes.rename(columns={"team": "agent"})
    label = {t: f"{names[t]} (live)" if t in names else t for t in known["agent"].unique()}
    known = known.assign(agent=known["agent"].map(label))
    live, findings = agents_module.backfill(items, known, settings["buzz_clue"])
    kinds = known.drop_duplicates("agent")[["agent", "kind"]]
    agents = kinds.assign(
        agent_type=np.where(kinds["kind"] == "human", "human team", "live model"),
        kind=np.where(kinds["kind"] == "human", "human", "ai"),
    )
    silent = sorted(set(agents["agent"]) - set(live["agent"]))
    findings += [
        Finding("irt", "agent without responses", "info", name, "no buzz in a clue", "left out")
        for name in silent
    ]
    agents = agents[~agents["agent"].isin(silent)]
    if responses is not None and len(responses):
        judged = agents_module.from_judged(responses, names)
        live = pd.concat([live, judged], ignore_index=True)
        more = pd.DataFrame({"agent": sorted(judged["agent"].unique())})
        agents = pd.concat(
            [agents, more.assign(kind="ai", agent_type="guesses")], ignore_index=True
        )
    return items, agents.sort_values("agent", ignore_index=True), live, findings


def from_files(sources, settings):
    """Items, agents, responses, group members and findings of a study whose inputs are response files.

    ``sources``: items, agents, responses (list of path and format), buzzes, summaries; None where there is none.
    """
    items = items_module.read_items(sources["items"], sources["summaries"])
    parts, findings = [], []
    readers = {"jsonl": agents_module.read_json, "table": agents_module.read_table}
    for source in sources["responses"]:
        parts.append(readers[source["format"]](source["path"]))
    given = None
    if sources["agents"]:
        given = agents_module.read_agents(sources["agents"])
    agents, members = [], None
    if sources["buzzes"]:
        buzzes = agents_module.read_buzzes(sources["buzzes"])
        agents_module.check_buzzes(buzzes, items, str(sources["buzzes"]).rsplit("/", 1)[-1])
        players, odd = agents_module.backfill(items, buzzes, settings["buzz_clue"])
        findings += odd
        if settings["group_sizes"]:
            players, grouped, members, odd = agents_module.group_players(
                players, settings["group_sizes"], settings["groups"], settings["seed"]
            )
            findings += odd
            agents.append(grouped)
        else:
            names = pd.DataFrame({"agent": sorted(players["agent"].unique())})
            agents.append(names.assign(kind="human", agent_type="human player"))
        parts.append(players)
    if not parts:
        raise DataError(Fault("config", "inputs", "responses", None, "responses or buzzes"))
    responses = pd.concat(parts, ignore_index=True)
    if given is None:
        own = set().union(*(set(a["agent"]) for a in agents)) if agents else set()
        rest = sorted(set(responses["agent"]) - own)
        given = pd.DataFrame({"agent": rest, "kind": "ai", "agent_type": rest})
    agents.append(given)
    return items, pd.concat(agents, ignore_index=True), responses, members, findings


def finish(items, agents, responses, findings):
    """Validated tables: items that somebody answered, agents in order, responses, findings."""
    responses, odd = agents_module.validate(responses, items, agents)
    answered = items["item_id"].isin(responses["item_id"])
    if not answered.all():
        odd.append(
            Finding(
                "irt", "item without responses", "info", "items", f"{int((~answered).sum())} items",
                "left out of the fit",
            )
        )  # fmt: skip
    items = items[answered].reset_index(drop=True)
    if len(agents) < AT_LEAST or items["question_id"].nunique() < AT_LEAST:
        raise DataError(
            Fault(
                "responses",
                "",
                "agent",
                f"{len(agents)} agents",
                "at least two agents and two questions",
            )
        )
    counts = responses.groupby("agent")["correct"].agg(["size", "sum"])
    agents = agents.sort_values(["kind", "agent_type", "agent"], ignore_index=True)
    agents["responses"] = agents["agent"].map(counts["size"]).astype("int64")
    agents["right"] = agents["agent"].map(counts["sum"]).astype("int64")
    return items, agents, responses, [*findings, *odd]


def evaluate_models(items, signs, text, settings):
    """irt/heldout_losses and the calibration table: every model, and the number of aspects varied."""
    fold = items_module.folds(items, settings["folds"], settings["seed"])
    m = settings["dimensions"]
    losses, bins = [], []
    for key in evaluate.NAMES:
        by_dimension = key in evaluate.BY_DIMENSION
        if by_dimension:
            wanted = sorted({*settings["dimension_sweep"], m})
        else:
            wanted = [m if key.startswith("caimira") else 1 if key == "1pl_length" else 0]
        for dimensions in wanted:
            seen, unseen = evaluate.held_out(key, dimensions, text, items, signs, fold, settings)
            for split, p in (("unseen", unseen), ("seen", seen)):
                losses.append(
                    evaluate.question_losses(key, dimensions, split, p, signs, items["question_id"])
                )
                if dimensions in (0, 1, m) and (not by_dimension or dimensions == m):
                    bins += evaluate.calibration(
                        key, split, p, signs, items["question_id"], settings["bins"],
                        settings["replicates"], settings["seed"], settings["level"],
                    )  # fmt: skip
    return pd.concat(losses, ignore_index=True), pd.DataFrame(bins)


def fit_study(items, signs, text, settings) -> Fit:
    """The model of a study, fitted to all responses."""
    x = evaluate.with_length(text, items["end_word"]) if settings["words_heard"] else text
    found = fit(
        x,
        signs,
        settings["dimensions"],
        settings["components"],
        evaluate.penalty_of(settings),
        settings["item_residual"],
        settings["restarts"],
        settings["seed"],
    )
    # Aspects have no order of their own: the one that is relevant to most comes first.
    order = np.argsort(-found.relevance.mean(axis=0), kind="stable")
    return permuted(found, order)


def skill_tables(found: Fit, items, agents, signs, settings):
    """irt/skills and the contrasts between agents and between types of agents."""
    skills = found.parameters.skills
    covariance = uncertainty.skill_covariance(found, signs)
    raw, centred_se = uncertainty.standard_errors(covariance, len(agents))
    middle = uncertainty.centred(skills)
    draws = uncertainty.bootstrap(
        found, signs, items["question_id"].to_numpy(), settings["refits"], settings["seed"]
    )
    draws_centred = draws - draws.mean(axis=1, keepdims=True)
    ends = [(1 - settings["level"]) / 2, (1 + settings["level"]) / 2]
    low, high = np.quantile(draws_centred, ends, axis=0)
    from scipy.stats import norm

    z = norm.ppf(ends[1])
    m = skills.shape[1]
    rows = [
        {
            "agent": agents["agent"].iloc[i], "kind": agents["kind"].iloc[i],
            "agent_type": agents["agent_type"].iloc[i], "aspect": k + 1,
            "skill": skills[i, k], "standard_error": raw[i, k],
            "centred": middle[i, k], "centred_standard_error": centred_se[i, k],
            "laplace_low": middle[i, k] - z * centred_se[i, k],
            "laplace_high": middle[i, k] + z * centred_se[i, k],
            "bootstrap_low": low[i, k], "bootstrap_high": high[i, k],
        }
        for i in range(len(agents))
        for k in range(m)
    ]  # fmt: skip
    cube = covariance.reshape(len(agents), m, len(agents), m)
    contrasts = []

    def add(what, first, second, weight):
        for k in range(m):
            value = weight @ skills[:, k]
            error = np.sqrt(weight @ cube[:, k, :, k] @ weight)
            b_low, b_high = np.quantile(draws[:, :, k] @ weight, ends)
            contrasts.append(
                {
                    "contrast": what, "first": first, "second": second, "aspect": k + 1,
                    "difference": value, "standard_error": error,
                    "laplace_low": value - z * error, "laplace_high": value + z * error,
                    "bootstrap_low": b_low, "bootstrap_high": b_high,
                }
            )  # fmt: skip

    def mean_of(mask):
        return mask.to_numpy(float) / mask.sum()

    types = list(dict.fromkeys(agents["agent_type"]))
    if agents["kind"].nunique() == 2:
        add(
            "kinds",
            "ai",
            "human",
            mean_of(agents["kind"] == "ai") - mean_of(agents["kind"] == "human"),
        )
    for a in range(len(types)):
        for b in range(a + 1, len(types)):
            weight = mean_of(agents["agent_type"] == types[a]) - mean_of(
                agents["agent_type"] == types[b]
            )
            add("agent types", types[a], types[b], weight)
    names = agents["agent"].to_list()
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            weight = np.zeros(len(names))
            weight[a], weight[b] = 1, -1
            add("agents", names[a], names[b], weight)
    return pd.DataFrame(rows), pd.DataFrame(contrasts)


def item_table(found: Fit, items, labels, p, signs):
    """irt/item_parameters: relevance, effective difficulty r∘d and δ = rᵀd; never raw d."""
    effective = diagnostics.effective(found)
    infit, outfit, n = diagnostics.mean_squares(p, signs, axis=1)
    return pd.DataFrame(
        {
            "item_id": items["item_id"],
            "question_id": items["question_id"],
            "clue": items["clue"],
            "relevance": list(found.relevance),
            "effective_difficulty": list(effective),
            "difficulty": effective.sum(axis=1),
            "residual": found.parameters.residual if found.tau else 0.0,
            "residual_sd": np.sqrt(found.variance),
            "cluster": labels,
            "responses": n,
            "infit": infit,
            "outfit": outfit,
        }
    )


def fit_tables(found: Fit, items, agents, signs, settings):
    """All tables that rest on the model fitted to everything: name → frame."""
    skills, contrasts = skill_tables(found, items, agents, signs, settings)
    p = found.predict_seen()
    effective = diagnostics.effective(found)
    seed, replicates, level = settings["seed"], settings["replicates"], settings["level"]
    labels = analysis.cluster(effective, settings["clusters"], seed)
    questions = items["question_id"].to_numpy()
    agent_fit = agents[["agent", "kind", "agent_type", "responses"]].assign(
        **diagnostics.agent_fit(p, signs, questions, replicates, seed, level)
    )
    if agents["kind"].nunique() == 2:
        dif = pd.concat(
            [
                diagnostics.differential(p, signs, agents["kind"], groups, questions, name, level)
                for name, groups in (
                    ("category", items["category"]),
                    ("clue", items["clue"].astype(str)),
                    ("cluster", pd.Series(labels).astype(str)),
                    ("question", items["question_id"]),
                )
            ],
            ignore_index=True,
        )
        per_item = analysis.complementarity(p, items, agents)
        summary = analysis.complementarity_summary(per_item, replicates, seed, level)
    else:
        dif = diagnostics.differential(
            p, signs, agents["kind"], items["category"], questions, "category", level
        )
        per_item, summary = store.empty("complementarity"), None
    n = 0 if summary is None else len(summary)
    summary = (
        summary
        if n
        else pd.DataFrame(columns=["grouping", "group", "quantity", "items", "mean", "low", "high"])
    )
    return {
        "skills": skills,
        "item_parameters": item_table(found, items, labels, p, signs),
        "contrasts": contrasts,
        "stability": diagnostics.stability(found, settings["clusters"], seed),
        "agent_fit": agent_fit,
        "q3": diagnostics.q3(p, signs, items["question_id"], items["clue"], seed=seed),
        "dif": dif,
        "clusters": analysis.cluster_profiles(labels, found.relevance, effective),
        "cluster_accuracy": analysis.cluster_accuracy(
            labels, signs, agents, questions, replicates, seed, level
        ),
        "complementarity": per_item,
        "complementarity_summary": summary,
        "pairs": analysis.pairs(p, signs, agents, questions, replicates, seed, level),
    }  # fmt: skip


def read(given):
    """Items, signs (J, I), embeddings (J, n) and agents, from the paths of a rule's inputs."""
    items, agents = store.read(given.item_list), store.read(given.agents)
    # The table on disk is sorted by name; clues of a question belong in their order.
    items = items.sort_values(["question_id", "clue"], ignore_index=True)
    agents = agents.sort_values(["kind", "agent_type", "agent"], ignore_index=True)
    vectors = store.read(given.embeddings).set_index("item_id").loc[items["item_id"]]
    signs = agents_module.matrix(store.read(given.responses), items, agents)
    return items, signs, stack(vectors), agents


def relevance_table(found: Fit, items, path, settings):
    """The relevance regression on text features, and those of a table of further ones (id and numbers)."""
    features = analysis.text_features(items)
    if path:
        given = store.read_raw_csv(path, ["id"]).set_index("id")
        file = str(path).rsplit("/", 1)[-1]
        missing = sorted(set(items["item_id"]) - set(given.index))
        if missing:
            raise DataError(Fault(file, missing[0], "id", None, "features of every item"))
        numbers = given.loc[items["item_id"]].apply(pd.to_numeric, errors="coerce")
        bad = ~np.isfinite(numbers)
        if bad.any(axis=None):
            row, column = map(int, np.argwhere(bad.to_numpy())[0])
            name = numbers.columns[column]
            value = given.loc[items["item_id"].iloc[row], name]
            raise DataError(Fault(file, items["item_id"].iloc[row], name, value, "a finite number"))
        features = pd.concat([features, numbers], axis=1)
    return analysis.relevance_regression(
        found.relevance, features, items["question_id"], settings["relevance_threshold"],
        settings["level"],
    )  # fmt: skip
