"""Item response models: agents and cumulative clues, embeddings, fits, what they say, figures.

inputs:  tidy and judged tables where the study has live buzzes, else inputs.agents of the configuration
outputs: irt/*.parquet, tables/irt_*.csv, figures/irt_*, audit/findings/irt.csv
"""

# Options of the agents and of the fits that are compared.
GROUP_OPTIONS = (
    *("cumulative", "buzz_clue", "group_sizes", "groups", "group_formation"),
    *("dimension_sweep", "fold_restarts", "folds", "held_out"),
)
# Options of the model itself.
FIT_OPTIONS = (
    *("preset", "reading", "embedding", "embedding_size", "text", "aspects", "dimensions"),
    *("components", "covariates", "penalty", "difficulty_sd", "relevance_sd", "aspect_sd"),
    *("item_residual", "words_heard", "restarts", "refits", "replicates", "seed", "level"),
)


rule fit_irt:
    """Cumulative clues as items; responses of humans and systems mapped, read, grouped. Held-out loss of every response
    model, and the model of all responses with intervals."""
    input:
        **reads("questions", "clues", "buzzes", "responses", "exposures", "pairings"),
        queries=agent_paths("items"),
        agent_file=agent_paths("agents"),
        response_files=agent_paths("responses"),
        buzz_file=agent_paths("buzzes"),
        summaries=agent_paths("summaries"),
        vectors=given("embeddings"),
        item_features=given("item_features"),
    output:
        **writes("item_list", "agents", "agent_responses", "irt_outcomes", "group_members"),
        **writes("irt_loss", "irt_accuracy", "irt_categories", "irt_agents", "irt_aspects", "irt_items"),
        **writes("irt_dif", "irt_scale"),
        findings="results/{study}/audit/findings/irt.csv",
    params:
        **options("primary_segmentation", "level"),
        formats=lambda wildcards: [one["format"] for one in agent_sources(wildcards.study)["responses"]],
        names=model_names,
        grouped=players_grouped,
        settings=irt_options(*GROUP_OPTIONS, *FIT_OPTIONS),
    resources:
        mem_mb=2000,
        runtime=30,
    script:
        "../scripts/fit_irt.py"


rule compare_irt_readings:
    """Systems against humans, by what is assumed of buzzes, in a model fitted for each assumption."""
    input:
        **reads("item_list", "agents", "agent_responses", "irt_outcomes"),
        irt_truth=irt_truth,
    output:
        **writes("irt_readings"),
    params:
        settings=irt_options("refits", "seed", "level"),
    script:
        "../scripts/compare_irt_readings.py"


rule plot_irt:
    """Skills, chances, a Wright map, DIF and held-out loss."""
    input:
        **reads("irt_loss", "irt_accuracy", "irt_agents", "irt_items", "irt_dif", "irt_scale"),
    output:
        **draws("irt_accuracy", "irt_agents", "irt_wright", "irt_dif", "irt_loss"),
    params:
        **options("level"),
        grouped=players_grouped,
        simulated=simulated,
    priority: DRAWN_LAST
    script:
        "../scripts/plot_irt.py"


rule plot_irt_readings:
    """Systems against humans, by what is assumed of buzzes."""
    input:
        **reads("irt_readings"),
    output:
        **draws("irt_readings"),
    params:
        simulated=simulated,
        settings=irt_options("refits", "level"),
    priority: DRAWN_LAST
    script:
        "../scripts/plot_irt_readings.py"


rule fill_irt_ledger:
    """Hold every published statement on item responses against what was computed."""
    input:
        **reads("irt_items"),
        published=published,
    output:
        **writes("statements", "claims", "printed_cells"),
    params:
        simulated=simulated,
    wildcard_constraints:
        study=only("answered", "published"),
    script:
        "../scripts/fill_irt_ledger.py"


rule fill_caimira_ledger:
    """Hold CAIMIRA's statements against a study with live buzzes, whose own ledger is of another paper."""
    input:
        **reads("irt_items"),
        caimira=of_project("config/published/caimira.yaml"),
    output:
        **writes("irt_statements"),
    script:
        "../scripts/fill_caimira_ledger.py"
