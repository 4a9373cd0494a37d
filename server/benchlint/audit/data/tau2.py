"""Results of tau2-bench: one file with everything, or an index with a file a simulation beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchlint.audit.families import family_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER: Final = "simulations"
_SUCCESS: Final = 1.0 - 1e-6
_LLM: Final = "NL_ASSERTION"
_DONE: Final = ("user_stop", "agent_stop")
_BROKEN_OFF: Final = ("max_steps", "timeout", "too_many_errors")
_NOT_THE_AGENT: Final = "infrastructure_error"


def recognises(value: Any) -> bool:
    """Say whether a JSON value is such a file."""
    return isinstance(value, dict) and (
        isinstance(value.get("simulations"), list) or isinstance(value.get("simulation_index"), list)
    )


def rows(value: dict[str, Any], path: str, name: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each simulation, and what could not be read."""
    notes: list[str] = []
    simulations = value.get("simulations") or _external(value, path, notes)
    common = _common(value.get("info"), name)
    return [{**common, **_row(item)} for item in simulations if isinstance(item, dict)], notes


def _external(value: dict[str, Any], path: str, notes: list[str]) -> list[Any]:
    """Read the files beside the index; what has none is taken from the index alone."""
    folder = Path(path).parent / _FOLDER
    found: list[Any] = []
    seen = set()
    unreadable = 0
    for file in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            item = json.loads(file.read_bytes())
        except (ValueError, OSError, RecursionError):
            unreadable += 1
            continue
        if isinstance(item, dict):
            seen.add(str(item.get("id", file.stem)))
            found.append(item)
    index = [item for item in value.get("simulation_index") or [] if isinstance(item, dict)]
    alone = [item for item in index if str(item.get("id")) not in seen]
    if unreadable:
        notes.append(f"{path}: {unreadable} files in {_FOLDER}/ could not be read")
    if alone:
        notes.append(f"{path}: {len(alone)} simulations have no file; the index alone tells of them")
    return [*found, *({**item, "reward_info": {"reward": item.get("reward")}} for item in alone)]


def _common(info: Any, name: str) -> dict[str, Any]:
    info = info if isinstance(info, dict) else {}
    agent, user, place = (_object(info.get(key)) for key in ("agent_info", "user_info", "environment_info"))
    model = _text(agent.get("llm"))
    temperature = _object(agent.get("llm_args")).get("temperature")
    shown = model or name
    if isinstance(temperature, (int, float)) and temperature:
        shown = f"{shown} (t {temperature:g})"
    implementation = _text(agent.get("implementation"))
    if implementation and implementation != "llm_agent":
        shown = f"{shown} {implementation}"
    return {
        "agent": shown,
        "base_model": model,
        "provider": family_of(model) if model else None,
        "temperature": float(temperature) if isinstance(temperature, (int, float)) else None,
        "simulator": _text(user.get("llm")),
        "domain": _text(place.get("domain_name")),
    }


def _row(item: Mapping[str, Any]) -> dict[str, Any]:
    reason = _text(item.get("termination_reason"))
    found = _object(item.get("reward_info"))
    reward = _number(found.get("reward"))
    if reason == _NOT_THE_AGENT:
        reward = None
    basis = found.get("reward_basis")
    names = [str(part) for part in basis] if isinstance(basis, list) and reward is not None else None
    costs = [cost for key in ("agent_cost", "user_cost") if (cost := _number(item.get(key))) is not None]
    messages = item.get("messages")
    trial = item.get("trial")
    return {
        "id": _text(item.get("id")),
        "task": _text(item.get("task_id")),
        "trial": trial if isinstance(trial, int) else None,
        "reward": None if reward is None else float(reward >= _SUCCESS),
        "termination": reason,
        "completed": None if reason is None else reason in _DONE,
        "truncated": None if reason is None else reason in _BROKEN_OFF,
        "cost": sum(costs) if costs else None,
        "length": float(len(messages)) if isinstance(messages, list) else None,
        "reward_basis": "+".join(names) if names else None,
        "reward_llm": None if names is None else _LLM in names,
        "reward_llm_decided": None if names is None else _decided(found, names, reward),
    }


def _decided(found: Mapping[str, Any], names: list[str], reward: float | None) -> bool:
    """Say whether the reward would have been another without its LLM component."""
    parts = _object(found.get("reward_breakdown"))
    if _LLM not in names or reward is None or reward >= _SUCCESS:
        return False
    others = [_number(parts.get(name)) for name in names if name != _LLM]
    return all(part is not None and part >= _SUCCESS for part in others)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) and value != "" else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
