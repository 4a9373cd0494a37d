"""Guards written into an items file, below what their items have already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from benchlint.text.yaml_strings import encode_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.benchmark.items import ItemsFile


class WrittenExample(NamedTuple):
    """An action in a situation: name, arguments, the records that there are, and the calls before it."""

    name: str
    arguments: Mapping[str, Any]
    records: Mapping[str, Any]
    before: Sequence[tuple[str, Mapping[str, Any]]] = ()


class WrittenGuard(NamedTuple):
    """A guard to be written; see `GuardText`."""

    rule: str
    tools: Sequence[str]
    violated: str
    message: str
    argument: str | None
    compliance: Sequence[WrittenExample]
    violation: Sequence[WrittenExample]


def has_guards(file: ItemsFile, index: int) -> bool:
    """Say whether an entry has a key for guards, be it for none."""
    value = file.sliced.slices[index].value
    return isinstance(value, dict) and ("guard" in value or "guards" in value)


def with_guards(file: ItemsFile, guards: Mapping[int, Sequence[WrittenGuard]], *, draft: bool) -> str:
    """Return the text of an items file with guards for some entries, which have none; by the entry's index."""
    data = file.document.data
    end = b"\r\n" if b"\r\n" in data else b"\n"
    parts: list[bytes] = []
    done = 0
    for index in sorted(guards):
        piece = file.sliced.slices[index]
        line = data.rfind(b"\n", 0, piece.start) + 1
        column = piece.start - line
        at = _content_end(data, piece.start, piece.end)
        lines = _lines(guards[index], draft=draft)
        parts.append(data[done:at] + (b"" if data[:at].endswith(b"\n") else end))
        parts += [b" " * column + item.encode("utf-8", "replace") + end for item in lines]
        done = at
    return b"".join([*parts, data[done:]]).decode("utf-8", "replace")


def _content_end(data: bytes, start: int, end: int) -> int:
    """Return where the lines of an entry end: before the blank lines and comments that lead to the next one."""
    stop = data.find(b"\n", max(start, min(end, len(data)) - 1))
    lines = data[start : len(data) if stop < 0 else stop + 1].splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith(b"#")):
        lines.pop()
    return start + sum(map(len, lines))


def _lines(guards: Sequence[WrittenGuard], *, draft: bool) -> list[str]:
    lines = ["guards:"]
    for guard in guards:
        lines.append(f"- rule: {encode_yaml(guard.rule)}")
        if draft:
            lines.append("  draft: true")
        lines.append(f"  tools: [{', '.join(map(encode_yaml, guard.tools))}]")
        if guard.argument:
            lines.append(f"  argument: {encode_yaml(guard.argument)}")
        lines.append(f"  violated: {encode_yaml(guard.violated)}")
        lines.append(f"  message: {encode_yaml(guard.message)}")
        for key, examples in (("compliance", guard.compliance), ("violation", guard.violation)):
            lines.append(f"  {key}:")
            for example in examples:
                lines += _example(example)
    return lines


def _example(example: WrittenExample) -> list[str]:
    lines = [f"  - action: {_flow({example.name: example.arguments})}"]
    if example.records:
        lines.append(f"    db: {_flow(example.records)}")
    if example.before:
        calls = [{name: arguments} for name, arguments in example.before]
        lines.append(f"    before: {_flow(calls)}")
    return lines


def _flow(value: Any) -> str:
    """Write plain values on one line."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{encode_yaml(str(key))}: {_flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, str):
        return encode_yaml(value)
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else repr(value)
