"""Item response models: agents and cumulative clues, embeddings, fits, what they say, figures.

inputs:  tidy and judged tables where the study has live buzzes, else inputs.agents of the configuration
outputs: irt/*.parquet, tables/irt_*.csv, figures/irt_*, audit/findings/irt.csv
"""


rule prepare_agents:
    """Cumulative clues as items; responses of humans and systems mapped, backfilled, grouped."""
    input:
        files=irt_files,
        questions=when("buzzes", "results/{study}/tidy/questions.parquet"),
        clues=when("buzzes", "results/{study}/tidy/clues.parquet"),
        buzzes=when("buzzes", "results/{study}/tidy/buzzes.parquet"),
        guesses=live_guesses,
    output:
        item_list="results/{study}/irt/items.parquet",
        agents="results/{study}/irt/agents.parquet",
        responses="results/{study}/irt/agent_responses.parquet",
        members="results/{study}/irt/group_members.parquet",
        findings="results/{study}/audit/findings/irt.csv",
    params:
        sources=irt_sources,
        segmentation=option("primary_segmentation"),
        names=model_names,
        settings=irt_options("buzz_clue", "group_sizes", "groups", "seed"),
        code=code("prepare_agents"),
    log:
        "results/{study}/logs/prepare_agents.log",
    benchmark:
        "results/{study}/benchmarks/prepare_agents.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/prepare_agents.py"


rule embed_items:
    """One vector per item: from a table, or TF-IDF and truncated SVD of its text."""
    input:
        item_list="results/{study}/irt/items.parquet",
        embeddings=lambda wildcards: STUDIES[wildcards.study]["inputs"]["embeddings"] or [],
    output:
        embeddings="results/{study}/irt/embeddings.parquet",
    params:
        settings=irt_options("embedding", "embedding_size", "text", "seed"),
        code=code("embed_items"),
    log:
        "results/{study}/logs/embed_items.log",
    benchmark:
        "results/{study}/benchmarks/embed_items.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/embed_items.py"


rule evaluate_irt:
    """Held-out loss and calibration of every response model, on unseen and on seen questions."""
    input:
        item_list="results/{study}/irt/items.parquet",
        agents="results/{study}/irt/agents.parquet",
        responses="results/{study}/irt/agent_responses.parquet",
        embeddings="results/{study}/irt/embeddings.parquet",
    output:
        losses="results/{study}/irt/heldout_losses.parquet",
        loss=report(
            "results/{study}/tables/irt_loss.csv",
            caption="../report/tables/irt_loss.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Held-out loss"},
        ),
        verdict=report(
            "results/{study}/tables/irt_verdict.csv",
            caption="../report/tables/irt_verdict.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Does text help?"},
        ),
        calibration=report(
            "results/{study}/tables/irt_calibration.csv",
            caption="../report/tables/irt_calibration.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: calibration"},
        ),
    params:
        settings=irt_options(
            "dimensions",
            "dimension_sweep",
            "components",
            "penalty_difficulty",
            "penalty_skill",
            "difficulty_sd",
            "relevance_sd",
            "aspect_sd",
            "fold_restarts",
            "folds",
            "held_out",
            "bins",
            "replicates",
            "seed",
            "level",
        ),
        code=code("evaluate_irt"),
    log:
        "results/{study}/logs/evaluate_irt.log",
    benchmark:
        "results/{study}/benchmarks/evaluate_irt.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/evaluate_irt.py"


rule fit_irt:
    """The model of all responses: skills with intervals, items, clusters, diagnostics, pairs."""
    input:
        item_list="results/{study}/irt/items.parquet",
        agents="results/{study}/irt/agents.parquet",
        responses="results/{study}/irt/agent_responses.parquet",
        embeddings="results/{study}/irt/embeddings.parquet",
        features=lambda wildcards: STUDIES[wildcards.study]["inputs"]["item_features"] or [],
    output:
        skills="results/{study}/irt/skills.parquet",
        item_parameters="results/{study}/irt/item_parameters.parquet",
        complementarity="results/{study}/irt/complementarity.parquet",
        skills_csv=report(
            "results/{study}/tables/irt_skills.csv",
            caption="../report/tables/irt_skills.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Skills"},
        ),
        contrasts=report(
            "results/{study}/tables/irt_contrasts.csv",
            caption="../report/tables/irt_contrasts.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: differences in skill"},
        ),
        agent_fit=report(
            "results/{study}/tables/irt_agent_fit.csv",
            caption="../report/tables/irt_agent_fit.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: fit of agents"},
        ),
        stability=report(
            "results/{study}/tables/irt_stability.csv",
            caption="../report/tables/irt_stability.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: restarts"},
        ),
        q3=report(
            "results/{study}/tables/irt_q3.csv",
            caption="../report/tables/irt_q3.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: dependence between clues"},
        ),
        dif=report(
            "results/{study}/tables/irt_dif.csv",
            caption="../report/tables/irt_dif.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: items harder for humans or for systems"},
        ),
        clusters=report(
            "results/{study}/tables/irt_clusters.csv",
            caption="../report/tables/irt_clusters.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: clusters of items"},
        ),
        cluster_accuracy=report(
            "results/{study}/tables/irt_cluster_accuracy.csv",
            caption="../report/tables/irt_cluster_accuracy.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: accuracy by cluster"},
        ),
        relevance=report(
            "results/{study}/tables/irt_relevance.csv",
            caption="../report/tables/irt_relevance.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: what makes an aspect relevant"},
        ),
        complementarity_summary=report(
            "results/{study}/tables/irt_complementarity.csv",
            caption="../report/tables/irt_complementarity.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: best human, best system, either"},
        ),
        pairs=report(
            "results/{study}/tables/irt_pairs.csv",
            caption="../report/tables/irt_pairs.rst",
            category="{study}",
            subcategory="Tables",
            labels={"item": "Item response: human and system together"},
        ),
    params:
        settings=irt_options(
            "dimensions",
            "components",
            "penalty_difficulty",
            "penalty_skill",
            "difficulty_sd",
            "relevance_sd",
            "aspect_sd",
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
        code=code("fit_irt"),
    log:
        "results/{study}/logs/fit_irt.log",
    benchmark:
        "results/{study}/benchmarks/fit_irt.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/fit_irt.py"


rule plot_irt:
    """Figures of item response models, each from its table."""
    input:
        loss="results/{study}/tables/irt_loss.csv",
        calibration="results/{study}/tables/irt_calibration.csv",
        skills="results/{study}/tables/irt_skills.csv",
        agent_fit="results/{study}/tables/irt_agent_fit.csv",
        q3="results/{study}/tables/irt_q3.csv",
        clusters="results/{study}/tables/irt_clusters.csv",
        cluster_accuracy="results/{study}/tables/irt_cluster_accuracy.csv",
        relevance="results/{study}/tables/irt_relevance.csv",
        complementarity="results/{study}/tables/irt_complementarity.csv",
        pairs="results/{study}/tables/irt_pairs.csv",
    output:
        loss_svg=report(
            "results/{study}/figures/irt_loss.svg",
            caption="../report/irt_loss.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Held-out loss"},
        ),
        loss_png="results/{study}/figures/irt_loss.png",
        skills_svg=report(
            "results/{study}/figures/irt_skills.svg",
            caption="../report/irt_skills.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Skills by aspect"},
        ),
        skills_png="results/{study}/figures/irt_skills.png",
        cluster_accuracy_svg=report(
            "results/{study}/figures/irt_cluster_accuracy.svg",
            caption="../report/irt_cluster_accuracy.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Accuracy by cluster"},
        ),
        cluster_accuracy_png="results/{study}/figures/irt_cluster_accuracy.png",
        clusters_svg=report(
            "results/{study}/figures/irt_clusters.svg",
            caption="../report/irt_clusters.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Clusters of items"},
        ),
        clusters_png="results/{study}/figures/irt_clusters.png",
        relevance_svg=report(
            "results/{study}/figures/irt_relevance.svg",
            caption="../report/irt_relevance.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "What makes an aspect relevant"},
        ),
        relevance_png="results/{study}/figures/irt_relevance.png",
        complementarity_svg=report(
            "results/{study}/figures/irt_complementarity.svg",
            caption="../report/irt_complementarity.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Human-AI complementarity"},
        ),
        complementarity_png="results/{study}/figures/irt_complementarity.png",
        diagnostics_svg=report(
            "results/{study}/figures/irt_diagnostics.svg",
            caption="../report/irt_diagnostics.rst",
            category="{study}",
            subcategory="Item response models",
            labels={"item": "Diagnostics"},
        ),
        diagnostics_png="results/{study}/figures/irt_diagnostics.png",
    params:
        settings=irt_options("dimensions", "level"),
        grouped=players_grouped,
        simulated=lambda wildcards: has(wildcards.study, "simulated"),
        code=code("plot_irt"),
    priority: DRAWN_LAST
    log:
        "results/{study}/logs/plot_irt.log",
    benchmark:
        "results/{study}/benchmarks/plot_irt.tsv"
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/plot_irt.py"
