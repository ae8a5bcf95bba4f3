# make          environment, the study of GRACE from the numbers in resources/grace, its report
# make test     environment, linters, unit tests, a tiny study of each kind (minutes)
# make test-full     studies at their full size: same bytes on one core and two, every deletion, the browser
# make test-slurm    the demo study (or CONFIG=<file> STUDY=) through a real Slurm on this machine; as root on Debian,
#               installs its packages
# make test-endpoint     a study that asks a real server (llama.cpp, in .venv-endpoint)
# make audit-packages    known vulnerabilities of the locked packages (pip-audit in .venv-audit; skipped without network)
# make grace    as make; a model of yours beside it: GUESSES=<file>
#               with texts: FETCH=1 (from the public addresses), or RELEASE=<folder> OUTPUTS=<folder> of files at hand;
#               RELEASE=<folder> alone leaves the models' outputs out
# make confidence-gap   the published results on answer options, from resources/confidence-gap (with texts: FETCH=1, or
#               RESULTS=<folder> of files at hand)
# make demo     the simulated study in the formats of GRACE; make demo-options, demo-irt, tournament: the others
# make models   the release with a TF-IDF baseline (CORPUS=<file>, RUNS=<file> for past questions at hand); a model at an
#               endpoint in its place: CONFIG=<file>, as docs/howto/endpoint.md has it
# make extract  writes resources/grace anew (RELEASE=<folder> OUTPUTS=<folder> for files at hand), or with RESULTS=<folder>
#               resources/confidence-gap
# make bench    speed of scoring, time by rule of the demo study, a million buzz rows
# make bench-libraries  speed of scoring beside torchmetrics, netcal and scikit-learn (in .venv-bench)
# make bench-answers    the answer engine beside PEDANT, qb-answer-checker, RapidFuzz and exact match (in
#               .venv-bench-answers; needs npm): WRITE=1 puts the figures into docs/answers.md
# make bench-pages      Lighthouse scores of the pages of STUDY= (in .venv-lighthouse; needs npm and Chromium)
# make explain  one number down to its raw rows: STUDY= TABLE= ROW= COLUMN= [QUESTION=]
# make verify   recompute all checksums of a study: STUDY=; with DEEP=1 make every file once more and compare
# make compare  two results folders or configurations (files laid over each other in quotes): A= B= [STUDY=]
# make unlock   after a run that was killed: takes away its lock
# make docs     these documents as a site, with the generated reference: docs/_build/index.html
# make help     this list
# make lock     refresh the locked requirements (needs uv)

PYTHON ?= python3
CORES ?= all
BIN := .venv/bin
STAMP := .venv/.installed
SNAKEMAKE := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/snakemake
RELEASE ?=
OUTPUTS ?=
FETCH ?=
GUESSES ?=
SURVEY ?=
RESULTS ?=
CORPUS ?=
RUNS ?=
CONFIG ?=
WRITE ?=

STUDY ?=
TABLE ?= table1
ROW ?=
COLUMN ?= calscore
QUESTION ?=
A ?=
B ?=

# Variables of each target; PYTHON and CORES are taken by all. Another one on the command line is refused: it would have no effect.
TAKEN_grace := RELEASE OUTPUTS FETCH GUESSES SURVEY
TAKEN_models := RELEASE CORPUS RUNS CONFIG
TAKEN_confidence-gap := RESULTS FETCH
TAKEN_extract := RELEASE OUTPUTS SURVEY RESULTS
TAKEN_explain := STUDY TABLE ROW COLUMN QUESTION
TAKEN_verify := STUDY DEEP
TAKEN_compare := A B STUDY
TAKEN_test-slurm := CONFIG STUDY
TAKEN_bench-answers := WRITE
TAKEN_bench-pages := STUDY
TAKERS := $(patsubst TAKEN_%,%,$(filter TAKEN_%,$(.VARIABLES)))
GOALS := $(or $(MAKECMDGOALS),grace)
$(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(if $(strip $($(name))),\
  $(if $(filter $(name),PYTHON CORES $(foreach goal,$(GOALS),$(TAKEN_$(goal)))),,\
    $(error $(name) has no effect on make $(GOALS); it is for $(or $(strip $(foreach goal,$(TAKERS),$(if $(filter $(name),$(TAKEN_$(goal))),$(goal)))),no target))))))

# Modules are compiled once, not in each of a study's jobs.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := grace
.PHONY: demo demo-options demo-irt tournament confidence-gap grace models extract test test-full test-slurm test-endpoint audit-packages lint bench bench-irt bench-libraries bench-answers bench-pages explain verify compare unlock lock env clean docs help
.DELETE_ON_ERROR:

$(STAMP): envs/requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: set PYTHON="; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

env: $(STAMP)

# Configuration files of each study, and what the command line adds to them.
TEXTS := $(strip $(RELEASE)$(OUTPUTS)$(FETCH)$(SURVEY))
FILES_grace = $(if $(TEXTS),config/grace.yaml $(if $(OUTPUTS)$(FETCH),config/grace-outputs.yaml))
GIVEN_grace = $(if $(TEXTS),,only=grace) $(if $(RELEASE),release="$(RELEASE)") $(if $(filter-out 1,$(OUTPUTS)),outputs="$(OUTPUTS)") $(if $(GUESSES),guesses="$(GUESSES)") $(if $(SURVEY),survey="$(SURVEY)")
FILES_models = config/grace.yaml config/grace-models.yaml $(CONFIG)
GIVEN_models = $(if $(RELEASE),release="$(RELEASE)") $(if $(CORPUS),corpus="$(CORPUS)") $(if $(RUNS),past_runs="$(RUNS)")
FILES_confidence-gap = $(if $(strip $(RESULTS)$(FETCH)),config/confidence-gap.yaml)
GIVEN_confidence-gap = $(if $(RESULTS),results_dir="$(RESULTS)",$(if $(FETCH),,only=confidence-gap))
FILES_tournament = config/tournament.yaml
$(foreach study,demo demo-options demo-irt,$(eval GIVEN_$(study) = only=$(study)))
STUDIES := grace models confidence-gap tournament demo demo-options demo-irt
FOLDER = results/$(patsubst models,grace,$@)
CONFIGURED = $(if $(strip $(FILES_$@)),--configfile $(FILES_$@)) $(if $(strip $(GIVEN_$@)),--config $(GIVEN_$@))

# A study and its report. On a phone the menu of a report stands above its text: report.css.
$(STUDIES): $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --logger calscore $(CONFIGURED)
	$(SNAKEMAKE) --quiet all $(CONFIGURED) --report-stylesheet workflow/report/report.css --report $(FOLDER)/report.html
	@$(BIN)/python -m calscore.pages.report $(FOLDER)/report.html
	@echo "Open $(FOLDER)/index.html"

# The numbers in resources, written anew from the originals.
EXTRACTED = $(if $(RESULTS),confidence-gap,grace)
EXTRACTED_FROM = $(if $(RESULTS),config/confidence-gap.yaml,config/grace.yaml config/grace-outputs.yaml)

extract: $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --quiet rules --configfile $(EXTRACTED_FROM) $(if $(strip $(GIVEN_$(EXTRACTED))),--config $(GIVEN_$(EXTRACTED))) -- results/$(EXTRACTED)/extract
	cp results/$(EXTRACTED)/extract/* resources/$(EXTRACTED)/

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(SNAKEMAKE) --lint
	$(BIN)/mypy
	$(BIN)/python tests/sync.py

test: lint
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not full"

# The real server is left out where there is no wheel of it.
test-full: $(STAMP)
	-$(PYTHON) -m venv .venv-endpoint
	-.venv-endpoint/bin/python -m pip install --quiet --disable-pip-version-check -r envs/endpoint.txt
	CALSCORE_SERVER_PYTHON="$(CURDIR)/.venv-endpoint/bin/python" $(BIN)/python -m pytest -n auto --dist worksteal -m full --durations=25

test-slurm: envs/requirements.txt
	$(PYTHON) -m venv .venv-slurm
	.venv-slurm/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/requirements.txt
	.venv-slurm/bin/python -m pip install --quiet --disable-pip-version-check snakemake-executor-plugin-slurm
	PATH="$(CURDIR)/.venv-slurm/bin:$$PATH" PYTHONPATH=workflow .venv-slurm/bin/python tests/full/slurm.py $(CONFIG) $(STUDY)

test-endpoint: $(STAMP) envs/endpoint.txt
	$(PYTHON) -m venv .venv-endpoint
	.venv-endpoint/bin/python -m pip install --quiet --disable-pip-version-check -r envs/endpoint.txt
	CALSCORE_SERVER_PYTHON="$(CURDIR)/.venv-endpoint/bin/python" $(BIN)/python -m pytest -q tests/full/test_real_server.py

audit-packages: envs/requirements.txt envs/audit.txt
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check -r envs/audit.txt
	@.venv-audit/bin/python tests/audit_packages.py envs/requirements.txt

bench: $(STAMP)
	$(BIN)/python -m benchmarks.bench
	$(BIN)/python -m benchmarks.bench_scores
	$(BIN)/python -m benchmarks.bench_scale
	$(BIN)/python -m benchmarks.bench_tournament
	$(BIN)/python -m benchmarks.bench_irt

bench-irt: $(STAMP)
	$(BIN)/python -m benchmarks.irt_recovery

bench-libraries: envs/requirements.txt envs/bench.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/requirements.txt
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -r envs/bench.txt
	.venv-bench/bin/python -m benchmarks.bench_scores

bench-answers: $(STAMP) envs/bench-answers.txt
	-$(PYTHON) -m venv .venv-bench-answers
	-.venv-bench-answers/bin/python -m pip install --quiet --disable-pip-version-check -r envs/bench-answers.txt
	-npm install --silent --no-save --prefix .venv-bench-answers qb-answer-checker@1.1.9
	$(BIN)/python -m benchmarks.answers $(if $(WRITE),--write)

bench-pages: $(STAMP)
	npm install --silent --no-save --prefix .venv-lighthouse lighthouse@12
	$(BIN)/python -m benchmarks.bench_pages $(or $(STUDY),grace)

explain: $(STAMP)
	@$(BIN)/python -m calscore.audit.explain results/$(or $(STUDY),grace) $(TABLE) --row "$(ROW)" --column "$(COLUMN)" --question "$(QUESTION)"

verify: $(STAMP)
	@$(BIN)/python -m calscore.audit.manifest results/$(or $(STUDY),grace)
	@$(if $(DEEP),$(BIN)/python -m calscore.audit.rebuild results/$(or $(STUDY),grace) workflow/scripts)

compare: $(STAMP)
	@$(BIN)/python -m calscore.audit.compare "$(A)" "$(B)" $(if $(STUDY),--study $(STUDY))

unlock: $(STAMP)
	$(SNAKEMAKE) --unlock

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra workflow --extra dev pyproject.toml -o envs/requirements.txt
	$(PYTHON) tests/sync.py --fix

results/demo/index.html results/tournament/index.html: results/%/index.html:
	$(MAKE) $*

# The tutorials are executed on these studies.
docs: $(STAMP) | results/demo/index.html results/tournament/index.html
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build
	@echo "Open docs/_build/index.html"

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

clean:
	rm -rf results/*/ .snakemake .venv-bench .venv-slurm .venv-endpoint .venv-bench-answers .venv-audit .venv-lighthouse
