"""What can be asked of exports."""

from __future__ import annotations

from services.exchange.formats import FORMATS, MANY
from services.matches.access import SIGHTS
from web.api.fields import FlagParameter, Text, WholeParameter, Word
from web.http.base import Query

MOST_MATCHES = 1000


_INSTANT = {"anyOf": [{"format": "date"}, {"format": "date-time"}]}


def _link() -> WholeParameter:
    return WholeParameter(
        1,
        load_default=None,
        metadata={
            "description": "With `proof`: the size of a checkpoint that you kept. Then the proof "
            "that the newest one continues it comes as well."
        },
    )


class ExportQuery(Query):
    """One match: in which format, and through whose eyes."""

    format = Word(
        tuple(FORMATS),
        load_default=None,
        metadata={"description": "The format; otherwise the one that `Accept` likes best."},
    )
    at = WholeParameter(
        1,
        load_default=None,
        metadata={"description": "The step after this event alone (text and pictures)."},
    )
    proof = FlagParameter(
        load_default=False,
        metadata={
            "description": "With the proof that it is in the newest checkpoint (not as csv, text "
            "or a picture)."
        },
    )
    link = _link()
    as_ = Word(
        SIGHTS,
        data_key="as",
        load_default=None,
        metadata={"description": "What this viewer sees (once the match is finished)."},
    )


class ExportsQuery(Query):
    """Which matches, in which format."""

    format = Word(tuple(MANY), load_default=None)
    game = Text(load_default=None, metadata={"description": "Of this game (a slug)."})
    player = Text(load_default=None, metadata={"description": "Of the player of this name."})
    since = Text(
        load_default=None,
        metadata={
            "description": "Whose last event happened then or later: a date or an instant. That "
            "chooses; it is no way to ask for what is new (an event may become visible after "
            "later ones, and imports bring old ones), which `cursor` is for.",
            "form": _INSTANT,
        },
    )
    until = Text(
        load_default=None,
        metadata={"description": "Whose last event happened before that.", "form": _INSTANT},
    )
    proof = FlagParameter(
        load_default=False,
        metadata={
            "description": "Behind each match that the newest checkpoint has, the proof that it "
            "is in there (ndjson)."
        },
    )
    link = _link()
    limit = WholeParameter(
        1,
        MOST_MATCHES,
        load_default=None,
        metadata={"description": "At most so many matches; `Link` leads to the next."},
    )
    cursor = Text(
        load_default=None,
        metadata={
            "description": "Go on behind a match: `match,version,hash` of the last line that you "
            "have of it. All comes that has become visible since, whatever instant it is of."
        },
    )
