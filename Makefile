# Needs make, git and Python 3.11 or later with venv. Everything else goes into .venv.

.PHONY: help play test lint format bench soak clean
.DEFAULT_GOAL := help

# The first Python that is new enough; `make PYTHON=/path/to/python play` says which.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; exit; }; done; echo python3)

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip --quiet --disable-pip-version-check
GAME := dread_draw

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.play  ## play Dread Draw (or GAME=name) against bots
	@$(BIN)/rulesrun $(GAME)

test: lint  ## everything that must be true: style, types, layers, tests
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.dev  ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev  ## put the Python code and the rules files in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/rulesrun fmt games stdlib examples

bench: $(VENV)/.play  ## measure speed against hand-written code
	$(BIN)/python benchmarks/run.py

MINUTES := 60

soak: $(VENV)/.dev  ## random programs, broken files, changed files and random play for MINUTES=60
	$(BIN)/python tests/soak.py --minutes $(MINUTES)

clean:  ## remove .venv and everything that was made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache soak
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ── the environment ──

$(VENV)/.made:
	@"$(PYTHON)" -c 'import sys' 2>/dev/null || { \
		echo 'There is no Python here. rulesrun needs Python 3.11 or later (on Debian: sudo apt install python3 python3-venv).' >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "rulesrun needs Python 3.11 or later; $(PYTHON) is `"$(PYTHON)" --version 2>&1`." >&2; \
		echo 'If a newer one is installed: make PYTHON=/path/to/python3 ...' >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "$(PYTHON) has no venv module. On Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/.play: $(VENV)/.made pyproject.toml
	@echo 'Installing rulesrun into $(VENV) (once) ...'
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	@echo 'Installing rulesrun and its test tools into $(VENV) (once) ...'
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.play
