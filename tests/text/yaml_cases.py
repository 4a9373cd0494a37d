"""What the tests of YAML share: how to read slices, PyYAML under the core schema, tasks and a file of them."""

import re
from typing import Any, ClassVar

import yaml
from hypothesis import strategies as st

from benchlint.text.document import Document
from benchlint.text.yaml_text import YamlText, slice_yaml


def cut(text: str | bytes, at: tuple[str, ...] | None = None) -> YamlText:
    return slice_yaml(Document("tasks.yaml", text if isinstance(text, bytes) else text.encode()), at)


def values(sliced: YamlText) -> list[Any]:
    return [piece.value for piece in sliced.slices]


def faults(sliced: YamlText) -> list[tuple[str, str]]:
    data = sliced.document.data
    return [(data[fault.start : fault.end].decode(), fault.message) for fault in sliced.faults]


class Core(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """PyYAML with the core schema of YAML 1.2: what `resolve` is held against."""

    yaml_implicit_resolvers: ClassVar[dict] = {}


for tag, pattern in {
    "null": r"null|Null|NULL|~|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
}.items():
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"(?:{pattern})\Z"), None)


def _int(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(node.value, 0 if node.value[:2] in ("0o", "0x") else 10)


Core.add_constructor("tag:yaml.org,2002:int", _int)
Core.add_constructor(
    "tag:yaml.org,2002:float", lambda loader, node: float(node.value.replace(".inf", "inf").replace(".nan", "nan"))
)

LETTERS = "ab \"'é世😀\u2028\u2029\x85\xa0:#-,[]{}\n\t|>&*!%@?~1"
STRINGS = st.text(st.sampled_from(LETTERS), max_size=8) | st.sampled_from(
    ["no", "12:30", "1_000", "2024-05-15", "on", "007", "<<"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=10,
)
TASKS = st.lists(st.dictionaries(STRINGS, VALUES, min_size=1, max_size=4), min_size=1, max_size=4)


class NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


TASK_FILE = """\
# Tasks of the library, é 😀
policy: policy.md
tasks:
  - id: "lo\\u00e4n_1"   # a comment
    text: Renew the loan — "L-1" é 😀
      and go on

      with a second paragraph.
    folded: >-
      one 😀
      two

        kept
      three
    literal: |+
      a: b
      - c

    'it''s': 'one
      two \u2028 three'
    flow: {a: [1, 0x1F, 0o17, -2.5e3, .inf], "b": null, c: , d: ~}
    "\\x41\\U0001F600": "a \\
      b\\n\u2029 c"
  - id: 007
    when: 12:30
    big: 1_000
    off: no
    day: 2024-05-15
    actions:
    - name: renew
      arguments: {loan: 'L-1', note: "x\u2028y"}
    - name: é
      arguments:
        ? long
        : |2
            indented
           less
  -
    id: third
    empty:
    list:
    - - a
      - b
    -
  - &four
    id: !!str 4
    more: ! 5
splits: [a, b]
"""
