"""A new task that challenges a policy item: a template in the form of its file, for its author to finish.

It holds a person and a record of the database that the item has to do with,
and the calls that look both up. What the user asks for is left to the author:
the words of the item stand there in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.analysis.draft_records import find_records, told
from benchlint.analysis.new_tasks import addition
from benchlint.analysis.task_forms import Contents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.analysis.draft_records import Found
    from benchlint.benchmark.model import Benchmark, PolicyItem
    from benchlint.catalogue.finding import Edit

_MANNER: Final = "You insist on your request when it is refused once."


def draft(benchmark: Benchmark, item: PolicyItem) -> tuple[str, Edit] | None:
    """Return the id of a new task and the edit that adds it at the end of its file; None where none can be added."""
    return addition(benchmark, item, _contents(item, find_records(benchmark.database, benchmark.tools, item)))


def _contents(item: PolicyItem, found: Found) -> Contents:
    return Contents(
        knows=" ".join(_person(found)),
        wants=_request(item, found),
        manner=_MANNER,
        behaviour=f'The agent keeps to this rule of the policy: "{item.text}"',
        calls=found.lookups,
    )


def _person(found: Found) -> Iterator[str]:
    """Yield sentences about who the user is."""
    if found.person is None:
        return
    facts = told(found.person)
    whole = f"{facts.get('first_name', '')} {facts.get('last_name', '')}".strip()
    name = facts.get("full_name") or facts.get("name") or whole
    if name:
        yield f"You are {name}."
    if "email" in facts:
        yield f"Your email address is {facts['email']}."
    else:
        yield f"Your {found.person.kind} id is {found.person.id}."
    if "zip" in facts:
        yield f"Your zip code is {facts['zip']}."
    if "phone_number" in facts:
        yield f"Your phone number is {facts['phone_number']}."


def _request(item: PolicyItem, found: Found) -> str:
    about = f" about your {found.record.kind} {found.record.id}" if found.record is not None else ""
    rule = f'this rule of the policy (write the request in its place): "{item.text}"'
    return f"You have a request{about} that runs into {rule}"
