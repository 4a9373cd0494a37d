"""The form of each metric's answer. Whatever does not fit it is no verdict.

Every answer counts what it has read (`parts_read`, `items_read`): a model
that saw a cut prompt, or that was talked out of reading, counts wrong.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(strict=True)]
Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Score = Annotated[int, Field(strict=True, ge=1, le=10)]
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Quote = Annotated[str, Field(max_length=4000)]

_PARTS = "how many numbered parts of the task there are"
ITEMS = "how many numbered policy items there are"
_PART = "the number of the part that is quoted"
_SURE = "how sure you are, from 0 to 1"


class Answer(BaseModel):
    """What all answers share."""

    model_config = ConfigDict(extra="ignore")


class Fault(BaseModel):
    """One fault of the task."""

    rule: Text = Field(description="the name of the rule")
    part: Count | None = Field(default=None, description=_PART)
    quote: Quote = Field(description="the words at fault, copied from that part without any change")
    policy_items: list[Count] = Field(default_factory=list, description="the numbers of the policy items that say so")
    reason: Text = Field(description="what is wrong, in one plain sentence with the values")
    confidence: Share = Field(description=_SURE)
    rewrite: Quote | None = Field(default=None, description="what the quoted words should be instead, or null")


class AlignmentAnswer(Answer):
    """M_desc and M_pol: a score from 1 to 10 and the faults that lower it."""

    parts_read: Count = Field(description=_PARTS)
    findings: list[Fault]
    score: Score


class ItemHit(BaseModel):
    """A policy item that the user's request runs into."""

    policy_item: Count = Field(description="the number of the item")
    part: Count | None = Field(default=None, description=_PART)
    quote: Quote = Field(description="the words of the request that run into it, copied without any change")
    reason: Text = Field(description="why, in one plain sentence")
    confidence: Share = Field(description=_SURE)


class ViolationsAnswer(Answer):
    """V(t): the policy items that the task violates."""

    parts_read: Count = Field(description=_PARTS)
    items_read: Count = Field(description=ITEMS)
    violations: list[ItemHit]


class Play(BaseModel):
    """One faithful way to play the user."""

    user_says: Text
    end_state: Text = Field(description="what the database holds and what was promised when the conversation ends")


class Decision(BaseModel):
    """A point at which the user must choose."""

    decision: Text = Field(description="what the user must decide")
    part: Count | None = Field(default=None, description=_PART)
    quote: Quote = Field(description="the words of the scenario that lead to the choice, copied without any change")
    settled_by: Quote | None = Field(
        default=None, description="the words of the scenario that settle it, copied; null if none do"
    )
    plays: list[Play] = Field(default_factory=list, description="if it is open: two faithful plays; else empty")
    likelihood: Share = Field(default=0, description="if it is open: the share of runs that would end otherwise")


class AmbiguityAnswer(Answer):
    """The user played against an agent that follows the policy."""

    parts_read: Count = Field(description=_PARTS)
    decisions: list[Decision]
    findings: list[Fault] = Field(description="missing fallbacks, loopholes and impossible demands")


class Contradiction(BaseModel):
    """Two policy items that cannot both hold."""

    first: Count = Field(description="the number of one item")
    second: Count = Field(description="the number of the other")
    quote: Quote = Field(description="the words of the second item that contradict the first, copied")
    reason: Text = Field(description="the situation in which both cannot hold, in one plain sentence")
    confidence: Share = Field(description=_SURE)


class ContradictionsAnswer(Answer):
    """What is wrong in the policy itself."""

    items_read: Count = Field(description=ITEMS)
    contradictions: list[Contradiction]


def plain(schema: Any) -> Any:
    """Return a schema as models are shown it and as strict decoders take it.

    Titles, defaults, lengths and the notes on classes are left out, every
    property is required and no other is allowed.
    """
    if isinstance(schema, list):
        return [plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        properties = {name: plain(item) for name, item in schema["properties"].items()}
        kept = {key: plain(value) for key, value in schema.items() if key in ("$defs", "type")}
        return {**kept, "properties": properties, "required": list(properties), "additionalProperties": False}
    dropped = {"title", "default", "minLength", "maxLength"}
    return {key: plain(value) for key, value in schema.items() if key not in dropped}
