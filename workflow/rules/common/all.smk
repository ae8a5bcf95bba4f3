"""Configuration, paths and helper functions that the rules share; no rules.

In a rule, ``**reads(...)`` names tables that it takes, ``**writes(...)`` and ``**draws(...)`` what it makes:
paths, needs, titles and captions stand in the declarations (``workflow/calscore/tables``).
"""

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

BASE = Path(str(workflow.current_basedir.get_path_or_uri(secret_free=True))).parent
if (BASE.parent / "calscore").is_dir():
    # The package is importable here and in every script, installed or not.
    sys.path.insert(0, str(BASE.parent))
    paths = [str(BASE.parent), dict(os.environ).get("PYTHONPATH")]
    os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, paths)))
# One thread per job in linear algebra: the same sums in the same order on any machine.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from calscore.core import catalog, checksums, strict_json
from calscore.core.errors import DataError
from calscore.core.package import FOLDER
from calscore.raw import formats
from calscore.runner import config as study_config
from calscore.runner import input_paths, job_records

PACKAGE = FOLDER.parent

# Rules of a workflow that includes this one.
THEIRS = {id(one): one for one in workflow.rules}


def of_project(path):
    """A file that is neither code nor package data: where it lies, else the file of that name in the project itself."""
    if not path or os.path.exists(path):
        return path
    if os.path.exists(BASE.parent.parent / path):
        return os.path.relpath(BASE.parent.parent / path)
    try:
        return path if BASE.exists() else workflow.source_path(f"../../../{path}")
    except (OSError, WorkflowError):
        return path


DEFAULT = "config/config.yaml"
if workflow.is_main_process:
    # Snakemake's own reader ends in a traceback where this one says file and place in a line.
    try:
        for path in [*workflow.configfiles, *([DEFAULT] if "studies" not in config else [])]:
            if os.path.exists(path):
                strict_json.read_yaml(path)
    except DataError as error:
        raise WorkflowError(str(error)) from None

if "studies" not in config:

    configfile: DEFAULT


try:
    STUDIES = study_config.load(dict(config))
    for one in STUDIES.values():
        # A workflow that takes this one in as a module has no copy of these.
        one["published"] = of_project(one["published"])
        for key in ("overrides", "extract", "results_dir"):
            one["inputs"][key] = of_project(one["inputs"][key])
    if workflow.is_main_process:
        input_paths.check_paths(STUDIES)
except DataError as error:
    raise WorkflowError(str(error)) from None


# Folder of what belongs to no study; no study bears its name.
TOGETHER = study_config.TOGETHER

# Tables first: the checks wait for all of them and for no figure or page to look at.
DRAWN_LAST = -1


wildcard_constraints:
    study="|".join(STUDIES),


def features(study):
    """What a study has."""
    return study_config.study_features(STUDIES[study])


def has(study, feature):
    """Whether a study has a feature (guesses, survey, published, simulated)."""
    return feature in features(study)


def only(*wanted, without=()):
    """Wildcard constraint: the studies with all features ``wanted``, but for those with all of ``without``."""
    lacking = {without} if isinstance(without, str) else set(without)
    names = (
        name
        for name in STUDIES
        if features(name) >= set(wanted) and not (lacking and features(name) >= lacking)
    )
    return "|".join(names) or "(?!)"


def when(feature, path):
    """Input function: the path where the study has the feature, nothing where it has not."""
    return branch(lambda wildcards: has(wildcards.study, feature), then=path)


def _reading(product):
    """Input function: a table, nothing where the study's inputs do not allow it."""
    return lambda wildcards: (
        f"results/{wildcards.study}/{product.file}" if product.possible(features(wildcards.study)) else []
    )


def reads(*names):
    """Inputs: declared tables by name."""
    return {name: _reading(catalog.product(name, "table")) for name in names}


def guesses_at(option):
    """Input function: the guesses, where clues of an option's segmentations end at them; else people do not wait."""
    from calscore.clues.segment import GUESSED

    def read(wildcards):
        cut = STUDIES[wildcards.study]["options"][option]
        cut = {cut} if isinstance(cut, str) else {*cut}
        return reads("guesses")["guesses"](wildcards) if cut & {*GUESSED} else []

    return read


def _written(product):
    path = f"results/{{study}}/{product.file}"
    if not product.report:
        return path
    return report(
        path,
        caption=f"../report/{product.caption}",
        category="{study}",
        subcategory=product.report,
        labels={"item": product.title},
    )


def writes(*names, kind="table"):
    """Outputs: declared tables (or files) by name; their printed forms as <name>_md and <name>_tex."""
    found = {}
    for product in (catalog.product(name, kind) for name in names):
        found[product.name] = _written(product)
        for path in product.files[1:]:
            suffix = path.rsplit(".", 1)[1]
            found[f"{product.name}_{suffix}"] = f"results/{{study}}/{path}"
    return found


def draws(*names):
    """Outputs: declared figures by name, as <name>_svg and <name>_png."""
    found = writes(*names, kind="figure")
    return {name if name.endswith("_png") else f"{name}_svg": path for name, path in found.items()}


def files(*names):
    """Outputs: declared pages, databases and the like by name."""
    return writes(*names, kind="file")


def outside(path):
    """A file that is not the workflow's: its path is taken as it stands, whoever includes the workflow."""
    return local(str(path)) if path else []


def given(name):
    """Input function: a file that the study's inputs name, nothing where they do not."""
    return lambda wildcards: outside(STUDIES[wildcards.study]["inputs"][name])


def held(name):
    """Input function: the files of a folder that the study's inputs name, nothing where they are downloaded."""
    return lambda wildcards: [
        outside(path) for path in input_paths.files_in_input_folders(STUDIES[wildcards.study]["inputs"])[name]
    ]


def extract(wildcards):
    """Folder with the numbers of an extract, nothing where the study has texts."""
    return f"results/{wildcards.study}/raw/extract" if has(wildcards.study, "extract") else []


def published(wildcards):
    """The paper's numbers, nothing where the study has none."""
    return outside(STUDIES[wildcards.study]["published"])


def option_of(name):
    return lambda wildcards: STUDIES[wildcards.study]["options"][name]


def options(*names):
    """Params: options of the study by name."""
    return {name: option_of(name) for name in names}


def threads_by_size(wildcards, input):
    """Threads: one, or two for more than 50 MB of tables, as those of small studies share the cores."""
    return 1 + (sum(os.path.getsize(one) for one in input if os.path.exists(one)) > 50e6)


def resampling():
    """Params: options of what resamples."""
    return options("replicates", "seed", "level")


def labels():
    """Params: names of models, and whether the study is simulated."""
    return {"names": model_names, "simulated": simulated}


def simulated(wildcards):
    """Whether the study is simulated, or every one of all; figures say so."""
    studies = STUDIES if wildcards.study == TOGETHER else [wildcards.study]
    return all(has(name, "simulated") for name in studies)


def model_names(wildcards):
    """Model key → name shown."""
    models = STUDIES[wildcards.study]["options"]["models"]
    return {key: model["name"] for key, model in models.items()}


def model_thresholds(wildcards):
    """Model key → mean log-probability above which it buzzes, where the config says one."""
    models = STUDIES[wildcards.study]["options"]["models"]
    return {k: m["threshold"] for k, m in models.items() if m.get("threshold") is not None}


def code(script, outputs):
    """Params function: checksum of the code and declarations that a script and its outputs rest on.

    It takes nothing but wildcards: Snakemake records no parameter that is derived from inputs or
    outputs, so that a change in it would make nothing again.
    """
    return lambda wildcards: checksums.script_checksum(
        Path(workflow.source_path(f"../../scripts/{script}.py")), outputs
    )


def prefixed(path):
    """A path below the folder into which another workflow may have put this one."""
    return str(workflow.modifier.path_modifier.modify(path))


def changes(script):
    """Input function: the note that files of a script's rule were changed, nothing where none were."""

    def note(wildcards):
        folder = f"results/{wildcards.get('study', TOGETHER)}"
        path = job_records.changes_file(folder, script)
        return [str(path)] if os.path.exists(prefixed(str(path))) else []

    return note


def complete(made):
    """What every script has by its name: log, times, environment, and the checksum of its code as a param."""
    if id(made) in THEIRS or not made.script:
        return
    script = Path(made.script).stem
    name = Path(script, *(f"{{{one}}}" for one in sorted(made.wildcard_names - {"study"})))
    made.log_modifier = made.benchmark_modifier = workflow.modifier.path_modifier
    if not made.log:
        made.set_log(f"results/{{study}}/logs/{name}.log")
    if not made.benchmark and "study" in made.wildcard_names:
        made.benchmark = f"results/{{study}}/benchmarks/{name}.tsv"
    if not made.conda_env:
        made.conda_env = "../../envs/environment.yaml"
    made.set_input(changes(script))
    made.set_params(code=code(script, tuple(made.output.keys())))


def products(studies):
    """Everything that the inputs of the studies allow, intermediates included, and what sets several side by side."""
    paths = {name: catalog.available_files(features(name)) for name in studies}
    paths[TOGETHER] = catalog.cross_study_files(study_config.cross_study_features(studies))
    return [f"results/{name}/{path}" for name in paths for path in paths[name]]


def equivalence_model(wildcards):
    """The answer-equivalence score fitted to the study's labelled pairs; nothing for the package's own."""
    fitted = STUDIES[wildcards.study]["inputs"]["equivalence_pairs"]
    return f"results/{wildcards.study}/judged/equivalence.json" if fitted else []


def of_shard(room, *names):
    """Outputs: what a job on one of several ranges of questions makes in a room, by the names of files or folders."""
    path = f"results/{{study}}/{room}/shards/{{shard}}-of-{{shards}}"
    return {name.removesuffix(".parquet"): f"{path}/{name}" for name in names}


def of_shards(room, *names):
    """Input function: :func:`of_shard` of every range of questions; nothing where a study is not split (option shards)."""

    def found(wildcards):
        of = STUDIES[wildcards.study]["options"]["shards"]
        paths = of_shard(room, *names).values()
        every = {"study": wildcards.study, "shard": range(1, of + 1), "shards": of}
        return expand(paths, **every) if of > 1 else []

    return found
