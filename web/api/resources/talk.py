"""Notes that a player keeps on a match, and the chat beside it. None of it is an event."""

from __future__ import annotations

import re

import orjson
from flask import Response
from marshmallow import fields

from services.accounts.accounts import ADMIN, PLAY, READ
from services.errors import NotFound
from services.lobby.lists import LIMIT, MOST
from services.matches.requests import StoredAnswer
from services.talk import chat, notes
from services.talk.chat import Message, Posting, Speaker
from services.talk.notes import note_json
from web.api.fields import WholeParameter
from web.api.operations import (
    Call,
    a_match,
    about,
    asks,
    gives,
    open_to_all,
    players_only,
    refuses,
    repeatable,
    route,
    takes,
)
from web.http.answers import JSON, NO_STORE, json_answer, next_link, no_content, stored_answer
from web.http.inputs import (
    AnswerSchema,
    BodySchema,
    QuerySchema,
    fingerprint,
    instant,
    text,
    whole_field,
)


class Prose(fields.String):
    """A text that people write; what may stand in it the service judges (422)."""

    default_error_messages = {  # noqa: RUF012 - marshmallow's way to set them
        "required": "This is missing.",
        "null": "This must be a text, not null.",
        "invalid": "This must be a text.",
    }


class NewNoteSchema(BodySchema):
    """A note to keep."""

    text = Prose(
        required=True,
        metadata={
            "description": f"Plain text of 1 to {notes.LONGEST} characters.",
            "form": {"minLength": 1, "maxLength": notes.LONGEST},
            "example": "The long line wins here.",
        },
    )


class NoteSchema(AnswerSchema):
    """A note of yours; nobody else sees it, ever."""

    version = whole_field("The version of the match that it is on; 0: on the whole match.")
    text = text("Plain text, with line breaks; show it as such.")
    updated_at = instant("When it was last written.")


class NotesSchema(AnswerSchema):
    """Your notes on a match, by version."""

    notes = fields.List(fields.Nested(NoteSchema), required=True)


class NewMessageSchema(BodySchema):
    """Something to say."""

    text = Prose(
        required=True,
        metadata={
            "description": f"Plain text of 1 to {chat.LONGEST} characters.",
            "form": {"minLength": 1, "maxLength": chat.LONGEST},
            "example": "Good luck!",
        },
    )


class MessageSchema(AnswerSchema):
    """Something that was said."""

    number = whole_field("Counts up from 1 in each room.")
    player = text("The present name of who said it.")
    text = text("Plain text, with line breaks; show it as such. Null: deleted.", null=True)
    at = instant("When it was said.")


class MessagesSchema(AnswerSchema):
    """A page of messages, newest first."""

    messages = fields.List(fields.Nested(MessageSchema), required=True)
    next_cursor = text("For the next page, of older ones; null: this is the last.", null=True)


class MessagesQuerySchema(QuerySchema):
    """Which messages."""

    after = WholeParameter(
        0, load_default=0, metadata={"description": "Only messages above this number."}
    )
    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = WholeParameter(
        1, load_default=None, metadata={"description": "`next_cursor` of a page."}
    )


NOTES, CHAT = "Notes", "Chat"

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


@route("GET", "/matches/<match_id>/notes", NOTES)
@players_only(READ)
@about(a_match)
@gives(200, NotesSchema(), "Your notes.", headers=("ETag",))
@refuses("not-found")
def list_notes(call: Call, match_id: str) -> Response:
    """List your notes on a match. Only you ever see them."""
    notes = call.house.notes.of_match(call.player.player, match_id)
    return json_answer({"notes": [note_json(note) for note in notes]})


@route("PUT", "/matches/<match_id>/notes/<version>", NOTES)
@players_only(PLAY)
@about(a_match)
@takes(NewNoteSchema())
@gives(200, NoteSchema(), "The note.", headers=("ETag",))
@refuses("not-found", "invalid-text", "too-many-notes")
def write_note(call: Call, match_id: str, version: str) -> Response:
    """Write your note on a version of a match, or on the whole match (version 0)."""
    note = call.house.notes.write(call.player.player, match_id, _number(version), call.body["text"])
    return json_answer(note_json(note))


@route("DELETE", "/matches/<match_id>/notes/<version>", NOTES)
@players_only(PLAY)
@about(a_match)
@gives(204, None, "The note is gone.")
@refuses("not-found")
def delete_note(call: Call, match_id: str, version: str) -> Response:
    """Delete a note of yours."""
    call.house.notes.delete(call.player.player, match_id, _number(version))
    return no_content()


@route("GET", "/matches/<match_id>/chat/<room>", CHAT)
@open_to_all(READ)
@about(a_match)
@asks(MessagesQuerySchema())
@gives(200, MessagesSchema(), "A page of messages, newest first.", headers=("ETag", "Link"))
@refuses("not-found", "not-your-seat", "spectators-only", "cursor-gone")
def read_chat(call: Call, match_id: str, room: str) -> Response:
    """Read a room of a match: `players` or `spectators`.

    The players' room is for the two players alone. The spectators' room is shut to the players
    while their match runs; a private match has none.
    """
    query = call.query
    page = call.house.chat.read(
        _speaker(call),
        match_id,
        room,
        after=query["after"],
        before=query["cursor"],
        limit=query["limit"],
    )
    following = None if page.next_before is None else str(page.next_before)
    shown = [message._asdict() for message in page.messages]
    answer = json_answer({"messages": shown, "next_cursor": following})
    if following is not None:
        answer.headers["Link"] = next_link(cursor=following)
    return answer


@route("POST", "/matches/<match_id>/chat/<room>", CHAT)
@players_only(PLAY)
@about(a_match)
@takes(NewMessageSchema())
@repeatable()
@gives(201, MessageSchema(), "The message.")
@refuses("not-found", "not-your-seat", "spectators-only", "invalid-text", "rate-limited")
def say(call: Call, match_id: str, room: str) -> Response:
    """Say something in a room of a match."""
    posting = None if call.key is None else Posting(call.key, fingerprint(), _said)
    message, answer = call.house.chat.say(
        call.player.player, match_id, room, call.body["text"], posting
    )
    return stored_answer(answer or _said(message))


@route("DELETE", "/matches/<match_id>/chat/<room>/<number>", CHAT)
@players_only(PLAY)
@about(a_match)
@gives(204, None, "Its text is gone for good.")
@refuses("not-found", "not-your-seat", "spectators-only", "not-yours")
def delete_message(call: Call, match_id: str, room: str, number: str) -> Response:
    """Delete what you said. Administrators may delete what others said."""
    call.house.chat.delete(_speaker(call), match_id, room, _number(number))
    return no_content()


def _said(message: Message) -> StoredAnswer:
    headers = {"Content-Type": JSON, "Cache-Control": NO_STORE}
    return StoredAnswer(201, headers, orjson.dumps(message._asdict()))


def _speaker(call: Call) -> Speaker:
    caller = call.caller
    return Speaker(None) if caller is None else Speaker(caller.player, ADMIN in caller.scopes)


def _number(written: str) -> int:
    if _NUMBER.fullmatch(written) is None:
        raise NotFound(f"There is nothing under {written[:40]}.")
    return int(written)
