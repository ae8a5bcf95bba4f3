"""Configuration, study properties and helper functions that the rules share; no rules."""

import ast
import functools
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

PACKAGE = Path(workflow.current_basedir).parent
# The package is importable here and in every script, installed or not.
sys.path.insert(0, str(PACKAGE))
paths = [str(PACKAGE), dict(os.environ).get("PYTHONPATH")]
os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, paths)))
# One thread per job in linear algebra: the same sums in the same order on any machine.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from calscore.core import catalog
from calscore.core import config as study_config
from calscore.core.errors import DataError

try:
    STUDIES = study_config.load(dict(config))
except DataError as error:
    raise WorkflowError(str(error)) from None


# Tables first: the checks, which take longest, wait for all of them and for no figure.
DRAWN_LAST = -1


wildcard_constraints:
    study="|".join(STUDIES),


def products(studies):
    """Everything that the inputs of the studies allow, intermediates included."""
    return [
        f"results/{name}/{path}"
        for name, study in studies.items()
        for path in catalog.available(study_config.features(study))
    ]


def has(study, feature):
    """Whether a study has a feature (guesses, survey, published, simulated)."""
    return feature in study_config.features(STUDIES[study])


def only(*features):
    """Wildcard constraint: the studies that have every one of some features."""
    found = (name for name in STUDIES if all(has(name, feature) for feature in features))
    return "|".join(found) or "(?!)"


def when(feature, path):
    """Input function: the path where the study has the feature, nothing where it has not."""
    return lambda wildcards: (
        path.format(study=wildcards.study) if has(wildcards.study, feature) else []
    )


def release_files(study):
    """The release's files by role, for a simulated study those that the simulator writes."""
    if STUDIES[study]["simulate"]:
        return {
            "archive": {"name": "[public]ALL_final_buzzpoints_enc.zip"},
            "per_packet": {"name": "human_team_per_question.pkl"},
            "combined": {"name": "human_model_team_per_question.pkl"},
            "teams": {"name": "all_teams.pkl"},
        }
    release = STUDIES[study]["inputs"]["release"]
    return {role: entry for role, entry in release.items() if role != "password"}


def release_folder(wildcards):
    """Where the release's files lie; None to download them."""
    if STUDIES[wildcards.study]["simulate"]:
        return f"results/{wildcards.study}/simulated"
    return STUDIES[wildcards.study]["inputs"]["release_dir"]


def release_password(wildcards):
    """Password of the archive."""
    if STUDIES[wildcards.study]["simulate"]:
        return "buzzbuzz"
    return STUDIES[wildcards.study]["inputs"]["release"]["password"]


def outside_sources(wildcards):
    """Sources of model guesses from outside: those of the config, or the simulator's."""
    if has(wildcards.study, "simulated") and has(wildcards.study, "release"):
        return [{"path": f"results/{wildcards.study}/simulated/guesses.jsonl", "format": "jsonl"}]
    return STUDIES[wildcards.study]["inputs"]["guesses"]


def guess_sources(wildcards):
    """All sources of model guesses: those from outside, then the guessers' own."""
    return outside_sources(wildcards) + [
        {
            "path": one["path"] or f"results/{wildcards.study}/guess/{one['name']}.jsonl",
            "format": "jsonl",
        }
        for one in STUDIES[wildcards.study]["inputs"]["guessers"]
    ]


def _files(sources):
    """Files of guess sources, folders as the files in them."""
    files = []
    for source in sources:
        path = Path(source["path"])
        found = sorted(map(str, path.glob("*_model_human_output.json"))) if path.is_dir() else []
        files += found or [source["path"]]
    return files


def outside_files(wildcards):
    """Files of the guess sources from outside."""
    return _files(outside_sources(wildcards))


def guess_files(wildcards):
    """Files of all guess sources."""
    return _files(guess_sources(wildcards))


def survey_file(wildcards):
    """The survey of the config or the simulator, nothing where there is none."""
    if has(wildcards.study, "simulated") and has(wildcards.study, "release"):
        return f"results/{wildcards.study}/simulated/survey.csv"
    return STUDIES[wildcards.study]["inputs"]["survey"] or []


def tournament_sources(wildcards):
    """Where a tournament's files lie, by role (qbj, buzzes, heard, packets)."""
    if has(wildcards.study, "simulated"):
        return {"qbj": f"results/{wildcards.study}/simulated/tournament"}
    roles = {"qbj": "qbj_dir", "buzzes": "buzz_csv", "heard": "heard_csv", "packets": "packets_dir"}
    inputs = STUDIES[wildcards.study]["inputs"]
    found = {role: inputs[key] for role, key in roles.items() if inputs[key]}
    if "buzzes" in found:
        found.setdefault("packets", str(Path(found["buzzes"]).parent))
    return found


def tournament_files(wildcards):
    """Files of a tournament; the folder itself where the workflow simulates it or it is not there."""
    found = []
    for role, source in tournament_sources(wildcards).items():
        path = Path(source)
        if path.is_dir() and not has(wildcards.study, "simulated"):
            suffixes = (".qbj", ".json") if role == "qbj" else (".json",)
            found += sorted(str(p) for p in path.rglob("*") if p.suffix.lower() in suffixes)
        else:
            found.append(source)
    return found


def submission_sources(kind):
    """Params function: submissions of the config or the simulator (kind: submissions, bonus_submissions)."""

    def read(wildcards):
        study = wildcards.study
        if has(study, "simulated") and has(study, "tournament"):
            simulated = {
                "submissions": {
                    f"tossups-{n}": n for n in ("bold", "cautious", "stopped", "timid")
                },
                "bonus_submissions": {f"bonuses-{n}": n for n in ("alone", "helper")},
            }
            folder = f"results/{study}/simulated/submissions"
            return [
                {"path": f"{folder}/{stem}.jsonl", "name": name}
                for stem, name in simulated[kind].items()
            ]
        return STUDIES[study]["inputs"][kind]

    return read


def submission_files(kind):
    """Input function: files of :func:`submission_sources`; the folder where they are simulated."""

    def read(wildcards):
        if has(wildcards.study, "simulated") and has(wildcards.study, "tournament"):
            return f"results/{wildcards.study}/simulated/submissions"
        return [source["path"] for source in submission_sources(kind)(wildcards)]

    return read


def option(*names):
    """Params function: one option of the study, or a mapping of several."""

    def read(wildcards):
        options = STUDIES[wildcards.study]["options"]
        return options[names[0]] if len(names) == 1 else {n: options[n] for n in names}

    return read


def model_names(wildcards):
    """Model key → name shown."""
    models = STUDIES[wildcards.study]["options"]["models"]
    return {key: model["name"] for key, model in models.items()}


def model_thresholds(wildcards):
    """Model key → mean log-probability above which it buzzes, where the config says one."""
    models = STUDIES[wildcards.study]["options"]["models"]
    return {k: m["threshold"] for k, m in models.items() if m.get("threshold") is not None}


@functools.cache
def _imports(path):
    """Files of the package that a file imports by name, in it or in a folder of it."""
    root, named = PACKAGE / "calscore", []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        stem = node.module or ""
        if node.level:
            folder = path.parents[node.level - 1].joinpath(*stem.split("."))
        elif stem.split(".")[0] == "calscore":
            folder = root.joinpath(*stem.split(".")[1:])
        else:
            continue
        for found in (folder, *(folder / alias.name for alias in node.names)):
            named += [found.with_suffix(".py"), found / "__init__.py"]
    return tuple(file for file in named if file.exists())


def code(script):
    """The package files that a script rests on, so that a change in them runs it again."""
    found, waiting = set(), [PACKAGE / "scripts" / f"{script}.py"]
    while waiting:
        for path in _imports(waiting.pop()):
            if path not in found:
                found.add(path)
                waiting.append(path)
    return sorted(os.path.relpath(path) for path in found)


def schemas(*names):
    """Schema files of tables, as inputs of the rules that write them."""
    folder = PACKAGE / "calscore" / "tables" / "schemas"
    return [os.path.relpath(folder / f"{name}.yaml") for name in names]


def equivalence_model(wildcards):
    """The fitted answer-equivalence score: refitted where the study names labelled pairs, else ours."""
    if STUDIES[wildcards.study]["inputs"]["equivalence_pairs"]:
        return f"results/{wildcards.study}/judged/equivalence.json"
    return os.path.relpath(PACKAGE / "calscore" / "data" / "equivalence.json")
