"""Tables of SimulatorArena: conversations with people's ratings and, for mathematics, whether the student was right."""

from __future__ import annotations

from typing import Any, Final

from benchlint.audit.families import family_of

_RATINGS: Final = ("overall_rating", "overall_interaction_rating")
_CORRECTNESS: Final = "problem_1_correctness"
_CORRECT: Final = {"correct": 1.0, "incorrect": 0.0, "unknown": 0.0}
"""What the student's answer counts as; SimulatorArena itself takes an unknown one for incorrect."""


def recognises(value: Any) -> bool:
    """Say whether a JSON value is such a table."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "model" in item and any(key in item for key in _RATINGS) for item in value)
    )


def rows(value: list[dict[str, Any]], _path: str, _name: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each conversation; documents have no correctness, so their reward is missing."""
    notes = []
    unknown = sum(str(item.get(_CORRECTNESS)).casefold() == "unknown" for item in value)
    if unknown:
        notes.append(f"{unknown} answers whose correctness is unknown count as incorrect")
    return [_row(item) for item in value], notes


def _row(item: dict[str, Any]) -> dict[str, Any]:
    agent = str(item["model"])
    mathematics = _CORRECTNESS in item
    rating = next((found for key in _RATINGS if (found := _number(item.get(key))) is not None), None)
    queries = item.get("user_queries")
    task = item.get("problem_id") if mathematics else item.get("intent")
    stratum = item.get("level") if mathematics else item.get("document_type")
    return {
        "agent": agent,
        "base_model": agent,
        "provider": family_of(agent),
        "domain": "math tutoring" if mathematics else "document creation",
        "persona": None if stratum is None else str(stratum),
        "task": None if task is None else str(task),
        "reward": _CORRECT.get(str(item.get(_CORRECTNESS)).casefold()) if mathematics else None,
        "length": float(2 * len(queries)) if isinstance(queries, list) else None,
        "human": rating,
        **({"dim_document": _number(item["overall_document_rating"])} if "overall_document_rating" in item else {}),
    }


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
