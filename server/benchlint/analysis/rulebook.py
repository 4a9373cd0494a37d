"""The rules of a configuration: the catalogue's, and those of a team's own pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.catalogue.rule import PageError, load_rules, read_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config

_METRICS: Final = ("description_alignment", "policy_alignment", "violations", "ambiguity", "contradictions")


def rules_of(config: Config, catalogue: Mapping[str, Rule] | None = None) -> Mapping[str, Rule]:
    """Return the rules by name, the catalogue's first.

    A page of a team's own is for a judge: it has a metric and a Rubric.
    Raises ConfigError for one that is not, or whose name is taken.
    """
    known = load_rules() if catalogue is None else catalogue
    if not config.rules:
        return known
    rules = dict(known)
    for index, name in enumerate(config.rules):
        folder = config.folder / name
        for path in sorted((*folder.glob("*.md"), *folder.glob("*/*.md"))):
            try:
                rule = read_page(path)
            except (OSError, UnicodeDecodeError, PageError) as error:
                raise config.error(("rules", index), f"rules: {error}") from None
            if rule.name in rules:
                raise config.error(("rules", index), f"rules: {path}: there is a rule {rule.name} already")
            if rule.metric not in _METRICS or not rule.section("Rubric"):
                what = f'"metric" (one of {", ".join(_METRICS)}) and a section "Rubric"'
                raise config.error(("rules", index), f"rules: {path}: the page needs {what}")
            rules[rule.name] = rule
    return rules
