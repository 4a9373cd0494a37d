"""Names of rules and of groups, and the rules that they choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.catalogue.rule import by_alias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchlint.catalogue.rule import Rule

_SIMILAR = 60


class UnknownRule(ValueError):  # noqa: N818
    """A name that no rule and no group has; `nearest` is one like it, or None."""

    def __init__(self, rules: Mapping[str, Rule], name: str) -> None:
        self.name = name
        self.nearest = _nearest(rules, name)
        hint = f": did you mean {self.nearest}?" if self.nearest else ""
        super().__init__(f'there is no rule or group "{name}"{hint}')


def groups(rules: Mapping[str, Rule]) -> dict[str, list[Rule]]:
    """Return the rules of each group, in the order of the catalogue."""
    found: dict[str, list[Rule]] = {}
    for rule in rules.values():
        found.setdefault(rule.group, []).append(rule)
    return found


def named(rules: Mapping[str, Rule], name: str) -> frozenset[str]:
    """Return the rules that a name means: a rule's, an old one's, or a group's.

    Raises `UnknownRule`.
    """
    rule = by_alias(rules, name)
    if rule is not None:
        return frozenset((rule.name,))
    group = groups(rules).get(name)
    if group is None:
        raise UnknownRule(rules, name)
    return frozenset(rule.name for rule in group)


def choose(rules: Mapping[str, Rule], select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """Return the rules to look for: the selected ones (all, where none is named) without the ignored ones.

    A rule that is selected by its own name outlives an ignored group. Raises
    `UnknownRule`.
    """
    select, ignore = list(select), list(ignore)
    ignored_rules = _union(rules, (name for name in ignore if by_alias(rules, name)))
    ignored_groups = _union(rules, (name for name in ignore if not by_alias(rules, name)))
    selected_rules = _union(rules, (name for name in select if by_alias(rules, name)))
    selected = _union(rules, select) if select else frozenset(rules)
    return selected - ignored_rules - (ignored_groups - selected_rules)


def _union(rules: Mapping[str, Rule], names: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(named(rules, name) for name in names))


def _nearest(rules: Mapping[str, Rule], name: str) -> str | None:
    from rapidfuzz import fuzz, process

    found = process.extractOne(name, [*rules, *groups(rules)], scorer=fuzz.ratio, score_cutoff=_SIMILAR)
    return found[0] if found else None
