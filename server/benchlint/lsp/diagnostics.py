"""The one bridge from a finding to a diagnostic of the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchlint.catalogue.finding import Severity
from benchlint.catalogue.fingerprint import fingerprint
from benchlint.lsp.uris import uri_of
from benchlint.text.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchlint.analysis.run import Result
    from benchlint.catalogue.finding import Anchor, Finding
    from benchlint.config import ConfigError
    from benchlint.lsp.world import Json, World
    from benchlint.text.document import Encoding

SOURCE: Final = "benchlint"
CONFIGURATION: Final = "configuration"
MORE: Final = "more-findings"

_SEVERITIES: Final = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFORMATION: 3, Severity.HINT: 4}
_UNNECESSARY: Final = 1
_REDUNDANT: Final = frozenset({"redundant-action", "unused-suppression"})


class Bridge:
    """Writes diagnostics for one client.

    `related` says whether the client shows other places beside a diagnostic.
    """

    def __init__(self, encoding: Encoding, *, related: bool = True) -> None:
        self.encoding = encoding
        self.related = related
        self.uri: Callable[[str], str | None] = lambda _: None
        self._kept: dict[str, tuple[list[object], list[Json]]] = {}
        self._pages: dict[Path, str] = {}

    def diagnostics(
        self,
        found: Mapping[str, tuple[Result, Sequence[Finding]]],
        errors: Mapping[str, ConfigError],
        world: World,
    ) -> dict[str, list[Json]]:
        """Return the diagnostics of every file that was read. What did not change is the same list."""
        most = world.settings.max_diagnostics
        kept: dict[str, tuple[list[object], list[Json]]] = {}
        for path, (result, findings) in found.items():
            document = result.documents.get(path)
            if document is None:
                continue
            others = (item.anchor.path for finding in findings for item in finding.related)
            made_of: list[object] = [document, most, *findings, *map(result.documents.get, others)]
            known = self._kept.get(path)
            if known is not None and known[0] == made_of:
                kept[path] = known
            else:
                kept[path] = made_of, self._listed(result, document, findings, most)
        self._kept = kept
        diagnostics = {path: known[1] for path, known in kept.items()}
        for path, error in errors.items():
            diagnostics[path] = [*diagnostics.get(path, ()), _configuration(error, world, self.encoding)]
        return diagnostics

    def _listed(self, result: Result, document: Document, findings: Sequence[Finding], most: int) -> list[Json]:
        shown = findings
        if len(findings) > most:
            worst = sorted(range(len(findings)), key=lambda index: (-findings[index].severity, index))
            shown = [findings[index] for index in sorted(worst[:most])]
        diagnostics = [self.diagnostic(result, finding) for finding in shown]
        if len(findings) > most:
            hidden = len(findings) - most
            are = "finding is" if hidden == 1 else "findings are"
            message = f"{hidden} more {are} not shown: benchlint.maxDiagnostics is {most}"
            at = self.range(document, 0, 0)
            diagnostics.append({"range": at, "severity": 3, "code": MORE, "source": SOURCE, "message": message})
        return diagnostics

    def diagnostic(self, result: Result, finding: Finding) -> Json:
        """Return a finding of a result as a diagnostic."""
        diagnostic: Json = {
            "range": self.place(result, finding.anchor),
            "severity": _SEVERITIES[finding.severity],
            "code": finding.rule,
            "source": SOURCE,
            "message": finding.message,
            "data": {"id": fingerprint(finding), "fixable": bool(finding.fixes)},
        }
        page = self._page(result, finding.rule)
        if page:
            diagnostic["codeDescription"] = {"href": page}
        if finding.rule in _REDUNDANT:
            diagnostic["tags"] = [_UNNECESSARY]
        if self.related:
            related = [(item.message, item.anchor) for item in finding.related if item.anchor.path in result.documents]
            if related:
                diagnostic["relatedInformation"] = [
                    {
                        "location": {"uri": self.uri_of(anchor.path), "range": self.place(result, anchor)},
                        "message": message,
                    }
                    for message, anchor in related
                ]
        return diagnostic

    def uri_of(self, path: str) -> str:
        """Return the URI of a path, as the client spells it where it has the file open."""
        return self.uri(path) or uri_of(path)

    def place(self, result: Result, anchor: Anchor) -> Json:
        """Return the range of an anchor."""
        document = result.documents.get(anchor.path)
        if document is None:
            return self.range(Document(anchor.path, b""), 0, 0)
        base = result.slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
        return self.range(document, base + anchor.start, base + anchor.end)

    def range(self, document: Document, start: int, end: int) -> Json:
        """Return the range of some bytes."""
        line, column = document.position(start, self.encoding)
        last, stop = (line, column) if end <= start else document.position(end, self.encoding)
        return {"start": {"line": line, "character": column}, "end": {"line": last, "character": stop}}

    def _page(self, result: Result, name: str) -> str:
        """Return the URI of a rule's page, "" where there is none."""
        rule = result.rules.get(name)
        if rule is None or not isinstance(rule.source, Path):
            return ""
        if rule.source not in self._pages:
            self._pages[rule.source] = uri_of(str(rule.source))
        return self._pages[rule.source]


def _configuration(error: ConfigError, world: World, encoding: Encoding) -> Json:
    """Return a diagnostic for a configuration that cannot be used, to the end of its line."""
    document = world.documents.get(error.path)
    if document is None:
        try:
            document = Document(error.path, Path(error.path).read_bytes())
        except OSError:
            document = Document(error.path, b"")
    line = error.line - 1
    text = document.line_text(line)
    start, end = (_units(text[:length], encoding) for length in (error.column - 1, len(text)))
    return {
        "range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": max(start, end)}},
        "severity": 1,
        "code": CONFIGURATION,
        "source": SOURCE,
        "message": error.message,
    }


def _units(text: str, encoding: Encoding) -> int:
    from benchlint.text.document import width

    return width(text.encode("utf-8", "replace"), encoding)
