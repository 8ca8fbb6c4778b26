# Two commands matter: `make run` and `make test`. Both set everything up first; a second call is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TRAINING := $(VENV)/.training
NATIVE := CMakeLists.txt $(wildcard native/*.cpp native/*.hpp native/*.inc)
PAGES := src/tengen/web/static/index.html
FRONTEND := $(filter-out frontend/src/net/api.ts,$(shell find frontend/src frontend/public -type f)) $(wildcard frontend/*.json frontend/*.ts frontend/*.html)
# The machine's Node if it is new enough, else one from PyPI, installed below.
NODE_BIN := $(CURDIR)/$(BIN):$(CURDIR)/frontend/node_modules/.bin:$$PATH

.PHONY: help run test setup ready lint types docs dist bench bench-theory bench-workbench bench-solver bench-prove bench-grid bench-jobs bench-sudoku bench-book reproduce clean

help:
	@echo "make run     set up, then open the workbench in the browser"
	@echo "make test    set up, then run every check and test"
	@echo "make setup   only set up: $(VENV) with the tengen command in it"
	@echo "make docs    build the documentation as pages: build/site/index.html"
	@echo "make dist    build wheel and source, and try both in environments of their own"
	@echo "make bench   measure speed, one JSON line a case and a table"
	@echo "make bench-workbench   the page in a browser: edits, keys, weight, first paint"
	@echo "make bench-solver   the solver on real games (needs the games beside the checkout)"
	@echo "make bench-prove    the verifier on real games, and one large proof found, written and checked"
	@echo "make bench-theory   drawn games: the proof, the breaker against all comers, settled games"
	@echo "make bench-grid     what jobs cost on one machine and over a broker"
	@echo "make bench-jobs     job-level search on positions of our own (hours; goes on where it was ended)"
	@echo "make bench-book     the statistics book on real games (needs the games beside the checkout)"
	@echo "make bench-sudoku   minimum Sudoku: the fast search, the thesis's tables, a campaign in trouble (long)"
	@echo "make reproduce      every figure of the papers that can be repeated, into docs/results (hours; QUICK=1: minutes)"
	@echo "make clean   remove $(VENV) and the build folder"

run: setup
	@$(BIN)/tengen web

# In the order of their names: the browser's tests leave a loop running in their process, so they come last.
test: setup $(TRAINING) lint types docs
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python .ci/lock-requirements --check

types: setup $(TRAINING)
	$(BIN)/mypy
	$(BIN)/mypy tests bench training
	cd frontend && PATH="$(NODE_BIN)" tsc --noEmit

docs: setup
	$(BIN)/mkdocs build --strict --quiet

# The wheel is tried without a compiler and without Node; the source is built once more from what it holds.
dist: setup
	.ci/try-packages $(BIN)/python build/dist

bench: setup
	$(BIN)/python bench/ground_floor.py
	$(BIN)/python bench/threats.py
	$(BIN)/python bench/agents.py
	$(BIN)/python bench/engine.py

bench-theory: setup
	$(BIN)/python bench/theory.py proof
	$(BIN)/python bench/theory.py survive
	$(BIN)/python bench/theory_settled.py

bench-workbench: setup
	$(BIN)/python bench/workbench.py

bench-solver: setup
	$(BIN)/python bench/solver.py

bench-prove: setup
	$(BIN)/python bench/proving.py

bench-grid: setup
	$(BIN)/python bench/grid.py

# Each step keeps what it has run in the folder, and goes on there.
JOBS ?= build/job-level
bench-jobs: setup
	$(BIN)/python bench/job_level.py memory
	$(BIN)/python bench/job_level.py check $(JOBS)
	$(BIN)/python bench/job_level.py pool $(JOBS) --workers 1,2
	$(BIN)/python bench/job_level.py simulate $(JOBS)
	$(BIN)/python bench/job_level.py simulate $(JOBS) --policies mf-ve --workers 1,1024
	$(BIN)/python bench/job_level.py simulate $(JOBS) --policies mf-ve --workers 1,16 --thesis
	$(BIN)/python bench/job_level.py simulate $(JOBS) --large --workers 1,16

bench-book: setup
	$(BIN)/python bench/book.py

bench-sudoku: setup
	for measure in check famous known versions levels sets solver campaign; do $(BIN)/python bench/sudoku.py $$measure || exit 1; done

# What the documents report, and ours beside it: docs/results. Hours, and it goes on where it was ended; QUICK=1 takes minutes.
reproduce: setup
	$(BIN)/python bench/reproduce.py $(if $(QUICK),--quick)
	$(BIN)/python bench/engine_truth.py $(if $(QUICK),--small 20 --connect6 4)
	$(BIN)/tengen puzzle check --jobs 2 $(if $(QUICK),--sample 10)

# Whoever calls while another call sets up waits for it.
LOCKED = import fcntl, subprocess, sys; lock = open("build/.lock", "w"); fcntl.flock(lock, fcntl.LOCK_EX); sys.exit(subprocess.call(sys.argv[1:]))
setup:
	@mkdir -p build
	+@$(PYTHON) -c '$(LOCKED)' $(MAKE) --no-print-directory ready

ready: $(READY) $(PAGES)
	@:

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tengen needs Python 3.11 or later; say which with: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

# Every package is installed by the hash of its file. The build tools come first: a build in a sandbox would fetch tools
# without hashes (nkeys has no wheel), and compile all native files after each change.
PIP = PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCKED_PIP = $(PIP) --require-hashes --no-build-isolation
$(READY): $(VENV)/bin/python pyproject.toml $(wildcard requirements/*.txt) $(NATIVE)
	$(LOCKED_PIP) -r requirements/build.txt
	$(LOCKED_PIP) -r requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m pip check --quiet
	@touch $@

# PyTorch, for training and its tests. Its builds differ from index to index, so it is pinned by version, not by hash.
$(TRAINING): $(READY) requirements/training.txt
	$(PIP) -r requirements/training.txt
	@touch $@

frontend/node_modules/.ready: $(READY) frontend/package.json frontend/package-lock.json
	@node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))' 2>/dev/null || $(LOCKED_PIP) -r requirements/node.txt
	cd frontend && PATH="$(NODE_BIN)" npm ci --silent
	@touch $@

# The types of the server's interface are made from the server itself.
$(PAGES): frontend/node_modules/.ready $(FRONTEND) $(wildcard src/tengen/web/*.py)
	@mkdir -p build
	$(BIN)/python -m tengen.web.schema > build/openapi.json
	cd frontend && PATH="$(NODE_BIN)" openapi-typescript ../build/openapi.json --output src/net/api.ts >../build/openapi.log 2>&1 || (cat ../build/openapi.log; exit 1)
	cd frontend && PATH="$(NODE_BIN)" vite build --logLevel warn
	@touch $@

clean:
	rm -rf $(VENV) build frontend/node_modules src/tengen/web/static
