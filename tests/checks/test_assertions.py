from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.checks.wording import alike, done, family, is_plain, one_slip, refused

RULE = "inconsistent-assertion"
BEFORE = "Zoë Müller 😀 is served. "
"""A sentence before each assertion, so that characters, bytes and UTF-16 units differ."""

LEVELS = ("basic", "silver", "gold")


def records():
    """Return a small railway: 24 people with a booking and a card each."""
    users, bookings = {}, {}
    for index in range(24):
        identity = f"p_{index}_{1000 + index}"
        users[identity] = {
            "user_id": identity,
            "name": {"first_name": f"Anna{chr(97 + index)}", "last_name": f"Berg{chr(97 + index)}"},
            "address": {"city": "Ulm", "zip": f"{70000 + index}"},
            "email": f"anna{index}@example.com",
            "level": LEVELS[index % 3],
            "cards": {f"card_{4000 + index}": {"id": f"card_{4000 + index}", "brand": "visa"}},
            "bookings": [f"QK7P{index + 10}"],
        }
        bookings[f"QK7P{index + 10}"] = {
            "booking_id": f"QK7P{index + 10}",
            "user_id": identity,
            "cabin": ("panorama", "second")[index % 2],
            "bags": 1,
            "trains": [{"train": f"RJ{300 + index}", "day": "2024-05-20"}],
        }
    mia = users.pop("p_1_1001")
    mia |= {"user_id": "mia_li_1001", "name": {"first_name": "Mia", "last_name": "Li"}}
    mia["bookings"] = ["QK7P11", "QK7P99"]
    mia["cards"]["card_5001"] = {"id": "card_5001", "brand": "mastercard"}
    bookings["QK7P11"]["user_id"] = "mia_li_1001"
    bookings["QK7P99"] = bookings["QK7P11"] | {"booking_id": "QK7P99"}
    trains = {f"RJ{300 + index}": {"train": f"RJ{300 + index}", "from": "ULM", "to": "WIE"} for index in range(40)}
    return {"users": {"mia_li_1001": mia, **users}, "bookings": bookings, "trains": trains}


def tool(name, effect, **properties):
    return {"name": name, "effect": effect, "parameters": {"type": "object", "properties": properties}}


CABIN = {"enum": ["panorama", "second", "basic_second"]}
TOOLS = [
    tool("search_direct_train", "read", origin={}, destination={}, day={}),
    tool("get_booking", "read", booking_id={}),
    tool("cancel_booking", "write", booking_id={}),
    tool("update_booking", "write", booking_id={}, cabin=CABIN, bags={"type": "integer"}, payment_id={}),
    tool("book_trip", "write", user_id={}, cabin=CABIN, trains={}, people={}, payments={}, bags={"type": "integer"}),
    tool("send_voucher", "write", user_id={}, amount={"type": "number"}),
]


def call(name, **arguments):
    return {"action_id": name, "name": name, "arguments": arguments}


SEARCH = call("search_direct_train", origin="ULM", destination="WIE", day="2024-05-22")
CANCEL = call("cancel_booking", booking_id="QK7P11")
UPDATE = call("update_booking", booking_id="QK7P99", cabin="panorama", bags=3, payment_id="card_4001")
VOUCHER = call("send_voucher", user_id="mia_li_1001", amount=150)
BOOK = call(
    "book_trip",
    user_id="mia_li_1001",
    cabin="panorama",
    trains=[{"train": "RJ301", "day": "2024-05-26"}, {"train": "RJ302", "day": "2024-05-28"}],
    people=[{"first_name": "Mia", "last_name": "Li"}, {"first_name": "Zoë", "last_name": "Müller"}],
    payments=[{"payment_id": "card_4001", "amount": 250}, {"payment_id": "card_5001", "amount": 44}],
    bags=2,
)
ALL = (SEARCH, CANCEL, UPDATE, VOUCHER, BOOK)


def task(identity, text, actions=ALL, **fields):
    criteria = {"actions": list(actions), "nl_assertions": [text], "reward_basis": ["DB", "NL_ASSERTION"]}
    value = {
        "id": identity,
        "user_scenario": {"instructions": "You are Mia Li. Your user id is mia_li_1001. Zoë Müller comes along 😀."},
        "evaluation_criteria": criteria | fields.pop("criteria", {}),
    }
    return value | fields


def files(tasks, database=None):
    policy = "Today is 2024-05-15."
    return {"tasks.json": tasks, "tools.json": TOOLS, "db.json": database or records(), "policy.md": policy}


def unmarked(text):
    """Return a text without its marks, and what stands between them."""
    start, end = text.index("⟦"), text.index("⟧") - 1
    plain = text.replace("⟦", "").replace("⟧", "")
    return plain, plain[start:end]


WRONG = {
    "day of a call": ("Agent searches for a direct train from ULM to WIE on ⟦May 12⟧.", (SEARCH,)),
    "day of an id": ("Agent books train RJ301 on ⟦2024-05-27⟧.", (BOOK,)),
    "day of one of two": ("Agent books RJ301 on May 26 and RJ302 on ⟦May 29th⟧.", (BOOK,)),
    "day before ids": ("Agent books a trip on ⟦May 21⟧ with trains RJ301 and RJ302.", (BOOK,)),
    "day of nothing": ("Agent books a trip for ⟦1 June 2024⟧.", (BOOK,)),
    "amount on a card": ("Agent charges ⟦$260⟧ to card_4001 and $44 to card_5001.", (BOOK,)),
    "amount on a brand": ("Agent says that ⟦$45⟧ will be charged to the master card.", (BOOK,)),
    "amount of a thing": ("Agent issues a ⟦$100⟧ voucher to the user.", (VOUCHER,)),
    "amount after a thing": ("The agent offers a voucher of ⟦100⟧ dollars.", (VOUCHER,)),
    "count": ("Agent updates booking QK7P99 to ⟦5⟧ bags.", (UPDATE,)),
    "count in words": ("Agent books a trip with ⟦four⟧ bags.", (BOOK,)),
    "count of people": ("Agent books a trip for ⟦3⟧ people.", (BOOK,)),
    "number of things": ("The number of bags of QK7P99 is updated to ⟦5⟧.", (UPDATE,)),
    "longest choice": ("Agent updates QK7P99 to ⟦basic second⟧ class.", (UPDATE,)),
    "choice": ("Agent updates QK7P99 to ⟦second⟧ class.", (UPDATE,)),
    "choice, passive": ("Booking QK7P99 is updated to ⟦second⟧.", (UPDATE,)),
    "id under a name": ("Agent uses payment id ⟦card_5001⟧.", (UPDATE,)),
    "another train": ("Agent books trains RJ301 and ⟦RJ333⟧.", (BOOK,)),
    "another card": ("Agent charges the upgrade to ⟦card_5001⟧.", (UPDATE,)),
    "misspelt name": ("Agent books a trip for Mia Li and ⟦Zoë Mülller⟧.", (BOOK,)),
    "unknown id": ("Agent charges $250 to ⟦card_400⟧.", (BOOK,)),
    "misspelt id": ("Agent cancels booking ⟦QK7B11⟧.", (CANCEL,)),
    "another's booking": ("Agent explains the rules of booking ⟦QK7P15⟧.", (CANCEL,)),
    "standing": ("Agent gives help because she is ⟦gold⟧.", (CANCEL,)),
    "standing with a noun": ("Agent finds that the user has ⟦Gold⟧ level.", (CANCEL,)),
    "reason": ("Agent cancels booking QK7P11 since it is ⟦panorama⟧ class.", (CANCEL,)),
    "missing call": ("Agent cancels booking ⟦QK7P99⟧.", (CANCEL,)),
    "missing call, passive": ("Booking ⟦QK7P99⟧ is cancelled.", (CANCEL,)),
    "no call at all": ("Agent ⟦cancels the booking⟧.", (VOUCHER,)),
    "forbidden call": ("Agent does not ⟦cancel booking QK7P11⟧.", (CANCEL,)),
    "forbidden call, passive": ("⟦QK7P11 is not cancelled⟧ by the agent.", (CANCEL,)),
    "any forbidden": ("Agent should not ⟦cancel any booking⟧.", (CANCEL,)),
    "any change forbidden": ("Agent should not ⟦make any changes⟧.", (UPDATE,)),
    "forbidden choice": ("Agent does not ⟦update QK7P99⟧ to panorama class.", (UPDATE,)),
    "forbidden amount": ("Agent should not ⟦offer a voucher of $150⟧.", (VOUCHER,)),
}


def test_each_contradiction_stands_at_its_words(lint):
    tasks, expected = [], {}
    for name, (marked, actions) in WRONG.items():
        text, words = unmarked(marked)
        tasks.append(task(name, BEFORE + text, actions))
        expected[name] = [words]
    found = {}
    for item in lint(files(tasks), RULE):
        found.setdefault(item.task, []).append(item.text)
    assert found == expected


RIGHT = [
    "Agent searches for a direct train from ULM to WIE on May 22.",
    "Agent also searches for a direct train from ULM to WIE on May 23.",
    "Agent books RJ301 on 2024-05-26 and RJ302 on May 28.",
    "Agent books trains RJ301 and RJ302, arriving on May 29.",
    "Agent does not book a trip on May 21 unless the user asks for it.",
    "Agent says that RJ301 on May 25 is full.",
    "Agent says that today is May 15.",
    "Agent charges $250 to card_4001 and $44 to card_5001.",
    "Agent charges $294 in total.",
    "Agent says that the fee of $30 will be charged to card_4001.",
    "Agent says that $294 will be charged to card_4001 and card_5001.",
    "Agent says that the trip costs between $280 and $300.",
    "Agent says that about $250 will be charged to card_4001, or $260 to card_5001.",
    "Agent mentions that a voucher of $100 is for cancelled trains.",
    "Agent sends a voucher worth $150, which is $50 per person.",
    "Agent updates QK7P99 to 3 bags, 2 more than before.",
    "Agent adds 2 bags to QK7P99.",
    "Agent says that 9 bags are too many.",
    "Agent books 1 train trip for two people with 2 bags.",
    "Agent verifies that the number of bags is 1.",
    "Agent updates QK7P99 from second to panorama class.",
    "Agent updates the second class booking QK7P99.",
    "Agent books panorama class for the trip.",
    "Agent books a trip in panorama for the user's second home.",
    "Agent updates QK7P99 from basic second class.",
    "Agent uses payment id card_4001.",
    "Agent compares card_4001 and card_5001.",
    "Agent books a trip for Mia Li and Zoë Müller.",
    "Agent books a trip for Annac Bergc.",
    "Agent finds that the user has silver level.",
    "The user says that she is gold.",
    "Agent checks whether she is gold.",
    "Agent knows that she is not gold.",
    "Agent cancels QK7P11 since it is second class.",
    "Agent gives QK7P99 details.",
    "Agent returns booking QK7P99 details.",
    "Agent cancels QK7P11 but not QK7P99.",
    "Agent should not cancel QK7P99.",
    "Agent does not cancel QK7P11 without a confirmation.",
    "Agent does not cancel QK7P11 before naming the fee.",
    "Agent cannot cancel QK7P11 at first.",
    "Agent should not cancel any other booking.",
    "Agent should not make any changes to the cabin of QK7P11.",
    "Agent does not update QK7P99 to second class.",
    "Agent does not update the address.",
    "Agent should not offer a voucher of $200.",
    "Agent updates the user.",
    "Agent changes the subject.",
    "Agent refuses nothing.",
    "",
    "😀",
    "Agent",
    "Agent cancels",
]


def test_no_contradiction_is_found_where_there_is_none(lint):
    tasks = [task(str(index), BEFORE + text) for index, text in enumerate(RIGHT)]
    assert lint(files(tasks), RULE) == []


def test_a_finding_is_related_to_the_value_that_it_contradicts(lint):
    tasks = [task("1", f"{BEFORE}Agent searches for a direct train from ULM to WIE on May 12.")]
    (found,) = lint(files(tasks), RULE)
    assert found.severity == "warning"
    assert found.related == ("2024-05-22",)
    assert found.message == '"May 12" contradicts the expected search_direct_train, which has 2024-05-22'


@pytest.mark.parametrize(
    ("text", "fixed_text"),
    [
        ("Agent books train RJ301 on 2024-05-27.", "Agent books train RJ301 on 2024-05-26."),
        ("Agent books train RJ301 on May 27th.", "Agent books train RJ301 on May 26."),
        ("Agent issues a $1,000.50 voucher.", "Agent issues a $150 voucher."),
        ("Agent books for Mia Li and Zoë Mülller.", "Agent books for Mia Li and Zoë Müller."),
        ("Agent cancels booking QK7B11.", "Agent cancels booking QK7P11."),
    ],
)
def test_the_fix_writes_what_the_other_side_has(lint, fixed, text, fixed_text):
    lint(files([task("1", BEFORE + text)]), RULE)
    new = fixed("tasks.json", RULE)
    assert BEFORE + fixed_text in new
    assert lint({"tasks.json": new}, RULE) == []


def test_no_fix_where_one_day_is_of_two_things(lint):
    (found,) = lint(files([task("1", "Agent books RJ301 and RJ302 on May 26 and comes back on May 28.")]), RULE)
    assert (found.text, found.fixes) == ("May 26", ())


SPOKEN = "You are {name}. Your user id is mia_li_1001 😀. {more}"


@pytest.mark.parametrize(
    ("name", "more", "words"),
    [
        ("Mia Li", "", []),
        ("Mia Lee", "", ["Mia Lee"]),
        ("Anna Berg", "", ["Anna Berg"]),
        ("Anna Berg", "The account is your husband's.", []),
        ("Mia Lee", "You say a wrong name on purpose.", []),
        ("Mia Li", "You live in Ulm, 70001.", []),
        ("Mia Li", "Your zip code is 70002.", ["70002"]),
        ("Mia Li", "You live in Ulm, 70002.", ["70002"]),
        ("Mia Li", "You have moved; your zip code is 70002.", []),
        ("Mia Li", "First say that your zip code is 70002, then 70001.", []),
        ("Mia Li", "Your mail is anna1@example.com.", []),
        ("Mia Li", "Your mail is ana1@example.com.", ["ana1@example.com"]),
        ("Mia Li", "Your zip code is 70001, your mail ana1@example.com.", []),
    ],
)
def test_who_the_user_is(lint, name, more, words):
    value = task("1", "Agent helps.", (VOUCHER,))
    value["user_scenario"]["instructions"] = SPOKEN.format(name=name, more=more)
    assert [item.text for item in lint(files([value]), RULE)] == words


def test_the_user_for_whom_the_actions_act(lint):
    value = task("1", "Agent helps.", (VOUCHER,))
    value["user_scenario"]["instructions"] = "Zoë 😀: Your user id is mia_li_1010."
    (found,) = lint(files([value]), RULE)
    assert (found.text, found.related) == ("mia_li_1010", ("mia_li_1001",))


@pytest.mark.parametrize(
    ("purpose", "words"),
    [
        ("The user has 3 bookings. Zoë 😀", "3"),
        ("User claims to be gold when she is actually gold.", "gold"),
        ("😀 The remaining $40 is put on the mastercard.", "$40"),
        ("Booking QK7B11 is tested 😀.", "QK7B11"),
    ],
)
def test_a_purpose_is_compared_with_the_records(lint, purpose, words):
    (found,) = lint(files([task("1", "Agent helps.", description={"purpose": purpose})]), RULE)
    assert (found.text, found.pointer) == (words, "/description/purpose")


@pytest.mark.parametrize(
    "purpose",
    [
        "The user has 2 bookings.",
        "The user has 3 bookings on one day.",
        "User claims that she has 3 bookings.",
        "User thinks she is gold, she is actually silver.",
        "User is on train RJ333 and pays $40.",
    ],
)
def test_a_purpose_without_contradiction(lint, purpose):
    assert lint(files([task("1", "Agent helps.", description={"purpose": purpose})]), RULE) == []


def test_an_amount_is_compared_with_what_the_agent_must_say(lint):
    criteria = {"communicate_info": ["1628", "44"]}
    texts = ("Agent says that the total is $1,682.", "Agent says that the total is $1,638.", "It is $1,628.")
    tasks = [task(str(key), BEFORE + text, criteria=criteria) for key, text in enumerate(texts, 1)]
    assert [(item.task, item.text, item.related) for item in lint(files(tasks), RULE)] == [
        ("1", "$1,682", ("1628",)),
        ("2", "$1,638", ("1628",)),
    ]


def test_what_is_not_expected_is_missing_only_where_the_database_counts(lint):
    text = "Agent cancels booking QK7P99."
    bases = (["NL_ASSERTION"], ["ACTION"], ["DB", "NL_ASSERTION"])
    tasks = [task(str(index), text, (), criteria={"reward_basis": basis}) for index, basis in enumerate(bases)]
    tasks.append(task("none", text, criteria={"actions": None}))
    assert [item.task for item in lint(files(tasks), RULE)] == ["1", "2"]


def test_records_that_the_initial_state_makes_may_be_new(lint):
    state = {"initialization_data": {"agent_data": {"bookings": {"QK7B11": {}}}}}
    text = f"{BEFORE}Agent explains card_9999 and QK7B11."
    tasks = [task("1", text, (VOUCHER,)), task("2", text, (VOUCHER,), initial_state=state)]
    assert [(item.task, item.text) for item in lint(files(tasks), RULE)] == [("1", "card_9999"), ("1", "QK7B11")]


def test_records_that_an_expected_action_makes_may_be_new(lint):
    make = call("create_card", user_id="mia_li_1001")
    text = "Agent explains that card_9999 is new."
    tasks = [task("1", text, (VOUCHER,)), task("2", text, (make,))]
    assert [item.task for item in lint(files(tasks), RULE)] == ["1"]


def test_without_tools_and_database_the_actions_are_compared(lint):
    tasks = [task("1", "Agent books train RJ301 on 2024-05-27 for Mia Li and Zoë Mülller, $260 to card_4001.", (BOOK,))]
    found = lint({"tasks.json": tasks}, RULE)
    assert [item.text for item in found] == ["2024-05-27", "Zoë Mülller", "$260"]


def test_odd_arguments_are_no_fault(lint):
    odd = [
        call("book_trip"),
        {"action_id": "x", "name": "", "arguments": {"": [None, 1.5, {"é": []}]}},
        {"action_id": "y", "name": "cancel_booking", "arguments": None},
        call("update_booking", booking_id=["QK7P99", {"a": 1}], cabin=None, bags=True),
    ]
    texts = [text for text, _ in map(unmarked, (marked for marked, _ in WRONG.values()))]
    tasks = [task(str(index), text, odd) for index, text in enumerate(texts)]
    assert all(item.rule == RULE for item in lint(files(tasks)) if item.rule in (RULE, "internal-error"))


def test_real_benchmarks(real):
    found = real("tau2/airline/tasks.json", RULE)
    assert [(item.task, item.text, item.related) for item in found] == [
        ("8", "Sophia Silvia", ("Silva",)),
        ("9", "May 12 2024", ("2024-05-22",)),
        ("14", "$44", ("1786",)),
        ("14", "$44", ("1786",)),
        ("23", "2024-05-26", ("2024-05-28",)),
        ("35", "credit_card_907483", ("credit_card_9074831",)),
    ]


@pytest.mark.parametrize(
    "path",
    [
        "tau2/airline/tasks.corrected.json",
        "tau2/retail/tasks.json",
        "tau2/retail/tasks.corrected.json",
        "tau2/mock",
        "tau2/telecom/tasks.json",
        "tau2/banking_knowledge",
    ],
)
def test_real_benchmarks_without_contradiction(real, path):
    assert real(path, RULE) == []


@pytest.mark.parametrize(
    ("sentence", "verb"),
    [
        ("Agent cancels X1.", "cancels"),
        ("Check that the agent should then correctly cancel X1.", "cancel"),
        ("Booking QK7P11 is updated to panorama.", "updated"),
        ("Booking QK7P11 is not updated.", None),
        ("The user cancels.", None),
        ("", None),
    ],
)
def test_what_is_done(sentence, verb):
    clause = done(sentence)
    assert (clause.verb if clause else None) == verb
    assert clause is None or sentence[clause.start : clause.end].lower() == verb


@pytest.mark.parametrize(
    ("sentence", "verb"),
    [
        ("Agent should not cancel X1.", "cancel"),
        ("The agent doesn’t cancel X1.", "cancel"),
        ("Agent should refuse to proceed with the cancellation.", "cancellation"),
        ("QK7P11 is not changed.", "changed"),
        ("Agent cancels X1.", None),
        ("Agent cannot cancel X1.", None),
    ],
)
def test_what_is_ruled_out(sentence, verb):
    clause = refused(sentence)
    assert (clause.verb if clause else None) == verb


def test_plain_sentences_have_no_hedge():
    assert is_plain("Agent books it on 2 May, no insurance, and with no bags.")
    for text in ("not", "Agent may book it", "if asked", "the user wants it", "doesn’t book", "no booking is made"):
        assert not is_plain(text)


def test_verbs_of_one_family():
    assert {"cancelled", "canceled", "cancels", "cancellation", "refunded"} <= family("cancel")
    assert {"upgrades", "changed", "modifies", "updating"} <= family("update")
    assert "cancels" not in family("update")
    assert family("frobnicate") == {"frobnicate", "frobnicates", "frobnicatees", "frobnicateed", "frobnicated"} | {
        "frobnicateing",
        "frobnicating",
    }


def test_nouns_alike():
    assert alike("bags", "baggages")
    assert alike("Passenger", "passengers")
    assert alike("policies", "policy")
    assert not alike("flight", "fee")
    assert not alike("id", "idea")


@given(st.text("ab1", max_size=6), st.text("ab1", max_size=6))
def test_a_slip_is_one_step_of_editing(left, right):
    def steps(word):
        for index in range(len(word) + 1):
            head, tail = word[:index], word[index:]
            yield from (head + letter + tail for letter in "ab1")
            yield from (head + letter + tail[1:] for letter in "ab1" if tail)
            yield head + tail[1:]
            if len(tail) > 1:
                yield head + tail[1] + tail[0] + tail[2:]

    assert one_slip(left, right) == (left != right and right in set(steps(left)))


def test_a_database_that_does_not_parse_is_as_none(lint):
    broken = files([task("1", "Agent books train RJ301 on 2024-05-27.", (BOOK,))]) | {"db.json": "{"}
    assert [item.text for item in lint(broken, RULE)] == ["2024-05-27"]


def test_inputs_stay_as_they_are(lint):
    database = records()
    before = copy.deepcopy(database)
    lint(files([task("1", "Agent cancels booking QK7P99.")], database), RULE)
    assert database == before
