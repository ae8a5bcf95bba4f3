# make          environment, the demo study (simulated), its report
# make test     environment, linters, unit tests, a tiny study of each kind (minutes)
# make test-full     studies at their full size: same bytes on one core and two, every deletion, the browser
# make test-slurm    the demo study (or CONFIG=<file> STUDY=) through a real Slurm on this machine; as root on Debian,
#               installs its packages
# make test-endpoint     a study that asks a real server (llama.cpp, in .venv-endpoint)
# make demo-options     the simulated study of answer options, its report
# make confidence-gap   the published results on answer options (RESULTS=<folder> for files at hand)
# make grace    the public GRACE release (RELEASE=<folder> for files already at hand); with the authors'
#               model outputs OUTPUTS=1 (from their public addresses) or OUTPUTS=<folder>
#               a model of yours beside them: GUESSES=<file>
# make models   the release with a TF-IDF baseline (CORPUS=<file>, RUNS=<file> for past questions at hand)
# make bench    speed of scoring, time by rule of the demo study, a million buzz rows
# make bench-libraries  speed of scoring beside torchmetrics, netcal and scikit-learn (in .venv-bench)
# make bench-answers    the answer engine beside PEDANT, qb-answer-checker, RapidFuzz and exact match (in
#               .venv-bench-answers; needs npm): WRITE=1 puts the figures into docs/answers.md
# make tournament       the simulated tournament and leaderboard, its report
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
GUESSES ?=
RESULTS ?=
CORPUS ?=
RUNS ?=
WRITE ?=

STUDY ?=
TABLE ?= table1
ROW ?=
COLUMN ?= calscore
QUESTION ?=
A ?=
B ?=

# Modules are compiled once, not in each of a study's jobs.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := demo
.PHONY: demo demo-options tournament confidence-gap grace models test test-full test-slurm test-endpoint lint bench bench-irt bench-libraries bench-answers explain verify compare unlock lock env clean docs help
.DELETE_ON_ERROR:

$(STAMP): envs/requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: set PYTHON="; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

env: $(STAMP)

# On a phone the menu of a report stands above its text: report.css.
demo: $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --quiet rules --config only=demo
	$(SNAKEMAKE) --quiet all --config only=demo --report-stylesheet workflow/report/report.css --report results/demo/report.html
	@$(BIN)/python -m calscore.pages.report results/demo/report.html
	@echo "Open results/demo/index.html"

demo-options: $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --quiet rules --config only=demo-options
	$(SNAKEMAKE) --quiet all --config only=demo-options --report-stylesheet workflow/report/report.css --report results/demo-options/report.html
	@$(BIN)/python -m calscore.pages.report results/demo-options/report.html
	@echo "Open results/demo-options/index.html"

tournament: $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --quiet rules --configfile config/tournament.yaml
	$(SNAKEMAKE) --quiet all --configfile config/tournament.yaml --report-stylesheet workflow/report/report.css --report results/tournament/report.html
	@$(BIN)/python -m calscore.pages.report results/tournament/report.html
	@echo "Open results/tournament/index.html"

confidence-gap: $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --quiet rules --configfile config/confidence-gap.yaml $(if $(RESULTS),--config results_dir="$(RESULTS)")
	$(SNAKEMAKE) --quiet all --configfile config/confidence-gap.yaml $(if $(RESULTS),--config results_dir="$(RESULTS)") --report-stylesheet workflow/report/report.css --report results/confidence-gap/report.html
	@$(BIN)/python -m calscore.pages.report results/confidence-gap/report.html
	@echo "Open results/confidence-gap/index.html"

GRACE := --configfile config/grace.yaml $(if $(OUTPUTS),config/grace-outputs.yaml)
AT_HAND = $(if $(RELEASE),release="$(RELEASE)") $(if $(filter-out 1,$(OUTPUTS)),outputs="$(OUTPUTS)") $(if $(GUESSES),guesses="$(GUESSES)")

grace: $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --quiet rules $(GRACE) $(if $(strip $(AT_HAND)),--config $(AT_HAND))
	$(SNAKEMAKE) --quiet all $(GRACE) $(if $(strip $(AT_HAND)),--config $(AT_HAND)) --report-stylesheet workflow/report/report.css --report results/grace/report.html
	@$(BIN)/python -m calscore.pages.report results/grace/report.html
	@echo "Open results/grace/index.html"

MODELS := --configfile config/grace.yaml config/grace-models.yaml
GIVEN = $(if $(RELEASE),release="$(RELEASE)") $(if $(CORPUS),corpus="$(CORPUS)") $(if $(RUNS),past_runs="$(RUNS)")

models: $(STAMP)
	$(SNAKEMAKE) --cores $(CORES) --quiet rules $(MODELS) $(if $(strip $(GIVEN)),--config $(GIVEN))
	$(SNAKEMAKE) --quiet all $(MODELS) $(if $(strip $(GIVEN)),--config $(GIVEN)) --report-stylesheet workflow/report/report.css --report results/grace/report.html
	@$(BIN)/python -m calscore.pages.report results/grace/report.html
	@echo "Open results/grace/index.html"

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(SNAKEMAKE) --lint
	$(BIN)/mypy
	$(BIN)/python tests/sync.py

test: lint
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not full"

test-full: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist worksteal -m full --durations=25

test-slurm: envs/requirements.txt
	$(PYTHON) -m venv .venv-slurm
	.venv-slurm/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/requirements.txt
	.venv-slurm/bin/python -m pip install --quiet --disable-pip-version-check snakemake-executor-plugin-slurm
	PATH="$(CURDIR)/.venv-slurm/bin:$$PATH" PYTHONPATH=workflow .venv-slurm/bin/python tests/full/slurm.py $(CONFIG) $(STUDY)

test-endpoint: $(STAMP) envs/endpoint.txt
	$(PYTHON) -m venv .venv-endpoint
	.venv-endpoint/bin/python -m pip install --quiet --disable-pip-version-check -r envs/endpoint.txt
	CALSCORE_SERVER_PYTHON="$(CURDIR)/.venv-endpoint/bin/python" $(BIN)/python -m pytest -q tests/full/test_real_server.py

bench: $(STAMP)
	$(BIN)/python -m benchmarks.bench
	$(BIN)/python -m benchmarks.bench_inference
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

explain: $(STAMP)
	@$(BIN)/python -m calscore.audit.explain results/$(or $(STUDY),demo) $(TABLE) --row "$(ROW)" --column "$(COLUMN)" --question "$(QUESTION)"

verify: $(STAMP)
	@$(BIN)/python -m calscore.audit.manifest results/$(or $(STUDY),demo)
	@$(if $(DEEP),$(BIN)/python -m calscore.audit.rebuild results/$(or $(STUDY),demo) workflow/scripts)

compare: $(STAMP)
	@$(BIN)/python -m calscore.audit.compare "$(A)" "$(B)" $(if $(STUDY),--study $(STUDY))

unlock: $(STAMP)
	$(SNAKEMAKE) --unlock

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra workflow --extra dev pyproject.toml -o envs/requirements.txt
	$(PYTHON) tests/sync.py --fix

docs: $(STAMP)
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build
	@echo "Open docs/_build/index.html"

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

clean:
	rm -rf results/*/ .snakemake .venv-bench .venv-slurm .venv-endpoint .venv-bench-answers
