"""Comments: found where the language has them, and only there."""

from __future__ import annotations

import pytest

from benchlint.text.comments import comments
from benchlint.text.document import Document


def found(path: str, text: str | bytes) -> list[tuple[str, list[int]]]:
    document = Document(path, text if isinstance(text, bytes) else text.encode())
    result = []
    for comment in comments(document, b"mark"):
        assert document.data[comment.start : comment.end].decode("utf-8", "replace") == comment.text
        result.append((comment.text, list(comment.covers)))
    return result


@pytest.mark.parametrize("path", ["a.yaml", "a.yml", "a.py", "a.toml", "A.TOML"])
def test_a_comment_behind_something_covers_its_line(path):
    separator = ": " if path.startswith("a.y") else " = "
    text = f"é{separator}1\nb{separator}2  # mark é 🎈\nc{separator}3\n" if path != "A.TOML" else "b = 2  # mark é 🎈\n"
    text = text.replace("é" + separator, "a" + separator)
    assert found(path, text) == [("# mark é 🎈", [text.split("#")[0].count("\n")])]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("path", ["a.yaml", "a.py", "a.toml"])
def test_a_comment_alone_covers_the_next_line_that_is_none(path, newline):
    separator = ": " if path == "a.yaml" else " = "
    lines = ["# mark", "# other", f"a{separator}1", f"b{separator}2", ""]
    assert found(path, newline.join(lines)) == [("# mark", [0, 1, 2])]
    assert found(path, "# mark") == [("# mark", [0, 1])]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", "a: '# mark'\nb: \"# mark\"\nc: |\n  # mark\nd: >-\n\n  # mark\ne: x# mark\n"),
        ("a.py", "a = '# mark'\nb = \"# mark\"\nc = '''\n# mark\n'''\nd = r'\\\\' '# mark'\n"),
        ("a.toml", 'a = \'# mark\'\nb = "\\"# mark"\nc = \'\'\'\n# mark\'\'\'\nd = """\n\\""" # mark"""\n'),
        ("a.md", "# mark\n\n```html\n<!-- mark -->\n```\n\n~~~~\n<!-- mark -->\n~~~\n~~~~\n"),
        ("a.json", '{"a": "# mark"} # mark'),
        ("a.jsonl", "# mark"),
        ("a.csv", "# mark"),
    ],
)
def test_text_that_looks_like_a_comment(path, text):
    assert found(path, text) == []


def test_markdown():
    text = "# T\n\n<!-- mark -->\n\n<!-- other -->\nRule one. <!-- mark 2 -->\nRule two.\n<!-- mark\n3 -->\n- Three.\n"
    assert found("a.md", text) == [
        ("<!-- mark -->", [2, 3, 4, 5]),
        ("<!-- mark 2 -->", [5]),
        ("<!-- mark\n3 -->", [7, 8, 9]),
    ]


def test_only_comments_with_the_word():
    assert found("a.toml", "# other\na = 1 # mark\n") == [("# mark", [1])]


def test_a_word_twice_in_a_comment():
    assert found("a.py", "x = 1  # mark mark\n") == [("# mark mark", [0])]


@pytest.mark.parametrize("path", ["a.yaml", "a.py", "a.toml", "a.md"])
def test_hostile_text(path):
    for data in (b"# mark \xff\xfe\n", b"\x00# mark", b"'''# mark", b'"""' * 1000 + b"# mark", b"<!-- mark" * 1000):
        found(path, data)
