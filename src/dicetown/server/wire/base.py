"""What all messages are made of: strict classes, and the kinds of words and numbers in them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

LONGEST_NAME = 24
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Seat: TypeAlias = Annotated[int, Field(ge=0, le=4)]
#: Chosen by the client for each request that changes something; a resend has the same one.
Key: TypeAlias = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Move: TypeAlias = Annotated[str, Field(min_length=1, max_length=80)]
#: SHA-256 of a player's word for the dice (docs/fairness.md), in hexadecimal.
Commitment: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
#: 64 random digits, a space, and what somebody has typed.
LONGEST_WORD = 160


class Message(BaseModel):
    """What the service sends."""

    model_config = ConfigDict(frozen=True)


class Request(BaseModel):
    """What a client sends: nothing unknown is accepted."""

    model_config = ConfigDict(extra="forbid", frozen=True)
