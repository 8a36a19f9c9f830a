"""Operations: what stands above an endpoint says what it takes, gives and refuses.

The decorators only write that down, in one record per endpoint. The record then does two
things: it runs requests, in the order of checks that the contract gives, and it describes
itself to the OpenAPI document. So the two cannot disagree. Who asks is told by the bearer token of
a request, and so is how far it reaches: reading needs ``match:read``, everything else
``match:play``, webhooks ``webhook:manage``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import wraps
from typing import Any, NamedTuple, TypeAlias, TypeVar

from flask import Blueprint, Request, Response
from flask.globals import request_ctx
from marshmallow import Schema

from domain.errors import Refusal
from domain.json_types import JsonObject
from services.accounts.tokens import PLAY, READ, WEBHOOKS, Caller
from services.container import Services
from services.errors import MissingScope, Unauthenticated
from services.matches.event_ids import FORM, EventId
from services.matches.queries import Asker
from services.matches.requests import Repeatable, StoredAnswer
from web.capacity.clients import client_of
from web.http import inputs
from web.http.answers import JSON, NO_STORE, answer_stored
from web.http.requests import Environ, note_caller
from web.site import Site, site_of

_BEARER = "bearer "

BASE = "/api/v1"

api = Blueprint("api", __name__, url_prefix=BASE)


class Access(Enum):
    """Who may call an operation."""

    ANYONE = "anyone"
    """Nobody is asked; a token is not even looked at."""
    OPEN = "open"
    """A token is not needed, but what is shown depends on it."""
    ANY_TOKEN = "any token"  # noqa: S105 - no secret
    """Only with a token, whatever its scopes."""
    PLAYERS = "players"
    """Only with a token that reaches so far."""
    WEBHOOK_MANAGERS = "webhook managers"
    """Only with a token for managing webhooks."""


OPEN, ANY_TOKEN, PLAYERS = Access.OPEN, Access.ANY_TOKEN, Access.PLAYERS
WEBHOOK_MANAGERS = Access.WEBHOOK_MANAGERS


def find_caller(house: Services, authorization: str | None, access: Access) -> Caller | None:
    """Return the caller that an ``Authorization`` header names, None for an anonymous one.

    Raises ``Unauthenticated``, also for a token that is given and not valid where none is needed.
    """
    if access is Access.ANYONE:
        return None
    if authorization is None:
        if access is not OPEN:
            raise Unauthenticated("This needs a token: Authorization: Bearer <token>.")
        return None
    token = authorization[len(_BEARER) :].strip()
    if authorization[: len(_BEARER)].lower() != _BEARER or not token.isascii() or not token:
        raise Unauthenticated("Authorization takes the form: Bearer <token>.")
    return house.accounts.authenticate(token)


def _check_scope(caller: Caller | None, scope: str | None) -> None:
    if caller is not None and scope is not None and scope not in caller.scopes:
        raise MissingScope(f"This token lacks the scope {scope}.")


T = TypeVar("T")

Once: TypeAlias = Callable[[Repeatable[T] | None], tuple[T, StoredAnswer | None]]
"""Does something and keeps its answer, or gives the one that is kept."""


@dataclass(slots=True)
class Call:
    """A request that has been read.

    ``authorization``: the header by that name. ``expected``: the version that it was decided
    on. ``key``: its Idempotency-Key. ``resume``, ``resume_line``: its Last-Event-ID. ``kind``: the
    media type that the client wants.
    """

    operation: Operation
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
    def bearer(self) -> Caller:
        """The caller, of an operation that needs a token."""
        if self.caller is None:
            raise Unauthenticated("This needs a token.")
        return self.caller

    @property
    def player(self) -> str:
        """The caller's id, of an operation that needs a token."""
        return self.bearer.player

    @property
    def look(self) -> Asker:
        """Who looks, and through whose eyes if they say so."""
        return Asker(self.caller.player if self.caller else None, self.query.get("as_"))

    @property
    def paging(self) -> JsonObject:
        """Which page of a list is asked for: its ``limit`` and ``cursor``."""
        return {name: self.query[name] for name in ("limit", "cursor")}

    def make_record(self, render: Callable[[T], StoredAnswer]) -> Repeatable[T] | None:
        """Return how to repeat the request; None without a key, or where nobody is known by it."""
        if self.key is None or self.caller is None:
            return None
        return Repeatable(self.key, inputs.compute_fingerprint(), render)

    def do_once(self, render: Callable[[T], StoredAnswer], do: Once[T]) -> Response:
        """Do something, under the same Idempotency-Key once, and answer as ``render`` has it."""
        done, answer = do(self.make_record(render))
        return answer_stored(answer or render(done))

    def admit_again(self) -> None:
        """Raise what a new request would: the token may have been revoked meanwhile."""
        asked = self.operation
        _check_scope(find_caller(self.house, self.authorization, asked.access), asked.scope)


class Header(NamedTuple):
    """A header that a request may have.

    ``read`` takes the environ and the body, and returns what stands under ``member`` of the call.
    ``codes`` are those of refusals that come with it.
    """

    name: str
    meaning: str
    pattern: str
    member: str
    read: Callable[[Environ, JsonObject], object]
    codes: tuple[str, ...] = ()


HEADERS = {
    "If-Match": Header(
        "If-Match",
        'The version decided on, such as `"5"`.',
        r'^\*$|^(W/)?"[0-9]{1,9}(\.[0-9a-f]*)?"$',
        "expected",
        inputs.read_expected_version,
        ("precondition-required", "stale-version"),
    ),
    "Idempotency-Key": Header(
        "Idempotency-Key",
        "Under the same key the same request is done once, and answered alike.",
        "^[!-~]{1,200}$",
        "key",
        lambda environ, _: inputs.read_idempotency_key(environ),
        ("idempotency-key-reused",),
    ),
    "Last-Event-ID": Header(
        "Last-Event-ID",
        "The id of the last event that you have; it goes before `after`.",
        f"^{FORM}$",
        "resume",
        lambda environ, _: inputs.read_last_event_id(environ),
    ),
    "Last-Event-ID of a line": Header(
        "Last-Event-ID",
        "The id of the last line that you have; it goes before `after`.",
        f"^{inputs.LINE_FORM}$",
        "resume_line",
        lambda environ, _: inputs.read_last_line_id(environ),
    ),
}

View: TypeAlias = Callable[..., Response]
Decorator: TypeAlias = Callable[[View], View]


class Given(NamedTuple):
    """A successful answer: its schema, media types, and what it means.

    Without a schema it has no body, or is a file of one of the media types. ``line``: the schema
    of one line, or one message, where it comes as such. ``cache``: what caches may do with it.
    """

    status: int
    schema: Schema | None
    meaning: str
    headers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = (JSON,)
    line: Schema | None = None
    cache: str = ""

    @property
    def named_headers(self) -> tuple[str, ...]:
        """The headers that are documented: with those that follow from the schema."""
        if self.schema is None or self.cache == NO_STORE:
            return self.headers
        link = ("Link",) if "next_cursor" in self.schema.fields else ()
        return ("ETag", *link, *self.headers)


@dataclass(slots=True)
class Operation:
    """An endpoint: its code, and what is known about it."""

    view: View
    method: str = ""
    rule: str = ""
    tag: str = ""
    access: Access = Access.ANYONE
    query: Schema | None = None
    body: Schema | None = None
    body_required: bool = True
    headers: tuple[Header, ...] = ()
    kinds: tuple[str, ...] = (JSON,)
    given: list[Given] = field(default_factory=list)
    refusals: tuple[str, ...] = ()

    @property
    def scope(self) -> str | None:
        """How far a token has to reach."""
        if self.access in (Access.ANYONE, ANY_TOKEN):
            return None
        if self.access is WEBHOOK_MANAGERS:
            return WEBHOOKS
        return READ if self.method == "GET" else PLAY

    @property
    def places(self) -> list[str]:
        """The names of what stands in the path."""
        return re.findall(r"<(\w+)>", self.rule)

    def run(self, **path: str) -> Response:
        """Answer a request: who asks, whether it exists, what is asked, and then the view."""
        # Once for all that is read from it: each use of Flask's own names looks it up again.
        here = request_ctx._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001
        site, asked = site_of(here.app), here.request
        authorization = asked.environ.get("HTTP_AUTHORIZATION")
        caller = find_caller(site.house, authorization, self.access)
        if caller is not None:
            note_caller(asked.environ, caller.player)
        _check_scope(caller, self.scope)
        call = Call(self, site, authorization, caller)
        try:
            self._read(call, asked)
        except Refusal:
            # Only now, since a request that is well formed asks the use case itself.
            _find(call, path)
            raise
        return self.view(call, **path)

    def _read(self, call: Call, asked: Request) -> None:
        call.kind = inputs.negotiate(self.kinds, asked)
        call.query = inputs.read_query(self.query, asked)
        if self.body is not None:
            call.body = inputs.read_body(self.body, asked, required=self.body_required)
        for header in self.headers:
            setattr(call, header.member, header.read(asked.environ, call.body))


def _find(call: Call, path: dict[str, str]) -> None:
    """Raise ``NotFound`` unless what a path names is there for the caller."""
    if "match_id" in path:
        call.house.queries.show(Asker(call.look.caller), path["match_id"])
    for place in ("slug", "game"):
        if place in path:
            call.house.games.get(path[place])
    if "puzzle_id" in path:
        call.house.puzzles.show(call.look.caller, path["puzzle_id"])
    if "webhook_id" in path:
        call.house.webhooks.get(call.player, path["webhook_id"])
    if "series_id" in path:
        call.house.series.show(call.look, path["series_id"])


OPERATIONS: dict[str, Operation] = {}
"""Every endpoint of the API by its name, in the order in which they are written."""


def _get_operation(view: View) -> Operation:
    return OPERATIONS.setdefault(view.__name__, Operation(view))


def _noting(**known: Any) -> Decorator:  # noqa: ANN401 - fields of every type
    def note(view: View) -> View:
        for name, value in known.items():
            setattr(_get_operation(view), name, value)
        return view

    return note


def route(method: str, rule: str, tag: str, access: Access = Access.ANYONE) -> Decorator:
    """Give the address; stands on top, when everything else is known."""

    def add(view: View) -> View:
        operation = _get_operation(view)
        operation.method, operation.rule, operation.tag = method, rule, tag
        operation.access = access

        @wraps(view)
        def run(**path: str) -> Response:
            return operation.run(**path)

        api.add_url_rule(rule, endpoint=view.__name__, view_func=run, methods=[method])
        return view

    return add


def takes(body: Schema, *, required: bool = True) -> Decorator:
    """Read a JSON body by this schema."""
    return _noting(body=body, body_required=required)


def asks(query: Schema) -> Decorator:
    """Read query parameters by this schema; without this there are none."""
    return _noting(query=query)


def reads(*names: str) -> Decorator:
    """Read these of the ``HEADERS``."""
    return _noting(headers=tuple(HEADERS[name] for name in names))


def gives(
    status: int,
    schema: Schema | None,
    meaning: str,
    *headers: str,
    **others: Any,  # noqa: ANN401 - the other members of Given
) -> Decorator:
    """Describe a successful answer. ``kinds`` are the media types to choose from."""
    given = Given(status, schema, meaning, headers, **others)

    def note(view: View) -> View:
        operation = _get_operation(view)
        operation.given.insert(0, given)
        if schema is not None or given.kinds != (JSON,):
            operation.kinds = given.kinds
        return view

    return note


def refuses(*codes: str) -> Decorator:
    """Name the codes of the refusals that are particular to this operation."""
    return _noting(refusals=codes)
