"""The steps of item response models, one function per rule: what is answered, held-out loss, the fit."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from ..core import store
from ..core.errors import DataError
from ..core.mark_sources import first_judge
from ..human.incidence import competing_events
from . import agents as agents_module
from . import analysis, censoring, diagnostics, evaluate, groups, outcomes, uncertainty
from . import items as items_module
from .embeddings import stack
from .model import Fit, fit, kinds, permuted

#: Agents of one study that are needed for anything to be told apart.
AT_LEAST = 2
READERS = {"jsonl": agents_module.read_json, "table": agents_module.read_table}


def build_responses(
    settings,
    questions=None,
    clues=None,
    buzzes=None,
    responses=None,
    exposures=None,
    pairings=None,
    names=None,
    primary_segmentation=None,
    queries=None,
    agent_file=None,
    response_files=None,
    formats=(),
    buzz_file=None,
    summaries=None,
) -> dict:
    """Items, agents and their responses: of live buzzes where there are any, else of response files.

    ``settings``: cumulative, buzz_clue, reading, group_sizes, groups, group_formation, seed, replicates, level. Of live
    buzzes the tidy tables and
    judged/responses, ``names`` (model key → name). Of files paths, None where there is none:
    ``queries`` (items), ``response_files`` with their ``formats`` (:data:`READERS`), ``summaries`` of pages.
    """
    made = {name: store.empty(name) for name in ("group_members", "irt_groups", "irt_outcomes")}
    if questions is not None:
        if responses is not None:
            responses = responses[responses["segmentation"] == primary_segmentation]
            responses = first_judge(responses)
        clues = clues[clues["segmentation"] == primary_segmentation]
        *found, made["irt_outcomes"] = from_live(
            questions, clues, buzzes, responses, names, settings, exposures, pairings
        )
    else:
        cumulative = settings["cumulative"]
        if buzz_file and not cumulative:
            expected = "true, where players buzz in a text that goes on"
            raise DataError.at("config", "options/irt", "cumulative", False, expected)
        items, points = items_module.read_items(queries, summaries, cumulative)
        files = zip(formats, response_files or [], strict=True)
        parts = [READERS[f](path, cumulative, points) for f, path in files]
        given = agents_module.read_agents(agent_file) if agent_file else None
        agents, findings = [], []
        if buzz_file:
            players = agents_module.read_buzzes(buzz_file)
            agents_module.check_buzzes(players, items, buzz_file.name)
            players, humans, grouped, findings = from_players(items, players, settings)
            made |= grouped
            parts.append(players)
            agents.append(humans)
        if not parts:
            raise DataError.at("config", "inputs", "responses", None, "responses or buzzes")
        answers = pd.concat(parts, ignore_index=True)
        if given is None:
            own = set().union(*(set(a["agent"]) for a in agents))
            rest = sorted(set(answers["agent"]) - own)
            given = pd.DataFrame({"agent": rest, "agent_type": rest})
            given["kind"] = [agents_module.kind_by_name(name) for name in rest]
            human = int((given["kind"] == "human").sum())
            told = f"{human} human, {len(given) - human} ai"
            findings.append(agents_module.data_issue("kind told by name", "agents", told))
        found = items, pd.concat([*agents, given], ignore_index=True), answers, findings
    people = {*made["irt_outcomes"]["agent"], *made["group_members"]["agent"]}
    return validate_tables(*found, people, settings["reading"]) | made


def from_live(questions, clues, buzzes, responses, names, settings, exposures, pairings):
    """Items, agents, responses, findings and outcomes of a study with live buzzes.

    Teams are agents as they are, model teams of kind ``ai``; judged guesses are agents of their own.
    """
    items = items_module.from_clues(questions, clues)
    heard = outcomes.no_buzz_exposures(
        competing_events(questions, clues, buzzes, exposures, pairings), clues, buzzes
    )
    known = pd.concat([buzzes, heard], ignore_index=True).rename(columns={"team": "agent"})
    label = {t: f"{names[t]} (live)" if t in names else t for t in known["agent"].unique()}
    known = known.assign(agent=known["agent"].map(label))
    made, findings = outcomes.outcomes(items, known, settings["buzz_clue"])
    live = outcomes.responses_under_reading(items, made, settings["reading"])
    kinds = known.drop_duplicates("agent")[["agent", "kind"]]
    agents = kinds.assign(
        agent_type=np.where(kinds["kind"] == "human", "human team", "live model"),
        kind=np.where(kinds["kind"] == "human", "human", "ai"),
    )
    silent = sorted(set(agents["agent"]) - set(live["agent"]))
    findings += [
        agents_module.data_issue("agent without responses", name, "no buzz in a clue")
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
    return items, agents.sort_values("agent", ignore_index=True), live, findings, made


def from_players(items, buzzes, settings):
    """Responses, agents, tables of outcomes and groups, and findings of players that buzzed."""
    said, findings = outcomes.outcomes(items, buzzes, settings["buzz_clue"])
    players = outcomes.responses_under_reading(items, said, settings["reading"])
    made = {"irt_outcomes": said}
    if not settings["group_sizes"]:
        names = pd.DataFrame({"agent": sorted(players["agent"].unique())})
        return players, names.assign(kind="human", agent_type="human player"), made, findings
    seed, formation = settings["seed"], settings["group_formation"]
    wanted = settings["group_sizes"], settings["groups"], seed, formation
    members, odd = groups.form_groups(players, *wanted)
    answers, agents = groups.majority_responses(players, members, seed)
    drawn = settings["replicates"], seed, settings["level"]
    made["irt_groups"] = groups.by_size(players, answers, members, formation, *drawn)
    return answers, agents, made | {"group_members": members}, [*findings, *odd]


def validate_tables(
    items, agents, responses, findings, buzzed=(), reading: str = "censored"
) -> dict:
    """Validated tables: items that somebody answered, agents in order, responses; findings."""
    responses, more = agents_module.validate(responses, items, agents)
    answered = items["item_id"].isin(responses["item_id"])
    if not answered.all():
        more.append(
            agents_module.data_issue(
                "item without responses", "items", f"{int((~answered).sum())} items"
            )
        )
    responses = responses.assign(
        undecided=outcomes.censored_mask(responses, items, buzzed, reading)
    )
    items = items[answered].reset_index(drop=True)
    if len(agents) < AT_LEAST or items["question_id"].nunique() < AT_LEAST:
        few, expected = f"{len(agents)} agents", "at least two agents and two questions"
        raise DataError.at("responses", "", "agent", few, expected)
    agents = agents.assign(agent_type=agents_module.types_of_one_kind(agents))
    counts = responses.groupby("agent")["correct"].agg(["size", "sum"])
    agents = agents.sort_values(["kind", "agent_type", "agent"], ignore_index=True)
    agents["responses"] = agents["agent"].map(counts["size"]).astype("int64")
    agents["right"] = agents["agent"].map(counts["sum"]).astype("int64")
    return {
        "item_list": items,
        "agents": agents,
        "agent_responses": responses,
        "findings": [*findings, *more],
    }


def arrays(item_list, agents, agent_responses, embeddings):
    """Items and agents in the order of the fit, signs (J, I), embeddings (J, n)."""
    # The table on disk is sorted by name; clues of a question belong in their order.
    items = item_list.sort_values(["question_id", "clue"], ignore_index=True)
    agents = agents_module.in_order(agents, agent_responses)
    vectors = embeddings.set_index("item_id").loc[items["item_id"]]
    return items, agents, agents_module.matrix(agent_responses, items, agents), stack(vectors)


def heldout_tables(
    item_list, agents, agent_responses, embeddings, settings, item_features=None
) -> dict:
    """Held-out loss and calibration of every model, and whether text helps.

    ``settings``: options of item response models (irt) with replicates, seed and level.
    """
    items, agents, signs, text = arrays(item_list, agents, agent_responses, embeddings)
    settings = settings | {"kinds": kinds(agents["kind"])}
    _, covariates = item_numbers(items, item_features, settings)
    losses, calibration = evaluate_models(items, signs, text, settings, covariates)
    resampling = settings["replicates"], settings["seed"], settings["level"]
    return {
        "heldout_losses": losses,
        "irt_loss": evaluate.loss_table(losses, "1pl", *resampling),
        "irt_verdict": evaluate.verdict(losses, settings["dimensions"], *resampling),
        "irt_calibration": calibration,
    }


def fit_tables_of_study(
    item_list,
    agents,
    agent_responses,
    irt_outcomes,
    embeddings,
    settings,
    heldout_losses=None,
    item_features=None,
    irt_truth=None,
) -> dict:
    """The model of all responses and what it says; ``settings`` as of :func:`heldout_tables`.

    ``heldout_losses`` choose the number of aspects where the settings leave it to them. ``irt_truth``: file of what a simulated study was made with (:func:`calscore.irt.censoring.read_truth`).
    ``item_features``: file of further features of items (:func:`calscore.irt.analysis.read_features`).
    """
    truth = censoring.read_truth(irt_truth) if irt_truth else None
    side = censoring.censoring_tables(
        item_list, agents, irt_outcomes, agent_responses, settings, truth
    )
    items, agents, signs, text = arrays(item_list, agents, agent_responses, embeddings)
    features, covariates = item_numbers(items, item_features, settings)
    told = irt_outcomes[: None if settings["reading"] == "censored" else 0]
    pending = outcomes.pending(agent_responses, items, agents, told)
    settings = settings | {"configured": settings["dimensions"], "kinds": kinds(agents["kind"])}
    if settings["aspects"] == "held_out":
        settings = settings | {"dimensions": evaluate.chosen(heldout_losses)}
    found = fit_study(items, signs, text, settings, pending, covariates)
    return fit_tables(found, items, agents, signs, features, settings, pending) | side


def item_numbers(items, path, settings):
    """Features of items by rules and from the file ``path``, and standardised covariates of the model (None without).

    ``settings``: covariates, columns of the file (a text column's values are columns of their own).
    """
    features, names = analysis.text_features(items), settings["covariates"]
    if not path:
        if names:
            expected = "inputs.item_features with that column"
            raise DataError.at("config", "options/irt", "covariates", names[0], expected)
        return features, None
    more, columns = analysis.read_features(path, items, names)
    known = evaluate.standardised(more[columns]) if columns else None
    return pd.concat([features, more], axis=1), known


def evaluate_models(items, signs, text, settings, covariates=None):
    """irt/heldout_losses and the calibration table: every model, and the number of aspects varied.

    Aspects are added as long as the full model's loss on seen questions falls; ``dimensions`` is among them in any case.
    """
    fold = items_module.folds(items, settings["folds"], settings["seed"])
    parts = evaluate.splits(items, signs, fold, settings)
    m, questions = settings["dimensions"], items["question_id"]
    losses, bins, kept = {}, {}, {}

    def add(key, dimensions):
        given = dimensions, text, items, signs, parts, settings, kept, covariates
        seen, unseen = evaluate.held_out(key, *given)
        for split, p in (("unseen", unseen), ("seen", seen)):
            of = evaluate.question_losses(key, dimensions, split, p, signs, questions)
            losses[key, dimensions, split] = of
            if dimensions in (0, m) or key not in evaluate.BY_DIMENSION:
                bins[key, dimensions, split] = evaluate.calibration(
                    key, split, p, signs, questions, settings["bins"],
                    settings["replicates"], settings["seed"], settings["level"],
                )  # fmt: skip
        return of["loss"].sum()

    least, falls = np.inf, True
    for dimensions in sorted({*settings["dimension_sweep"], m}):
        if falls or dimensions == m:
            *_, loss = (add(key, dimensions) for key in evaluate.BY_DIMENSION)
            least, falls = min(loss, least), falls and loss < least
    for key in evaluate.NAMES:
        if key not in evaluate.BY_DIMENSION and (
            covariates is not None or key != "caimira_covariates"
        ):
            add(key, m if key.startswith("caimira") else 1 if key == "1pl_length" else 0)
    order = sorted(losses, key=lambda one: (list(evaluate.NAMES).index(one[0]), one[1]))
    rows = [row for one in order for row in bins.get(one, ())]
    return pd.concat([losses[one] for one in order], ignore_index=True), pd.DataFrame(rows)


def fit_study(items, signs, text, settings, pending=None, covariates=None) -> Fit:
    """The model of a study, fitted to all responses."""
    known = [evaluate.length_features(items["end_word"])] if settings["words_heard"] else []
    known += [] if covariates is None else [covariates]
    x = evaluate.append_covariates(text, np.column_stack(known)) if known else text
    names = ("dimensions", "components", "restarts", "seed")
    given = {name: settings[name] for name in names} | {"residual": settings["item_residual"]}
    found = fit(x, signs, penalty=evaluate.penalty_of(settings), pending=pending, **given)
    # Aspects have no order of their own: the one that is relevant to most comes first.
    order = np.argsort(-found.relevance.mean(axis=0), kind="stable")
    return permuted(found, order)


def prior_widths(found: Fit, agents, signs, settings, pending=None):
    """tables/irt_sensitivity: AI systems less humans by the width of the prior on aspects.

    Of the model with as many aspects as are ``configured``, where the one that was chosen has no more than one.
    """
    human, m = (agents["kind"] == "human").to_numpy(), found.parameters.skills.shape[1]
    m = settings["configured"] if m == 1 else m
    if human.all() or not human.any() or m == 1 or settings["aspect_sd"] is None:
        return store.empty("irt_sensitivity")
    given = {name: settings[name] for name in ("components", "seed")} | {"restarts": 1}
    given |= {"residual": settings["item_residual"], "pending": pending, "dimensions": m}

    def fitted(penalty, after=None):
        return fit(found.x, signs, penalty=penalty, after=after, **given)

    first = fitted(evaluate.penalty_of(settings))
    first = permuted(first, np.argsort(-first.relevance.mean(axis=0), kind="stable"))
    known = signs if pending is None else pending.known(signs)
    weight = ~human / (~human).sum() - human / human.sum()
    rows = uncertainty.sensitivity(first, known, weight, settings["level"], fitted)
    return store.frame(rows, "irt_sensitivity")


def split_half_predictions(found: Fit, items, signs, settings, pending=None):
    """Probabilities (J, I) by the model of each item's own half of the questions, and by that of the other half.

    Whom the second calls best is chosen without what the first has seen: the best of many is not the luckiest.
    """
    half = items_module.folds(items, 2, settings["seed"])
    parts = [np.flatnonzero(half == h) for h in (0, 1)]
    names = ("dimensions", "components", "seed")
    given = {name: settings[name] for name in names} | {"residual": settings["item_residual"]}
    given |= {"penalty": evaluate.penalty_of(settings), "restarts": 1}
    fits = [
        fit(found.x[of], signs[of], pending=pending.part(of) if pending else None, **given)
        for of in parts
    ]
    known, choice = np.empty(signs.shape), np.empty(signs.shape)
    for of, mine, other in zip(parts, fits, fits[::-1], strict=True):
        known[of], choice[of] = mine.predict_seen(), other.predict(found.x[of])
    return known, choice


def skill_tables(found: Fit, items, agents, signs, settings, pending=None):
    """irt/skills and the contrasts between agents and between types of agents."""
    skills = found.parameters.skills
    known = signs if pending is None else pending.known(signs)
    covariance = uncertainty.skill_covariance(found, known)
    raw, centred_se = uncertainty.standard_errors(covariance, len(agents))
    middle = uncertainty.centred(skills)
    draws, shares = uncertainty.bootstrap(
        found, signs, items["question_id"].to_numpy(), settings["refits"], settings["seed"],
        pending=pending,
    )  # fmt: skip
    draws_centred = draws - draws.mean(axis=1, keepdims=True)
    low, high = uncertainty.percentile_bounds(draws_centred, settings["level"])
    from scipy.stats import norm

    z = norm.ppf((1 + settings["level"]) / 2)
    m = skills.shape[1]
    about = found.relevance.sum(axis=0)
    rows = [
        {
            "agent": agents["agent"].iloc[i], "kind": agents["kind"].iloc[i],
            "agent_type": agents["agent_type"].iloc[i], "aspect": k + 1, "items": about[k],
            "skill": skills[i, k], "standard_error": raw[i, k],
            "centred": middle[i, k], "centred_standard_error": centred_se[i, k],
            "laplace_low": middle[i, k] - z * centred_se[i, k],
            "laplace_high": middle[i, k] + z * centred_se[i, k],
            "bootstrap_low": low[i, k], "bootstrap_high": high[i, k],
        }
        for i in range(len(agents))
        for k in range(m)
    ]  # fmt: skip
    compared = [("kinds", "kind", "ai", "human")] if agents["kind"].nunique() == 2 else []
    for what, column in (("agent types", "agent_type"), ("agents", "agent")):
        names = analysis.leading(agents, column, skills.mean(axis=1))
        compared += [(what, column, *pair) for pair in combinations(names, 2)]
    weights = np.zeros((len(compared), len(agents)))
    for weight, (_, column, *pair) in zip(weights, compared, strict=True):
        for sign, name in zip((1, -1), pair, strict=True):
            of = (agents[column] == name).to_numpy()
            weight[of] += sign / of.sum()
    cube = covariance.reshape(len(agents), m, len(agents), m)
    # Over all items (0), and on each aspect but those that no item is about: there the prior speaks alone.
    over = {0: (about / about.sum(), shares)} if m > 1 else {}
    over |= {k + 1: (np.eye(m)[k],) * 2 for k in np.flatnonzero(about >= analysis.ABOUT)}
    parts = []
    for aspect, (share, drawn) in over.items():
        value = weights @ (skills @ share)
        spread = np.einsum("k,ikjl,l->ij", share, cube, share)
        error = np.sqrt(((weights @ spread) * weights).sum(axis=1))
        b_low, b_high = uncertainty.percentile_bounds(
            (draws @ drawn[..., None])[..., 0] @ weights.T, settings["level"]
        )
        found_of = {
            "aspect": aspect, "difference": value, "standard_error": error,
            "laplace_low": value - z * error, "laplace_high": value + z * error,
            "bootstrap_low": b_low, "bootstrap_high": b_high,
        }  # fmt: skip
        names = ["contrast", "column", "first", "second"]
        parts.append(
            pd.DataFrame(compared, columns=names).drop(columns="column").assign(**found_of)
        )
    contrasts = pd.concat(parts) if parts else store.empty("irt_contrasts")
    return pd.DataFrame(rows), contrasts.sort_index(kind="stable").reset_index(drop=True)


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


def fit_tables(found: Fit, items, agents, signs, features, settings, pending=None) -> dict:
    """All tables that rest on the model fitted to everything; ``features``: of items, by item_id."""
    skills, contrasts = skill_tables(found, items, agents, signs, settings, pending)
    p = found.predict_seen()
    effective = diagnostics.effective(found)
    seed, replicates, level = settings["seed"], settings["replicates"], settings["level"]
    labels = analysis.cluster(effective, settings["clusters"], seed)
    questions = items["question_id"].to_numpy()
    agent_fit = agents[["agent", "kind", "agent_type", "responses"]].assign(
        **diagnostics.agent_fit(p, signs, questions, replicates, seed, level)
    )
    resampling = replicates, seed, level
    shown = ["kind", "agent_type", "agent", "aspect"]
    per_item = store.empty("complementarity")
    groups = {"category": items["category"]}
    if agents["kind"].nunique() == 2:
        groups |= {"clue": items["clue"].astype(str), "cluster": pd.Series(labels).astype(str)}
        groups |= {"question": items["question_id"]}
        known, choice = split_half_predictions(found, items, signs, settings, pending)
        per_item = analysis.complementarity(known, items, agents, choice)
    dif = [
        diagnostics.differential(p, signs, agents["kind"], of, questions, name, level)
        for name, of in groups.items()
    ]
    return {
        "skills": skills,
        "irt_skills": skills.sort_values(shown),
        "item_parameters": item_table(found, items, labels, p, signs),
        "complementarity": per_item,
        "irt_contrasts": contrasts,
        "irt_sensitivity": prior_widths(found, agents, signs, settings, pending),
        "irt_stability": diagnostics.stability(found, labels, seed),
        "irt_agent_fit": agent_fit.sort_values(shown[:-1]),
        "irt_q3": diagnostics.q3(p, signs, items["question_id"], items["clue"], seed=seed),
        "irt_dif": pd.concat(dif, ignore_index=True),
        "irt_clusters": analysis.cluster_profiles(labels, found.relevance, effective),
        "irt_cluster_accuracy": analysis.cluster_accuracy(
            labels, signs, agents, questions, *resampling
        ),
        "irt_relevance": analysis.relevance_regression(
            found.relevance, features, questions, settings["relevance_threshold"], level
        ),
        "irt_difficulty": analysis.difficulty_regression(
            effective.sum(axis=1) + (found.parameters.residual if found.tau else 0.0),
            found.difficulty,
            found.relevance,
            features,
            questions,
            level,
        ),
        "irt_categories": analysis.categories(items, signs, agents),
        "irt_complementarity": analysis.complementarity_summary(per_item, *resampling),
        "irt_pairs": analysis.pairs(p, signs, agents, questions, *resampling),
    }
