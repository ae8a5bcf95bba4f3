"""Tables against the raw files that they were read from, where those are at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from .checks import again, alike, by, invariant

# --- what came in ------------------------------------------------------------------------------


def _listed(rule):
    @invariant("manifest", rule=rule)
    def raw_files(c):
        """Every raw file is listed once, with its role, source, size and SHA-256."""
        from ..core.digest import sha256

        t, ran = c["manifest"], c.ran(rule)
        folder, files = ran.output["folder"], ran.params.get("files", {})
        rows = []
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name[0] != "."):
            name, source, checked = path.relative_to(folder).as_posix(), path.name, False
            role, _, rest = name.partition("/")
            if not rest:
                # Not in a folder that is its role: the parameters say where it came from.
                role = next((r for r, e in files.items() if e["name"] == name), path.stem)
                entry = files.get(role, {})
                checked = bool(entry.get("sha256"))
                if not ran.params.get("folder"):
                    source = entry.get("url") or Path(ran.params["sources"][role]).name
            rows.append((role, rest or name, source, path.stat().st_size, sha256(path), checked))
        columns = ["role", "file", "source", "bytes", "sha256", "checked"]
        order = by("role", "file")
        return alike(order(t), order(pd.DataFrame(rows, columns=columns)))


for _rule in ("collect_raw", "collect_options", "collect_tournament"):
    _listed(_rule)


@again("findings", rule="collect_findings")
def _findings(c):
    """Findings are those of all stages."""
    from ..core import findings

    parts = [
        pd.read_csv(path, dtype="str", keep_default_na=False)
        for paths in c.ran("collect_findings").input.values()
        for path in paths
    ]
    return findings.ordered(pd.concat(parts, ignore_index=True))


@again("unavailable", rule="collect_findings")
def _unavailable(c):
    """What is not available follows from the study's inputs."""
    from ..core import catalog

    rows = catalog.unavailable(set(c.ran("collect_findings").params["features"]))
    return pd.DataFrame(rows, columns=["product", "title", "missing"])


# --- answer options ----------------------------------------------------------------------------


@again("option_questions", rule="parse_options")
def _questions_read(c):
    """Questions are those of the raw file."""
    from ..choices import reading

    ran = c.ran("parse_options")
    return reading.read_questions(ran.input["raw"][0] / ran.params["files"]["questions"])[0]


@again("option_results", rule="parse_options")
def _answers_read(c):
    """Answers, confidences and verdicts are those of the raw files."""
    ran = c.ran("parse_options")
    files = ran.params["files"].items()
    cells = [
        (ran.input["raw"][0] / name, *role.rsplit("/", 2))
        for role, name in files
        if role != "questions"
    ]
    replied = iter(ran.input.get("replies", []))
    cells += [
        (next(replied), entry["model"], entry["judging"], setting)
        for entry in ran.params["replies"]
        for setting in ("normal", "distractor")
    ]
    words, sizes, rows, answers = [], [], [], []
    for path, *cell in cells:
        found = json.loads(path.read_bytes())
        words.append(cell)
        sizes.append(len(found))
        rows += map(int, found)
        answers += found.values()
    table = pd.DataFrame(
        {
            "row": rows,
            "predicted_answer": [str(one["predicted_answer"]) for one in answers],
            "confidence": [one["confidence"] / 100 for one in answers],
            "output": [one["output"] for one in answers],
        }
    )
    # Words as codes, which are put in order in a fraction of the time.
    for name, values in zip(("model", "judging", "setting"), zip(*words, strict=True), strict=True):
        table[name] = pd.Categorical(values).repeat(sizes)
    return table


@again("option_annotations", "option_results", rule="parse_option_annotations")
def _annotations_read(c):
    """Verdicts of people are those of the raw file."""
    from ..choices import reading
    from ..core import store

    path = c.ran("parse_option_annotations").input["annotations"][0]
    judged = store.read_raw_csv(path, ["row"])["row"].unique()
    results = c["option_results"]
    return reading.read_annotations(path, results[results["row"].isin(judged.astype(int))])


# --- tournaments and submissions ---------------------------------------------------------------

LOGGED = (
    "questions",
    "games",
    "participation",
    "buzzes",
    "exposures",
    "plays",
    "heard",
    "rosters",
    "tossups",
)


def _matches_read(c) -> dict:
    def make(c):
        from ..tournament import files

        ran = c.ran("parse_qbj")
        given = {key: value for key, value in ran.params.items() if key != "code"}
        return files.tidy(ran.input["folder"][0], **given)

    return c.again("parse_qbj", (), make)


def _logged(name):
    @again(name, rule="parse_qbj")
    def from_matches(c):
        """The table is what the match files say."""
        return _matches_read(c)[name]


for _name in LOGGED:
    _logged(_name)


def _submitted(c, rule: str, kind: str):
    from ..leaderboard import submissions

    ran = c.ran(rule)
    simulated = (ran.input.get("simulated") or [None])[0]
    return submissions.sources(ran.input.get("files"), ran.params["names"], simulated, kind)


@again(
    "runs",
    "questions",
    rule="parse_submissions:files",
    of=lambda t: t[~t["live"].fillna(False).astype(bool)],
)
def _runs_read(c):
    """Runs of submissions are those of their files, judged where these do not say."""
    from ..leaderboard import submissions

    parts = [submissions.read(*one) for one in _submitted(c, "parse_submissions", "tossups")]
    runs = submissions.identify(pd.concat(parts, ignore_index=True), c["questions"], [])
    return submissions.finish(runs, c["questions"], [], submissions.judge_runs)


@again("bonus_parts", rule="score_bonuses")
def _parts_read(c):
    """Parts of bonuses are those of the files."""
    from ..leaderboard import submissions

    parts = [submissions.read_bonuses(*one) for one in _submitted(c, "score_bonuses", "bonuses")]
    return pd.concat(parts, ignore_index=True)


# --- agents ------------------------------------------------------------------------------------


def _agents_read(c) -> dict:
    def make(c):
        from ..core import findings
        from ..irt import steps

        ran = c.ran("prepare_agents")
        given = {
            name: ran.input[name][0] if ran.input.get(name) else None
            for name in ("queries", "agent_file", "buzz_file", "summaries")
        }
        files = {
            "response_files": ran.input.get("response_files"),
            "formats": ran.params["formats"],
        }
        made = steps.prepared(ran.params["settings"], **given, **files)
        return made | {"irt": findings.frame(made["findings"])}

    return c.again("prepare_agents", (), make)


def _from_files(name):
    @again(name, rule="prepare_agents:queries")
    def from_files(c):
        """The table is what the files of items, agents, responses and buzzes say."""
        return _agents_read(c)[name]


for _name in ("item_list", "agents", "agent_responses", "group_members", "irt"):
    _from_files(_name)
