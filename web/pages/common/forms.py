"""Forms that change something: where they may come from, how they are repeated, and their fields.

Fields are made from the JSON Schema of what a game lets one set, and read back. What is typed is
only brought into JSON; whether it fits is for the game to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from secrets import token_urlsafe
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import orjson
from flask import Response, has_request_context, request, url_for
from werkzeug.exceptions import Forbidden

from domain.errors import Refusal
from domain.game.options import Option, Options
from domain.i18n import say
from domain.json_types import Json, JsonObject
from services.accounts.sessions import Session
from services.errors import InvalidPlayer, InvalidRequest
from services.matches.requests import ChangeRequest, CommandResult, Repeatable, StoredAnswer
from services.store.cursors import Page
from web.http.answers import NO_STORE, answer_stored
from web.http.inputs import LARGEST, compute_digest, find_whole, read_whole
from web.http.problems import PROBLEMS
from web.pages.common.visitors import (
    LogInFirst,
    MadeForAnother,
    find_form_player,
    find_visitor,
    get_player,
    has_its_token,
)
from web.pages.common.words import name_option, say_option
from web.site import get_site

OURS = ("same-origin", "none")
"""Values of ``Sec-Fetch-Site`` of a form of ours, or of what a person did without any site."""

HARMLESS = (
    *("pages.choose_look", "pages.choose_confirming", "pages.begin_practice"),
    *("pages.ask_for_analysis", "pages.try_puzzle", "pages.give_up_puzzle"),
)
"""What visitors without an account may do without a token: it concerns their browser alone, or
anybody may do it."""

BY_LINK = ("pages.stop_mails",)
"""What whoever has the link may do, from anywhere: mail programs send this by themselves."""

_PORTS = {"http": 80, "https": 443}

_BEFORE = {"invalid-options": "options.", "invalid-settings": "settings."}
"""What the names of fields begin with that these refusals are about."""

Command: TypeAlias = Callable[[ChangeRequest], CommandResult]


def refuse_forged() -> None:
    """Refuse a POST that no form of ours in this browser has sent, or one made for another.

    Raises ``Forbidden``, and ``LogInFirst`` for the form of a session that has ended.

    The browser says where a form came from; what an old one does not say is left to the
    token, which a page of another site cannot read.
    """
    if request.method != "POST" or request.endpoint in BY_LINK:
        return
    if not _comes_from_here():
        raise Forbidden
    if has_its_token():
        return
    player, meant = find_visitor(), find_form_player()
    # Every page has such a form. A token in it would give each browser a cookie, and no page
    # could be kept.
    if request.endpoint in HARMLESS and player is None:
        return
    if meant is not None and player is None:
        raise LogInFirst
    if meant is not None and player is not None and meant != player.player:
        raise MadeForAnother(
            say(
                "This page was made for another account: you are logged in as {name} now.",
                name=player.name,
            )
        )
    raise Forbidden


def read_text(name: str) -> str:
    """Return what was typed into a field, without the NUL that no database takes."""
    return request.form.get(name, "").replace("\0", "\ufffd").strip()


def read_new_password() -> str:
    """Return a new password that was typed twice. Raises ``InvalidPlayer`` if it differs."""
    password = request.form.get("password", "")
    if password != request.form.get("again", ""):
        raise InvalidPlayer(say("This is not the same password."), pointer="/again")
    return password


def read_argument(name: str) -> str:
    """Return what the address says under a name, as ``read_text`` reads a field."""
    return request.args.get(name, "").replace("\0", "\ufffd").strip()


def read_number(name: str) -> int | None:
    """Return the whole number in a field, None for a field that is not there or empty.

    Raises ``InvalidRequest``.
    """
    typed = read_text(name)
    if not typed:
        return None
    found = find_whole(typed)
    if found is None:
        raise InvalidRequest(
            say("'{name}' is a whole number, such as 3.", name=name), pointer=f"/{name}"
        )
    if found > LARGEST:
        raise InvalidRequest(say("'{name}' is out of range.", name=name), pointer=f"/{name}")
    return found


def check_choice(name: str, value: str, choices: Iterable[str]) -> None:
    """Raise ``InvalidRequest`` unless ``value`` is one of the choices for a field."""
    if value not in choices:
        there = ", ".join(one for one in choices if one)
        raise InvalidRequest(
            say("'{field}' is one of {there}.", field=name, there=there), pointer=f"/{name}"
        )


def read_filters(**choices: Iterable[str]) -> dict[str, str]:
    """Return what the address of a list filters by, "" for what it leaves open.

    ``choices``: of each name the values there are; none where any may stand. Empty values filter
    nothing: a form sends them for what was left open. Raises ``InvalidRequest``, ``UnknownGame``.
    """
    chosen = {name: read_argument(name) for name in choices}
    if chosen.get("game"):
        get_site().house.games.get(chosen["game"])
    for name, there in choices.items():
        if there:
            check_choice(name, chosen[name], ("", *there))
    return chosen


def link_pages(page: Page[Any, str], chosen: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the addresses of a list's first page, unless this is it, and of the next one."""
    kept: dict[str, Any] = {name: value for name, value in (chosen or {}).items() if value}
    to = partial(url_for, str(request.endpoint), **(request.view_args or {}), **kept)
    return {
        "first": to() if request.args.get("cursor") else None,
        "following": page.next_cursor and to(cursor=page.next_cursor),
    }


def read_decided_on(name: str) -> int:
    """Return the version in a field that the form was decided on. Raises ``InvalidRequest``."""
    found = read_number(name)
    if found is None:
        raise InvalidRequest(
            say("This form does not say what it was decided on."), pointer=f"/{name}"
        )
    return found


def place_refusal(refusal: Refusal, before: str | None = None) -> tuple[int, dict[str, str]]:
    """Return the status of a page that shows a refusal, and its sentence by the field's name.

    ``before`` stands before the name that the refusal gives.
    """
    name = (refusal.pointer or "").strip("/").replace("/", ".")
    if before is None:
        before = _BEFORE.get(refusal.code, "")
    return place_at(before + name, refusal)


def place_at(field: str, refusal: Refusal) -> tuple[int, dict[str, str]]:
    """Return the status of a page that shows a refusal, and its sentence by this field's name."""
    return PROBLEMS[refusal.code].status, {field: refusal.detail}


def make_key() -> str:
    """Return a key under which a form may be sent twice and count once."""
    return token_urlsafe(16)


def answer_command(
    command: Command,
    where: Callable[[str], str],
    expected: int | None = None,
    caller: Session | None = None,
) -> Response:
    """Carry out what a form asks for, and lead to an address made from the match's id.

    The same form sent again leads there too, and changes nothing any more. ``expected``: the
    version of the match that it was decided on. ``caller``: who asks, if not who is logged in.
    Raises ``LogInFirst`` and what ``command`` raises.
    """
    done = carry_out(command, where, expected, caller)
    return answer_stored(done.answer or make_lead(where(done.shown.view.id)))


def carry_out(
    command: Command,
    where: Callable[[str], str],
    expected: int | None = None,
    caller: Session | None = None,
) -> CommandResult:
    """Carry out what a form asks for, and return what was done.

    The same form sent again is answered by leading to where ``where`` says (``AlreadyAnswered``).
    """
    record: Repeatable[CommandResult] = Repeatable(
        *identify_form(), lambda done: make_lead(where(done.shown.view.id))
    )
    return command(ChangeRequest((caller or get_player()).player, expected, record=record))


def make_lead(address: str) -> StoredAnswer:
    """Return what leads a browser on to an address, to be kept for when the form comes again."""
    return StoredAnswer(303, {"Location": address, "Cache-Control": NO_STORE}, b"")


def identify_form() -> tuple[str, str]:
    """Return the key of the form that was sent, under which it counts once, and what it says."""
    # A form that was changed and sent again is another request, so its content is in the key.
    given = (one for one in request.form.items(multi=True) if one[0] not in ("csrf", "key"))
    content = _compute_digest(request.path, *(one for pair in given for one in pair))
    return f"page-{_compute_digest(request.form.get('key', ''), content)}", content


def find_local_address(asked: str) -> str | None:
    r"""Return an address to go to next if it lies on this site, else None.

    >>> [find_local_address(one) for one in ("/m/7?at=3", "//evil.example", "/\\evil")]
    ['/m/7?at=3', None, None]
    """
    if not asked.startswith("/") or asked.startswith("//") or "\\" in asked:
        return None
    if has_request_context() and not f"{asked}/".startswith(f"{request.root_path}/"):
        return None
    return asked if asked.isascii() and asked.isprintable() else None


def _compute_digest(*parts: str) -> str:
    return compute_digest(*(part.encode("utf-8", "surrogatepass") for part in parts))


def _comes_from_here() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in OURS
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    here = {_find_origin(request.host_url), _find_origin(get_site().house.settings.public_url)}
    return _find_origin(origin) in here - {None}


def _find_origin(url: str) -> tuple[str, str | None, int | None] | None:
    """Return what makes an origin of an address, or None of one that has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]


_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_WHOLES = re.compile(r"\s*\[?\s*([0-9]+(?:[\s,;]+[0-9]+)*)\s*\]?\s*", re.ASCII)


class Field(NamedTuple):
    """A field for an option: ``value`` is what stands in it, ``default`` counts if it is empty."""

    name: str
    label: str
    option: Option
    value: str
    default: str


def make_fields(options: Options, prefix: str) -> list[Field]:
    """Return a field for every option, with what the present form has in it."""
    return [_make_field(f"{prefix}.{one.name}", one) for one in options]


def read_options(options: Options, prefix: str) -> JsonObject:
    """Return what the present form says; a field that was left empty says nothing."""
    typed = ((one, read_text(f"{prefix}.{one.name}")) for one in options)
    return {one.name: _read(one.form, value) for one, value in typed if value}


def _make_field(name: str, one: Option) -> Field:
    default = one.default
    plain = one.form["type"] == "integer" or "enum" in one.form
    value = read_text(name) or (str(default) if plain else "")
    whole = isinstance(default, list) and all(isinstance(part, int) for part in default)
    shown = " ".join(map(str, default)) if whole else say_option(default)
    return Field(name, name_option(one.name).capitalize(), one, value, shown)


def _read(form: JsonObject, typed: str) -> Json:
    """Return typed text as JSON: numbers with anything between them are a list of numbers."""
    if form["type"] == "integer":
        return read_whole(typed.removeprefix("+")) if _WHOLE.fullmatch(typed) else typed
    if "enum" in form:
        return typed
    wholes = _WHOLES.fullmatch(typed)
    if wholes:
        return [read_whole(one) for one in re.split(r"[\s,;]+", wholes[1])]
    try:
        return orjson.loads(typed)
    except orjson.JSONDecodeError:
        return typed
