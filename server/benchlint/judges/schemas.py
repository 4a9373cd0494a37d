"""The form of each metric's answer. Whatever does not fit it is no verdict.

Every answer counts what it has read (`parts_read`, `items_read`): a model
that saw a cut prompt, or that was talked out of reading, counts wrong.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Confidence = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[int, Field(ge=1, le=10)]
Text = Annotated[str, Field(min_length=1, max_length=4000)]


class Answer(BaseModel):
    """What all answers share."""

    model_config = ConfigDict(extra="ignore")

    parts_read: int = Field(description="how many numbered parts of the task there are")


class Fault(BaseModel):
    """One fault of the task."""

    rule: Text = Field(description="the name of the rule")
    quote: str = Field(description="the words at fault, copied from one part of the task without any change")
    policy_items: list[int] = Field(default_factory=list, description="the numbers of the policy items that say so")
    reason: Text = Field(description="what is wrong, in one plain sentence with the values")
    confidence: Confidence = Field(description="how sure you are, from 0 to 1")
    rewrite: str | None = Field(default=None, description="what the quoted words should be instead, or null")


class AlignmentAnswer(Answer):
    """M_desc and M_pol: a score from 1 to 10 and the faults that lower it."""

    findings: list[Fault]
    score: Score


class ItemHit(BaseModel):
    """A policy item that the user's request runs into."""

    policy_item: int = Field(description="the number of the item")
    quote: str = Field(description="the words of the request that run into it, copied without any change")
    reason: Text
    confidence: Confidence


class ViolationsAnswer(Answer):
    """V(t): the policy items that the task violates."""

    items_read: int = Field(description="how many numbered policy items there are")
    violations: list[ItemHit]


class Play(BaseModel):
    """One faithful way to play the user."""

    user_says: Text
    end_state: Text = Field(description="what the database holds and what was promised when the conversation ends")


class Decision(BaseModel):
    """A point at which the user must choose."""

    decision: Text
    quote: str = Field(description="the words of the scenario that lead to the choice, copied without any change")
    settled_by: str | None = Field(description="the words of the scenario that settle it, copied; null if none do")
    plays: list[Play] = Field(default_factory=list, description="if it is open: two faithful plays; else empty")
    likelihood: Confidence = Field(default=0, description="if it is open: the share of runs that would end otherwise")


class AmbiguityAnswer(Answer):
    """The user played against an agent that follows the policy."""

    decisions: list[Decision]
    findings: list[Fault] = Field(description="missing fallbacks, loopholes and impossible demands")


class Contradiction(BaseModel):
    """Two policy items that cannot both hold."""

    first: int
    second: int
    quote: str = Field(description="the words of the second item that contradict the first, copied")
    reason: Text
    confidence: Confidence


class ContradictionsAnswer(BaseModel):
    """What is wrong in the policy itself."""

    model_config = ConfigDict(extra="ignore")

    items_read: int = Field(description="how many numbered policy items there are")
    contradictions: list[Contradiction]
