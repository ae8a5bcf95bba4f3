"""Everything that a study can produce: where it lies, what it needs, what to call it."""

from __future__ import annotations

from typing import NamedTuple


class Product(NamedTuple):
    """One output. ``needs``: alternatives, each a set of features (``calscore.config.features``)."""

    path: str
    needs: tuple[frozenset[str], ...]
    title: str

    def possible(self, features: set[str]) -> bool:
        """Whether some alternative is met."""
        return any(need <= features for need in self.needs)


def _products(needs: str, entries: dict[str, str]) -> list[Product]:
    """``needs``: features separated by spaces; alternatives separated by |."""
    alternatives = tuple(frozenset(part.split()) for part in needs.split("|"))
    return [Product(path, alternatives, title) for path, title in entries.items()]


INTERMEDIATE = [
    *_products("simulated buzzes", {"simulated/truth.json": "Parameters of the simulation"}),
    *_products(
        "buzzes",
        {
            "raw/manifest.csv": "Raw files with their checksums",
            "tidy/questions.parquet": "Questions",
            "tidy/buzzes.parquet": "Live buzzes",
            "tidy/participation.parquet": "Participation tables as written",
            "tidy/exposures.parquet": "Who heard what",
            "tidy/clues.parquet": "Clue ends",
            "judged/team_responses.parquet": "Live answers, backfilled",
            "human/human_curve.parquet": "Human curve h_t",
            "human/teams.parquet": "Teams and quartiles",
            "inference/precision.parquet": "P(correct | buzz), questions and teams resampled",
            "inference/odds_ratios.parquet": "Odds ratios of a right buzz",
            "inference/opponents.parquet": "Who played whom, recorded or inferred",
            "inference/incidence.parquet": "Cumulative incidence of a right buzz",
        },
    ),
    *_products(
        "buzzes | options | irt",
        {
            "audit/findings.csv": "What is odd in the input",
            "audit/unavailable.csv": "What this study's inputs do not allow",
        },
    ),
    *_products("simulated options", {"simulated/truth.json": "Parameters of the simulation"}),
    *_products(
        "options",
        {
            "raw/manifest.csv": "Raw files with their checksums",
            "tidy/option_questions.parquet": "Questions with their options",
            "tidy/option_results.parquet": "Answers without and with options",
        },
    ),
    *_products("options annotations", {"tidy/option_annotations.parquet": "Verdicts of people"}),
    *_products(
        "guesses",
        {
            "tidy/guesses.parquet": "Model guesses",
            "tidy/alignment.csv": "Draft questions and their release questions",
            "judged/judgements.parquet": "Verdicts",
            "judged/responses.parquet": "Answers and confidences at each clue",
            "judged/matcher_verdicts.parquet": "Verdicts of each way of judging",
            "inference/comparisons.parquet": "Paired differences, intervals and tests",
            "inference/rank_probabilities.parquet": "Distribution of each model's rank",
            "inference/model_minus_human.parquet": "Share right, models minus humans",
            "scores/question_scores.parquet": "MCE and CalScore per question",
            "scores/sh_scores.parquet": "SH per question",
            "scores/model_scores.parquet": "Scores per model",
            "scores/reliability.parquet": "Reliability bins",
            "scores/fuller_scores.parquet": "Proper and fuller scores",
            "inference/calibration_slopes.parquet": "Calibration regressions",
        },
    ),
    *_products(
        "buzzes guesses | buzzes past",
        {"buzzing/buzzpoints.parquet": "Buzzpoints under each threshold rule"},
    ),
    *_products(
        "past",
        {
            "past/past_questions.parquet": "Past questions",
            "past/past_runs.parquet": "Guesses on past questions, judged",
            "tables/past_scores.csv": "Scores on past questions",
        },
    ),
    *_products("endpoint", {"tables/plan.csv": "Requests, tokens and price per guesser"}),
    *_products(
        "survey",
        {
            "tidy/survey.parquet": "Survey answers",
            "judged/survey_judgements.parquet": "Verdicts on survey answers",
            "judged/survey_responses.parquet": "Survey answers, judged and backfilled",
            "human/players.parquet": "Survey players and their ranks",
        },
    ),
]

TABLES = [
    *_products(
        "buzzes",
        {
            "tables/dataset.csv": "Counts and lengths",
            "tables/category_margins.csv": "Right and wrong buzzes per category",
            "tables/team_summary.csv": "Teams",
            "tables/cumulative_buzzes.csv": "Cumulative buzzes (figure 4)",
            "tables/buzz_positions.csv": "Buzz positions",
            "tables/precision.csv": "Right buzzes of humans and models",
            "tables/fair_quartiles.csv": "Quartiles by rate, and assigned on one half of the packets",
            "tables/quartile_shrinkage.csv": "How far quartiles come together on the other half",
            "tables/exposure_correlation.csv": "Team scores and exposure",
        },
    ),
    *_products(
        "guesses",
        {
            "tables/table1.csv": "Table 1: Brier, ECE, MCE, CalScore",
            "tables/table1.md": "Table 1, Markdown",
            "tables/table1.tex": "Table 1, LaTeX",
            "tables/table2.csv": "Table 2: accuracy by clues revealed",
            "tables/table2.md": "Table 2, Markdown",
            "tables/table2.tex": "Table 2, LaTeX",
            "tables/table5.csv": "Table 5: CalScore by category",
            "tables/table5.md": "Table 5, Markdown",
            "tables/table5.tex": "Table 5, LaTeX",
            "tables/matchers.csv": "Metrics by judge",
            "tables/to_verify.csv": "Verdicts to verify, those that matter most first",
            "tables/verification.csv": "Agreement of the engine with people",
            "tables/judging_disagreements.csv": "Verdicts of the input that the engine does not share",
            "tables/extreme_questions.csv": "Best and worst calibrated questions",
            "tables/accuracy_by_share.csv": "Model accuracy by clues revealed (figure 5)",
            "tables/buzz_given.csv": "P(buzz | right or wrong) of models (figure 6)",
            "tables/comparisons.csv": "Differences between models and elicitations",
            "tables/rank_probabilities.csv": "How sure the ranks are",
            "tables/model_minus_human.csv": "Share right, models minus humans",
            "tables/specifications.csv": "Scores under every specification",
            "tables/conclusions.csv": "Orders of models by share of specifications",
            "tables/fuller_scores.csv": "Proper and fuller scores",
            "tables/fuller_comparisons.csv": "Differences in fuller scores",
            "tables/risk_coverage.csv": "Risk and coverage",
        },
    ),
    *_products(
        "guesses",
        {
            "tables/replies.csv": "Replies parsed and not, per model",
            "audit/unparsed_replies.csv": "Replies that could not be parsed",
        },
    ),
    *_products(
        "buzzes guesses | buzzes past",
        {
            "tables/thresholds.csv": "Threshold rules",
            "tables/expected_wins.csv": "Expected wins by threshold",
            "tables/opponents.csv": "Opponent curves π",
        },
    ),
    *_products(
        "buzzes",
        {
            "tables/matches.csv": "Matches replayed against each human team",
            "tables/win_matrix.csv": "Win matrix",
        },
    ),
    *_products(
        "survey",
        {
            "tables/survey_accuracy.csv": "Human accuracy by clues revealed (figure 5)",
            "tables/survey_buzz_given.csv": "P(buzz | right or wrong) of players (figure 6)",
        },
    ),
    *_products(
        "published buzzes",
        {
            "tables/claims.csv": "Ledger of published statements",
            "tables/attainable.csv": "Attainable CalScore",
            "tables/forensics.csv": "Forensics of printed numbers, every check and reading",
            "tables/forensics_cells.csv": "Forensics: one verdict a printed number",
            "tables/forensics_readings.csv": "Forensics: which readings allow a printed table",
        },
    ),
    *_products(
        "options",
        {
            "tables/option_scores.csv": "Right, not attempted, ECE, helped and harmed, with and without options",
            "tables/option_scores.md": "The same, Markdown",
            "tables/option_scores.tex": "The same, LaTeX",
            "tables/option_readings.csv": "ECE by reading of answers not attempted",
            "tables/option_types.csv": "ECE and right answers by question type",
            "tables/option_types.md": "ECE by question type, Markdown",
            "tables/option_types.tex": "ECE by question type, LaTeX",
            "tables/option_topics.csv": "ECE and right answers by topic",
            "tables/option_overall.csv": "ECE beside that of a calibrated model of the same size",
            "tables/option_reliability.csv": "Reliability bins",
            "tables/option_transitions.csv": "Verdicts without options to verdicts with them",
            "tables/option_comparisons.csv": "With against without options, and what options harm",
            "tables/option_distraction.csv": "Harm against ability, counted in three ways",
            "tables/option_contrasts.csv": "Every two models, question types and judges against each other",
        },
    ),
    *_products(
        "options own_judge | options annotations",
        {"tables/judge_agreement.csv": "Agreement of judges"},
    ),
    *_products("options own_judge", {"tables/judge_verdicts.csv": "Verdicts of two judges"}),
    *_products("published options", {"tables/claims.csv": "Ledger of published statements"}),
]


def _figures(needs: str, entries: dict[str, str]) -> list[Product]:
    return [
        product
        for name, title in entries.items()
        for suffix in ("svg", "png")
        for product in _products(needs, {f"figures/{name}.{suffix}": title})
    ]


FIGURES = [
    *_figures(
        "buzzes",
        {
            "figure4": "Cumulative buzzes by quartile and model",
            "buzz_positions": "Where teams buzz",
            "category_precision": "Share of right buzzes per category",
            "precision": "Right buzzes of humans and models",
            "odds_ratios": "Odds ratios of a right buzz",
            "incidence": "Cumulative incidence of a right buzz",
            "fair_quartiles": "Quartiles by rate, and on the other half of the packets",
        },
    ),
    *_figures(
        "guesses | survey",
        {
            "figure5": "Accuracy by share of clues revealed",
            "figure6": "Buzzing when right and when wrong",
        },
    ),
    *_figures("published buzzes", {"forensics": "Printed scores against attainable ranges"}),
    *_figures(
        "buzzes guesses | buzzes past",
        {
            "expected_wins": "Expected wins by threshold",
            "opponents": "Opponent curves π",
        },
    ),
    *_figures("buzzes", {"matches": "Margins of replayed matches"}),
    *_figures(
        "guesses",
        {
            "reliability": "Reliability diagrams",
            "calscore_by_category": "CalScore by category",
            "differences": "Differences in CalScore",
            "ranks": "How sure the ranks are",
            "specification_curve": "Specification curve",
            "risk_coverage": "Risk and coverage",
            "calibration_slopes": "Calibration slopes",
        },
    ),
    *_figures(
        "options",
        {
            "option_reliability": "Reliability with and without options",
            "option_types": "Right answers by question type",
            "option_topics": "ECE by topic",
            "option_transitions": "How verdicts move when options are given",
            "option_harm": "What options harm",
        },
    ),
    *_figures("options own_judge", {"option_reliability_own": "Reliability, own judge"}),
]

INTERMEDIATE += [
    *_products("simulated irt", {"simulated/irt/truth.json": "Parameters of the simulation"}),
    *_products(
        "irt",
        {
            "irt/items.parquet": "Items: cumulative clues",
            "irt/agents.parquet": "Agents, human and AI",
            "irt/agent_responses.parquet": "Right and wrong of agents on items",
            "irt/group_members.parquet": "Players of grouped human agents",
            "irt/embeddings.parquet": "Embeddings of items",
            "irt/heldout_losses.parquet": "Held-out loss by question",
            "irt/skills.parquet": "Skills",
            "irt/item_parameters.parquet": "Relevance and difficulty of items",
            "irt/complementarity.parquet": "Best human, best AI system and either, per item",
            "audit/findings/irt.csv": "What is odd in the responses",
        },
    ),
]
TABLES += _products(
    "irt",
    {
        "tables/irt_loss.csv": "Held-out loss by model and number of aspects (CAIMIRA figure 4)",
        "tables/irt_verdict.csv": "Whether text helps beyond Rasch",
        "tables/irt_calibration.csv": "Calibration of held-out predictions",
        "tables/irt_skills.csv": "Skills by aspect (CAIMIRA figure 6)",
        "tables/irt_contrasts.csv": "Differences in skill between agents",
        "tables/irt_agent_fit.csv": "Infit and outfit of agents",
        "tables/irt_stability.csv": "Restarts against the best",
        "tables/irt_q3.csv": "Local dependence between clues",
        "tables/irt_dif.csv": "Human-AI differential item functioning",
        "tables/irt_clusters.csv": "Clusters of items (CAIMIRA figure 10)",
        "tables/irt_cluster_accuracy.csv": "Accuracy by cluster and type of agent (CAIMIRA figures 7 and 9)",
        "tables/irt_relevance.csv": "What makes an aspect relevant (CAIMIRA figure 5)",
        "tables/irt_complementarity.csv": "Best human, best AI system and either",
        "tables/irt_pairs.csv": "Human-AI pairs",
    },
)
FIGURES += _figures(
    "irt",
    {
        "irt_loss": "Held-out loss by number of aspects",
        "irt_skills": "Skills by aspect",
        "irt_cluster_accuracy": "Accuracy by cluster and type of agent",
        "irt_clusters": "Relevance and effective difficulty of clusters",
        "irt_relevance": "What makes an aspect relevant",
        "irt_complementarity": "Human-AI complementarity",
        "irt_diagnostics": "Calibration, local dependence, fit of agents",
    },
)

# Figures 5 and 6 show what there is: players need the survey, models need guesses.
PARTS = [
    Product(f"figures/{figure} ({who})", (frozenset({feature}),), words)
    for figure in ("figure5", "figure6")
    for who, feature, words in (
        ("players", "survey", "Players in the figure"),
        ("models", "guesses", "Models in the figure"),
    )
]

# A study whose buzz logs are a tournament's, and leaderboards: made where there is what they need,
# and not missed elsewhere.
TOURNAMENT = [
    *_products(
        "tournament",
        {
            "tidy/games.parquet": "Matches",
            "tidy/plays.parquet": "Buzzes of every match",
            "tidy/heard.parquet": "Who heard what in which match",
            "tidy/rosters.parquet": "Players of each match",
            "tidy/tossups.parquet": "Power marks and notes of the packets",
            "tables/quizbowl_teams.csv": "Quizbowl statistics of teams",
            "tables/quizbowl_players.csv": "Quizbowl statistics of players",
            "tables/quizbowl_categories.csv": "Quizbowl statistics of categories",
            "tables/quizbowl_team_categories.csv": "Quizbowl statistics of teams by category",
            "tables/quizbowl_questions.csv": "Quizbowl statistics of questions",
            "tables/buzzpoint_curves.csv": "Buzz-point curves of questions and teams",
        },
    ),
    *_figures(
        "tournament",
        {
            "buzzpoints_questions": "Buzz points of questions",
            "buzzpoints_teams": "Buzz points of teams",
        },
    ),
    *_products("buzzes", {"export": "The study as QBJ, packets and CSV"}),
    *_products(
        "release | submissions | replayed",
        {
            "tidy/runs.parquet": "Runs of submissions",
            "tidy/human_plays.parquet": "Human plays that submissions are held against",
            "tables/leaderboard.csv": "Leaderboard: tossups",
            "tables/leaderboard_classes.csv": "Buzzes of submissions by class",
            "tables/leaderboard_ranks.csv": "Ranks of submissions under each metric",
            "tables/head_to_head.csv": "Submissions and teams against each other",
            "leaderboard.html": "Leaderboard",
        },
    ),
    *_figures("release | submissions | replayed", {"leaderboard_ranks": "Ranks under each metric"}),
    *_products(
        "bonuses",
        {
            "tidy/bonus_parts.parquet": "Bonus parts of submissions",
            "tables/bonuses.csv": "Leaderboard: bonuses",
        },
    ),
]

# What is made from all the rest, last: for looking and checking, never read by a rule above.
DESK = [
    *_products(
        "",
        {
            "audit/provenance.json": "Rules, inputs, options and code behind every file",
            "audit/checks.csv": "Checks of every table, with pass or fail",
            "audit/study.duckdb": "All tables as a database",
            "audit/index.html": "Audit pages",
            "audit/passed.txt": "That no check of severity error failed",
            "audit/manifest.json": "Checksums, versions, options and times of the run",
        },
    ),
    *_products(
        "buzzes",
        {
            "explorer.html": "Questions, models and teams to look at",
            **{
                f"notebooks/{name}.{suffix}": f"Notebook {name}"
                for name in ("regenerate_paper", "audit_a_number", "add_your_model", "human_curve")
                for suffix in ("html", "ipynb")
            },
        },
    ),
]

WORDS = {
    "guesses": "per-clue model outputs (inputs.guesses)",
    "survey": "the offline survey (inputs.survey)",
    "published": "published numbers (published)",
    "simulated": "a simulation (simulate)",
    "own_judge": "answers judged by the models themselves (inputs.option_results, judging: own)",
    "annotations": "verdicts of people (inputs.annotations)",
    "past": "runs on past questions (inputs.corpus with inputs.past_runs or inputs.guessers)",
}

#: Analyses other than live buzzes. A product that names none of them belongs to live buzzes.
_OTHER = ("options", "irt")


def _of_study(product: Product, features: set[str]) -> bool:
    """Whether a product belongs to an analysis that the study does."""
    analyses = {next((a for a in _OTHER if a in need), "buzzes") for need in product.needs}
    return bool(analyses & features)


def studied(features: set[str]) -> list[Product]:
    """All that the features allow but :data:`DESK`."""
    return [p for p in (*INTERMEDIATE, *TABLES, *FIGURES, *TOURNAMENT) if p.possible(features)]


def holds_numbers(path: str) -> bool:
    """Whether a product is a table, and no figure, page or export."""
    return path.endswith((".parquet", ".csv", ".json", ".md", ".tex"))


def numbers(features: set[str]) -> list[str]:
    """Paths of tables alone, with the provenance of all."""
    paths = [p.path for p in studied(features) if holds_numbers(p.path)]
    return [*paths, "audit/provenance.json"]


def available(features: set[str]) -> list[str]:
    """Paths, relative to the study's folder, of all that the features allow."""
    desk = [product for product in DESK if product.possible(features)]
    return [product.path for product in (*studied(features), *desk)]


def unavailable(features: set[str]) -> list[dict[str, str]]:
    """Tables, figures and parts of figures that the features do not allow, with what is missing."""
    rows = []
    for product in (*TABLES, *FIGURES, *PARTS):
        if _of_study(product, features) and not product.possible(features):
            ways = [
                "; ".join(WORDS[name] for name in sorted(need - features)) for need in product.needs
            ]
            rows.append(
                {"product": product.path, "title": product.title, "missing": " or ".join(ways)}
            )
    return rows
