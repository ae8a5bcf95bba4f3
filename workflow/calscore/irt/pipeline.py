"""The steps of item response models: what is answered, held-out loss, the fit and its tables."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..core import store
from ..core.errors import DataError
from ..core.mark_sources import first_judge
from ..human.incidence import competing_events
from ..stats.bootstrap import Bootstrap
from . import agents as agents_module
from . import diagnostics, effects, embeddings, evaluate, groups, outcomes, uncertainty
from . import items as items_module
from .evaluate import Study
from .model import Fit, fit, permuted, project, scaled_membership


def build_responses(
    settings: dict,
    questions: pd.DataFrame | None = None,
    clues: pd.DataFrame | None = None,
    buzzes: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
    exposures: pd.DataFrame | None = None,
    pairings: pd.DataFrame | None = None,
    names: dict[str, str] | None = None,
    primary_segmentation: str | None = None,
    queries: Path | None = None,
    agent_file: Path | None = None,
    response_files: list[Path] | None = None,
    formats: Sequence[str] = (),
    buzz_file: Path | None = None,
    summaries: Path | None = None,
) -> dict:
    """Tables item_list, agents, agent_responses, irt_outcomes and group_members, and the list findings, by name.

    ``settings``: ``irt`` options. From live buzzes: the tidy tables and judged/responses, ``names``: model key → name. Else,
    where ``questions`` is None, from files: ``queries`` (items), ``response_files`` with their ``formats``
    (:data:`.agents.READERS`), ``summaries`` of pages, ``agent_file`` and ``buzz_file`` of players.
    """
    tables = {name: store.empty(name) for name in ("group_members", "irt_outcomes")}
    if questions is not None:
        if responses is not None:
            responses = responses[responses["segmentation"] == primary_segmentation]
            responses = first_judge(responses)
        clues = clues[clues["segmentation"] == primary_segmentation]
        ends = competing_events(questions, clues, buzzes, exposures, pairings)
        silences = outcomes.no_buzz_exposures(ends, clues, buzzes)
        events = pd.concat([buzzes, silences], ignore_index=True)
        *study_parts, tables["irt_outcomes"] = assemble_live_study(
            items_module.items_from_clues(questions, clues), events, responses, names, settings
        )
    else:
        cumulative = settings["cumulative"]
        if buzz_file and not cumulative:
            expected = "true, where players buzz in a text that goes on"
            raise DataError.at("config", "options/irt", "cumulative", False, expected)
        if buzz_file and not queries:
            raise DataError.at("config", "inputs/agents", "items", None, "items that buzzes are on")
        items, points = None, {}
        if queries:
            items, points = items_module.read_items(queries, summaries, cumulative)
        files = zip(response_files or [], formats, strict=True)
        parts = [agents_module.read_responses(*file, cumulative, points) for file in files]
        agents_given = agents_module.read_agents(agent_file) if agent_file else None
        agents, findings = [], []
        if buzz_file:
            players = agents_module.read_buzzes(buzz_file)
            agents_module.check_buzzes(players, items, buzz_file.name)
            players, humans, grouped, findings = player_responses(items, players, settings)
            tables |= grouped
            parts.append(players)
            agents.append(humans)
        if not parts:
            raise DataError.at("config", "inputs", "responses", None, "responses or buzzes")
        answers = pd.concat(parts, ignore_index=True)
        if items is None:
            items = items_module.items_from_responses(answers)
        if agents_given is None:
            own = set().union(*(set(a["agent"]) for a in agents))
            unlisted = sorted(set(answers["agent"]) - own)
            agents_given = pd.DataFrame({"agent": unlisted, "agent_type": unlisted})
            agents_given["kind"] = [agents_module.kind_by_name(name) for name in unlisted]
            human = int((agents_given["kind"] == "human").sum())
            counts = f"{human} human, {len(agents_given) - human} ai"
            findings.append(agents_module.data_issue("kind told by name", "agents", counts))
        agents = pd.concat([*agents, agents_given], ignore_index=True)
        study_parts = items, agents, answers, findings
    people = {*tables["irt_outcomes"]["agent"], *tables["group_members"]["agent"]}
    return validate_tables(*study_parts, people, settings["reading"]) | tables


def assemble_live_study(items, events, responses, names: dict[str, str], settings: dict) -> tuple:
    """(items, agents, responses, findings, irt_outcomes) of a study with live buzzes.

    ``events``: buzzes and :func:`outcomes.no_buzz_exposures`; ``responses``: judged/responses or None; ``names``: model key
    → name; ``settings``: buzz_clue, reading. ``agents``: agent, kind (human, ai), agent_type. Teams are agents, model
    teams as ``<name> (live)``; judged guesses are agents of their own. Who has no response is left out, with a finding.
    """
    events = events.rename(columns={"team": "agent"})
    label = {t: f"{names[t]} (live)" if t in names else t for t in events["agent"].unique()}
    events = events.assign(agent=events["agent"].map(label))
    outcome_rows, findings = outcomes.question_outcomes(items, events, settings["buzz_clue"])
    live = outcomes.responses_under_reading(items, outcome_rows, settings["reading"])
    kinds = events.drop_duplicates("agent")[["agent", "kind"]]
    agents = kinds.assign(
        agent_type=np.where(kinds["kind"] == "human", "human team", "live model"),
        kind=np.where(kinds["kind"] == "human", "human", "ai"),
    )
    for name in sorted(set(agents["agent"]) - set(live["agent"])):
        issue = agents_module.data_issue("agent without responses", name, "no buzz in a clue")
        findings.append(issue)
    agents = agents[agents["agent"].isin(live["agent"])]
    if responses is not None and len(responses):
        judged = agents_module.guess_responses(responses, names)
        live = pd.concat([live, judged], ignore_index=True)
        models = judged[["agent"]].drop_duplicates().assign(kind="ai", agent_type="guesses")
        agents = pd.concat([agents, models], ignore_index=True)
    return items, agents.sort_values("agent", ignore_index=True), live, findings, outcome_rows


def player_responses(items: pd.DataFrame, buzzes: pd.DataFrame, settings: dict) -> tuple:
    """(responses, agents, tables, findings) of players that buzzed, formed into groups where ``group_sizes`` asks for any.

    ``buzzes``: of :func:`agents.read_buzzes`; ``agents``: agent, kind, agent_type; ``tables``: irt_outcomes and, with groups,
    group_members. ``settings``: buzz_clue, reading, group_sizes, groups, group_formation, seed.
    """
    outcome_rows, findings = outcomes.question_outcomes(items, buzzes, settings["buzz_clue"])
    players = outcomes.responses_under_reading(items, outcome_rows, settings["reading"])
    tables = {"irt_outcomes": outcome_rows}
    if not settings["group_sizes"]:
        names = pd.DataFrame({"agent": sorted(players["agent"].unique())})
        return players, names.assign(kind="human", agent_type="human player"), tables, findings
    seed, formation = settings["seed"], settings["group_formation"]
    wanted = settings["group_sizes"], settings["groups"], seed, formation
    members, odd = groups.form_groups(players, *wanted)
    answers, agents = groups.majority_responses(players, members, seed)
    return answers, agents, tables | {"group_members": members}, [*findings, *odd]


def validate_tables(items, agents, responses, findings, buzzed=(), reading: str = "censored") -> dict:
    """By name: tables item_list (items that somebody answered), agents (sorted, counted), agent_responses; list findings.

    ``buzzed``: agents whose questions may be open under ``reading``. Raises ``DataError`` for fewer than two agents or
    questions and as :func:`agents.validate_responses`.
    """
    responses, extra = agents_module.validate_responses(responses, items, agents)
    answered = items["item_id"].isin(responses["item_id"])
    if not answered.all():
        count = f"{int((~answered).sum())} items"
        extra.append(agents_module.data_issue("item without responses", "items", count))
    undecided = outcomes.censored_mask(responses, items, buzzed, reading)
    responses = responses.assign(undecided=undecided)
    items = items[answered].reset_index(drop=True)
    if len(agents) < 2 or items["question_id"].nunique() < 2:
        too_few, expected = f"{len(agents)} agents", "at least two agents and two questions"
        raise DataError.at("responses", "", "agent", too_few, expected)
    agents = agents.assign(agent_type=agents_module.split_mixed_types(agents))
    counts = responses.groupby("agent")["correct"].agg(responses="size", right="sum")
    agents = agents.merge(counts.reset_index(), on="agent")
    agents = agents.sort_values(["kind", "agent_type", "agent"], ignore_index=True)
    for row in agents[~effects.comparable(agents)].itertuples():
        counts = f"{row.right} of {row.responses} right"
        extra.append(agents_module.data_issue("agent too little to compare", row.agent, counts))
    tables = {"item_list": items, "agents": agents, "agent_responses": responses}
    return tables | {"findings": [*findings, *extra]}


def prepare_study(
    item_list, agents, agent_responses, irt_outcomes, settings, vectors=None, item_features=None
) -> Study:
    """The study's tables as arrays, with prior groups among the settings; ``vectors`` and ``item_features``: files, or None.

    Arguments as in :func:`fit_tables`.
    """
    # The table on disk is sorted by name; clues of a question belong in their order.
    items = item_list.sort_values(["question_id", "clue"], ignore_index=True)
    agents = agents_module.sort_agents(agents, agent_responses)
    signs = agents_module.response_matrix(agent_responses, items, agents)
    covariates = item_covariates(items, item_features, settings)
    censored = irt_outcomes[: None if settings["reading"] == "censored" else 0]
    pending = outcomes.censored_outcomes(agent_responses, items, agents, censored)
    groups = effects.prior_groups(agents)
    settings = settings | {"kinds": scaled_membership(agents["kind"]), "agent_groups": groups}
    text = embeddings.embed(items, settings, vectors)
    return Study(items, agents, signs, text, settings, covariates, pending)


def item_covariates(items: pd.DataFrame, path: Path | None, settings: dict) -> np.ndarray | None:
    """Standardised columns (J, k) of the file ``path`` that the option ``covariates`` names; None where it names none.

    ``DataError`` where it names some and there is no file.
    """
    names = settings["covariates"]
    if not names:
        return None
    if not path:
        expected = "inputs.item_features with that column"
        raise DataError.at("config", "options/irt", "covariates", names[0], expected)
    return evaluate.standardise(items_module.read_features(path, items, names))


def fit_study(study: Study) -> Fit:
    """The model of a study, fitted to all responses; aspects in order of mean relevance, the largest first."""
    settings = study.settings
    best = fit(
        project(study.text, settings["components"], *study.known_columns()),
        study.signs,
        settings["dimensions"],
        evaluate.penalty_from_options(settings),
        settings["restarts"],
        settings["seed"],
        study.pending,
    )
    return permuted(best, np.argsort(-best.relevance.mean(axis=0), kind="stable"))


def item_table(fitted: Fit, study: Study, errors: np.ndarray) -> pd.DataFrame:
    """tables/irt_items: item_id, question_id, clue, responses, right, difficulty, standard_error, low, high, infit, outfit.

    Difficulty is in logits, less the mean over items. ``errors`` (J,): of :func:`uncertainty.item_errors`. Rows are sorted
    by item_id.
    """
    from scipy.stats import norm

    infit, outfit, n = diagnostics.mean_squares(fitted.predict_seen(), study.signs, axis=1)
    value = fitted.offset - fitted.offset.mean()
    half = norm.ppf((1 + study.settings["level"]) / 2) * errors
    table = study.items[["item_id", "question_id", "clue"]].assign(
        responses=n, right=(study.signs > 0).sum(axis=1), difficulty=value, standard_error=errors,
        low=value - half, high=value + half, infit=infit, outfit=outfit,
    )  # fmt: skip
    return table.sort_values("item_id", ignore_index=True)


def fit_tables(
    item_list, agents, agent_responses, irt_outcomes, settings, vectors=None, item_features=None
) -> dict[str, pd.DataFrame]:
    """By name: tables irt_loss, irt_accuracy, irt_categories, irt_aspects, irt_agents, irt_items, irt_dif and irt_scale.

    The first four arguments are tables of :func:`build_responses`. ``settings``: options of item response
    models (irt) with replicates, seed and level; ``vectors``, ``item_features``: files of embeddings and of
    features of items, or None.
    """
    study = prepare_study(item_list, agents, agent_responses, irt_outcomes, settings, vectors, item_features)
    losses = evaluate.evaluate_models(study)
    if settings["aspects"] == "held_out":
        chosen = {"dimensions": evaluate.choose_dimensions(losses)}
        study = study._replace(settings=study.settings | chosen)
    fitted, settings = fit_study(study), study.settings
    depth = effects.question_fifths(study.items, settings["cumulative"])
    category = study.items["category"].to_numpy(dtype=str)
    summary = effects.Summary(fitted, effects.comparison_groups(study.agents), depth, category)
    unit_weights = np.ones(len(study.items))
    estimate = summary(fitted.parameters, fitted.relevance, unit_weights)
    refits, resampling = (
        Bootstrap(settings[name], settings["seed"], settings["level"]) for name in ("refits", "replicates")
    )
    draws = uncertainty.bootstrap(fitted, study.signs, study.questions, refits, summary, study.pending)
    errors = uncertainty.item_errors(fitted, study.signs, study.questions, draws["difficulty"], study.pending)
    level, p = settings["level"], fitted.predict_seen()
    dif = [
        diagnostics.differential_functioning(
            p, study.signs, study.agents["kind"], study.items[column], study.questions, name, level
        )
        for name, column in (("category", "category"), ("question", "question_id"))
    ]
    chances = summary, estimate, draws, study.signs, level
    return {
        "irt_loss": evaluate.loss_table(losses, resampling, settings),
        "irt_accuracy": effects.accuracy_table(*chances),
        "irt_categories": effects.accuracy_table(*chances, "category"),
        "irt_aspects": effects.aspect_table(fitted, study, estimate, draws, level),
        "irt_agents": effects.agent_table(fitted, study, estimate, draws, resampling),
        "irt_items": item_table(fitted, study, errors),
        "irt_dif": pd.concat(dif, ignore_index=True),
        "irt_scale": diagnostics.scale_table(
            fitted, estimate["skill"], effects.comparable(study.agents), draws["skill"].std(axis=0), errors
        ),
    }
