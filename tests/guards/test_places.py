"""Where a fault of a guard stands, however YAML writes the expression."""

from __future__ import annotations

import pytest
from tests.guards.test_guards import lint, write

HEAD = """\
items:
- id: cancelling
  text: Orders that are not pending cannot be cancelled.
  guard:
    tools: [cancel]
"""
TAIL = "    message: cancelled\n"
SCALARS = {
    "plain": "    violated: db.orders[action.arguments.order_id].⟦state⟧ != 'pending'\n",
    "plain over lines": "    violated: db.orders[action.arguments.order_id]\n      .⟦state⟧ != 'pending'\n",
    "single quotes": "    violated: '\"it''s é 🎈\" != db.orders[\"O1\"].⟦state⟧'\n",
    "double quotes": '    violated: "\\"é 🎈 \\u00e9\\x41\\" != db.orders[\\"O1\\"].⟦state⟧"\n',
    "double quotes over lines": "    violated: \"'é 🎈' != \\\n      db.orders['O1']\n\n      .⟦state⟧\"\n",
    "folded": "    violated: >-\n      'é 🎈' !=\n      db.orders['O1'].⟦state⟧\n",
    "folded with blank lines": "    violated: >\n\n      'é 🎈' !=\n\n      db.orders['O1'].⟦state⟧\n\n",
    "folded, deeper lines": "    violated: >\n      'é 🎈' !=\n         db.orders['O1']\n      .⟦state⟧\n",
    "literal": "    violated: |\n      // é 🎈\n      'x' != db.orders['O1'].⟦state⟧\n",
    "literal, kept": "    violated: |2+\n        'x' !=\n        db.orders['O1'].⟦state⟧\n\n",
    "a comment after it": "    violated: db.orders['O1'].⟦state⟧ != 'x'  # é\n",
    "an anchor": "    violated: &here db.orders['O1'].⟦state⟧ != 'x'\n",
    "a message": "    violated: 'true'\n    message: 'é {{🎈}} {action.name}: {db.orders[\"O1\"].⟦state⟧}'\n",
    "a bracket": "    violated: >-\n      'é' == action.name &&\n      size⟦(⟧action.name\n",
    "an operator at the end": "    violated: >-\n      'é' == action.name\n      ⟦&&⟧\n",
    "a variable": "    violated: |-\n      'é 🎈' == ''\n      || ⟦acton⟧.name == ''\n",
    "an argument": "    violated: >-\n      action.name == '' ||\n      action.arguments.order_id == ⟦odd⟧\n",
}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("name", SCALARS)
def test_a_fault_stands_at_its_characters(tmp_path, name, line_end, bom):
    scalar = SCALARS[name]
    marked = bom + HEAD + scalar + ("" if "message:" in scalar else TAIL)
    marked = marked.replace("\n", line_end)
    start = len(marked[: marked.index("⟦")].encode())
    end = start + len(marked[marked.index("⟦") + 1 : marked.index("⟧")].encode())
    text = marked.replace("⟦", "").replace("⟧", "")
    write(tmp_path, "")
    (tmp_path / "policy.items.yaml").write_bytes(text.encode())
    found = [item for item in lint(tmp_path).findings if item.anchor.path.endswith("policy.items.yaml")]
    assert [item.rule for item in found] == ["invalid-guard"], [item.message for item in found]
    at = found[0].anchor
    assert text.encode()[at.start : at.end].decode() == marked[marked.index("⟦") + 1 : marked.index("⟧")]
    assert (at.start, at.end) == (start, end)
