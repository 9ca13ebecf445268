# `make` lists what there is to do. Everything sets up what it needs, once.

PYTHON ?= python3
HOST ?= localhost
PORT ?= 8501
BASE ?=
WATCH ?= none
TORCH ?=
TO ?=
TESTS ?= tests
WORKERS ?= 2
JOBS ?= 2
BREAKS ?= 300
SESSIONS ?= 25 50 100 200 400
ACTING ?= 60

VENV := .venv
RUN := $(VENV)/bin/python -m
# Some machines ask Python to keep nothing that it compiles: all of it would be compiled at every start anew.
KEEPING_COMPILED := PYTHONDONTWRITEBYTECODE=
APP_INSTALLED := $(VENV)/.app-installed$(if $(TORCH),-$(TORCH))
APP_READY := $(VENV)/.app-ready
SERVE_READY := $(VENV)/.serve-ready
DEV_READY := $(VENV)/.dev-ready
MODELS := models/smollm2-135m/config.json models/all-minilm-l6-v2/config.json

CHECK_VERSION := import sys; v = sys.version_info[:2]; (3, 11) <= v < (3, 14) or sys.exit( \
	"Attention Lab needs Python 3.11, 3.12 or 3.13, but %s is %d.%d: name another with make PYTHON=..." % (("$(PYTHON)",) + v))

# Root on Debian gets here what is missing, started by nobody (RUNLEVEL=1); elsewhere what needs it says so.
# One waits for the other (flock): two apt-gets at once, as in `make --jobs=2`, and the second would give up.
# $(1): the package, $(2): what for
install_on_debian = if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		echo "Installing $(1) $(2)."; \
		exec 9< Makefile; flock 9; \
		apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes $(1) > /dev/null || true; \
	fi

.DEFAULT_GOAL := help
.PHONY: help run serve restart upgrade downgrade ready models test test-all breaks lint format bench load bench-models audit licences collection collection-check pretrained screenshot figures chromium nginx redis clean
.DELETE_ON_ERROR:

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(APP_READY) ## serve the app; PORT=8501, HOST=localhost, BASE=/lab, TORCH=cpu or cuda, WATCH=auto to see edits at once
	@$(RUN) attention_lab serve --port $(PORT) --host $(HOST) --watch $(WATCH) $(if $(BASE),--base $(BASE))

serve: $(SERVE_READY) models nginx ## serve the app to a class: WORKERS=2 processes behind nginx; PORT=8501, HOST=localhost, BASE=/lab
	@exec $(RUN) deploy.serve --workers $(WORKERS) --host $(HOST) --port $(PORT) $(if $(INNER),--inner $(INNER)) $(if $(BASE),--base $(BASE))

restart: $(SERVE_READY) ## replace the processes of `make serve` while they serve; PORT=8501
	@$(RUN) deploy.supervisor.restart --port $(PORT)

upgrade: $(APP_READY) ## take the newest release, or TO=v1.0.0, and replace the processes; goes back if anything fails
	@$(RUN) deploy.upgrade $(if $(TO),--to $(TO)) $(if $(TORCH),--torch $(TORCH))

downgrade: $(APP_READY) ## the same with the release before the last upgrade
	@$(RUN) deploy.upgrade --back $(if $(TORCH),--torch $(TORCH))

# Processes share the cores better than the threads of one: those wait for each other at every small product.
TESTED := $(KEEPING_COMPILED) OMP_NUM_THREADS=1 $(RUN) pytest

ready: $(APP_READY) $(DEV_READY) models chromium nginx redis ## install all that the tests and checks need

test: ready ## run the tests; TESTS=tests/core for some of them, WORKERS=2 at once
	@$(TESTED) -m "not long" --numprocesses $(WORKERS) $(TESTS)

test-all: ready ## run the long tests too, as before every release
	@$(TESTED) --numprocesses $(WORKERS) $(TESTS)

breaks: ready ## break the code in BREAKS=300 places and see what no test notices; JOBS=2
	@$(KEEPING_COMPILED) $(RUN) tests.breaks map --jobs $(JOBS)
	@$(KEEPING_COMPILED) $(RUN) tests.breaks try -n $(BREAKS) --jobs $(JOBS)

# Without Ruff's cache: what it remembers of a file does not change when a module that it imports goes.
lint: $(DEV_READY) ## check style, spelling and types
	@$(RUN) ruff check --no-cache .
	@$(RUN) ruff format --check .
	@$(VENV)/bin/codespell
	@$(RUN) mypy

format: $(DEV_READY) ## lay the code out as `make lint` wants it
	@$(RUN) ruff check --fix --exit-zero .
	@$(RUN) ruff format .

audit: $(DEV_READY) ## ask a public service about known vulnerabilities of what the app needs
	@$(RUN) deploy.audit

licences: $(DEV_READY) ## write docs/licences.md anew, for other versions than before
	@$(RUN) deploy.licences

bench: $(APP_READY) $(DEV_READY) chromium ## measure how fast the app answers
	@$(RUN) bench

# Here one process serves unless more are asked for: `serve` has the same name for two.
load: WORKERS = 1
load: $(APP_READY) $(DEV_READY) chromium nginx ## put a class in front of the app: SESSIONS="25 50", ACTING=60 seconds, WORKERS=1, BASE=/lab; SESSIONS= LOAD="--phones 200"
	@$(RUN) bench.load --sessions $(SESSIONS) --acting $(ACTING) --workers $(WORKERS) $(if $(BASE),--base $(BASE)) $(LOAD)

bench-models: $(APP_READY) $(DEV_READY) chromium ## compare a large model with its peers, half an hour, and write bench/reports/models.md
	@$(RUN) bench.models

collection: $(APP_READY) ## train the models in checkpoints/ that are missing; JOBS=2 at once
	@$(RUN) core.learning.collection --jobs $(JOBS)
	@$(RUN) core.learning.probes
	@$(RUN) core.measures.findings

collection-check: $(APP_READY) ## are they the files listed, and is what they claim true? JOBS=2 at once
	@$(RUN) core.learning.collection --check
	@$(RUN) core.learning.collection --claims --jobs $(JOBS)
	@$(RUN) core.learning.probes --check
	@$(RUN) core.learning.probes --claims

pretrained: $(APP_READY) ## fetch the real models that the app can read, SmolLM2 (93 MB) and MiniLM (83 MB), into models/
	@$(RUN) core.pretrained

screenshot: $(DEV_READY) chromium ## take the README's picture of the app
	@$(RUN) tests.browser.screenshot docs/explorer.png

figures: $(APP_READY) models chromium ## draw the small pictures of the home's gallery, a minute or two
	@$(RUN) figures.gallery

clean: ## remove everything that make has made
	@rm -rf $(VENV) .serve .peers .breaks models/smollm2-135m models/all-minilm-l6-v2 models/.wheels tests/browser/screenshots .pytest_cache .ruff_cache .mypy_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The browser tests use the system's Chromium, and `make serve` the system's nginx; openssl makes its tests a certificate.
# Where Debian has one without windows, the tests take a fifth less with it.
chromium:
	@command -v chromium-headless-shell > /dev/null && exit 0; \
	($(call install_on_debian,chromium-headless-shell,for the browser tests)); \
	for name in chromium-headless-shell chromium chromium-browser google-chrome; do command -v $$name > /dev/null && exit 0; done; \
	$(call install_on_debian,chromium,in its place)

nginx:
	@PATH=$$PATH:/usr/sbin:/usr/local/sbin; command -v nginx > /dev/null && command -v openssl > /dev/null && exit 0; \
	$(call install_on_debian,nginx-light openssl,to stand before the processes)

# For the tests alone: a server has one where its operator says so.
redis:
	@command -v redis-server > /dev/null && exit 0; \
	$(call install_on_debian,redis-server,for the tests of rooms)

# Without ensurepip a failed venv leaves a python behind, but no pip: so pip is what tells that it is whole.
$(VENV)/bin/pip:
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON) here: name a Python from 3.11 to 3.13 with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c '$(CHECK_VERSION)'
	$(PYTHON) -m venv $(VENV)

# TORCH has a mark for each of its values, so that another build of PyTorch is installed when it is asked for.
$(APP_INSTALLED): requirements.txt | $(VENV)/bin/pip
	@echo "Installing what the app needs; the first time takes a minute or more."
	@$(RUN) attention_lab install $(if $(TORCH),--torch $(TORCH))
	@rm -f $(VENV)/.app-installed* && touch $@

# pip would compile every file that it brings. The app loads a fifth of them, and these are compiled when it does.
$(APP_READY): $(APP_INSTALLED)
	@$(KEEPING_COMPILED) STREAMLIT_LOGGER_LEVEL=error $(VENV)/bin/python -c "import app"
	@touch $@

$(SERVE_READY): requirements-serve.txt $(APP_READY)
	@$(RUN) pip install --quiet --disable-pip-version-check --requirement requirements-serve.txt
	@touch $@

# Tried again whenever one is missing. Without a network a sentence says so, and the rest goes on.
models: $(APP_READY)
	@ls $(MODELS) > /dev/null 2>&1 || $(RUN) core.pretrained || true

# These can come while the others are compiled.
$(DEV_READY): requirements-dev.txt $(APP_INSTALLED)
	@echo "Installing what the tests need; the first time takes a minute or more."
	@$(RUN) pip install --quiet --disable-pip-version-check --no-compile --requirement requirements-dev.txt
	@touch $@
