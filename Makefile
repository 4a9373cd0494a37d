# Targets: install, demo, test (lint, types, tests), bench, measure-offline, docs (what is generated), wheel, clean.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: install demo test check pytest bench measure-offline docs wheel clean

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: install
	$(BIN)/benchlint lint fixtures --fail-on never

test: check pytest

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

pytest: install
	$(BIN)/pytest -n 2

bench: install
	$(BIN)/python -m tests.benchmarks $(if $(CHECK),--check)

measure-offline: install
	$(BIN)/python -m tests.measure.offline

docs: install
	$(BIN)/python -m benchlint.catalogue.index > docs/rules.md
	$(BIN)/python -m benchlint.cli.reference > docs/cli.md

wheel: install
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
