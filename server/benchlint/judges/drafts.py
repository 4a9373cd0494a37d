"""The form of what a model drafts for a person to accept: items of a policy, and guards.

Objects of any shape (the arguments of an action, records) are asked for as
JSON in a text: strict decoders take no object whose keys are not known.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from benchlint.judges.schemas import ITEMS, Answer, Count, Quote, Text


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
