"""Moves and actions, and what they lead to."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validates_schema
from typing_extensions import override

from services.matches.actions import ACTIONS, NEEDS
from web.api.fields import (
    LARGEST,
    Forwarded,
    Whole,
    Word,
)
from web.api.resources.events_of_schemas import Event
from web.api.resources.matches_of_schemas import Match, dice_contribution
from web.http.base import Body, Shown


def _expected_version() -> Whole:
    return Whole(
        0,
        load_default=None,
        metadata={"description": "The version that this was decided on; or send If-Match."},
    )


USUAL = {"move", "expected_version"}


class PlayedMove(Body):
    """A move."""

    @override
    def load(self, data: Any, **options: Any) -> Any:
        """Load as any schema, but at once what is as nearly all moves are.

        This is the request that the service answers most often, and the full way costs
        a twentieth of answering it.
        """
        if type(data) is dict and data.keys() <= USUAL and type(data.get("move")) is dict:
            version = data.get("expected_version", 0)
            if type(version) is int and 0 <= version <= LARGEST:
                return {"move": data["move"], "expected_version": data.get("expected_version")}
        return super().load(data, **options)

    move = Forwarded(
        required=True,
        metadata={
            "description": "As the game's rule book describes moves.",
            "example": {"steps": 2},
        },
    )
    expected_version = _expected_version()


def _needed_by(action: str, meaning: str, most: int) -> Whole:
    metadata = {"description": f"Needed by {action}, and taken by nothing else: {meaning}"}
    return Whole(1, most, load_default=None, allow_none=True, metadata=metadata)


class TakenAction(Body):
    """Something else than a move."""

    action = Word(ACTIONS, required=True)
    contribution = dice_contribution()
    to_version = _needed_by("offer_takeback", "the version to go back to.", LARGEST)
    days = _needed_by("offer_pause", "how long both clocks are to stand.", 30)
    hours = _needed_by("give_time", "how much more time your opponent has.", 720)
    expected_version = _expected_version()

    @validates_schema
    def members_belong_to_the_action(self, data: dict[str, Any], **_: object) -> None:
        """Refuse a member that would be ignored, and the lack of one that is needed."""
        needed, faults = NEEDS.get(data["action"]), {}
        for name in NEEDS.values():
            given = data.get(name) is not None
            if name == needed and not given:
                faults[name] = [f"{data['action']} needs this."]
            if name != needed and given:
                faults[name] = [f"{data['action']} does not take this."]
        if faults:
            raise ValidationError(faults)


class MatchAndEvents(Shown):
    """What a move or an action led to."""

    match = fields.Nested(Match, required=True)
    events = fields.List(fields.Nested(Event), required=True)
