"""Notes that a player keeps on a match, and the chat beside it. None of it is an event."""

from __future__ import annotations

from functools import partial

from flask import Response
from marshmallow import Schema

from services.accounts.tokens import ADMIN
from services.talk import chat, notes
from services.talk.chat import Message, Speaker
from services.talk.notes import note_json
from web.api import fields
from web.api.operations import OPEN, PLAYERS, Call, asks, gives, reads, refuses, route, takes
from web.api.paging import (
    NumberedPageQuerySchema,
    answer_json_page,
    make_list_schema,
    make_page_schema,
)
from web.http.answers import NO_STORE, answer_json, answer_no_content, make_stored_json
from web.http.inputs import BodySchema, read_path_number


class NewNoteSchema(BodySchema):
    """A note to keep."""

    text = fields.Prose(
        f"Plain text of 1 to {notes.LONGEST} characters.",
        required=True,
        form={"minLength": 1, "maxLength": notes.LONGEST},
        example="The long line wins here.",
    )


class NoteSchema(Schema):
    """A note of yours; nobody else sees it, ever."""

    version = fields.whole("The version of the match that it is on; 0: on the whole match.")
    text = fields.text("Plain text, with line breaks; show it as such.")
    updated_at = fields.instant("When it was last written.")


class NewMessageSchema(BodySchema):
    """Something to say."""

    text = fields.Prose(
        f"Plain text of 1 to {chat.LONGEST} characters.",
        required=True,
        form={"minLength": 1, "maxLength": chat.LONGEST},
        example="Good luck!",
    )


class MessageSchema(Schema):
    """Something that was said."""

    number = fields.whole("Counts up from 1 in each room.")
    player = fields.text("The present name of who said it.")
    text = fields.text(
        "Plain text, with line breaks; show it as such. Null: deleted, or hidden.", null=True
    )
    at = fields.instant("When it was said.")
    hidden = fields.text(
        "Null: it is not hidden. Else why an administrator has hidden it: only its author and "
        "administrators are told; others get an empty text, and null as `text`.",
        null=True,
    )


class MessagesQuerySchema(NumberedPageQuerySchema):
    """Which messages."""

    after = fields.WholeParameter("Only messages above this number.", 0, load_default=0)


NOTES, CHAT = "Notes", "Chat"


@route("GET", "/matches/<match_id>/notes", NOTES, PLAYERS)
@gives(200, make_list_schema(NoteSchema, "notes"), "Your notes.")
def list_notes(call: Call, match_id: str) -> Response:
    """List your notes on a match. Only you ever see them."""
    notes = call.house.notes.list_by_match(call.player, match_id)
    return answer_json({"notes": [note_json(note) for note in notes]})


@route("PUT", "/matches/<match_id>/notes/<version>", NOTES, PLAYERS)
@takes(NewNoteSchema())
@gives(200, NoteSchema(), "The note.")
@refuses("invalid-text", "too-many-notes")
def write_note(call: Call, match_id: str, version: str) -> Response:
    """Write your note on a version of a match, or on the whole match (version 0)."""
    note = call.house.notes.write(
        call.player, match_id, read_path_number(version), call.body["text"]
    )
    return answer_json(note_json(note))


@route("DELETE", "/matches/<match_id>/notes/<version>", NOTES, PLAYERS)
@gives(204, None, "The note is gone.")
def delete_note(call: Call, match_id: str, version: str) -> Response:
    """Delete a note of yours."""
    call.house.notes.delete(call.player, match_id, read_path_number(version))
    return answer_no_content()


@route("GET", "/matches/<match_id>/chat/<room>", CHAT, OPEN)
@asks(MessagesQuerySchema())
@gives(200, make_page_schema(MessageSchema, "messages"), "A page of messages, newest first.")
@refuses("not-your-seat", "spectators-only", "cursor-gone")
def read_chat(call: Call, match_id: str, room: str) -> Response:
    """Read a room of a match: `players` or `spectators`.

    The players' room is for the two players alone. The spectators' room is shut to the players
    while their match runs; a private match has none.
    """
    query = call.query
    page = call.house.chat.read(
        _make_speaker(call),
        match_id,
        room,
        after=query["after"],
        before=query["cursor"],
        limit=query["limit"],
    )
    return answer_json_page("messages", page, Message._asdict)


@route("POST", "/matches/<match_id>/chat/<room>", CHAT, PLAYERS)
@takes(NewMessageSchema())
@reads("Idempotency-Key")
@gives(201, MessageSchema(), "The message.", cache=NO_STORE)
@refuses("not-your-seat", "spectators-only", "cannot-be-challenged", "invalid-text", "rate-limited")
def say(call: Call, match_id: str, room: str) -> Response:
    """Say something in a room of a match."""
    return call.do_once(
        lambda message: make_stored_json(message._asdict(), 201),
        partial(call.house.chat.say, call.player, match_id, room, call.body["text"]),
    )


@route("DELETE", "/matches/<match_id>/chat/<room>/<number>", CHAT, PLAYERS)
@gives(204, None, "Its text is gone for good.")
@refuses("not-your-seat", "spectators-only", "not-yours")
def delete_message(call: Call, match_id: str, room: str, number: str) -> Response:
    """Delete what you said. Administrators may delete what others said."""
    call.house.chat.delete(_make_speaker(call), match_id, room, read_path_number(number))
    return answer_no_content()


def _make_speaker(call: Call) -> Speaker:
    caller = call.caller
    return Speaker(None) if caller is None else Speaker(caller.player, ADMIN in caller.scopes)
