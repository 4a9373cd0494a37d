from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.database import Database
from benchlint.benchmark.database_files import DatabaseError
from benchlint.benchmark.splits import read_splits
from benchlint.text.document import Document

SHARED = Path(__file__).parents[3] / "shared" / "data" / "tau2"

SHOP = {
    "products": {
        "111": {
            "product_id": "111",
            "name": "Café",
            "variants": {"v1": {"item_id": "v1", "price": 250}, "v2": {"item_id": "v2", "price": 9.5}},
        },
        "222": {"product_id": "222", "name": "Tea", "variants": {"v3": {"item_id": "v3", "price": 1}}},
    },
    "users": {
        "ann": {
            "name": {"first": "Ann", "last": "Li"},
            "addresses": {"billing": {"city": "Rome", "zip": "1"}, "shipping": {"city": "Oslo", "zip": "2"}},
            "payment_methods": {"card_1": {"id": "card_1", "source": "card"}},
            "orders": ["#W1"],
        },
        "bob": {
            "name": {"first": "Bob", "last": "Li"},
            "addresses": {"billing": {"city": "Bonn", "zip": "3"}, "shipping": {"city": "Kyiv", "zip": "4"}},
            "payment_methods": {"card_2": {"id": "card_2", "source": "card", "last_four": "0250"}},
            "orders": [],
        },
    },
    "orders": {
        "#W1": {"order_id": "#W1", "items": [{"item_id": "v1", "name": "a"}, {"item_id": "v1", "name": "b"}]},
        "#W2": {"order_id": "#W2", "items": [{"item_id": "v3", "name": "a"}]},
    },
    "flights": {
        "HAT1": {"dates": {"2024-05-01": {"status": "landed"}, "2024-05-02": {"status": "open", "seats": {"a": 1}}}},
        "HAT2": {"dates": {"2024-05-01": {"status": "landed"}, "2024-05-02": {"status": "open", "seats": {"a": 2}}}},
    },
    "config": {"currency": "EUR", "limits": {"loans": 3}},
}


def of(value: Any, path: str = "db.json") -> Database:
    return Database([Document(path, value if isinstance(value, bytes) else json.dumps(value).encode())])


def ids(database: Database) -> dict[str, list[str]]:
    return {name: list(collection.ids) for name, collection in database.collections().items()}


def test_collections_of_a_json_database() -> None:
    database = of(SHOP)
    assert ids(database) == {
        "products": ["111", "222"],
        "products.variants": ["v1", "v2", "v3"],
        "users": ["ann", "bob"],
        "users.payment_methods": ["card_1", "card_2"],
        "orders": ["#W1", "#W2"],
        "orders.items": ["v1", "v3"],
        "flights": ["HAT1", "HAT2"],
    }
    assert not database.collections()["orders.items"].unique
    assert database.collections()["orders.items"].id_field == "item_id"
    assert database.collections()["products.variants"].unique
    assert database.record("products.variants", "v2") == {"item_id": "v2", "price": 9.5}
    assert database.record("products.variants", "v9") is None
    assert database.record("nothing", "v1") is None
    assert database.collections_of("v1") == ["products.variants", "orders.items"]


def test_a_map_of_one_record_that_names_its_key() -> None:
    assert ids(of({"tasks": {"task_1": {"task_id": "task_1"}}, "device": {"apn": {"name": "x"}}})) == {
        "tasks": ["task_1"]
    }


def test_lists_of_records() -> None:
    database = of(
        {
            "plans": [{"plan_id": "P1", "name": "a"}, {"plan_id": "P2", "name": "b"}],
            "payment_methods": [{"id": 7, "kind": "x"}, {"id": 8, "kind": "x"}],
            "categories": [{"categoryId": "c1", "plan_id": "P1"}],
            "flights": [{"number": "F1", "seats": 1}, {"number": "F2", "seats": 1}],
            "loans": [{"book_id": "b1", "day": 1}, {"book_id": "b2", "day": 1}],
            "log": [{"day": "2024-01-01"}, {"day": "2024-01-02"}],
            "notes": [{"text": "same"}, {"text": "same"}],
        }
    )
    assert ids(database) == {
        "plans": ["P1", "P2"],
        "payment_methods": ["7", "8"],
        "categories": ["c1"],
        "flights": ["F1", "F2"],
        "loans": ["b1", "b2"],
    }
    assert database.record("payment_methods", "7") == {"id": 7, "kind": "x"}


def test_a_list_or_map_at_the_top_is_named_by_its_file() -> None:
    assert ids(of([{"id": "a"}, {"id": "b"}], "d/books.json")) == {"books": ["a", "b"]}
    assert ids(of({"a": {"id": "a"}, "b": {"id": "b"}}, "d/books.json")) == {"books": ["a", "b"]}


def test_a_folder_of_files() -> None:
    database = Database(
        [
            Document("data/users.json", b'{"ann": {"name": 1}, "bob": {"name": 2}}'),
            Document("data/books.csv", '\ufeffisbn;title\r\n1;Café; \r\n2;"a\n;b"\r\n'.encode()),
            Document("data/extra.toml", b'version = 2\n[[plans]]\nplan_id = "P1"\nsince = 2024-05-15\n'),
        ]
    )
    assert ids(database) == {"users": ["ann", "bob"], "books": ["1", "2"], "plans": ["P1"]}
    assert database.record("books", "2") == {"isbn": "2", "title": "a\n;b"}
    assert database.data["version"] == 2
    assert database.contains_value("Café")
    assert database.contains_value(2)
    assert database.contains_value("2024-05-15")
    assert database.paths == ("data/users.json", "data/books.csv", "data/extra.toml")


def test_values_are_found_exactly_and_in_part() -> None:
    database = of(SHOP)
    found = ["Café", "#W1", "HAT1", "2024-05-01", "250", 250, 250.0, "9.5", 9.5, "9.50"]
    assert all(map(database.contains_value, found))
    assert not any(map(database.contains_value, ["café", "Caf", "25", 25, "0.5", "", "W1", "0 250", "-250"]))
    assert database.contains_value("0250")
    assert database.search("caf\u00c9")
    assert database.search("W1")
    assert database.search("0250")
    assert not database.search("zurich")


@pytest.mark.parametrize("ascii_only", [True, False])
def test_escapes_are_read(ascii_only: bool) -> None:
    value = {"a": 'say "hi" \\', "ü😀": "l\u2028s", "n": -1.5e3, "t": "tab\t"}
    database = of(b"\xef\xbb\xbf" + json.dumps(value, ensure_ascii=ascii_only, indent=1).encode())
    assert all(map(database.contains_value, ['say "hi" \\', "ü😀", "l\u2028s", -1500, "-1500", "tab\t", "n"]))
    assert database.search('"hi"')
    assert not database.contains_value('say "hi"')


SCALARS = st.text(max_size=6) | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)


def scalars(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *(scalar for item in value.values() for scalar in scalars(item))]
    if isinstance(value, list):
        return [scalar for item in value for scalar in scalars(item)]
    return [value]


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_the_values_are_those_of_the_text(value: Any, ascii_only: bool, indent: int | None) -> None:
    database = of(json.dumps({"top": value}, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass"))
    for scalar in scalars(value):
        assert database.contains_value(scalar)
    texts = {scalar for scalar in scalars(value) if isinstance(scalar, str)} | {"top"}
    assert database._values._scalars[0] == texts
    database.collections()


@given(st.lists(st.dictionaries(st.sampled_from(["id", "name", "x"]), VALUES, max_size=3), max_size=5))
def test_any_records_are_read(rows: list[dict[str, Any]]) -> None:
    for name, collection in of({"rows": rows}).collections().items():
        assert name.startswith("rows")
        assert all(isinstance(identifier, str) for identifier in collection.ids)


@given(st.lists(st.lists(st.text("ab,;\"'é\n ", max_size=4), min_size=2, max_size=2), max_size=5))
def test_csv_is_read_as_it_was_written(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([["key", "value"], *rows])
    database = of(out.getvalue().encode(), "t.csv")
    assert database.data == {"t": [dict(zip(["key", "value"], row, strict=True)) for row in rows]}


@pytest.mark.parametrize(
    ("path", "data", "at", "message"),
    [
        ("db.json", b"", 0, "the file is empty"),
        ("db.json", b'{"\xc3\xa9": 1,\n "b": x}', 16, "the file is no JSON: expecting value"),
        ("db.json", b'\xef\xbb\xbf{"a" 1}', 8, "the file is no JSON: expecting ':' delimiter"),
        ("db.json", b'{"a": "\xff"}', 7, "this byte is not UTF-8; save the file as UTF-8"),
        ("db.json", b"[" * 200_000, 0, "the values nest too deep to be read"),
        ("db.json", b"[" + b"1" * 5000 + b"]", 0, "a number in the file has more digits than can be read"),
        ("db.toml", b'a = "\xc3\xa9"\nb = = 1\n', 13, "the file is no TOML: invalid value"),
        ("db.toml", b"a = [", 5, "the file is no TOML: invalid value"),
        ("db.csv", b'a,b\n1,2\n"x', 8, "the file is no CSV: unexpected end of data"),
    ],
)
def test_files_that_do_not_parse(path: str, data: bytes, at: int, message: str) -> None:
    database = of(data, path)
    for _ in range(2):
        with pytest.raises(DatabaseError) as raised:
            database.collections()
        assert (raised.value.path, raised.value.fault.start, raised.value.fault.message) == (path, at, message)
    with pytest.raises(DatabaseError):
        database.contains_value("x")


def test_no_file_is_an_empty_database() -> None:
    database = Database([])
    assert (database.data, ids(database), database.contains_value("x")) == ({}, {}, False)


def test_the_hash_follows_the_bytes() -> None:
    assert of(SHOP).hash == of(SHOP).hash
    assert of(SHOP).hash != of({}).hash
    assert len(of(SHOP).hash) == 16


def test_splits() -> None:
    data = '\ufeff{"traín": ["1", 2], "b": [null], "c": 3}'.encode()
    splits = read_splits(Document("split_tasks.json", data))
    assert {name: [(item.pointer, item.text) for item in items] for name, items in splits.by_name.items()} == {
        "traín": [(("traín", 0), "1"), (("traín", 1), "2")],
        "b": [],
    }
    assert [(data[fault.start : fault.end], fault.message) for fault in splits.faults] == [
        (b'"b"', 'split "b" must be a list of task ids'),
        (b'"c"', 'split "c" must be a list of task ids'),
    ]


@pytest.mark.parametrize("data", [b"", b"[", b"[]", b"3", b'{"a": ["1"'])
def test_no_splits_is_a_fault(data: bytes) -> None:
    splits = read_splits(Document("split_tasks.json", data))
    assert splits.by_name == {}
    assert splits.faults


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ["airline/db.json"],
            {"flights": 300, "users": 500, "users.payment_methods": 1486, "reservations": 2000},
        ),
        (
            ["retail/db.json"],
            {
                "products": 50,
                "products.variants": 591,
                "users": 500,
                "users.payment_methods": 695,
                "orders": 1000,
                "orders.items": 585,
            },
        ),
        (["mock/db.json"], {"tasks": 1, "users": 1}),
        (
            ["telecom/db.toml", "telecom/user_db.toml"],
            {"plans": 5, "devices": 9, "lines": 9, "customers": 4, "bills": 6, "device.app_statuses": 2},
        ),
    ],
)
def test_real_databases(names: list[str], expected: dict[str, int]) -> None:
    paths = [SHARED / name for name in names]
    if not paths[0].exists():
        pytest.skip("the shared data is not here")
    database = Database([Document(name, path.read_bytes()) for name, path in zip(names, paths, strict=True)])
    assert {name: len(collection.ids) for name, collection in database.collections().items()} == expected
    strings: set[str] = set()
    numbers: set[float] = set()
    for scalar in scalars(database.data):
        if isinstance(scalar, str):
            strings.add(scalar)
        elif isinstance(scalar, (int, float)) and not isinstance(scalar, bool):
            numbers.add(scalar)
    found = database._values._scalars
    if names[0].endswith("json"):
        assert found == (strings, numbers)
    assert all(map(database.contains_value, list(strings)[:100]))
    assert not database.contains_value("6086499569")


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=5) | st.integers(-99, 99) | st.booleans(), max_size=8),
    st.data(),
)
def test_a_value_is_looked_up_alike_with_and_without_the_sets(values: dict, data: st.DataObject) -> None:
    text = json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")
    fresh, warm = (Database([Document("db.json", text)]) for _ in range(2))
    warm._values._scalars  # noqa: B018
    wanted = data.draw(st.lists(st.sampled_from([*values, *map(str, values.values())] or ["x"]) | st.text(max_size=4)))
    assert [fresh.contains_value(item) for item in wanted] == [warm.contains_value(item) for item in wanted]
