"""Print every budget with what was measured; with --check, fail on a missed one."""

from __future__ import annotations

import sys

from tests.benchmarks import audit, editor, guards, judges, lint, lsp, replay

MODULES = (lint, guards, lsp, judges, audit, replay, editor)


def main() -> int:
    missed = 0
    for module in MODULES:
        for budget in module.budgets():
            missed += not budget.kept
            verdict = "ok" if budget.kept else "MISSED"
            print(f"{verdict:6} {budget.name}: {budget.measured:.3f} {budget.unit} (limit {budget.limit:g})")
    return 1 if missed and "--check" in sys.argv else 0


sys.exit(main())
