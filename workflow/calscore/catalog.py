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
            "audit/findings.csv": "What is odd in the input",
            "audit/unavailable.csv": "What this study's inputs do not allow",
        },
    ),
    *_products(
        "guesses",
        {
            "tidy/guesses.parquet": "Model guesses",
            "tidy/alignment.csv": "Draft questions and their release questions",
            "judged/judgements.parquet": "Verdicts",
            "judged/responses.parquet": "Answers and confidences at each clue",
            "scores/question_scores.parquet": "MCE and CalScore per question",
            "scores/sh_scores.parquet": "SH per question",
            "scores/model_scores.parquet": "Scores per model",
            "scores/reliability.parquet": "Reliability bins",
        },
    ),
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
        },
    ),
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
        },
    ),
    *_figures(
        "guesses | survey",
        {
            "figure5": "Accuracy by share of clues revealed",
            "figure6": "Buzzing when right and when wrong",
        },
    ),
    *_figures(
        "guesses",
        {
            "reliability": "Reliability diagrams",
            "calscore_by_category": "CalScore by category",
        },
    ),
]

# Figures 5 and 6 show what there is: players need the survey, models need guesses.
PARTS = [
    Product(f"figures/{figure} ({who})", (frozenset({feature}),), words)
    for figure in ("figure5", "figure6")
    for who, feature, words in (
        ("players", "survey", "Players in the figure"),
        ("models", "guesses", "Models in the figure"),
    )
]

# What is made from all the rest, last: for looking and checking, never read by a rule above.
DESK = [
    *_products(
        "",
        {
            "audit/provenance.json": "Rules, inputs, options and code behind every file",
            "audit/checks.csv": "Every invariant, with pass or fail",
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
}


def studied(features: set[str]) -> list[Product]:
    """All that the features allow but :data:`DESK`."""
    return [p for p in (*INTERMEDIATE, *TABLES, *FIGURES) if p.possible(features)]


def numbers(features: set[str]) -> list[str]:
    """Paths of tables alone, with the provenance of all."""
    paths = [product.path for product in (*INTERMEDIATE, *TABLES) if product.possible(features)]
    return [*paths, "audit/provenance.json"]


def available(features: set[str]) -> list[str]:
    """Paths, relative to the study's folder, of all that the features allow."""
    desk = [product for product in DESK if product.possible(features)]
    return [product.path for product in (*studied(features), *desk)]


def unavailable(features: set[str]) -> list[dict[str, str]]:
    """Tables, figures and parts of figures that the features do not allow, with what is missing."""
    rows = []
    for product in (*TABLES, *FIGURES, *PARTS):
        if not product.possible(features):
            ways = [
                "; ".join(WORDS[name] for name in sorted(need - features)) for need in product.needs
            ]
            rows.append(
                {"product": product.path, "title": product.title, "missing": " or ".join(ways)}
            )
    return rows
