# Everything that is done to this project is done by one of these; CI calls nothing else.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
UV := .tools/bin/uv

.PHONY: help setup run test test-long check bench bench-strength bench-load chaos protos messages lock golden format clean
help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s "$$(printf '\t')"

# --- setting up: uv into .tools (works without root and without python3-venv), then the locked environment.
.tools/bin/uv:
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-cache-dir --root-user-action=ignore --target .tools 'uv>=0.5,<1'

.stamps/setup: requirements.lock pyproject.toml | .tools/bin/uv
	@mkdir -p .stamps
	@test -x $(BIN)/python || $(UV) venv --quiet --no-python-downloads --python $(PYTHON) .venv
	@$(UV) pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# The packages of the bot in TypeScript: npm is the one in .venv.
.stamps/typescript: bots/typescript/package-lock.json | .stamps/setup
	@cd bots/typescript && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent
	@touch $@

# The charts' library of the pages.  Without it they have tables only: no reason not to run.
.stamps/charts: arena/web/npm/package-lock.json | .stamps/setup
	@if (cd arena/web/npm && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent); then touch $@; \
	  else echo "make: npm could not fetch the charts' library; the pages have tables in their place, the next make tries again" >&2; fi

setup: .stamps/setup .stamps/typescript .stamps/charts  ## make the environment in .venv

run: .stamps/setup .stamps/charts  ## start the arena: referee, workers, web, house bots, a first tournament
	@exec $(BIN)/arena up $(ARGS)

test: .stamps/setup .stamps/typescript .stamps/charts  ## run all tests (as root it first installs the system packages they use)
	@deploy/test-packages
	@$(BIN)/python -m pytest $(if $(ARGS),$(ARGS),-n 2 --dist worksteal)

test-long: .stamps/setup  ## run the tests that take long: simulations in more cases
	@$(BIN)/python -m pytest -n 2 -m long

check: .stamps/setup  ## all linters, and that generated code is fresh
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/buf lint
	@$(BIN)/python protos/generate.py --check
	@$(BIN)/deptry .
	@$(BIN)/vulture
	@$(BIN)/codespell

bench: .stamps/setup  ## measure every figure against its limit: a table, and JSON in bench/out
	@$(BIN)/python -m bench $(ARGS)

bench-strength: .stamps/setup  ## which house bots beat which: a long run that can be stopped and goes on
	@$(BIN)/python -m bench.strength $(ARGS)

bench-load: .stamps/setup  ## does anybody lose because the machine is busy: 20,000 matches with all cores loaded
	@$(BIN)/python -m bench.load $(ARGS)

chaos: .stamps/setup  ## kill, stop, cut off and fill up parts of a real deployment while it plays: nothing may be lost (ten minutes, as root)
	@deploy/test-packages --chaos
	@$(BIN)/python -m bench.chaos $(ARGS)

protos: .stamps/setup  ## generate arena/v1 from protos
	@$(BIN)/python protos/generate.py

messages: .stamps/setup  ## bring the catalogues of the pages' languages to the messages as they are now
	@$(BIN)/python -m arena.web.messages

golden: .stamps/setup  ## write the golden matches of tests/golden again (review the diff)
	@$(BIN)/python -m tests.golden

lock: | .tools/bin/uv  ## resolve pyproject.toml into requirements.lock
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --group dev pyproject.toml --output-file requirements.lock

format: .stamps/setup  ## format the code
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

clean:  ## remove the environment and everything generated outside of git
	rm -rf .venv .tools .stamps bots/typescript/node_modules arena/web/npm/node_modules .mypy_cache .pytest_cache .ruff_cache dist bench/out
