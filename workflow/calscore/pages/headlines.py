"""Findings of a study as sentences with a number each, read from its tables: what index.html opens with."""

import re
from collections.abc import Iterator
from itertools import chain, islice

from ..multiple_choice.option_requests import option_orders
from ..scores import metrics
from . import opponents, statement_view
from .wording import (
    CLOSE,
    UNMET,
    chance,
    count_noun,
    decimal,
    join_names,
    percent,
    percent_span,
    span,
)

MOST = 3
"""Findings on the first screen."""
MOST_TYPES = 4
"""Types of agents of a kind in a finding: those with most responses, whatever their chances."""
KNOCKOUT = re.compile(r"play-?offs?|finals?\b", re.IGNORECASE)
"""Names of phases that may have a final."""
FEWEST_INTERVALS = 20
"""Intervals that are compared with a simulator's values; of fewer all are expected to hold them."""


Finding = tuple[str, str, str, str]
"""Number, sentence, and address and name of the page that shows more."""


def lead_sentences(study) -> list[str]:
    """Sentences on the user's two best models, live before others; [] without any or without
    tables/leaderboard_pairs. The best is set against the best published model, the next one and the teams,
    the second against the first and last of these. Where no published model took part as the best did, the best
    live one comes first (:func:`_against_live`). Then come models that lack guesses."""
    if "leaderboard_pairs" not in study:
        return []
    meetings = opponents.meetings(study["leaderboard_pairs"])
    fields = opponents.fields(meetings)
    own = [(rows, field) for field in fields for rows in opponents.own_matches(field)]
    sentences: list[str] = []
    for rows, field in own[:2]:
        published = [m for m in opponents.against_teams(field) if not m["yours"]]
        kinds = opponents.kinds_in_words({m["kind"] for m in published})
        published = [m["label"] for m in published]
        matches = {"" if row["teams"] else row["label"]: row for row in rows}
        rivals = [label for label in published if label in matches][:2]
        best, *next_rivals = [*rivals, *([""] if "" in matches else [])] or [*matches][:1]
        row, name = matches[best], _rival_name(best)
        if sentences:
            subject = "Your other model" if len(own) == 2 else f"The next of your {len(own)} models"
            start = f"{subject}, {opponents.base_name(row['name'])}, is "
            verdicts = _brief_verdicts(matches, dict.fromkeys((best, *next_rivals[-1:])), False)
            sentences += [start + text[0].lower() + text[1:] for text in verdicts]
            continue
        role = f", the best of the {kinds} published models against the teams" * (best in published)
        sentence = f"{row['name']} and {name} have no question that either got right."
        if row["outcome"] != UNMET:
            sentence = (
                f"{_verdict(row, name)}{role}. {row['name']} won {row['percent']} of the {row['decided']:.0f} {'meetings' if row['teams'] else 'questions'} that either got right "
                f"({_interval_words(study)} {row['span']}); the chance that it is better is {chance(row['p_better'])}."
            )
        against_live = [] if rivals else _against_live(study, meetings, fields, row)
        brief = _brief_verdicts(matches, [best]) if against_live else []
        sentences += [*against_live, *(brief or [sentence]), *_brief_verdicts(matches, next_rivals)]
    return sentences + (_partial_guesses(study) if sentences else [])


def _against_live(study, meetings, fields: list, own: dict) -> list[str]:
    """[how the user's model did against the live published one that is best against the teams], [] where they
    have not met. The live one loses questions that an opponent was first on, so no sentence calls the other better."""
    live = [m for field in fields for m in opponents.against_teams(field)]
    live = [m for m in live if m["kind"] == "live" and not m["yours"]]
    sides = opponents.both_sides(meetings)
    met = sides[(sides["a"] == own["model"]) & sides["b"].isin([m["model"] for m in live[:1]])]
    rows = [opponents.meeting(row) for row in met.itertuples()]
    return [
        f"{'Worse than' if row['outcome'] == 'worse' else 'No verdict against'} {live[0]['label']}, the best live model against the teams. "
        f"{row['name']} won {row['percent']} of the {row['decided']:.0f} questions that either got right ({_interval_words(study)} {row['span']}). "
        "Only a live model loses questions to an earlier answer."
        for row in rows
        if row["outcome"] != UNMET
    ]


def _partial_guesses(study) -> list[str]:
    """A sentence for each model with guesses on a part of the questions only."""
    if "findings" not in study:
        return []
    issues = study["findings"]
    issues = issues[issues["finding"] == "questions without a guess"]
    return [f"{row.place}: {row.detail}; the others count as silence here." for row in issues.itertuples()]


def _brief_verdicts(matches: dict[str, dict], rivals, chances: bool = True) -> list[str]:
    """[one text of verdicts against the rivals that the model met], [] where it met none. ``chances``: with the chance to be better."""
    parts = []
    for label in rivals:
        row = matches[label]
        likely = f"; chance {chance(row['p_better'])}" * chances
        if row["outcome"] != UNMET:
            verdict = _verdict(row, _rival_name(label))
            parts.append(f"{verdict}: {row['percent']} ({row['span']}{likely}).")
    return [" ".join(parts)] if parts else []


def _rival_name(label: str) -> str:
    return label or "the human teams"


def _verdict(row: dict, rival: str) -> str:
    """ "Better than rival", "Worse than rival" or "Too close to call against rival"."""
    if row["outcome"] == CLOSE:
        return f"Too close to call against {rival}"
    return f"{row['outcome'].capitalize()} than {rival}"


def headlines(study) -> list[dict]:
    """The first :data:`MOST` findings that the study's tables give: number, text, and href and label of the page that shows more."""
    sources = (source for source, tables in SOURCES if all(name in study for name in tables))
    findings = chain.from_iterable(source(study) for source in sources)
    names = ("number", "text", "href", "label")
    return [dict(zip(names, finding, strict=True)) for finding in islice(findings, MOST)]


def _interval_words(study) -> str:
    """ "95 % interval", by the option ``level``."""
    return f"{round(100 * study.options['level'])} % interval"


def _paper_findings(study) -> Iterator[Finding]:
    """Findings whose sentence the published file has (``headline``), each once, the weightiest statement first; none of an open one or of a simulated study."""
    if study.provenance["study"].get("simulate"):
        return
    worded = study["claims"].dropna(subset="headline").drop_duplicates("headline")
    sentences = dict(zip(worded["id"], worded["headline"], strict=True))
    decided = study["statements"].query("verdict != 'open'")
    for statement in statement_view.by_importance(decided).itertuples():
        for claim in statement.claims.split():
            if claim in sentences:
                number, _, text = sentences[claim].partition("|")
                address = f"ledger.html#statement/{statement.statement}"
                yield number, text, address, "ledger"


def _failing_statements(study) -> Iterator[Finding]:
    """How many of the paper's testable statements fail, and the weightiest of them (without a ``headline``,
    if one is); none of a simulated study, or where none fails."""
    # Of a simulated study no statement about data is compared.
    if study.provenance["study"].get("simulate"):
        return
    table = study["statements"]
    tested = int(table["verdict"].isin(["holds", "in part", "fails", "undecided"]).sum())
    fails = table[table["verdict"] == "fails"]
    if fails.empty:
        return
    headed = set(study["claims"].dropna(subset="headline")["id"])
    unheaded = fails[[headed.isdisjoint(claims.split()) for claims in fails["claims"]]]
    row = statement_view.by_importance(unheaded if len(unheaded) else fails).iloc[0]
    certainty = statement_view.sureness(fails)
    says = str(row["says"]).partition(". ")[0].rstrip(".")
    if says.startswith(("Recomputed", "Printed")):
        says = f"“{row['quote']}”. {says}"
    text = f"of the paper's {tested} testable statements fail{f' ({certainty})' if certainty else ''}. For example ({row['section']}): {says}."
    address = f"ledger.html#statement/{row['statement']}"
    yield f"{len(fails)}", text, address, "ledger"


def _best_live_model(study) -> Iterator[Finding]:
    """The published model with the largest share against the human teams, live before submitted before replayed."""
    fields = opponents.fields(opponents.meetings(study["leaderboard_pairs"]))
    models = [m for field in fields for m in opponents.against_teams(field)]
    models = [m for m in models if not m["yours"] and m["outcome"] != UNMET]
    if not models:
        return
    best = min(models, key=lambda m: (opponents.KINDS.index(m["kind"]), -m["share"]))
    text = f"is the share won by {best['label']}, {best['kind']} against the human teams ({_interval_words(study)} {best['span']})."
    yield best["percent"], text, "leaderboard.html#head-to-head", "leaderboard"


def _buzz_precision(study) -> Iterator[Finding]:
    """How often the teams' buzzes are right; how far the live models' are from that, and which are too close to call."""
    table = study["precision"]
    table = table[table["category"] == "all"]
    humans = table[table["group"] == "human"]
    models = table[(table["kind"] == "model") & (table["group"] != "model")]
    if humans.empty:
        return
    human = humans.iloc[0]
    text = f"of the teams' buzzes are right ({percent_span(human.low, human.high)})."
    clear = (models["difference_low"] > 0) | (models["difference_high"] < 0)
    differences = []
    for row in models[clear].sort_values("difference", key=lambda d: -d.abs()).itertuples():
        ends = sorted(abs(end) for end in (row.difference_low, row.difference_high))
        points = f"{100 * abs(row.difference):.0f}{'' if differences else ' points'} {'more' if row.difference > 0 else 'fewer'}"
        has = "" if differences else "has "
        differences.append(f"{row.name} {has}{points} ({span(*ends, 1, 100)})")
    text += f" {', '.join(differences)}." if differences else ""
    unclear = models.loc[~clear & models["difference_low"].notna(), "name"]
    text += f" Too close to call: {join_names(unclear)}." if len(unclear) else ""
    yield percent(human.value), text, "explorer.html#models", "models"


def _best_record(study) -> Iterator[Finding]:
    """Who is first in each tournament (the first three), with wins and losses, and points where one is alone;
    and the phases. No match is known as the final."""
    table = study["standings"]
    phases = ", ".join(table.loc[table["phase"] != "all", "phase"].unique())
    table = table[(table["phase"] == "all") & (table["bracket"] == "all") & (table["rank"] == 1)]
    parts = []
    for title, best in table.groupby("tournament", sort=False):
        records = [
            f"{row.wins}–{row.losses}" + (f"–{row.ties}" if row.ties else "") for row in best.itertuples()
        ]
        if len(best) == 1:
            records.append(f"{decimal(best['points_per_game'].iloc[0], 1)} points a match")
        # The same share of matches won, perhaps of other numbers of them.
        numbers = ", ".join(records) if len(best) == 1 else join_names(records)
        parts.append(f"{join_names(best['team'])} in {title} ({numbers})")
    if not parts:
        return
    number = "1st" if len(parts) == 1 else count_noun(len(parts), "tournament")
    text = f"Best record over all matches{f' ({phases})' if phases else ''}: {'; '.join(parts[:3])}."
    text += " The final is not identified." * bool(KNOCKOUT.search(phases))
    yield number, text, "statistics.html", "standings"


def _packet_matches(study) -> Iterator[Finding]:
    """How many matches have a packet that nothing puts in doubt, what that is judged by, and where the others are listed."""
    matches, findings = study["games"], study["findings"]["finding"]
    missing = int(matches["packet"].isna().sum())
    doubtful = int((findings == "match may have read another packet").sum())
    past = int((study["plays"]["word_index"] > study["plays"]["n_words"]).sum())
    text = (
        "matches have a packet and show no clear sign of another (from rooms and number of their round, and from buzzes past the end)."
        + f" {doubtful} may have read another." * bool(doubtful)
        + f" {count_noun(past, 'buzz lies', 'buzzes lie')} past the end." * bool(past)
    )
    rounds = findings.isin(["round may have read another packet", "rounds may be swapped"])
    if rounds.any():
        text += f" {count_noun(int(rounds.sum()), 'doubt')} about whole rounds."
    if missing:
        text += f" {missing} {'names' if missing == 1 else 'name'} a packet that is missing."
    page = ("#data", "checks")
    if missing or doubtful or past or rounds.any():
        page = ("statistics.html#warnings", "which matches")
    yield f"{len(matches) - missing - doubtful} of {len(matches)}", text, *page


def _best_player(study) -> Iterator[Finding]:
    """The individual who is ranked first, with points per 20 tossups; none where nobody has any."""
    table = study["individuals"].dropna(subset="points_per_20").sort_values("rank")
    for row in table[:1].itertuples():
        text = f"points per 20 tossups: {row.player} ({row.team}) leads the individuals."
        yield decimal(row.points_per_20, 1), text, "statistics.html", "statistics"


def _blind_guessing(study) -> str:
    """ "among 4 options is right in 25 %": the mean over the questions that were answered with options."""
    rows = study["option_results"].query("setting == 'distractor'")["row"]
    questions = study["option_questions"]
    orders = option_orders(questions[questions["row"].isin(rows)], 0)
    counts = sorted(map(len, orders.values()))
    among = f"{counts[0]} to {counts[-1]}" if counts[0] < counts[-1] else f"{counts[0]}"
    return f"among {among} options is right in {percent(sum(1 / n for n in counts) / len(counts))}"


def _option_effects(study) -> Iterator[Finding]:
    """How many models are more often right with options, and how many have a lower ECE; of a single model its own numbers."""
    table = study["option_scores"]
    table = table[(table["judging"] == table["judging"].iloc[0])].drop_duplicates("model")
    paired = table.dropna(subset=["N_right_share", "D_right_share"])
    if len(paired) == 1:
        yield from _option_effects_of_one_model(study, paired.iloc[0])
    if len(paired) < 2:
        return
    gain = paired["D_right_share"] - paired["N_right_share"]
    most = paired.loc[gain.abs().idxmax()]
    sure = int(((gain > 0) & (paired["right_change_low"] > 0)).sum())
    change = f"{100 * most.right_change:.0f} points ({percent_span(most.right_change_low, most.right_change_high)})"
    text = f"models are right more often with answer options, {sure} of them beyond chance. {most['name']} changes most, by {change}, from {percent(most.N_right_share)} to {percent(most.D_right_share)}. Blind guessing {_blind_guessing(study)}."
    yield f"{(gain > 0).sum()} of {len(paired)}", text, "#all", "tables"
    ece = table.dropna(subset=["N_ece", "D_ece"])
    if len(ece):
        best = ece.loc[ece["D_ece"].idxmin()]
        text = f"models have a lower calibration error with options, as the released code has it. The lowest is that of {best['name']}: {decimal(best.D_ece)} ({span(best.D_ece_low, best.D_ece_high)})."
        fewer = (ece["D_ece"] < ece["N_ece"]).sum()
        yield f"{fewer} of {len(ece)}", text, "#all", "tables"


def _option_effects_of_one_model(study, row) -> Iterator[Finding]:
    """The model's shares right with intervals, then its ECEs beside those of calibrated models.

    ``row``: its row of option_scores under the released reading."""
    text = (
        f"of {row['name']}'s {row.D_n:,} answers with options are right "
        f"({_interval_words(study)} {percent_span(row.D_right_share_low, row.D_right_share_high)}), "
        f"{percent(row.N_right_share)} of its {row.N_n:,} without ({percent_span(row.N_right_share_low, row.N_right_share_high)}). "
        f"Blind guessing {_blind_guessing(study)}."
    )
    yield percent(row.D_right_share), text, "#all", "tables"
    if row.notna()[["N_ece", "D_ece"]].all():
        place = row[["judging", "model", "reading"]].to_frame().T
        calibrated = study["option_overall"].merge(place)["ece_calibrated"]
        words = " and ".join(sorted(set(calibrated.map(decimal))))
        text = (
            f"is the calibration error of its {row.D_n:,} answers with options, as the released code has it, and "
            f"{decimal(row.N_ece, 3)} without. Calibrated models would have {words} over as many answers."
        )
        yield decimal(row.D_ece, 3), text, "#all", "tables"


def _item_responses(study) -> Iterator[Finding]:
    """Chance of a right answer by type of agent at the greatest depth, where there are several kinds; then :func:`_aspects_and_text`."""
    table = study["irt_accuracy"]
    table = table[table["depth"] == table["depth"].max()]
    if (table["kind"] == "human").sum() > 1:
        # Single players and groups are not averaged.
        table = table[table["agent_type"] != "human"]
    if table["kind"].nunique() > 1:
        yield _type_chances(study, table.groupby("kind", sort=False).head(MOST_TYPES))
    yield from _aspects_and_text(study)


def _type_chances(study, types) -> Finding:
    """The finding on chances of a right answer; ``types``: rows of tables/irt_accuracy, one a type of agents."""
    place = "in the last fifth of a question" if types["depth"].iloc[0] else "over all items"
    chances = "; ".join(
        f"{row.agent_type} {decimal(row.p)} ({span(row.low, row.high)})" for row in types.itertuples()
    )
    text = f"of agents. Estimated chance of a right answer {place} ({_interval_words(study)}s): {chances}."
    if types["agent_type"].str.fullmatch(r"human, \d+ players").any():
        text += " Groups of players answer by majority."
    if "irt_readings" in study and len(study["irt_readings"]):
        table = study["irt_readings"]
        meaning = statement_view.BUZZ_READINGS[study.options["irt"]["reading"]]
        text += f" The humans’ chances hold if {meaning}."
        if (table["p_difference_low"] > 0).any() and (table["p_difference_high"] < 0).any():
            text += " Whether humans or AI systems do better depends on that."
    number, page = f"{len(types)} types", "audit/index.html#tables/irt_accuracy.csv"
    return number, text, page, "chances"


def _aspects_and_text(study) -> Iterator[Finding]:
    """Log-loss by number of aspects; then what texts add to words heard on unseen questions, where that was estimated."""
    loss, page = study["irt_loss"], ("audit/index.html#tables/irt_loss.csv", "losses")
    loss = loss[loss["model"] == "caimira"].set_index("dimensions")
    tried = join_names(
        [
            f"{decimal(row.log_loss, 3)} ({span(row.low, row.high, 3)}) with {row.Index}"
            for row in loss[loss["split"] == "seen"].itertuples()
        ]
    )
    rule = " Taken are the fewest whose loss is within one standard error of the least."
    chosen = int(study["irt_scale"].set_index("quantity").loc["aspects", "value"])
    text = f"in the model. Log-loss of held-out answers to questions that others answered (lower is better) is {tried}."
    text += rule * (study.options["irt"]["aspects"] == "held_out")
    yield count_noun(chosen, "aspect"), text, *page
    gains = loss[(loss["split"] == "unseen") & loss["beyond_words"].notna()]
    if chosen in gains.index:
        row = gains.loc[chosen]
        text = (
            f"is the log-loss on questions left out (lower is better) with texts and {count_noun(chosen, 'aspect')}, less that with "
            f"the number of words heard alone ({_gain_span(row)})."
        )
        if chosen > 1 and 1 in gains.index:
            text += f" With one aspect, where texts tell difficulty alone: {decimal(gains.loc[1, 'beyond_words'], 4, signed=True)} ({_gain_span(gains.loc[1])})."
        yield decimal(row["beyond_words"], 4, signed=True), text, *page


def _gain_span(row) -> str:
    return span(row["beyond_words_low"], row["beyond_words_high"], 4)


def _recovery(study) -> Iterator[Finding]:
    """How many intervals of tables/recovery hold the simulator's value, and of what; none below :data:`FEWEST_INTERVALS`."""
    rows = study["recovery"].dropna(subset=["low", "high"])
    if len(rows) < FEWEST_INTERVALS:
        return
    holds = int(rows["truth"].between(rows["low"], rows["high"]).sum())
    labels = {name: metric.label for name, metric in metrics.METRICS.items()}
    quantities = "; ".join(labels.get(name, name) for name in rows["quantity"].unique())
    text = f"intervals hold the simulator’s own value ({quantities}). Intervals of the same questions go together, so this is no rate of coverage."
    page = "audit/index.html#tables/recovery.csv"
    yield f"{holds} of {len(rows)}", text, page, "numbers"


def _best_submission(study) -> Iterator[Finding]:
    """The best Expected Score of all submissions; none where tables/leaderboard_pairs compares them in pairs."""
    if "leaderboard_pairs" in study and len(study["leaderboard_pairs"]):
        return
    table = study["leaderboard"]
    rows = table[(table["metric"] == "expected_score") & (table["reading"] == "manual")]
    rows = rows.dropna(subset="value").sort_values("value", ascending=False)
    for row in rows[:1].itertuples():
        text = f"is the best Expected Score, that of {row.name} among {count_noun(len(rows), 'submission')} ({span(row.low, row.high)})."
        yield decimal(row.value), text, "leaderboard.html", "leaderboard"


SOURCES = (
    (_paper_findings, ["claims"]),
    (_failing_statements, ["claims", "statements"]),
    (_best_record, ["standings"]),
    (_packet_matches, ["findings", "games", "plays"]),
    (_recovery, ["recovery"]),
    (_best_live_model, ["leaderboard_pairs"]),
    (_buzz_precision, ["precision"]),
    (_option_effects, ["option_scores", "option_questions", "option_results"]),
    (_item_responses, ["irt_accuracy"]),
    (_best_player, ["individuals"]),
    (_best_submission, ["leaderboard"]),
)
"""Where findings come from and the tables that each reads, in the order in which a page shows them."""
