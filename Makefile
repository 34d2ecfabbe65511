# Everything that is done to this project is done by one of these; CI calls nothing else.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
UV := .tools/bin/uv
NPM := --no-audit --no-fund --no-update-notifier
PACKAGES := arena referee workers bots
PURE := bundle_format games match ratings scheduling
MIN_COVERAGE_PERCENT := 96
FAST := $(PURE:%=tests/%) tests/core tests/net
COMPILED := pyproject.toml $(shell sed -n '/^\[tool.arena.compiled\]/,/^]/s/^ *"\(.*\.py\)",*.*/\1/p' pyproject.toml)
SOURCES := $(shell find $(PACKAGES) -name node_modules -prune -o -name '*.py' -print)

.PHONY: help setup run test test-packages test-fast test-long coverage coverage-fast check bench bench-strength bench-load bench-growth chaos soak fresh dictionary protos client released-protos settings commands messages lock golden board-pictures audit sbom wheel release site image format clean
help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s "$$(printf '\t')"

# --- setting up: uv into .tools (works without root and without python3-venv), then the locked environment.
.tools/bin/uv:
	@echo "setup: fetching uv into .tools"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-cache-dir --root-user-action=ignore --target .tools 'uv>=0.5,<1'

.stamps/setup: requirements.lock pyproject.toml | .tools/bin/uv
	@mkdir -p .stamps
	@test -x $(BIN)/python || $(UV) venv --quiet --no-python-downloads --python $(PYTHON) .venv
	@echo "setup: installing the packages of requirements.lock into .venv"
	@$(UV) pip sync --python $(BIN)/python --require-hashes requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# Programs start faster, and those that run as another user, in sandboxes, cannot write their bytecode.  The tests of the
# packages never run, and mypy is machine code: that is a third of all, so it stays as it is.
.stamps/package-bytecode: .stamps/setup
	@echo "setup: compiling the packages to bytecode"
	@$(BIN)/python -m compileall -qq -j 0 -x '/(tests|mypy|mypyc)/' .venv/lib || true
	@touch $@

.stamps/bytecode: .stamps/package-bytecode $(SOURCES)
	@echo "setup: compiling our own modules to bytecode"
	@$(BIN)/python -m compileall -q -x node_modules $(PACKAGES)
	@touch $@

# The modules that pyproject.toml lists are made to C.  Without a C compiler they run as they are: the next make tries again.
.stamps/compiled: deploy/compile_modules.py $(COMPILED) | .stamps/setup
	@echo "setup: compiling what plays matches to machine code"
	@rm -f $@; if $(BIN)/python deploy/compile_modules.py; then touch $@; fi

# What pages take from npm, which is the one in .venv.  Without it they have tables and lists only: no reason not to run.
.stamps/charts: arena/web/ui/npm/package-lock.json | .stamps/setup
	@echo "setup: installing the libraries of the pages: charts, API reference"
	@if (cd arena/web/ui/npm && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci $(NPM)); then touch $@; \
	  else echo "make: npm could not fetch the pages' libraries; they have tables and lists in place of charts and the API reference, the next make tries again" >&2; fi

# Beside each other: two of them wait for the network.
setup: .stamps/setup  ## make the environment in .venv
	@$(MAKE) --no-print-directory -j 4 .stamps/bytecode .stamps/compiled .stamps/charts

run: .stamps/bytecode .stamps/compiled .stamps/charts  ## start the arena; PORT=8100 for another port, ARGS="--data DIR --workers 2" for other options of arena up
	@exec $(BIN)/arena up $(if $(PORT),--port $(PORT)) $(ARGS)

test-packages: | .stamps/setup
	@deploy/test-packages

# Two processes: each more collects all tests and makes stores, servers and browsers of its own.  pytest keeps the bytecode of the
# tests, whatever the environment says: each process, and those that tests start, would compile all of them anew.
test: test-packages .stamps/bytecode .stamps/compiled .stamps/charts  ## run all tests (as root it first installs the system packages they use)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest $(if $(ARGS),$(ARGS),-n 2 --dist worksteal)

test-fast: .stamps/setup  ## run the tests of what is pure, with few examples of each property: a minute
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "fast and not long" --hypothesis-profile fast $(FAST) $(ARGS)

test-long: .stamps/setup  ## run the tests that take long: simulations in more cases (as root it first installs what they use beside the gate's packages)
	@deploy/test-packages --long
	@$(BIN)/python -m pytest -n 2 -m long

coverage: test-packages .stamps/bytecode .stamps/charts  ## which lines and branches the tests do not reach; takes twice as long as they do
	@ARENA_COMPILED=0 $(BIN)/python -m pytest $(PACKAGES:%=--cov=%) $(if $(ARGS),$(ARGS),-n 2 --dist worksteal)

coverage-fast: .stamps/setup  ## the branch coverage of what is pure by its own tests, which must not fall: part of the gate
	@ARENA_COMPILED=0 $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "fast and not long" --hypothesis-profile fast $(PURE:%=--cov=arena.%) --cov-report= $(PURE:%=tests/%) $(ARGS)
	@$(BIN)/coverage report --omit "*/house_bots/*,*/board/*" --fail-under $(MIN_COVERAGE_PERCENT)

check: .stamps/setup  ## all linters, and that generated code is fresh; the last lines say which passed
	@.ci/check

bench: .stamps/bytecode .stamps/compiled  ## measure every figure against its limit: a table, and JSON in bench/out
	@$(BIN)/python -m bench $(ARGS)

dictionary: .stamps/setup  ## train the zstd dictionary of stored records into bench/out; ARGS="--id 1" for an earlier one again
	@$(BIN)/python -m bench.dictionary $(ARGS)

bench-strength: .stamps/bytecode .stamps/compiled  ## which house bots beat which: a long run that can be stopped and goes on
	@$(BIN)/python -m bench.strength $(ARGS)

bench-load: .stamps/bytecode .stamps/compiled  ## does anybody lose because the machine is busy: 20,000 matches with all cores loaded
	@$(BIN)/python -m bench.load $(ARGS)

bench-growth: .stamps/bytecode .stamps/compiled  ## what costs more as a store grows to a million matches, on both databases: half an hour, 4 GB
	@$(BIN)/python -m bench.growth $(ARGS)

soak: .stamps/bytecode .stamps/compiled  ## play, use and disturb a real deployment for an hour or more; nothing may be lost or grow (as root); ARGS="--hours 3"
	@deploy/test-packages --chaos
	@$(BIN)/python -m bench.soak $(ARGS)

chaos: .stamps/bytecode .stamps/compiled  ## kill, stop, cut off and fill up parts of a real deployment while it plays: nothing may be lost, and each alert must fire (twenty minutes, as root)
	@deploy/test-packages --chaos
	@$(BIN)/python -m bench.chaos $(ARGS)

fresh:  ## make run and make test in clean Debian 12 and 13, as an ordinary user: an hour (as root, with debootstrap); ARGS="trixie -- make setup" for one of them, or another command
	@deploy/fresh $(ARGS)

protos: .stamps/setup  ## generate arena/v1 from protos, and the client in TypeScript
	@$(BIN)/python protos/generate.py
	@$(BIN)/python deploy/bundle_typescript.py

client: .stamps/setup  ## generate remote_arena.py, async_arena.py and types.py of arena/client from the OpenAPI document
	@$(BIN)/python -m arena.web.client_generator

released-protos: .stamps/setup  ## keep the protos as they are now, to hold later ones against: when a release is made
	@$(BIN)/buf build --exclude-source-info --exclude-path protos/arena/v1/control.proto -o protos/released.binpb

settings: .stamps/setup  ## write the tables of settings in docs and deploy again
	@$(BIN)/python .ci/settings_tables.py

commands: .stamps/setup  ## write the tables of commands in docs/commands.md again
	@$(BIN)/python .ci/command_tables.py

messages: .stamps/setup  ## bring the catalogues of the pages' languages to the messages as they are now
	@$(BIN)/python -m arena.web.ui.message_catalogues

golden: .stamps/setup  ## write the golden matches of all games again (review the diff)
	@$(BIN)/python -m tests.golden

board-pictures: .stamps/setup  ## draw the pictures of the boards in the docs again; ARGS="lost_cities:46" for one game, at a point of its annotated match
	@$(BIN)/python -m tests.web.boards.board_pictures $(ARGS)

lock: | .tools/bin/uv  ## resolve pyproject.toml into requirements.lock
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --group dev --extra data --extra rl --extra tracing pyproject.toml --output-file requirements.lock

audit: .stamps/setup  ## known vulnerabilities of the locked packages; exit code 1: some, 3: not all could be looked up
	@$(BIN)/python deploy/audit.py

# What a release runs: the packages of requirements.lock without those for developing, and the library of the pages.
sbom: .stamps/setup  ## write the bill of materials (CycloneDX) into dist/sbom
	@mkdir -p dist/sbom
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --extra tracing --constraint requirements.lock pyproject.toml --output-file dist/sbom/requirements.txt
	@PYTHONWARNINGS=ignore $(UV) tool run --quiet --from 'cyclonedx-bom>=7,<8' cyclonedx-py requirements dist/sbom/requirements.txt \
	  --pyproject pyproject.toml --output-reproducible --output-file dist/sbom/python.cdx.json
	@cd arena/web/ui/npm && PATH="$(CURDIR)/$(BIN):$$PATH" npm sbom --sbom-format cyclonedx --package-lock-only > $(CURDIR)/dist/sbom/pages.cdx.json
	@ls dist/sbom/*.cdx.json

wheel: .stamps/charts .stamps/compiled  ## build the wheels into dist, with the pages' libraries: one for all machines, one compiled
	@test -e arena/web/ui/npm/node_modules/uplot/dist/uPlot.iife.min.js || { echo "make: the wheel would have no charts; see above" >&2; exit 1; }
	@$(BIN)/python -m hatchling build -t wheel -d dist
	@test ! -e .stamps/compiled || HATCH_BUILD_HOOKS_ENABLE=1 $(BIN)/python -m hatchling build -t wheel -d dist

site: .stamps/setup  ## the docs as a static site in dist/site
	@$(BIN)/python deploy/site.py
	@NO_MKDOCS_2_WARNING=1 $(UV) tool run --quiet --from 'mkdocs-material>=9.6,<10' mkdocs build --quiet --strict --config-file deploy/mkdocs.yml

release: .stamps/setup  ## make release VERSION=0.3.0: version, changelog, tag, wheels, source archive and bills of materials, each tried (docs/releasing.md)
	@$(BIN)/python deploy/release.py $(VERSION) $(ARGS)

image: wheel  ## build the container images with podman; ARGS="arena" for one of them (docs/containers.md)
	@deploy/container/build $(ARGS)

format: .stamps/setup  ## format the code
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .
	@$(BIN)/djhtml --tabwidth 2 $$(find arena/web arena/games -name node_modules -prune -o -name '*.html' -print)

clean:  ## remove the environment and everything generated outside of git
	find $(PACKAGES) -name node_modules -prune -o -name '*.so' -exec rm {} +
	rm -f arena/compiled_modules.txt
	rm -rf .venv .tools .stamps bots/typescript/node_modules arena/web/ui/npm/node_modules .mypy_cache .pytest_cache .ruff_cache dist bench/out
