"""Operations: what stands above an endpoint says what it takes, gives and refuses.

The decorators only write that down, in one record per endpoint. The record then does two
things: it runs requests, in the order of checks that the contract gives, and it describes
itself to the OpenAPI document. So the two cannot disagree. Who asks is told by the bearer token of
a request, and so is how far it reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import wraps
from typing import Any, NamedTuple, TypeAlias

from flask import Blueprint, Request, Response
from flask.globals import request_ctx
from marshmallow import Schema

from domain.errors import Refusal
from domain.json_types import JsonObject
from services.accounts.accounts import Caller
from services.container import Services
from services.errors import MissingScope, Unauthenticated
from services.matches.event_ids import EventId
from services.matches.queries import Asker
from web.capacity.clients import client_of
from web.http import inputs
from web.http.answers import JSON, negotiate
from web.http.requests import note_caller
from web.site import Site, site_of

_BEARER = "bearer "


class Access(Enum):
    """Who may call an operation."""

    ANYONE = "anyone"
    """Nobody is asked; a token is not even looked at."""
    OPEN = "open"
    """A token is not needed, but what is shown depends on it."""
    PLAYERS = "players"
    """Only with a token."""


def admit(
    house: Services, authorization: str | None, access: Access, scope: str | None
) -> Caller | None:
    """Return the caller that an ``Authorization`` header names, None for an anonymous one.

    Raises what ``caller_of`` and ``check_scope`` raise.
    """
    caller = caller_of(house, authorization, access)
    check_scope(caller, scope)
    return caller


def caller_of(house: Services, authorization: str | None, access: Access) -> Caller | None:
    """Return the caller that an ``Authorization`` header names, None for an anonymous one.

    Raises ``Unauthenticated``, also for a token that is given and not valid where none is
    needed.
    """
    if access is Access.ANYONE:
        return None
    if authorization is None:
        if access is Access.PLAYERS:
            raise Unauthenticated("This needs a token: Authorization: Bearer <token>.")
        return None
    return house.accounts.authenticate(_token(authorization))


def check_scope(caller: Caller | None, scope: str | None) -> None:
    """Raise ``MissingScope`` for a caller whose token does not reach so far."""
    if caller is not None and scope is not None and scope not in caller.scopes:
        raise MissingScope(f"This token lacks the scope {scope}.")


def _token(authorization: str) -> str:
    token = authorization[len(_BEARER) :].strip()
    if authorization[: len(_BEARER)].lower() != _BEARER or not token.isascii() or not token:
        raise Unauthenticated("Authorization takes the form: Bearer <token>.")
    return token


BASE = "/api/v1"

api = Blueprint("api", __name__, url_prefix=BASE)


@dataclass(slots=True)
class Call:
    """A request that has been read.

    ``authorization``: the header by that name. ``expected``: the version that it was decided
    on. ``key``: its Idempotency-Key. ``resume``, ``resume_line``: its Last-Event-ID. ``kind``: the
    media type that the client wants.
    """

    site: Site
    authorization: str | None
    caller: Caller | None
    query: JsonObject = field(default_factory=dict)
    body: JsonObject = field(default_factory=dict)
    expected: int | None = None
    key: str | None = None
    resume: EventId | None = None
    resume_line: str | None = None
    kind: str = JSON

    @property
    def house(self) -> Services:
        """The use cases."""
        return self.site.house

    @property
    def client(self) -> str:
        """What the request comes from, as limits count."""
        return client_of(request_ctx.request.remote_addr)

    @property
    def player(self) -> Caller:
        """The caller, of an operation that is for players only."""
        if self.caller is None:
            raise Unauthenticated("This needs a token.")
        return self.caller

    @property
    def look(self) -> Asker:
        """Who looks, and through whose eyes if they say so."""
        return Asker(self.caller.player if self.caller else None, self.query.get("as_"))


View: TypeAlias = Callable[..., Response]
Subject: TypeAlias = Callable[..., object]
"""Takes the call and the path's values; raises ``NotFound`` unless that is there for the caller."""
Decorator: TypeAlias = Callable[[View], View]


class Given(NamedTuple):
    """A successful answer: its schema, media types, and what it means.

    Without a schema it has no body, or is a file of one of the media types. ``line``: the schema
    of one line, or one message, where it comes as such.
    """

    status: int
    schema: Schema | None
    meaning: str
    kinds: tuple[str, ...] = (JSON,)
    headers: tuple[str, ...] = ()
    line: Schema | None = None


@dataclass(slots=True)
class Operation:
    """An endpoint: its code, and what is known about it."""

    view: View
    method: str = ""
    rule: str = ""
    tag: str = ""
    access: Access = Access.ANYONE
    scope: str | None = None
    query: Schema | None = None
    body: Schema | None = None
    body_required: bool = True
    decided: bool = False
    repeatable: bool = False
    resumable: bool = False
    resumable_by_line: bool = False
    kinds: tuple[str, ...] = (JSON,)
    subject: Subject | None = None
    given: list[Given] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def run(self, **path: str) -> Response:
        """Answer a request: who asks, whether it exists, what is asked, and then the view."""
        here = request_ctx._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001
        site, asked = site_of(here.app), here.request
        authorization = asked.environ.get("HTTP_AUTHORIZATION")
        caller = caller_of(site.house, authorization, self.access)
        if caller is not None:
            note_caller(asked.environ, caller.player)
        check_scope(caller, self.scope)
        call = Call(site, authorization, caller)
        try:
            self._read(call, asked)
        except Refusal:
            # Only now, since a request that is well formed asks the use case itself.
            if self.subject is not None:
                self.subject(call, *path.values())
            raise
        return self.view(call, **path)

    def _read(self, call: Call, asked: Request) -> None:
        environ = asked.environ
        call.kind = negotiate(self.kinds, asked)
        call.query = inputs.read_query(self.query, asked)
        if self.body is not None:
            call.body = inputs.read_body(self.body, asked, required=self.body_required)
        if self.decided:
            call.expected = inputs.expected_version(call.body, environ)
        if self.repeatable:
            call.key = inputs.idempotency_key(environ)
        if self.resumable:
            call.resume = inputs.last_event_id(environ)
        if self.resumable_by_line:
            call.resume_line = inputs.last_line_id(environ)


OPERATIONS: dict[str, Operation] = {}
"""Every endpoint of the API by its name, in the order in which they are written."""


def _record(view: View) -> Operation:
    return OPERATIONS.setdefault(view.__name__, Operation(view))


def _noting(**known: Any) -> Decorator:  # noqa: ANN401 - fields of every type
    def note(view: View) -> View:
        operation = _record(view)
        for name, value in known.items():
            setattr(operation, name, value)
        return view

    return note


def route(method: str, rule: str, tag: str) -> Decorator:
    """Give the address; stands on top, when everything else is known."""

    def add(view: View) -> View:
        operation = _record(view)
        operation.method, operation.rule, operation.tag = method, rule, tag

        @wraps(view)
        def run(**path: str) -> Response:
            return operation.run(**path)

        api.add_url_rule(rule, endpoint=view.__name__, view_func=run, methods=[method])
        return view

    return add


def players_only(scope: str | None = None) -> Decorator:
    """Ask for a token, one with ``scope`` if that is given."""
    return _noting(access=Access.PLAYERS, scope=scope)


def open_to_all(scope: str) -> Decorator:
    """Take a request without a token too; one that is given must have ``scope``."""
    return _noting(access=Access.OPEN, scope=scope)


def takes(body: Schema, *, required: bool = True) -> Decorator:
    """Read a JSON body by this schema."""
    return _noting(body=body, body_required=required)


def asks(query: Schema) -> Decorator:
    """Read query parameters by this schema; without this there are none."""
    return _noting(query=query)


def decided_on_a_version() -> Decorator:
    """Read ``If-Match`` and ``expected_version``."""
    return _noting(decided=True)


def repeatable() -> Decorator:
    """Read ``Idempotency-Key``."""
    return _noting(repeatable=True)


def resumable() -> Decorator:
    """Read ``Last-Event-ID``."""
    return _noting(resumable=True)


def resumable_by_line() -> Decorator:
    """Read ``Last-Event-ID``, where it is the id of a line and not a version."""
    return _noting(resumable_by_line=True)


def about(subject: Subject) -> Decorator:
    """Say how to find out whether what the path names is there at all."""
    return _noting(subject=subject)


def gives(  # noqa: PLR0913 - a row of the document
    status: int,
    schema: Schema | None,
    meaning: str,
    *,
    kinds: tuple[str, ...] = (JSON,),
    headers: tuple[str, ...] = (),
    line: Schema | None = None,
) -> Decorator:
    """Describe a successful answer. ``kinds`` are the media types to choose from."""

    def note(view: View) -> View:
        operation = _record(view)
        operation.given.insert(0, Given(status, schema, meaning, kinds, headers, line))
        if schema is not None or kinds != (JSON,):
            operation.kinds = kinds
        return view

    return note


def refuses(*codes: str) -> Decorator:
    """Name the codes of the refusals that are particular to this operation."""
    return _noting(refusals=list(codes))


def a_match(call: Call, match_id: str, *_: str) -> None:
    """Make sure that there is such a match for the caller. Raises ``NotFound``."""
    call.house.looking.show(Asker(call.caller.player if call.caller else None), match_id)
