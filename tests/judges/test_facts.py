"""Which records a task reaches, and what of them is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.judges.conftest import DATABASE, task, write_benchmark

from benchlint.judges.facts import Records

FLIGHTS = {
    f"F{n}": {
        "flight": f"F{n}",
        "from": "AAA" if n < 10 else "BBB",
        "to": f"C{n % 3}",
        "dates": {f"2024-05-{day:02}": {"day": f"{day}"} for day in range(1, 31)},
    }
    for n in range(1, 30)
}  # fmt: skip
BOOKINGS = {f"R{n}": {"booking": f"R{n}", "flight": f"F{n}", "date": f"2024-05-{n:02}"} for n in range(1, 30)}


def facts(folder: Path, value: dict, database: dict = DATABASE, size: int = 16_000):
    benchmark = write_benchmark(folder / "bench", [value], database=database)
    return Records(benchmark.database, benchmark.tools).facts(benchmark.tasks[0], size)


def test_records_come_by_their_distance(tmp_path) -> None:
    value = task(3)
    value["user_scenario"]["instructions"] = "You are m3. Your friend is m7."
    found = facts(tmp_path, value)
    assert found.records == (("members", "m3"), ("books", "b3"), ("members", "m7"), ("books", "b7"))
    assert found.text.splitlines()[0] == "members m3: " + json.dumps(DATABASE["members"]["m3"])


def test_a_number_sign_before_an_id_does_not_count(tmp_path) -> None:
    database = {"orders": {f"#W{n}": {"order_id": f"#W{n}", "state": "sent"} for n in range(1, 30)}}
    value = task(1)
    value["user_scenario"]["instructions"] = "It is order W5."
    assert facts(tmp_path, value, database).records == (("orders", "#W5"),)


def test_a_lookup_by_other_values_reaches_what_it_finds(tmp_path) -> None:
    value = task(1)
    value["user_scenario"]["instructions"] = "You are Name 9 from Uppsala."
    value["evaluation_criteria"] = {
        "actions": [{"name": "find_member", "arguments": {"name": "Name 9", "city": "Uppsala"}}]
    }
    assert facts(tmp_path, value).records == (("members", "m9"),)
    value["evaluation_criteria"]["actions"][0]["arguments"] = {"city": "Uppsala"}
    assert facts(tmp_path / "many", value).records == ()
    value["evaluation_criteria"]["actions"] = [{"name": "lend_book", "arguments": {"name": "Name 9"}}]
    assert facts(tmp_path / "write", value).records == ()


def test_what_does_not_fit_is_counted(tmp_path) -> None:
    value = task(3)
    value["user_scenario"]["instructions"] = "You are " + ", ".join(f"m{n}" for n in range(1, 31))
    whole = facts(tmp_path / "a", value)
    assert (len(whole.records), whole.left_out) == (60, 0)
    part = facts(tmp_path / "b", value, size=1000)
    assert len(part.text) <= 1100
    assert len(part.records) + part.left_out == 60
    assert part.records[0] == ("members", "m3")


def test_a_record_that_is_too_large_is_cut_and_said_to_be(tmp_path) -> None:
    database = {"members": {f"m{n}": {"member_id": f"m{n}", "note": "x" * 5000} for n in range(1, 5)}}
    found = facts(tmp_path, task(1), database, size=1000)
    assert found.records == (("members", "m1"),)
    assert found.text.endswith("more characters were left out)")


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("on 2024-05-20", {"20"}),
        ("on May 20", {"20"}),
        ("on the 20th of May", {"20"}),
        ("on 5/20", {"20"}),
        ("on 20/5 or may 22nd", {"20", "22"}),
        ("some day", set()),
    ],
)
def test_of_maps_keyed_by_dates_only_the_dates_in_question_are_shown(tmp_path, words, days) -> None:
    value = task(1)
    value["user_scenario"]["instructions"] = f"Your booking is R12, you fly {words}."
    value["evaluation_criteria"] = {"actions": []}
    found = facts(tmp_path, value, {"bookings": BOOKINGS, "flights": FLIGHTS})
    assert found.records == (("bookings", "R12"), ("flights", "F12"))
    shown = json.loads(found.text.splitlines()[1].removeprefix("flights F12: "))["dates"]
    left_out = shown.pop("...")
    assert {day["day"] for day in shown.values()} == days | {"12"}
    assert left_out == f"{30 - len(shown)} other dates were left out"


def test_a_lookup_by_a_date_finds_the_record(tmp_path) -> None:
    value = task(1)
    value["user_scenario"]["instructions"] = "You want to fly."
    arguments = {"from": "AAA", "to": "C1", "date": "2024-05-04"}
    value["evaluation_criteria"] = {"actions": [{"name": "search", "arguments": arguments}]}
    found = facts(tmp_path, value, {"bookings": BOOKINGS, "flights": FLIGHTS})
    assert found.records == (("flights", "F1"), ("flights", "F4"), ("flights", "F7"))
    assert '"2024-05-04"' in found.text
    assert '"2024-05-05"' not in found.text


def test_the_initial_state_comes_first(tmp_path) -> None:
    value = task(1)
    value["initial_state"] = {
        "initialization_data": {"agent_data": {"members": {"m1": {"city": "Lund"}}}},
        "initialization_actions": [{"env_type": "user", "func_name": "arrive", "arguments": {"book_id": "b9"}}],
    }
    found = facts(tmp_path, value)
    assert found.text.splitlines()[:2] == [
        'initial data: {"agent_data": {"members": {"m1": {"city": "Lund"}}}}',
        'initial call by the user: arrive{"book_id": "b9"}',
    ]
    assert ("books", "b9") in found.records


def test_a_database_that_cannot_be_read_has_no_records(tmp_path) -> None:
    benchmark = write_benchmark(tmp_path / "bench", [task(1)])
    (tmp_path / "bench" / "db.json").write_text("{")
    assert Records(benchmark.database).facts(benchmark.tasks[0]).records == ()
    assert Records(None).facts(benchmark.tasks[0]) == ("", (), 0)


def test_real_flights_fit() -> None:
    data = Path(__file__).parents[3] / "shared" / "data" / "tau2" / "airline"
    if not data.is_dir():
        pytest.skip("the shared data is not here")
    from benchlint.analysis.snapshot import Snapshot
    from benchlint.benchmark.discovery import discover
    from benchlint.benchmark.loader import load

    benchmark = load(discover([str(data / "tasks.json")]).layouts[0], Snapshot().read)
    records = Records(benchmark.database, benchmark.tools)
    shown = [records.facts(item) for item in benchmark.tasks]
    assert sum(not found.left_out for found in shown) >= 0.8 * len(shown)
    assert all(found.records for found in shown)
