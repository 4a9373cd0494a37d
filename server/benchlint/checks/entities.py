"""Ids in expected actions that the database does not have.

Which argument names records of which collection is learned from all tasks
of the benchmark; where they do not tell, nothing is said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from benchlint.catalogue.finding import Severity
from benchlint.checks.arguments import is_creating, is_listed, others, pointer_to, replacing, scalars, words
from benchlint.checks.registry import Check, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchlint.benchmark.model import Benchmark, Call, Task
    from benchlint.benchmark.records import Collection
    from benchlint.catalogue.finding import Finding, Fix
    from benchlint.checks.view import View
    from benchlint.text.tree import Pointer

_LEAST = 8
"""How many different values of an argument tell what it names."""

_SHARE = 0.85
"""How many of them must be ids of one collection."""

_ID = re.compile(r"(?!\d{4}-\d\d|\d\d?:\d\d)\S{1,64}", re.ASCII)

_Use = tuple[str, str, tuple[str, ...]]
"""The values of one argument in one call: tool, argument, values."""


class Link(NamedTuple):
    """What an argument names in some tools.

    The first collection is the one most likely meant; any other has as good
    as all of the values, too. `hits` counts the values that are there, of
    the `uses` of the argument; `listed` says that a call may have several.
    """

    argument: str
    tools: frozenset[str]
    collections: tuple[str, ...]
    hits: int
    uses: int
    listed: bool


class Links(NamedTuple):
    """What the arguments of a benchmark name, and the (tool, argument, value) that do not exist."""

    links: tuple[Link, ...]
    missing: frozenset[tuple[str, str, str]]

    def of(self, tool: str, argument: str) -> Link | None:
        """Return what an argument of a tool names."""
        return next((link for link in self.links if link.argument == argument and tool in link.tools), None)


class _Miss(NamedTuple):
    """An id that does not exist, and every place in a task's calls where it stands."""

    link: Link
    value: str
    places: tuple[tuple[int, Pointer], ...]
    """The index of the call and the pointer from its arguments."""


def digest(task: Task, benchmark: Benchmark) -> tuple[_Use, ...]:
    """Return the values in a task's expected actions that may be ids; not those that its initial data bring."""
    found: list[_Use] = []
    brought = _brought(task)
    for call in task.actions:
        if call.arguments:
            groups: dict[str, list[str]] = {}
            for _, argument, value in scalars(call.arguments):
                if type(value) is str and _ID.fullmatch(value) and value not in brought:
                    groups.setdefault(argument, []).append(value)
            found.extend((call.name, argument, tuple(values)) for argument, values in groups.items())
    return tuple(found)


def _brought(task: Task) -> str:
    if task.initial_data is None:
        return ""
    from benchlint.checks.sources import initial_text

    return initial_text(task)


def learn(digests: Sequence[tuple[_Use, ...]], benchmark: Benchmark) -> Links:
    """Return what the arguments name, from the digests of all tasks."""
    database = benchmark.database
    if database is None:
        return Links((), frozenset())
    uses: dict[str, dict[str, list[tuple[str, ...]]]] = {}
    for item in digests:
        for tool, argument, values in item:
            uses.setdefault(argument, {}).setdefault(tool, []).append(values)
    collections = database.collections()
    links = [link for argument, by_tool in uses.items() for link in _links(argument, by_tool, collections)]
    missing = frozenset(
        (tool, link.argument, value)
        for link in links
        for tool in link.tools
        for value in {value for values in uses[link.argument][tool] for value in values}
        if not any(value in collections[name].records for name in link.collections)
    )
    return Links(tuple(links), missing)


def _links(
    argument: str, by_tool: dict[str, list[tuple[str, ...]]], collections: Mapping[str, Collection]
) -> Iterable[Link]:
    """Yield what an argument names in all tools together, else in each by itself."""
    groups: list[list[str]] = [list(by_tool), *([tool] for tool in by_tool)] if len(by_tool) > 1 else [list(by_tool)]
    for tools in groups:
        distinct = {value for tool in tools for values in by_tool[tool] for value in values}
        names = _named(distinct, collections) if len(distinct) >= _LEAST else ()
        if not names:
            continue
        known = set().union(*(collections[name].records for name in names))
        usual = [tool for tool in tools if not _defines(by_tool[tool], known)]
        calls = [values for tool in usual for values in by_tool[tool]]
        used = [value for values in calls for value in values]
        hits = sum(map(known.__contains__, used))
        yield Link(argument, frozenset(usual), names, hits, len(used), len(used) > len(calls))
        if len(tools) > 1:
            return


def _named(values: set[str], collections: Mapping[str, Collection]) -> tuple[str, ...]:
    """Return the collections that have as good as all values, the likeliest first."""
    hits = {name: sum(map(found.records.__contains__, values)) for name, found in collections.items()}
    fitting = [name for name, count in hits.items() if count >= _SHARE * len(values)]
    return tuple(sorted(fitting, key=lambda name: (-hits[name], not collections[name].unique)))


def _defines(uses: list[tuple[str, ...]], known: set[str]) -> bool:
    """Say whether a tool is given ids that are new: most of several are unknown."""
    values = {value for item in uses for value in item}
    unknown = len(values - known)
    return unknown >= 2 and unknown > len(values) / 2


def _unknown_entity(view: View) -> Iterable[Finding]:
    links: Links = view.summary
    if not links.missing:
        return
    from benchlint.checks.sources import scenario_text

    for miss in _misses(view, links):
        told = _twin(view, miss) is None and is_mentioned(miss.value, scenario_text(view.task))
        yield _finding(view, miss, told=told)


def _misses(view: View, links: Links) -> Iterable[_Miss]:
    """Yield the ids that neither the database nor the task itself brings."""
    from benchlint.checks.sources import initial_text

    task = view.task
    tools = {tool for tool, _, _ in links.missing}
    places: dict[tuple[Link, str], list[tuple[int, Pointer]]] = {}
    for index, call in enumerate(task.actions):
        if call.name not in tools:
            continue
        for at, argument, value in scalars(call.arguments or {}):
            if type(value) is not str or (call.name, argument, value) not in links.missing:
                continue
            link = links.of(call.name, argument)
            tool = view.benchmark.tools.get(call.requestor, call.name) if view.benchmark.tools else None
            if link and not is_listed(tool, at):
                places.setdefault((link, value), []).append((index, at))
    for (link, value), found in places.items():
        if not is_mentioned(value, initial_text(task)) and not _is_created(view, links, link, found[0][0]):
            yield _Miss(link, value, tuple(found))


def _is_created(view: View, links: Links, link: Link, before: int) -> bool:
    """Say whether a call may make records of a kind, before one that names them."""
    kind = words(view.database.collections()[link.collections[0]].kind)[-1:]
    calls = (*view.task.initial_calls, *view.task.actions[: before + 1])
    return any(_creates(view, links, link, call, kind) for call in calls)


def _creates(view: View, links: Links, link: Link, call: Call, kind: list[str]) -> bool:
    tool = view.benchmark.tools.get(call.requestor, call.name) if view.benchmark.tools else None
    if tool and tool.effect == "read":
        return False
    parts = words(call.name)
    named = bool(kind) and any(part in (kind[0], f"{kind[0]}s", f"{kind[0]}es") for part in parts)
    arguments = {argument for _, argument, _ in scalars(call.arguments or {})}
    named_by = [other for argument in arguments if (other := links.of(call.name, argument))]
    if link.argument in arguments or any(set(link.collections) & set(other.collections) for other in named_by):
        return named and is_creating(call.name)
    return is_creating(call.name) or (named and tool is not None and tool.effect == "write")


def _finding(view: View, miss: _Miss, *, told: bool) -> Finding:
    link = miss.link
    database = view.database
    collection = database.collections()[link.collections[0]]
    message = f"{collection.kind} {miss.value} is not in the database"
    elsewhere = [database.collections()[name].kind for name in database.collections_of(miss.value)]
    twin = _twin(view, miss)
    if twin:
        message += f", which has {twin}"
    elif elsewhere:
        article = "an" if elsewhere[0].startswith(tuple("aeiou")) else "a"
        message += f" ({article} {elsewhere[0]} has this id)"
    plural = collection.name.rpartition(".")[2].replace("_", " ")
    unit = "values" if link.listed else "calls"
    message += f"; {link.argument} is one of its {plural} in {link.hits} of {link.uses} {unit}"
    if told:
        message += "; the scenario names it"
    return view.finding(
        "unknown-entity",
        message,
        pointer_to(view, miss.places[0]),
        severity=Severity.HINT if told else _severity(view, miss),
        related=others(view, miss.places),
        fixes=() if told else _fixes(view, miss, collection),
    )


def _twin(view: View, miss: _Miss) -> str | None:
    """Return the id that differs by a `#` at its beginning alone."""
    other = miss.value[1:] if miss.value.startswith("#") else f"#{miss.value}"
    collections = view.database.collections()
    return other if any(other in collections[name].records for name in miss.link.collections) else None


def _severity(view: View, miss: _Miss) -> Severity:
    """Return how much depends on the id: the database's end state, or the actions themselves."""
    task, benchmark = view.task, view.benchmark
    basis = benchmark.default_reward_basis if task.reward_basis is None else task.reward_basis
    calls = [task.actions[index] for index, _ in miss.places]
    tools = [benchmark.tools.get(call.requestor, call.name) for call in calls] if benchmark.tools else []
    written = any(tool and tool.effect == "write" for tool in tools)
    return Severity.ERROR if written or "ACTION" in basis else Severity.WARNING


def _fixes(view: View, miss: _Miss, collection: Collection) -> tuple[Fix, ...]:
    """Return the replacement by the one id of which this is a slip of the keys."""
    twin = _twin(view, miss)
    near = [twin] if twin else _near(miss.value, collection.ids)
    return replacing(view, miss.value, near[0], miss.places) if len(near) == 1 else ()


def _near(value: str, ids: Iterable[str]) -> list[str]:
    """Return the ids that differ in one character, or in the order of two.

    One half of an id stays whole in this; most ids are told apart by that.
    """
    half = (len(value) - 2) // 2
    if half < 2:
        return []
    start, end = value[:half], value[-half:]
    alike = [item for item in ids if abs(len(item) - len(value)) < 2 and (item.startswith(start) or item.endswith(end))]
    if not alike:
        return []
    from rapidfuzz.distance import OSA

    return [item for item in alike if OSA.distance(item, value, score_cutoff=1) == 1]


def is_mentioned(value: str, text: str) -> bool:
    """Say whether a text has an id as a word of its own; `#` and letter case do not count."""
    plain = value.lstrip("#").casefold()
    return bool(plain) and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text.casefold()) is not None


CHECKS = (
    Check(
        rules=("unknown-entity",),
        run=_unknown_entity,
        needs=("database",),
        reads=("database", "tools"),
        summary=Summary("entities", digest, learn, needs=()),
    ),
)
