"""What the tests of the offline judge share: a policy of a bank, tasks in prose."""

from __future__ import annotations

from benchlint.benchmark.model import Call, Field, Task
from benchlint.benchmark.policy import read_policy
from benchlint.judges.offline import OfflineVerdict, PolicyReading, assess, read
from benchlint.text.document import Document

BANK = """# Bank assistant

You are a bank assistant. You can help customers open accounts, block cards, transfer money and dispute transactions.

- Always verify the customer's identity with their customer number and date of birth before doing anything.
- Before executing any transaction or change, summarise it and get the customer's explicit approval.
- Never give investment advice.
- Decline requests that violate this policy.
- Connect the customer to a human advisor only when the request is beyond your capabilities.

## Transfer money

- Ask for the recipient's name and account number, and the amount.
- Transfers above 5000 euros cannot be made in chat.
- You must check that the balance covers the amount before making a transfer.
- The fee is 2 euros per transfer to a foreign account.

## Block a card

- Ask for the reason for blocking the card.
- A blocked card cannot be unblocked. A new card costs 10 euros.

## Dispute a transaction

- Pending transactions cannot be disputed.
- If a customer complains about a wrongly charged fee, you can refund the fee, up to 25 euros.
- Do not offer a goodwill refund unless the customer asks for one.
"""


def policy(text: str) -> PolicyReading:
    return read(read_policy([Document("policy.md", text.encode())]))


def fields(key: str, texts: str | list[str]) -> tuple[Field, ...]:
    listed = [texts] if isinstance(texts, str) else texts
    return tuple(Field((key, index), text) for index, text in enumerate(listed))


def task(description: str | list[str], behaviour: str | list[str], actions: tuple[Call, ...] = ()) -> Task:
    return Task(
        id="1",
        id_pointer=("id",),
        slice=None,
        value={},
        scenario=fields("description", description),
        behaviour=fields("behaviour", behaviour),
        actions=actions,
    )


def rules(reading: PolicyReading, description: str | list[str], behaviour: str | list[str]) -> set[str]:
    return {found.rule for found in assess(reading, task(description, behaviour)).findings}


def check_quotes(verdict: OfflineVerdict, judged: Task) -> None:
    """Every quote stands word for word where the verdict says."""
    texts = {field.pointer: field.text for field in (*judged.scenario, *judged.behaviour)}
    for found in (*verdict.findings, *verdict.violations):
        assert found.quote
        assert found.pointer is not None
        start, end = found.span
        assert texts[found.pointer][start:end] == found.quote
