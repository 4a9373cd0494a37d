"""The form of what a model drafts for a person to accept: items of a policy, guards, and tasks.

Objects of any shape (the arguments of an action, records) are asked for as
JSON in a text: strict decoders take no object whose keys are not known.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from benchlint.judges.nesting import containers_at
from benchlint.judges.schemas import ITEMS, Answer, Count, Quote, Text

_DEEPEST: Final = 20
"""So deep a drafted value may nest."""


class Rule(BaseModel):
    """One rule of a numbered sentence."""

    item: Count = Field(description="the number of the sentence")
    quote: Text = Field(description="the words of that sentence that state the rule, copied without any change")
    meaning: Text = Field(
        description="the rule as one sentence that can be understood alone: who, what, in which case; with what "
        "it, this, these, such and the like refer to put in their place, and nothing added"
    )
    kind: Literal["obligation", "prohibition", "permission", "amount", "fact"]
    tools: list[str] = Field(default_factory=list, description="the names of the tools whose use the rule governs")


class ItemsAnswer(Answer):
    """Sentences of a policy, each split into its rules."""

    items_read: Count = Field(description=ITEMS)
    rules: list[Rule]


class CallDraft(BaseModel):
    """An action."""

    action: Text = Field(description="the name of the tool")
    arguments: Text = Field(description="the arguments, a JSON object written as a text")


class ExampleDraft(CallDraft):
    """An action in a situation."""

    records: Text = Field(
        description="all that the database holds then: a JSON object of collections, each an object of records by "
        "id, written as a text"
    )
    before: list[CallDraft] = Field(default_factory=list, description="the actions before it, mostly none")


class GuardDraft(BaseModel):
    """A guard, with an action that complies and one that violates."""

    rule: Literal["forbidden-action", "wrong-compensation", "missing-information-collection"]
    tools: list[Text] = Field(description="the names of the tools whose calls it looks at")
    argument: Quote | None = Field(default=None, description="the argument at fault, or null")
    violated: Text = Field(description="the CEL expression: true means that the action breaks the item")
    message: Text = Field(description="what is wrong, with expressions in braces for the values")
    compliance: list[ExampleDraft] = Field(description="at least one action that keeps to the item")
    violation: list[ExampleDraft] = Field(description="at least one action that breaks it")


class GuardsAnswer(Answer):
    """Guards for one item; none where an action and the records cannot decide it."""

    items_read: Count = Field(description=ITEMS)
    item: Count = Field(description="the number of the item that was asked about")
    guards: list[GuardDraft]
    reason: Quote = Field(default="", description="if there is no guard: why, in one plain sentence")


class TaskAnswer(Answer):
    """A task that challenges one item; none where none can be written."""

    items_read: Count = Field(description=ITEMS)
    item: Count = Field(description="the number of the item that was asked about")
    knows: Quote = Field(description="who the user is and what they know: their name, and the ids that they can give")
    wants: Quote = Field(description="what the user asks for and why, with all that settles it")
    manner: Quote = Field(description="what the user does then: when they are refused, offered something else or asked")
    behaviour: list[Text] = Field(description="what the agent does, one sentence a step, in their order")
    actions: list[CallDraft] = Field(description="the calls that the agent makes, in their order")
    must_say: list[Text] = Field(
        default_factory=list, description="values that the agent has to tell the user, such as an amount; mostly none"
    )
    reason: Quote = Field(default="", description="if no task can be written: why, in one plain sentence")


def read_object(text: str, what: str) -> dict[str, Any]:
    """Read a JSON object that was asked for as a text; raises ValueError, which says what is wrong with `what`."""
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        raise ValueError(f"{what} are no JSON") from None
    if not isinstance(value, dict):
        raise ValueError(f"{what} are no JSON object")
    if containers_at(value, _DEEPEST):
        raise ValueError(f"{what} nest too deep")
    return value


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number that JSON can hold")
    return number


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
