"""Notes and chat."""

from __future__ import annotations

from marshmallow import fields

from services.lobby.lists import LIMIT, MOST
from services.talk import chat, notes
from web.api.fields import WholeParameter
from web.http.base import Body, Query, Shown, instant, text, whole


class Prose(fields.String):
    """A text that people write; what may stand in it the service judges (422)."""

    default_error_messages = {  # noqa: RUF012 - marshmallow's way to set them
        "required": "This is missing.",
        "null": "This must be a text, not null.",
        "invalid": "This must be a text.",
    }


class NewNote(Body):
    """A note to keep."""

    text = Prose(
        required=True,
        metadata={
            "description": f"Plain text of 1 to {notes.LONGEST} characters.",
            "form": {"minLength": 1, "maxLength": notes.LONGEST},
            "example": "The long line wins here.",
        },
    )


class Note(Shown):
    """A note of yours; nobody else sees it, ever."""

    version = whole("The version of the match that it is on; 0: on the whole match.")
    text = text("Plain text, with line breaks; show it as such.")
    updated_at = instant("When it was last written.")


class Notes(Shown):
    """Your notes on a match, by version."""

    notes = fields.List(fields.Nested(Note), required=True)


class NewMessage(Body):
    """Something to say."""

    text = Prose(
        required=True,
        metadata={
            "description": f"Plain text of 1 to {chat.LONGEST} characters.",
            "form": {"minLength": 1, "maxLength": chat.LONGEST},
            "example": "Good luck!",
        },
    )


class Message(Shown):
    """Something that was said."""

    number = whole("Counts up from 1 in each room.")
    player = text("The present name of who said it.")
    text = text("Plain text, with line breaks; show it as such. Null: deleted.", null=True)
    at = instant("When it was said.")


class Messages(Shown):
    """A page of messages, newest first."""

    messages = fields.List(fields.Nested(Message), required=True)
    next_cursor = text("For the next page, of older ones; null: this is the last.", null=True)


class MessagesQuery(Query):
    """Which messages."""

    after = WholeParameter(
        0, load_default=0, metadata={"description": "Only messages above this number."}
    )
    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = WholeParameter(
        1, load_default=None, metadata={"description": "`next_cursor` of a page."}
    )
