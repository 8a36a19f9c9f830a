"""The stream of a player's own matches."""

from __future__ import annotations

from marshmallow import fields

from services.lobby.player_stream import KINDS
from web.api.fields import Text
from web.api.resources.matches_of_schemas import Match
from web.http.base import Query, Shown, text, words
from web.http.inputs import LINE_FORM

KEEP_ALIVE = "keep-alive"
REPLACED = "replaced"


class OwnStreamQuery(Query):
    """Where a stream begins; ``Last-Event-ID`` goes before it."""

    after = Text(
        1,
        128,
        load_default=None,
        metadata={"description": "The id of a line.", "form": {"pattern": f"^{LINE_FORM}$"}},
    )


class OwnLine(Shown):
    """A line of the stream."""

    id = text(
        "To go on from, by `Last-Event-ID` or `after`.",
        example="9mAk5LmzfBBhwEdc4TI5IWYLumBaSloCO4jRqtEoG7fL4jxHqcN5f9w",
    )
    kind = words("What it is about.", *KINDS, KEEP_ALIVE, REPLACED)
    match = fields.Nested(
        Match, metadata={"description": "As you may see it; `keep-alive` and `replaced` have none."}
    )
