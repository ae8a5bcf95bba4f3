"""Item response models: agents and cumulative clues, embeddings, fits, what they say, figures.

inputs:  tidy and judged tables where the study has live buzzes, else inputs.agents of the configuration
outputs: irt/*.parquet, tables/irt_*.csv, figures/irt_*, audit/findings/irt.csv
"""


rule fit_irt:
    """Cumulative clues as items, a vector of each; responses of humans and systems mapped, read, grouped. Held-out loss and
    calibration of every response model. The model of all responses: skills with intervals, items, clusters, diagnostics,
    pairs; every figure."""
    input:
        **reads("questions", "clues", "buzzes", "responses", "exposures", "pairings"),
        queries=agent_paths("items"),
        agent_file=agent_paths("agents"),
        response_files=agent_paths("responses"),
        buzz_file=agent_paths("buzzes"),
        summaries=agent_paths("summaries"),
        vectors=given("embeddings"),
        item_features=given("item_features"),
        irt_truth=irt_truth,
    output:
        **writes("item_list", "agents", "agent_responses", "irt_outcomes"),
        **writes("group_members", "irt_groups", "embeddings"),
        **writes("heldout_losses", "irt_loss", "irt_verdict", "irt_calibration"),
        **writes(
            "skills",
            "item_parameters",
            "complementarity",
            "irt_skills",
            "irt_contrasts",
            "irt_sensitivity",
            "irt_agent_fit",
            "irt_stability",
            "irt_q3",
            "irt_dif",
            "irt_clusters",
            "irt_cluster_accuracy",
            "irt_relevance",
            "irt_difficulty",
            "irt_categories",
            "irt_complementarity",
            "irt_pairs",
            "irt_readings",
            "irt_recovery",
        ),
        **draws(
            "irt_readings",
            "irt_loss",
            "irt_skills",
            "irt_cluster_accuracy",
            "irt_clusters",
            "irt_relevance",
            "irt_difficulty",
            "irt_categories",
            "irt_complementarity",
            "irt_diagnostics",
        ),
        findings="results/{study}/audit/findings/irt.csv",
    params:
        **options("primary_segmentation", "level"),
        formats=lambda wildcards: [
            one["format"] for one in agent_sources(wildcards.study)["responses"]
        ],
        names=model_names,
        grouped=players_grouped,
        simulated=simulated,
        settings=irt_options(
            "cumulative",
            "buzz_clue",
            "reading",
            "group_sizes",
            "groups",
            "group_formation",
            "embedding",
            "embedding_size",
            "text",
            "aspects",
            "dimensions",
            "dimension_sweep",
            "components",
            "covariates",
            "penalty",
            "difficulty_sd",
            "relevance_sd",
            "aspect_sd",
            "fold_restarts",
            "folds",
            "held_out",
            "bins",
            "item_residual",
            "words_heard",
            "restarts",
            "refits",
            "clusters",
            "relevance_threshold",
            "replicates",
            "seed",
            "level",
        ),
    resources:
        mem_mb=2000,
        runtime=30,
    script:
        "../scripts/fit_irt.py"


rule check_irt_claims:
    """Hold every published statement on item responses against what was computed."""
    input:
        **reads("irt_difficulty", "irt_loss"),
        published=published,
    output:
        **writes("statements", "claims", "printed_cells"),
    params:
        simulated=simulated,
    wildcard_constraints:
        study=only("answered", "published"),
    script:
        "../scripts/check_irt_claims.py"
