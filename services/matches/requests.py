"""What callers ask of matches: a match to create, and who asks for a change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.json_types import Json, JsonObject
from domain.match import commands
from domain.match.state import Match
from services.matches import access
from services.matches.answers import Record
from services.matches.repository import Appended

BY_PLAYER, BY_BOT = "player", "bot"
"""The ``cause`` of a move: who has decided on it."""

Preparing = Callable[[Match], commands.Command]
Beside = Callable[[Connection, Appended], None]


class NewMatch(NamedTuple):
    """A match to create. ``seat``: 1, 2 or None for chance; ``opponent``: a name."""

    game: str
    options: JsonObject | None = None
    settings: JsonObject | None = None
    seat: int | None = None
    opponent: str | None = None
    visibility: str = access.PUBLIC
    rated: bool = False
    pace: Json = None
    invitation: bool = False
    """Whether somebody is to be invited to it by a link."""


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for a change, on which version it was decided, and how to repeat it.

    ``cause``: of moves. ``invited``: the caller may see the match, though
    it is private. ``beside`` looks at what else has to hold, and keeps what else is to be kept,
    in the transaction of the events; it may raise a ``Refusal``.
    """

    caller: str
    expected: int | None = None
    any_version: bool = False
    record: Record | None = None
    admin: bool = False
    cause: str = BY_PLAYER
    invited: bool = False
    beside: Beside | None = None
