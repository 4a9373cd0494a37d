from __future__ import annotations

import pytest

from benchlint.checks.naming import is_slip, suggestion


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("order_ids", "order_id"),
        ("ordr_id", "order_id"),
        ("oredr_id", "order_id"),
        ("orderId", "order_id"),
        ("Order-ID", "order_id"),
        ("persoca", "persona"),
    ],
)
def test_slips(name, meant):
    assert is_slip(name, meant)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("known_info", "unknown_info"),
        ("user_1", "user_2"),
        ("task_id_2", "task_id_22"),
        ("get_order", "get_user"),
        ("zip", "zap"),
        ("", "a"),
    ],
)
def test_other_names_are_no_slips(name, other):
    assert not is_slip(name, other)


def test_a_slip_of_two_names_is_not_sure():
    assert suggestion("flight", ["flights", "flightt"]) == ("flights", False)
    assert suggestion("flight", ["flights", "cabin"]) == ("flights", True)


def test_a_similar_name_is_offered_and_not_sure():
    assert suggestion("cancel_the_order", ["cancel_order", "get_user"]) == ("cancel_order", False)
    assert suggestion("pay", ["cancel_order", "get_user"]) is None
    assert suggestion("pay", []) is None
