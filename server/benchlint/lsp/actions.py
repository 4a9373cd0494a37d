"""Code actions: quick fixes, fix all, and ways to suppress a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.fixing import fix
from benchlint.analysis.kept import Kept
from benchlint.analysis.run import run
from benchlint.analysis.silencing import silencings
from benchlint.catalogue.fingerprint import fingerprint
from benchlint.lsp.drafting import DRAFT, drafts
from benchlint.lsp.edits import EditWriter
from benchlint.lsp.judge_actions import JUDGE, is_judged, judge_now, rewrites

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchlint.analysis.run import Result
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.catalogue.finding import Finding
    from benchlint.lsp.linter import Linter
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json, World
    from benchlint.text.document import Document

QUICK_FIX: Final = "quickfix"
FIX_ALL: Final = "source.fixAll.benchlint"
KINDS: Final = (QUICK_FIX, FIX_ALL, JUDGE, DRAFT)


def code_actions(
    session: Session, path: str, lines: tuple[int, int], diagnostics: Sequence[Json], only: Sequence[str] | None
) -> Iterator[Json]:
    """Yield what can be done at some lines of a file.

    Which findings are meant is told by the diagnostics that the client has
    there, else by the lines; where they stand is the server's own knowledge,
    because clients count columns in more than one way.
    """
    known = session.findings(path)
    if known is not None and _asked(QUICK_FIX, only):
        result, findings = known
        writer = EditWriter(session.client, session.bridge)
        meant = list(_meant(session, result, findings, lines, diagnostics))
        for finding, diagnostic in meant:
            if is_judged(finding):
                yield from rewrites(session, result, finding, diagnostic)
            else:
                yield from _fixes(writer, result, finding, diagnostic)
        for finding, diagnostic in meant:
            yield from _silencings(writer, result, finding, diagnostic, session.world.documents)
    if known is not None and (_asked(DRAFT, only) or _asked(QUICK_FIX, only)):
        for action in drafts(session, known[0], path, lines, session.channel.diagnostics(path)):
            if _asked(action["kind"], only):
                yield action
    if known is not None and _asked(JUDGE, only):
        yield from judge_now(session, path, lines)
    if known is not None and _asked(FIX_ALL, only) and (only or _is_fixable(known[1])):
        yield {"title": "Fix all that is safe to fix", "kind": FIX_ALL, "data": {"path": path}}


def _asked(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any(kind == item or kind.startswith(f"{item}.") for item in only)


def _is_fixable(findings: Sequence[Finding]) -> bool:
    return any(finding.fixes and finding.fixes[0].safe for finding in findings)


def _meant(
    session: Session,
    result: Result,
    findings: Sequence[Finding],
    lines: tuple[int, int],
    diagnostics: Sequence[Json],
) -> Iterator[tuple[Finding, Json]]:
    """Yield the findings that are meant, each with its diagnostic of now."""
    ids = {(item.get("data") or {}).get("id") for item in diagnostics if isinstance(item.get("data"), dict)}
    said = {(item.get("code"), item.get("message")) for item in diagnostics}
    near = []
    for finding in findings:
        place = session.bridge.place(result, finding.anchor)
        if place["start"]["line"] <= lines[1] and place["end"]["line"] >= lines[0]:
            near.append(finding)
    told = [item for item in near if fingerprint(item) in ids or (item.rule, item.message) in said]
    for finding in told or near:
        yield finding, session.bridge.diagnostic(result, finding)


def _fixes(writer: EditWriter, result: Result, finding: Finding, diagnostic: Json) -> Iterator[Json]:
    for number, item in enumerate(finding.fixes):
        edit = writer.edit(result, item.edits, label=item.title, safe=item.safe)
        if edit is not None:
            yield {
                "title": item.title,
                "kind": QUICK_FIX,
                "diagnostics": [diagnostic],
                "isPreferred": item.safe and number == 0,
                "edit": edit,
            }


def _silencings(
    writer: EditWriter, result: Result, finding: Finding, diagnostic: Json, documents: Mapping[str, Document]
) -> Iterator[Json]:
    for item in silencings(result, finding, documents):
        edit = writer.edit(result, item.edits, label=item.title, safe=True, creates=item.creates)
        if edit is not None:
            yield {"title": item.title, "kind": QUICK_FIX, "diagnostics": [diagnostic], "edit": edit}


async def fix_all(session: Session, path: str) -> dict[str, Any] | None:
    """Return the edit that makes all safe fixes of an open file, as far as none does harm."""
    import asyncio

    world = session.world
    document = world.documents.get(path)
    if document is None:
        return None
    fixed = await asyncio.wrap_future(session.worker.call(lambda linter: _fixed(linter, world, path)))
    if fixed is None or fixed.data == document.data:
        return None
    return EditWriter(session.client, session.bridge).replacement(document, fixed.data)


def _fixed(linter: Linter, world: World, path: str) -> Document | None:
    snapshot, config = linter.snapshot(world)
    options, kept = world.options, Kept()

    def lint(texts: Snapshot) -> Result:
        return run([path], texts, config, options, kept=kept)

    changed = fix(snapshot, lint).changed.get(path)
    return changed[1] if changed is not None else None
