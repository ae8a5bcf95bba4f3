"""What was found, for the page index.html, the ledger page and the report: read from tables, drawn nowhere else."""

import json
import re
from itertools import groupby
from operator import itemgetter

import numpy as np
import pandas as pd

from ..core import theme
from ..ledger import multiverse, verbalise
from ..scores import metrics
from .evidence_rows import EvidenceRows
from .wording import count_noun, decimal, join_names, percent, span

VERDICTS = {
    "fails": ("✕", "fail", "Fails"),
    "in part": ("◐", "hold in part", "Holds in part"),
    "undecided": (
        "≈",
        "undecided: the paper leaves unsaid what would decide, or events are too few",
        "Undecided: the paper leaves unsaid what would decide, or events are too few",
    ),
    "holds": ("●", "hold", "Holds"),
    "open": ("○", "cannot be tested with these data", "Cannot be tested with these data"),
    "simulated": ("▫", "not compared: simulated data", ""),
    "not at hand": ("–", "not at hand: our copy of the source lacks them", ""),
}
"""Verdict → shape beside its colour, what it means, and heading where its statements are listed."""
CHANCE = {
    "yes": "beyond chance",
    "no": "in these data; not beyond chance",
    "too few": "too few events to say more",
}
"""What the page says beside a verdict about a sample."""
STATUS = {
    "reproduced": "holds",
    "contradicted": "fails: these data say otherwise",
    "internally inconsistent": "fails: the source says otherwise elsewhere",
    "needs unpublished data": "open: needs data that this study lacks",
    "not applicable (simulated)": "not compared: simulated data",
    "not at hand": "not at hand: our copy of the source lacks it",
}
"""Status of a row of the ledger in the words of verdicts; one that is not here says itself."""
BUZZ_READINGS = {
    "censored": "players buzz once they know",
    "silence_wrong": "silence at a clue is wrong",
    "backfilled": "agents are right from a right buzz on and wrong up to a wrong one (CAIMIRA’s reading)",
}
"""Reading of buzzes (irt.reading) → what is assumed."""
UNFOLDED = 5
"""Statements that fail, and that hold, shown unfolded: of the weightiest kind alone."""
PLURALS = dict(zip(verbalise.WEIGHTS, ("results", "descriptions", "labels", "slips of the pen"), strict=True))


def slug(*names: str) -> str:
    """Names as one part of an address: lower-case words joined by "-", names by "--"."""
    words = (re.sub(r"[^\w.]+", "-", name).strip("-").lower() for name in names)
    return "--".join(words)


def study_sentence(study) -> str:
    """One sentence of what the study holds, counted from its tables: questions, buzzes, guesses, players, submissions, items, matches."""
    parts = []
    if "questions" in study:
        parts.append(count_noun(len(study["questions"]), "question"))
        if "games" in study and "exposures" in study:
            heard = study["exposures"]["question_id"].nunique()
            parts[-1] += f" ({heard:,} heard by a team)" * (heard < len(study["questions"]))
    if "option_questions" in study:
        parts.append(_option_sentence(study))
    if "buzzes" in study:
        teams = study["buzzes"].groupby("kind")["team"].nunique()
        groups = [(teams.get("human", 0), "human team"), (teams.get("model", 0), "model")]
        named = [count_noun(n, name) for n, name in groups if n]
        findings = study["findings"]["finding"] if "findings" in study else pd.Series()
        if twice := int((findings == "one team under two spellings?").sum()):
            named[:1] = [f"{name} ({twice} perhaps counted twice)" for name in named[:1]]
        played, used = (len(study[n]) if n in study else 0 for n in ("plays", "buzzes"))
        aside = f" ({played - used:,} left out of comparisons)" if played > used else ""
        live = count_noun(max(played, used), "live buzz", "live buzzes")
        parts.append(f"{live}{aside} of {' and '.join(named)}")
    if "guesses" in study:
        models = count_noun(study["guesses"]["model"].nunique(), "model")
        parts.append(f"{count_noun(len(study['guesses']), 'guess', 'guesses')} of {models}")
    if "survey" in study:
        parts.append(f"a survey of {count_noun(study['survey']['player'].nunique(), 'player')}")
    if "runs" in study:
        sent = study["runs"].loc[~study["runs"]["live"].astype(bool), "submission"].nunique()
        parts += [count_noun(sent, "submission")] if sent else []
        if "buzzes" not in study:
            parts.append(f"{count_noun(len(study['human_plays']), 'human play')} to hold them against")
    if not parts and "item_list" in study:
        counts = study["agents"]["kind"].value_counts()
        groups = [(counts.get("ai", 0), "AI system"), (counts.get("human", 0), "human agent")]
        parts += [count_noun(len(study["item_list"]), "item")]
        parts += [count_noun(n, name) for n, name in groups if n]
        inferred = study["agent_responses"]["backfilled"].mean()
        if inferred:
            parts[-1] += f"; {percent(inferred)} of all responses are inferred from buzzes"
    if "games" in study and "buzzes" not in study:
        plays = study["plays"]
        teams = count_noun(plays["team"].nunique(), "team")
        text = f"{count_noun(len(plays), 'buzz', 'buzzes')} of {teams}"
        if "questions" not in study:
            text += ", no packet among the files: what needs texts of the tossups is missing"
        parts = [count_noun(len(study["games"]), "match", "matches"), *parts, text]
    return f"{join_names(parts or [''])}."


def _option_sentence(study) -> str:
    """How many questions there are, how many of them ("the first" where so) were answered, and by which model or how many."""
    total, rows = len(study["option_questions"]), set(study["option_results"]["row"])
    names = study["option_scores"]["name"].unique()
    models = names[0] if len(names) == 1 else count_noun(len(names), "model")
    start = "the first " if rows == set(range(len(rows))) else ""
    part = "" if len(rows) == total else f"{start}{len(rows):,} of them "
    return f"{count_noun(total, 'question')}, {part}answered with and without options by {models}"


def response_model_caveats(study) -> list[str]:
    """Caveats of item response models: how buzzes are read, and agents that stay out of comparisons; [] without tables/irt_accuracy."""
    if "irt_accuracy" not in study:
        return []
    lines = []
    if "irt_readings" in study and len(study["irt_readings"]):
        lines += _chances_by_reading(study["irt_readings"], round(100 * study.options["level"]))
    agents = study["irt_agents"]
    if few := int((~agents["compared"]).sum()):
        reason = "with fewer than ten answers, or with answers all alike"
        lines.append(f"{count_noun(few, 'agent')} {reason}, stay out of comparisons.")
    return lines


def _chances_by_reading(table: pd.DataFrame, level: int) -> list[str]:
    """What irt_readings compares, then a line for each of its rows; ``level`` of the intervals in per cent."""
    counts = f"{count_noun(table['humans'].max(), 'player or team', 'players or teams')} (without groups) and {count_noun(table['systems'].max(), 'AI system')}"
    lines = [
        f"Estimated chances of {counts} in the last fifth of a question, with AI less human ({level} % interval), depend on what a buzz means."
    ]
    for row in table.itertuples():
        meaning = BUZZ_READINGS[row.reading]
        if row.wait:
            source = ", as models did that also had to guess" * (row.wait_source == "measured")
            meaning = f"players let a known clue pass with chance {row.wait:.2f}{source}"
        difference = (
            f"{decimal(row.p_difference, signed=True)} ({span(row.p_difference_low, row.p_difference_high)})"
        )
        lines.append(f"If {meaning}: humans {row.p_human:.2f}, AI systems {row.p_ai:.2f}; {difference}.")
    return lines


FORMAT_CHECKS = ("columns", "values", "key", "finite", "types", "order")
"""Checks of a table's form; those of bounds and of rows that another table names say so in their words."""


def _is_format(check: str) -> bool:
    """Whether a check is of a table's form (columns, bounds, keys) and not a recount."""
    return check in FORMAT_CHECKS or " ≤ " in check or check.startswith(("rows of ", "names of "))


def checks_line(checks: pd.DataFrame) -> str:
    """How many recounts and format checks pass, and how many checks fail or warn, where any do; without a full stop."""
    formats = checks["check"].map(_is_format) if len(checks) else checks["result"] == ""
    failed = checks["result"] != "pass"
    severe = failed & (checks.get("severity", "error") == "error")
    recounts, format_checks = (int((mask & ~failed).sum()) for mask in (~formats, formats))
    line = f"{count_noun(recounts, 'recount')} and {count_noun(format_checks, 'format check')} pass"
    if severe.any():
        line += f", {count_noun(int(severe.sum()), 'check fails', 'checks fail')}"
    if warned := int((failed & ~severe).sum()):
        line += f", {count_noun(warned, 'warns of odd data', 'warn of odd data')}"
    return line


def seal(study, checks: pd.DataFrame) -> list[str]:
    """Lines on the checks, and on the checksums of raw files where the study lists any."""
    lines = [checks_line(checks) + "."]
    raw = study.get("manifest")
    if raw is not None:
        n_published = int(raw["checked"].sum())
        sums = f"{n_published:,} of them with a declared" if n_published else "kept with"
        sums = "each with its declared" if n_published == len(raw) else sums
        lines.append(f"{count_noun(len(raw), 'raw file')}, {sums} SHA-256")
    return lines


def by_importance(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of tables/statements sorted by weight; within a weight those ``shown``, then those with most printed numbers that differ."""
    places = [
        table["weight"].map(verbalise.WEIGHTS.index),
        ~table["shown"].astype(bool),
        table["cells_same"] - table["cells"],
    ]
    return table.iloc[np.lexsort(places[::-1])]


def statements(study) -> list[dict]:
    """One group per verdict that occurs, those that fail first, with its statements by :func:`by_importance`;
    [] without any.

    ``top``: the first ones of a group, unfolded; ``folded``: (kind in the plural, the others of it)."""
    if "statements" not in study:
        return []
    table = by_importance(study["statements"])
    groups = []
    for verdict, (shape, words, heading) in VERDICTS.items():
        members = table[table["verdict"] == verdict]
        if len(members):
            rows = [
                {
                    "id": row.statement,
                    "anchor": slug(row.statement),
                    "section": row.section,
                    "quote": row.quote,
                    "says": row.says if isinstance(row.says, str) else "",
                    "sure": _robustness(row),
                    # Of a statement that holds in part it would not say which part.
                    "chance": "" if verdict == "in part" else CHANCE.get(row.beyond_chance, ""),
                    "weight": row.weight,
                    "basis": row.basis,
                    "claims": row.claims.split(),
                }
                for row in members.itertuples()
            ]
            unfolded = UNFOLDED if verdict in ("fails", "holds") else 0
            top = [row for row in rows[:unfolded] if row["weight"] == rows[0]["weight"]]
            folded = groupby(rows[len(top) :], key=itemgetter("weight"))
            groups.append(
                {"verdict": verdict, "shape": shape, "words": words, "heading": heading, "rows": rows, "n": len(rows), "sureness": sureness(members)}
                | {"top": top, "folded": [(PLURALS[weight], [*entries]) for weight, entries in folded]}
            )  # fmt: skip
    return groups


def sureness(rows: pd.DataFrame) -> str:
    """Counts of keys of :data:`CHANCE` and of none over rows of one verdict, as words; "" where no statement
    is about a sample."""
    counts = rows["beyond_chance"].fillna("none").value_counts()
    if list(counts.index) == ["none"]:
        return ""
    words = {
        "yes": "beyond chance",
        "no": "not beyond chance",
        "too few": "by too few events to tell",
        "none": "not about a sample",
    }
    return ", ".join(f"{counts[name]} {text}" for name, text in words.items() if name in counts)


def _robustness(row) -> str:
    """The deciding difference with its interval, what that says, and how often resampled studies agree; "" where nothing was resampled."""
    if pd.isna(row.robustness):
        return ""
    deciding = f"{row.decides}: " if isinstance(row.decides, str) else ""
    value, low, high = (decimal(end, 3) for end in (row.difference, row.low, row.high))
    share = (
        f"{verbalise.number(round(100 * row.robustness, 1))} % of resampled studies agree with these data."
    )
    inside = row.low <= 0 <= row.high
    test = {
        ("yes", False): "Its interval decides: it leaves out 0, so this is beyond chance, and ",
        ("no", True): "Its interval decides: it holds 0, so this is not beyond chance, though ",
        ("no", False): "It would be beyond chance; another way to compute the statement is not. ",
    }.get((row.beyond_chance, inside), "")
    if row.beyond_chance == "too few":
        test = "Too few events decide it, whatever is resampled: "
    return f"Deciding difference, above 0 for a yes: {deciding}{value} ({low} to {high}). {test}{share}"


_CODE = re.compile(r"\b(?:brier|ece|accuracy|mce|calscore)(?: · \w+)+")


def readings_in_words(text: str) -> str:
    """The text with each code of a reading ("ece · …") replaced by what its values mean."""
    return _CODE.sub(_reading_in_words, text)


def _reading_in_words(match: re.Match) -> str:
    """ "label (meaning; meaning; …)" of one matched code."""
    metric, *values = match[0].split(" · ")
    grid = multiverse.variant_grid()["error" if metric in ("mce", "calscore") else metric]
    meanings = grid | grid.get("h", {})
    words = []
    for dimension in multiverse.DIMENSIONS:
        if values and values[0] in meanings.get(dimension, ()):
            words.append(meanings[dimension][values.pop(0)])
    label = metrics.METRICS[metric].label if metric in metrics.METRICS else metric.capitalize()
    return f"{label} ({'; '.join(words)})"


def ledger_rows(study, evidence_rows: EvidenceRows) -> dict[str, dict]:
    """Id → row of the ledger, claims and printed cells, with values in words and the rows of tables behind
    it.

    Fills ``evidence_rows`` with those tables."""
    names = {key: model["name"] for key, model in study.options["models"].items()}
    rows = {}
    children = pd.concat([study[form] for form in verbalise.FORMS.values() if form in study])
    for row in children.to_dict("records"):
        text = {key: "" if pd.isna(value) else value for key, value in row.items()}
        number = float(text["tolerance"]) if text["tolerance"] != "" else None
        digits = verbalise.digits_of(_parse_value(text["published"]))
        rows[row["id"]] = text | {
            "status": STATUS.get(text.get("status"), text.get("status")),
            "chance": CHANCE.get(text.get("beyond_chance"), ""),
            "printed": _value_in_words(text["published"], names, digits),
            "found": _value_in_words(text["recomputed"], names, digits),
            "tolerance": "" if number is None else verbalise.number(number),
            "intervals": [_interval_in_words(part, names) for part in text["intervals"].split("; ") if part],
            "evidence": _evidence(text["evidence"], evidence_rows, text.get("basis")),
            "note": verbalise.substitute_model_names(readings_in_words(text.get("note", "")), names),
        }
    return rows


QUANTITIES = {
    "accuracy": "right guesses",
    "buzz_counts": "buzzes",
    "curves": "buzzes",
    "early_counts": "wrong buzzes",
    "early_wrong": "wrong buzzes",
    "human_accuracy": "right answers",
    "release_scores": "README's formula",
}
"""Quantity of the ledger → what its intervals are about, where their texts do not say so."""
KEYS = {
    "H": "all human teams",
    "M": "all models",
    "Q1": "bottom quartile",
    "Q4": "top quartile",
    "total-correct": f"ranked by {theme.RULE_WORDS['paper']}",
    "release": f"ranked by {theme.RULE_WORDS['release']}",
    "rate": f"ranked by {theme.RULE_WORDS['rate']}",
}
"""Keys of the ledger that say too little by themselves, in words."""
_IDENTIFIER = re.compile(r"^([a-z_]+\d*(?:[.][\w/-]+)+)(?=: | on the )")
_BRACKETS = re.compile(r"\[(−?-?[\d.]+), (−?-?[\d.]+)\]")


def _interval_in_words(part: str, names: dict[str, str]) -> str:
    """An interval of the ledger, "quantity.kind.key: value [low, high]", as "name of the key (kind): value (low to high)".

    The key is a model or a group, of contrasts the last two, else the last part. Numbers of an item are left to the text.
    """
    if match := _IDENTIFIER.match(part):
        models = [rf"{re.escape(key)}(?=[.]|$)" for key in sorted(names, key=len, reverse=True)]
        quantity, *keys = re.findall("|".join([*models, r"[\w/-]+"]), match[1])
        named = [key for key in keys if key in names or re.fullmatch(r"[HMQ]\d*", key)]
        paired = quantity in ("model_contrasts", "type_contrasts")
        subjects = keys[-2:] if paired else named or keys[-1:]
        kinds = [_key_in_words(key) for key in keys if key not in subjects and not key.isdigit()]
        words = ", ".join(filter(None, [QUANTITIES.get(quantity), *kinds]))
        subject = " less ".join(names.get(key) or _key_in_words(key) for key in subjects)
        part = f"{subject}{f' ({words})' if words else ''}{part[match.end() :]}"
        if quantity == "hardness":
            part = part.partition(": ")[2]
    part = _BRACKETS.sub(lambda ends: f"({ends[1]} to {ends[2]})", part)
    return re.sub(r"(?<![\w.])-(?=\d)", "−", part)


def _key_in_words(key: str) -> str:
    """A key of the ledger by :data:`KEYS`, or with metrics by their names and spaces."""
    words = (
        metrics.METRICS[word].label if word in metrics.METRICS else word for word in re.split("[_-]", key)
    )
    return KEYS.get(key) or " ".join(words)


def _evidence(text: str, evidence_rows: EvidenceRows, basis: str | None) -> list[dict]:
    """File, words and selected rows (None where not to be shown) of each table in a claim's evidence; printed numbers have no file."""
    entries = []
    numbers = f"numbers printed in the source{' and a known fact' * (basis == 'known fact')}"
    for part in filter(None, text.split("; ")):
        path = part.partition(": ")[0].split(" with ")[0].split(",")[0]
        if path.startswith(("config/", "workflow/")):
            entries.append({"file": "", "words": numbers, "rows": None})
        elif "/" in path:
            for words in part[len(path) :].removeprefix(": ").strip().split(" | "):
                rows = evidence_rows.select(path, words)
                entries.append({"file": path, "words": words, "rows": rows})
        else:
            entries.append({"file": "", "words": part, "rows": None})
    return [entry for place, entry in enumerate(entries) if entry not in entries[:place]]


def _parse_value(text: str):
    """A value of the ledger: its JSON where it is some, else the text itself."""
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


def _value_in_words(text: str, names: dict[str, str], digits: int) -> str:
    """A value of the ledger in words, models by name; "" for a truth value, a text as it is."""
    value = _parse_value(text)
    if isinstance(value, bool):
        return ""
    return text if value is text else verbalise.value_words(value, names, digits)
