from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.tools import read_tools
from benchlint.text.document import Document

SHARED = Path(__file__).parents[3] / "shared" / "data" / "tau2"

KIT = '''\
from typing import Annotated, Any, Dict, List, Literal, Optional, Union

from library.model import Loan

Kind = Literal["basic", "gold"]


class Colour(str, Enum):
    RED = "red"
    BLUE = "blue"


class LibraryTools(ToolKitBase):
    """Tools of the library."""

    db: LibraryDB

    def __init__(self, db: LibraryDB) -> None:
        super().__init__(db)

    def _find(self, loan_id: str) -> Loan:
        return self.db.loans[loan_id]

    @property
    def today(self) -> str:
        return "2024-05-15"

    @is_tool(ToolType.WRITE)
    def réserver(
        self,
        loan_id: str,
        days: int,
        kind: Kind,
        colour: Colour,
        fee: float = 2.5,
        notes: Optional[str] = None,
        tags: List[str] = [],
        parts: list[Loan | dict] = (),
        extra: Dict[str, Any] = {},
        loan: Loan = None,
        either: Union[int, str, None] = 1,
        *,
        sure: Annotated[bool, "yes"] = True,
        **more: Any,
    ) -> Loan:
        """
        Reserve a « book ».

        The fee is charged at once.

        Args:
            loan_id: The loan, such as 'L1'.
                It must exist.
            days (int): How many days.

        Returns:
            The loan.
        """

    @is_tool(ToolType.READ)
    def get_loan(self, loan_id: str) -> Loan:
        """Get a loan."""

    @is_tool()
    def list_loans(self): ...

    @is_tool(ToolType.THINK)
    def think(self, thought: str) -> str: ...

    @is_tool(KINDS.get("x"))
    def guess(self): ...

    # @is_tool(ToolType.READ)
    # def removed(self): ...

    def assert_returned(self, loan_id: str, expected: bool) -> bool:
        return True
'''

USER_KIT = """\
class LibraryUserTools(ToolKitBase):
    @is_tool(ToolType.WRITE)
    def show_card(self): ...
    def set_location(self, abroad: bool): ...
"""


def described(body: str, parameters: str = "", info: str | None = None) -> str:
    """Return the source of a tool class in the style of tau-bench."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    info = info or (
        '{"type": "function", "function": {"name": "the_tool", "description": "Does é " "things.",'
        ' "parameters": {"type": "object", "properties": {"order_id": {"type": "string"},'
        ' "x": {"type": "string", "enum": KINDS}}, "required": ["order_id"]}}}'
    )
    return f"""\
import json
from typing import Any, Dict
from tau_bench.envs.tool import Tool


class TheTool(Tool):
    @staticmethod
    def invoke(data: Dict[str, Any]{parameters}) -> str:
{lines}

    @staticmethod
    def get_info() -> Dict[str, Any]:
        return {info}
"""


def read(text: str | bytes, path: str = "tools.py") -> Any:
    return read_tools([Document(path, text.encode() if isinstance(text, str) else text)])


def problems(text: str, path: str = "tools.json") -> list[tuple[str, str]]:
    data = text.encode()
    return [(data[fault.start : fault.end].decode(), fault.message) for _, fault in read(data, path).problems]


def test_tool_kit_tools_effects_and_internal_functions() -> None:
    tools = read(KIT)
    assert {name: tool.effect for (_, name), tool in tools.by_name.items()} == {
        "réserver": "write",
        "get_loan": "read",
        "list_loans": "read",
        "think": "generic",
        "guess": "unknown",
    }
    assert {requestor for requestor, _ in tools.by_name} == {"assistant"}
    assert "assert_returned" in tools.internal
    assert "update_db" in tools.internal
    assert not {"_find", "today", "__init__", "get_loan", "removed"} & tools.internal
    assert tools.complete
    assert not tools.open
    assert tools.problems == ()


def test_tool_kit_parameters() -> None:
    tool = read(KIT).by_name["assistant", "réserver"]
    assert {name: dict(item.schema) for name, item in tool.parameters.items()} == {
        "loan_id": {"type": "string", "description": "The loan, such as 'L1'. It must exist."},
        "days": {"type": "integer", "description": "How many days."},
        "kind": {"enum": ["basic", "gold"]},
        "colour": {"enum": ["red", "blue"]},
        "fee": {"type": "number"},
        "notes": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "parts": {"type": "array"},
        "extra": {"type": "object"},
        "loan": {},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        "sure": {"type": "boolean"},
    }
    assert [name for name, item in tool.parameters.items() if item.required] == ["loan_id", "days", "kind", "colour"]
    assert tool.open
    assert tool.description == "Reserve a « book ».\n\nThe fee is charged at once."


@pytest.mark.parametrize("change", [str.encode, lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()])
def test_the_range_of_a_python_tool_is_its_name(change: Any) -> None:
    data = change(KIT)
    tools = read(data)
    assert len(tools.by_name) == 5
    for tool in tools.by_name.values():
        assert data[tool.start : tool.end].decode() == tool.name


def test_user_tools_by_class_and_by_file() -> None:
    tools = read_tools([Document("d/tools.py", KIT.encode()), Document("d/user_tools.py", USER_KIT.encode())])
    assert tools.names("user") == ["show_card"]
    assert "set_location" in tools.internal
    assert read(USER_KIT.replace("LibraryUserTools", "Phone"), "user_tools.py").names("user") == ["show_card"]
    assert read(KIT.replace("LibraryTools", "UserDirectory")).names("user") == []


def test_an_unseen_base_class_leaves_the_list_open() -> None:
    tools = read(USER_KIT.replace("ToolKitBase", "SharedTools"))
    assert tools.open
    assert not tools.complete
    both = read_tools(
        [
            Document("a.py", b"class SharedTools(ToolKitBase):\n    @is_tool(ToolType.READ)\n    def a(self): ...\n"),
            Document("user_tools.py", USER_KIT.replace("ToolKitBase", "SharedTools").encode()),
        ]
    )
    assert not both.open
    assert both.complete


def test_the_generic_kit_brings_its_tools() -> None:
    tools = read(KIT.replace("(ToolKitBase)", "(GenericToolKit)"))
    assert tools.by_name["assistant", "calculate"].parameters["expression"].required
    assert not tools.open


def test_described_tools_read_the_schema_as_far_as_it_is_written_out() -> None:
    source = described("return str(1)", ", order_id: str")
    tools = read(source)
    tool = tools.by_name["assistant", "the_tool"]
    assert tool.description == "Does é things."
    assert {name: (dict(item.schema), item.required) for name, item in tool.parameters.items()} == {
        "order_id": ({"type": "string"}, True),
        "x": ({"type": "string"}, False),
    }
    assert source.encode()[tool.start : tool.end] == b"the_tool"
    with_names = described("return ''").replace("class TheTool", 'KINDS = ["a", "b"]\n\n\nclass TheTool')
    assert read(with_names).by_name["assistant", "the_tool"].parameters["x"].schema["enum"] == ["a", "b"]


@pytest.mark.parametrize(
    ("body", "effect"),
    [
        ('order = data["orders"][order_id]\norder["status"] = "x"', "write"),
        ('for item in data["orders"][order_id]["items"]:\n    item["done"] = True', "write"),
        ('for _, order in data["orders"].items():\n    order["a"], order["b"] = 1, 2', "write"),
        ('order = [o for o in data["orders"] if o["id"] == order_id][0]\norder["x"] = 1', "write"),
        ('order = next(o for o in data["orders"] if o["id"] == order_id)\norder["x"] += 1', "write"),
        ('data["users"][order_id]["cards"].pop(0)', "write"),
        ('del data["orders"][order_id]', "write"),
        ('if order_id in data["orders"]:\n    return json.dumps(data["orders"][order_id])', "read"),
        ('found = []\nfor o in data["orders"].values():\n    found.append(o)\nreturn json.dumps(found)', "read"),
        ('names = {p["name"]: p["id"] for p in data["products"].values()}\nreturn json.dumps(names)', "read"),
        ("return str(eval(order_id))", "generic"),
        ('return "Transfer successful"', "generic"),
        ("return helper(data, order_id)", "unknown"),
        ('order = deepcopy(data["orders"][order_id])\norder["x"] = 1\nreturn json.dumps(order)', "unknown"),
        ("x = data" + "[0]" * 3000 + "\nx.y = 1", "unknown"),
    ],
)
def test_effect_of_a_described_tool(body: str, effect: str) -> None:
    assert read(described(body, ", order_id: str")).by_name["assistant", "the_tool"].effect == effect


@pytest.mark.parametrize("info", ["make_info()", "INFO", '{"name": NAME, "parameters": {}}', "{**BASE}"])
def test_a_tool_that_must_be_run_is_unknown_and_no_problem(info: str) -> None:
    source = described("return ''", info=info) + "\n\n" + described("return ''").replace("TheTool", "Other")
    tools = read(source)
    assert tools.names("assistant") == ["the_tool"]
    assert tools.open
    assert tools.problems == ()


def test_python_that_does_not_parse_still_gives_its_tools() -> None:
    source = KIT + "\n    @is_tool(ToolType.READ)\n    def broken(self, a:\n"
    tools = read(source)
    assert ("assistant", "get_loan") in tools.by_name
    assert tools.open
    assert not tools.complete
    assert [message for _, message in problems(source, "tools.py")] == ["the file is no Python from here on"]


def test_python_without_tools_says_so() -> None:
    assert problems("x = 1\n", "tools.py") == [
        ("x = 1", "no tool found: expected methods with @is_tool, or classes with get_info")
    ]


def test_python_names_that_mean_themselves_are_unknown() -> None:
    info = '{"name": "t", "parameters": {"properties": {"a": L, "b": M}}}'
    tool = read("L = [L]\nM = [N]\nN = [M]\n" + described("return ''", info=info)).by_name["assistant", "t"]
    assert {name: dict(item.schema) for name, item in tool.parameters.items()} == {"a": {}, "b": {}}


@pytest.mark.parametrize("value", ["A0", "S0"])
def test_python_names_that_grow_without_end_are_unknown(value: str) -> None:
    lists = "\n".join(f"A{at} = [A{at + 1}, A{at + 1}]" for at in range(60))
    texts = "\n".join(f"S{at} = S{at + 1} + S{at + 1}" for at in range(60))
    info = f'{{"name": "t", "description": {value}}}'
    tools = read(f"{lists}\nA60 = 1\n{texts}\nS60 = 'x'\n" + described("return ''", info=info))
    assert tools.open or tools.by_name["assistant", "t"].description == ""


MODELS = """\
class Species(str, Enum):
    CAT = "cat"


class Vet(BaseModel):
    name: str
    other: Optional["Vet"] = None


class Slot(BaseModel):
    '''A slot.'''
    LENGTH: ClassVar[int] = 30
    day: str = Field(description="YYYY-MM-DD")
    species: Species
    hours: float
    vet: Vet | None = None
    tags: list[str] = Field(default_factory=list)
    note: str = Field(..., max_length=20)
    _seen: bool = False


class Renamed(BaseModel):
    day: str = Field(alias="date")


class Checked(BaseModel):
    day: str

    @field_validator("day", mode="before")
    def parse(cls, value): ...


class Configured(BaseModel):
    model_config = ConfigDict(extra="allow")
    day: str


class Kit(ToolKitBase):
    @is_tool(ToolType.WRITE)
    def book(self, slot: Slot, slots: List[Slot | dict], a: Renamed, b: Checked, c: Configured, d: First): ...
"""


def test_models_are_read_as_far_as_their_fields_say_all() -> None:
    tool = read(MODELS).by_name["assistant", "book"]
    schemas = {name: dict(item.schema) for name, item in tool.parameters.items()}
    vet = {"type": "object", "properties": {"name": {"type": "string"}, "other": {}}, "required": ["name"]}
    slot = {
        "type": "object",
        "properties": {
            "day": {"type": "string"},
            "species": {"enum": ["cat"]},
            "hours": {},
            "vet": {"anyOf": [vet, {"type": "null"}]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "note": {"type": "string"},
        },
        "required": ["day", "species", "hours", "note"],
    }
    assert schemas.pop("slot") == slot
    assert schemas.pop("slots") == {"type": "array", "items": {"anyOf": [slot, {"type": "object"}]}}
    assert schemas == {"a": {}, "b": {}, "c": {}, "d": {}}


def test_models_that_grow_without_end_are_unknown() -> None:
    models = "\n".join(f"class M{at}(BaseModel):\n    a: M{at + 1}\n    b: M{at + 1}" for at in range(19))
    kit = "class Kit(ToolKitBase):\n    @is_tool()\n    def t(self, m: M0): ...\n"
    tool = read(f"{models}\nclass M19(BaseModel):\n    a: str\n{kit}").by_name["assistant", "t"]
    assert len(json.dumps(tool.parameters["m"].schema)) < 100_000


OPENAI = {
    "type": "function",
    "requestor": "user",
    "effect": "think",
    "function": {
        "name": "café",
        "description": "D",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/B", "description": "b"}, "c": True},
            "required": ["a"],
            "$defs": {"B": {"type": "array", "items": {"$ref": "#/$defs/B"}}},
        },
    },
}


def test_openai_schema() -> None:
    data = b"\xef\xbb\xbf" + json.dumps([{"name": "bare"}, OPENAI], ensure_ascii=False, indent=1).encode()
    tools = read(data, "tools.json")
    assert tools.problems == ()
    tool = tools.by_name["user", "café"]
    assert (tool.effect, tool.description, tool.open) == ("generic", "D", False)
    assert {name: (dict(item.schema), item.required) for name, item in tool.parameters.items()} == {
        "a": ({"type": "string"}, True),
        "b": ({"type": "array", "items": {}, "description": "b"}, False),
        "c": ({}, False),
    }
    assert data[tool.start : tool.end].decode() == "café"
    assert tools.by_name["assistant", "bare"].parameters == {}
    assert not tools.complete
    assert not tools.open


@pytest.mark.parametrize(
    "wrap", [lambda tools: {"tools": tools}, lambda tools: {"jsonrpc": "2.0", "result": {"tools": tools}}]
)
def test_mcp_list(wrap: Any) -> None:
    listed = [
        {"name": "get", "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}}},
        {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
        {"name": "set", "inputSchema": {"additionalProperties": {}}, "annotations": {"readOnlyHint": False}},
        {"name": "any", "inputSchema": {"additionalProperties": True}},
    ]
    tools = read(json.dumps(wrap(listed)), "tools.json")
    found = [(name, tool.effect, tool.open) for (_, name), tool in tools.by_name.items()]
    assert found == [
        ("get", "unknown", False),
        ("look", "read", False),
        ("set", "write", True),
        ("any", "unknown", True),
    ]
    assert tools.by_name["assistant", "get"].parameters["id"].schema == {"type": "integer"}


def test_references_that_grow_without_end_are_unknown() -> None:
    defs = {f"D{at}": {"properties": {key: {"$ref": f"#/$defs/D{at + 1}"} for key in "xy"}} for at in range(60)}
    tool = {"name": "t", "parameters": {"properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": defs}}
    tools = read(json.dumps([tool]), "tools.json")
    assert set(tools.by_name["assistant", "t"].parameters) == {"a"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"a": 1}',
            (
                '{"a": 1}',
                "the file holds no list of tools: use OpenAI function schemas or the result of MCP tools/list",
            ),
        ),
        ("[1]", ("1", "a tool must be an object with a name and parameters")),
        ('[{"name": ""}]', ("{", "a tool must have a name")),
        ('[{"function": 3}]', ("3", "the function of a tool must be an object with a name and parameters")),
        ('[{"name":"a"},{"name":"a"}]', ("a", 'the tool "a" is listed twice; the first one counts')),
        (
            '[{"name":"a","parameters":3}]',
            ("3", 'tool "a": the parameters must be a JSON schema of an object'),
        ),
        (
            '[{"name":"a","parameters":{"properties":[1]}}]',
            ("[1]", 'tool "a": the properties must be an object'),
        ),
        (
            '[{"name":"a","parameters":{"properties":{"é":3}}}]',
            ("3", 'tool "a": the parameter "é" must be a JSON schema'),
        ),
        (
            '[{"name":"a","parameters":{"properties":{},"required":["é"]}}]',
            ("é", 'tool "a": "é" is required, but is none of the properties'),
        ),
        (
            '[{"name":"a","parameters":{"required":"x"}}]',
            ("x", 'tool "a": the required parameters must be a list of names'),
        ),
    ],
)
def test_json_problems_and_their_places(text: str, expected: tuple[str, str]) -> None:
    assert problems(text) == [expected]


def test_json_that_does_not_parse_is_a_problem() -> None:
    tools = read('[{"name": "a"', "tools.json")
    assert len(tools.problems) == 1
    assert tools.open


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "name",
                        "type",
                        "function",
                        "parameters",
                        "properties",
                        "required",
                        "$ref",
                        "tools",
                        "result",
                        "annotations",
                        "inputSchema",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read(value: Any) -> None:
    data = json.dumps(value).encode()
    for _, fault in read(data, "tools.json").problems:
        assert 0 <= fault.start <= fault.end <= len(data)


@given(st.lists(st.sampled_from(KIT.split("\n") + described("return data['x']").split("\n")), max_size=25))
def test_any_lines_of_python_are_read(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    tools = read(data)
    for _, fault in tools.problems:
        assert 0 <= fault.start <= fault.end <= len(data)
    for tool in tools.by_name.values():
        assert data[tool.start : tool.end].decode() in {tool.name, "TheTool"}


def test_the_first_file_counts_and_the_hash_follows_the_bytes() -> None:
    first, second = Document("a.json", b'[{"name":"x","description":"1"}]'), Document("b.json", b'[{"name":"x"}]')
    both = read_tools([first, second])
    assert both.by_name["assistant", "x"].description == "1"
    assert both.problems == ()
    assert both.paths == ("a.json", "b.json")
    assert both.hash != read_tools([first]).hash


@pytest.mark.parametrize(
    ("domain", "agent", "user"), [("airline", 14, 0), ("retail", 15, 0), ("mock", 4, 0), ("telecom", 13, 30)]
)
def test_real_tools(domain: str, agent: int, user: int) -> None:
    path = SHARED / domain / "tools.json"
    if not path.exists():
        pytest.skip("the shared data is not here")
    data = path.read_bytes()
    tools = read(data, "tools.json")
    assert (len(tools.names("assistant")), len(tools.names("user"))) == (agent, user)
    assert tools.problems == ()
    for tool in tools.by_name.values():
        assert data[tool.start : tool.end].decode() == tool.name
        assert tool.effect != "unknown"
