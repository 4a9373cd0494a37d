"""Trajectories of tau-bench: a list of runs of one agent."""

from __future__ import annotations

from typing import Any, Final

from benchlint.audit.families import family_of

STOP: Final = "###STOP###"
"""The user's stop mark."""
_SUCCESS: Final = 1.0 - 1e-6


def recognises(value: Any) -> bool:
    """Say whether a JSON value is such a file."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "traj" in item and "reward" in item for item in value)
    )


def rows(value: list[dict[str, Any]], _path: str, name: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each run; the agent is called after the file."""
    notes = ["cost is the user simulator's alone: the runs tell no other"]
    return [_row(item, name) for item in value], notes


def _row(item: dict[str, Any], name: str) -> dict[str, Any]:
    info = item["info"] if isinstance(item.get("info"), dict) else {}
    checked = info.get("reward_info")
    messages = item["traj"] if isinstance(item["traj"], list) else []
    reward = item["reward"]
    termination = _termination(messages, checked=bool(checked))
    task = item.get("task_id")
    trial = item.get("trial")
    cost = info.get("user_cost")
    basis = _basis(checked)
    return {
        "agent": name,
        "provider": family_of(name),
        "task": None if task is None else str(task),
        "trial": trial if isinstance(trial, int) else None,
        "reward": float(reward >= _SUCCESS) if isinstance(reward, (int, float)) else None,
        "termination": termination,
        "completed": termination != "cut_off",
        "truncated": termination == "cut_off",
        "cost": float(cost) if isinstance(cost, (int, float)) else None,
        "length": float(len(messages)),
        "reward_basis": basis,
        "reward_llm": False if basis else None,
        "reward_llm_decided": False if basis else None,
    }


def _termination(messages: list[Any], *, checked: bool) -> str:
    """Tell how a run ended: by the user's stop mark, by a handoff to a human, or cut off.

    A run that ended by itself was checked for its reward.
    """
    last = messages[-1] if messages and isinstance(messages[-1], dict) else {}
    if last.get("role") == "user" and STOP in str(last.get("content")):
        return "user_stop"
    return "handoff" if checked and last.get("role") == "tool" else "cut_off"


def _basis(checked: Any) -> str | None:
    details = checked.get("info") if isinstance(checked, dict) else None
    if not isinstance(details, dict):
        return None
    return "ACTIONS+OUTPUTS" if "r_outputs" in details else "ACTIONS"
