"""Cuts JSON into slices: scanned element by element, so that a fault in one leaves the others whole."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from benchlint.text.document import Document
from benchlint.text.json_tree import Scanner, decoder, space
from benchlint.text.slices import CONTAINERS, MAX_DEPTH, UNPARSED, Fault, Slice

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from benchlint.text.json_text import JsonText
    from benchlint.text.tree import Node, Pointer

_TOKEN = re.compile(r'"(?:[^"\\\n\r]|\\.)*"?|-?\d+|[A-Za-z]+|\S')
_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)|-?\d{4301,}')
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
_SURROGATE = re.compile(
    r"(\\\\)|(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_ELEMENT = re.compile(r"^([ \t]*)[{\[]", re.MULTILINE)

_MESSAGES = {
    "Expecting property name enclosed in double quotes": "expected a key in double quotes",
    "Expecting ':' delimiter": "expected ':' after the key",
    "Expecting ',' delimiter": "expected ',' or a closing bracket",
    "Expecting value": "expected a value",
    "Unterminated string starting at": "the string that starts here does not end",
    "Invalid control character at": "a line end or control character stands inside a string",
    "Invalid \\escape": "a backslash in a string starts no known escape",
    "Invalid \\uXXXX escape": "\\u is not followed by four hexadecimal digits",
    "Illegal trailing comma before end of object": "a comma stands before the closing bracket",
    "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
}


class Slicer:
    """Walks a text once and fills `sliced`."""

    def __init__(self, sliced: JsonText, text: str) -> None:
        self.sliced = sliced
        self.text = text
        self.ascii = len(text) == len(sliced.document.data)
        self._duplicates: list[str] = []
        self._constants: list[str] = []
        self._raw_decode = decoder(self._duplicates, self._constants).raw_decode
        self._cursor = (0, 0)
        self._escapes = "\\u" in text
        # Whether an element was broken only because the text ends in it.
        self.ran_out = False

    def byte(self, at: int) -> int:
        """Return the byte offset of a character; calls mostly move forward."""
        if self.ascii:
            return at
        character, offset = self._cursor
        if at >= character:
            offset += len(self.text[character:at].encode("utf-8", "surrogateescape"))
        else:
            offset -= len(self.text[at:character].encode("utf-8", "surrogateescape"))
        self._cursor = (at, offset)
        return offset

    def fault(self, start: int, end: int, message: str) -> None:
        """Note what is wrong with a range of characters."""
        self.sliced.faults.append(Fault(self.byte(start), self.byte(end), message))

    def run(self, pointer: Pointer | None) -> None:
        """Find the array and slice it; else the whole text is one slice."""
        text = self.text
        start = space(text, 1 if text.startswith("\ufeff") else 0)
        if start == len(text):
            self.fault(0, 0, "the file is empty")
        elif text[start] == "[" and not pointer:
            self._array(start, ())
        elif text[start] == "{":
            self._object(start, pointer)
        else:
            self.whole(start)

    def _object(self, start: int, wanted: Pointer | None) -> None:
        """Walk the keys of the object at `start` down to the array."""
        text = self.text
        path: tuple[str | int, ...] = ()
        at = space(text, start + 1)
        header: dict[str, Any] = {}
        found = False
        while at < len(text) and text[at] == '"':
            try:
                key, end = scanstring(text, at + 1, True)
                end = space(text, end)
                if text[end : end + 1] != ":":
                    break
                at = space(text, end + 1)
                opening = text[at : at + 1]
                if not found and wanted and key == wanted[len(path)]:
                    if len(path) + 1 == len(wanted):
                        if opening == "[":
                            at = self._array(at, (*path, key), whole=False)
                            found = True
                        else:
                            break
                    elif opening == "{":
                        path = (*path, key)
                        at = space(text, at + 1)
                        continue
                    else:
                        break
                elif not found and not wanted and key in CONTAINERS and opening == "[":
                    at = self._array(at, (key,), whole=False)
                    found = True
                else:
                    value, at = self._raw_decode(text, at)
                    if not path:
                        header[key] = value
            except (ValueError, RecursionError):
                break
            at = space(text, at)
            if text[at : at + 1] != ",":
                break
            at = space(text, at + 1)
        if not found:
            if not wanted:
                self._duplicates.clear()
                self._constants.clear()
                self.whole(start)
            return
        self.sliced.header = header
        self._check_header(start)

    def _check_header(self, start: int) -> None:
        """Note what is wrong in the text around the slices."""
        if self.sliced.array is None or self.sliced.faults:
            return
        first, last = self.sliced.array
        data = self.sliced.document.data
        blank = data[:first] + b" " * (last - first) + data[last:]
        text = blank.decode("utf-8", "surrogateescape")
        inner = type(self.sliced)(Document(self.sliced.document.path, blank), "json")
        Slicer(inner, text).whole(space(text, 1 if text.startswith("\ufeff") else 0))
        self.sliced.faults.extend(inner.faults)

    def whole(self, start: int) -> None:
        """Take everything from `start` on as one slice."""
        end = len(self.text.rstrip(" \t\n\r"))
        self._element(start, end, ())

    def line(self, start: int, end: int) -> None:
        """Take one line of JSON Lines as a slice."""
        self._element(start, end, ())

    def _element(self, start: int, end: int, pointer: Pointer) -> None:
        """Take `start` to `end` as one slice, whether it parses or not."""
        try:
            value, stop = self._decode(start)
        except json.JSONDecodeError as error:
            self._add(start, end, UNPARSED, pointer)
            self._decode_fault(error, end)
            return
        if stop < end:
            after = space(self.text, stop)
            token = _TOKEN.match(self.text, after)
            self._add(start, end, UNPARSED, pointer)
            self.fault(after, min(token.end() if token else end, end), "text follows the end of the value")
            return
        self._add(start, stop, value, pointer)

    def _array(self, opening: int, pointer: Pointer, *, whole: bool = True) -> int:
        """Slice the array whose bracket opens at `opening`; return its end.

        `whole` says that nothing but white space may follow.
        """
        text = self.text
        self.sliced.path = pointer
        at = self.elements(space(text, opening + 1), opening)
        end = min(at + 1, len(text))
        if at >= len(text) and not self.sliced.faults:
            last = max(opening, len(text.rstrip(" \t\n\r")) - 1)
            self.fault(last, last + 1, "the list that starts in this file does not end: ']' is missing")
        self.sliced.array = (self.byte(opening + 1), self.byte(max(opening + 1, end - 1)))
        if whole and text[end:].strip(" \t\n\r"):
            after = space(text, end)
            token = _TOKEN.match(text, after)
            self.fault(after, token.end() if token else after + 1, "text follows the end of the list")
        return end

    def elements(self, at: int, opening: int, known: Container[int] = ()) -> int:
        """Slice the elements from `at` on; return where the list ends.

        Stops before an element that starts at a `known` byte.
        """
        text, sliced = self.text, self.sliced
        while at < len(text) and text[at] != "]" and not (known and self.byte(at) in known):
            line = text.rfind("\n", 0, at) + 1
            if sliced.indent is None and line > opening and not text[line:at].strip(" \t"):
                sliced.indent = text[line:at]
            indent = sliced.indent
            stop = self._one(at, (*sliced.path, len(sliced.slices)), opening, indent)
            at = space(text, stop)
            if text[at : at + 1] == ",":
                comma, at = at, space(text, at + 1)
                if text[at : at + 1] == "]":
                    self.fault(comma, comma + 1, "a comma stands before the closing bracket")
            if text[at : at + 1] == "]" and self._more(at, indent):
                self.fault(at, at + 1, "']' ends the list here, but more elements follow")
                at = self._next(at + 1, opening, indent) or len(text)
        return at

    def _one(self, at: int, pointer: Pointer, opening: int, indent: str | None) -> int:
        """Take the element at `at` as a slice; return where it ends."""
        text = self.text
        error: json.JSONDecodeError | None = None
        try:
            value, stop = self._decode(at)
        except json.JSONDecodeError as problem:
            error = problem
            self.ran_out = self.ran_out or problem.pos >= len(text) or problem.msg.startswith("Unterminated")
        else:
            after = space(text, stop)
            following = text[after : after + 1]
            peek = self._at(space(text, after + 1)) if following == "," else following
            complete = following in (",", "]") and (not isinstance(value, dict) or peek in ("{", "]", ""))
            if complete or following == "":
                self._add(at, stop, value, pointer)
                return stop
            if following == "{" and isinstance(value, dict):
                self._add(at, stop, value, pointer)
                self.fault(stop - 1, stop, "',' is missing between two elements")
                return stop
        following_element = self._next(at + 1, opening, indent)
        if following_element is None:
            self.ran_out = True
        end = self._boundary(at, opening) if following_element is None else following_element
        end = at + len(text[at:end].rstrip(" \t\n\r,"))
        self._add(at, max(end, at + 1), UNPARSED, pointer)
        if error is None:
            self.fault(stop - 1, stop, "this bracket closes the element too early")
        elif error.pos >= end and following_element is not None:
            self._unclosed(at, end)
        else:
            self._decode_fault(error, end)
        return max(end, at + 1)

    def _unclosed(self, at: int, end: int) -> None:
        """Note the bracket of an element that is still open where the next one starts."""
        opened: list[int] = []
        for match in _BRACKET.finditer(self.text, at, end):
            if match[0] in "[{":
                opened.append(match.start())
            elif match[0] in "]}" and opened:
                opened.pop()
        last = opened[-1] if opened else at
        self.fault(last, last + 1, "the bracket that opens here is not closed before the next element")

    def _at(self, at: int) -> str:
        return self.text[at : at + 1]

    def _next(self, at: int, opening: int, indent: str | None) -> int | None:
        """Return where the next element starts, by the array's indentation."""
        if indent is None:
            indents = [match[1] for match in _ELEMENT.finditer(self.text, opening + 1)]
            if not indents:
                return None
            indent = min(indents, key=len)
        match = re.compile(rf"^{indent}(?=[{{\[])", re.MULTILINE).search(self.text, at)
        return match.end() if match else None

    def _more(self, at: int, indent: str | None) -> bool:
        """Say whether elements follow the bracket at `at`."""
        if indent is None or not indent:
            return False
        return self._next(at + 1, at, indent) is not None

    def _boundary(self, at: int, opening: int) -> int:
        """Return where a broken element ends that no line start delimits."""
        line_end = self.text.find("\n", at)
        if line_end >= 0 and line_end < len(self.text.rstrip()):
            closing = self.text.rstrip()
            return len(closing) - 1 if closing.endswith("]") and len(closing) - 1 > at else len(closing)
        from benchlint.text.json_recovery import element_end

        data = self.text[opening:].encode("utf-8", "surrogateescape")
        offset = len(self.text[opening:at].encode("utf-8", "surrogateescape"))
        end = element_end(data, offset)
        return opening + len(data[:end].decode("utf-8", "surrogateescape"))

    def _add(self, start: int, end: int, value: Any, pointer: Pointer) -> None:
        slices = self.sliced.slices
        begin, stop = self.byte(start), self.byte(end)
        if self._duplicates or self._constants:
            self._duplicates.clear()
            self._constants.clear()
            if value is not UNPARSED:
                self._oddities(start, end, begin)
        slices.append(Slice(self.sliced.document, len(slices), begin, stop, value, pointer))

    def _oddities(self, start: int, end: int, begin: int) -> None:
        """Note duplicate keys and numbers that JSON does not have."""
        text = self.text[start:end]
        for match in _NUMBER.finditer(text):
            if match[0][0] != '"' and not match[0].lstrip("-").isdigit():
                self.fault(start + match.start(), start + match.end(), f"{match[0]} is not a JSON number")
        root = Scanner(text.encode("utf-8", "surrogateescape")).root()
        for key in _duplicates(root):
            message = f'the key "{key.key}" appears twice in this object; only the last value counts'
            self.sliced.faults.append(Fault(begin + key.start, begin + key.end, message))

    def _decode(self, at: int) -> tuple[Any, int]:
        """Decode the value at `at`; what JSON allows and Python does not is noted."""
        try:
            value, end = self._raw_decode(self.text, at)
        except json.JSONDecodeError:
            self._duplicates.clear()
            self._constants.clear()
            raise
        except RecursionError:
            raise _too_deep(self.text, at) from None
        except ValueError:
            value, end = decoder(digits=False).raw_decode(self.text, at)
            for match in _NUMBER.finditer(self.text, at, end):
                if match[0].lstrip("-").isdigit():
                    message = f"a number of {len(match[0])} digits is too long"
                    self.fault(match.start(), match.end(), message)
        text = self.text
        if text.count("[", at, end) + text.count("{", at, end) > MAX_DEPTH:
            error = _too_deep(text, at)
            if error.pos < end:
                raise error
        if self._escapes and text.find("\\u", at, end) >= 0:
            value = self._without_surrogates(at, end, value)
        return value, end

    def _without_surrogates(self, at: int, end: int, value: Any) -> Any:
        """Return the value with lone surrogates replaced; note each."""
        lone = [match for match in _SURROGATE.finditer(self.text, at, end) if match[3]]
        if not lone:
            return value
        for match in lone:
            self.fault(match.start(), match.end(), f"{match[0]} is half of a character: a lone surrogate")
        text = _SURROGATE.sub(lambda match: "\\ufffd" if match[3] else match[0], self.text[at:end])
        return decoder().raw_decode(text)[0]

    def _decode_fault(self, error: json.JSONDecodeError, end: int) -> None:
        text = self.text
        at = min(error.pos, len(text))
        message = _MESSAGES.get(error.msg, error.msg)
        before = text[:at].rstrip(" \t\n\r")
        if error.msg.startswith("Expecting") and text[at : at + 1] in ("}", "]") and before.endswith(","):
            at, message = len(before) - 1, "a comma stands before the closing bracket"
        if at >= len(text):
            last = max(len(before) - 1, 0)
            self.fault(last, min(last + 1, len(text)), "the text ends here, in the middle of a value")
            return
        if error.msg == "Invalid control character at":
            start = text.rfind('"', 0, at)
            self.fault(max(start, 0), at, "the string that starts here does not end on its line")
            return
        token = _TOKEN.match(text, at)
        self.fault(at, min(token.end() if token else at + 1, max(end, at + 1)), message)


def _duplicates(node: Node) -> Iterator[Node]:
    """Yield the keys that stand in an object a second time."""
    pending = [node]
    while pending:
        node = pending.pop()
        seen: set[str | None] = set()
        for key, value in node.entries:
            if key.key in seen:
                yield key
            seen.add(key.key)
            pending.append(value)
        pending.extend(node.items)


def _too_deep(text: str, at: int) -> json.JSONDecodeError:
    """Return the error for the bracket at which text nests too deep."""
    depth = 0
    for match in _BRACKET.finditer(text, at):
        if match[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return json.JSONDecodeError(f"objects and lists nest more than {MAX_DEPTH} deep", text, match.start())
        elif match[0] in "]}":
            depth -= 1
            if depth == 0:
                break
    return json.JSONDecodeError("Expecting value", text, len(text))
