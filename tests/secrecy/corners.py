"""The outlets around a match: exports and proofs, pages about it, lists and accounts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from typing import cast
from urllib.parse import urlencode
from zipfile import ZipFile

from services.exchange.formats import FORMATS
from services.notices.messages import body_of, make_headers
from services.notices.push import messages as push_messages
from services.runtime.languages import ENGLISH, load_catalogue
from services.store.notices import channels, deliveries
from tests.secrecy import outlets
from tests.secrecy.worlds import World, puzzle
from tests.support.figures import figures_of
from tests.web.people import Answer as Response
from tests.web.people import Person
from web.pages.common.visitors import mask_token, token_of

MATCH_PAGES = (
    "analysis",
    "embed",
    "events",
    "frames",
    "hint",
    "invitations",
    "line?at=4",
    "stream",
    "stream?after=5",
)
PAGES = (
    "/matches",
    "/matches?status=active&player=ada",
    "/p/ada",
    "/p/bob",
    "/p/bob/card",
    "/series",
    "/turns",
)
OF_NO_MATCH = (
    "/account",
    "/account/browsers",
    "/account/closed",
    "/account/email",
    "/account/notices",
    "/account/people",
    "/account/profile",
    "/account/subscriptions",
    "/account/webhooks",
    "/games/power-lines",
    "/moderation",
    "/games/power-lines/ratings",
    "/players?prefix=a",
    "/new",
    "/players/names?prefix=a",
    "/practice",
    "/practice?game=power-lines",
    "/puzzles",
    f"/puzzles/{puzzle().id}",
    f"/puzzles/{puzzle().id}/solution",
)
"""Pages that are about no match of anybody's, whatever stands beside one."""

PATHS = (
    "/webhooks",
    "/checkpoints",
    "/checkpoints/1",
    "/checkpoints/latest",
    "/consistency?from=1&to=1",
    "/export",
    "/export?format=csv&limit=1",
    "/keys",
    "/matches?sort=created&limit=1",
    "/me",
    "/me/relations",
    "/players?prefix=a",
    "/players/bob",
    "/puzzles",
    f"/puzzles/{puzzle().id}",
    "/series",
    "/tokens",
    "/players/bob/ratings/power-lines",
    "/ratings/power-lines",
)
MOVES = ("dominate 3,0", "6@12,0", "0@2,1", "shuffle", "discard 1,0", "place 4@1,0")
STEPS = ("cell:1,0", "cell:2,0", "cell:12,0", "cell:0,1", "shuffle", "hand:2:5")
"""What anybody may try in a match of Power Lines."""

FORMS = (
    "moves",
    "actions",
    "analysis",
    "chat",
    "lines",
    "decline",
    "rematch",
    "take-back",
    "end-practice",
)
"""Forms of a match's page; what is sent with them makes no sense."""

ELSEWHERE = {
    "/api/docs",
    "/api/v1/games",
    "/api/v1/games/<slug>",
    "/api/v1/invitations/<token>",
    "/api/v1/openapi.json",
    "/api/v1/problems",
    "/api/v1/problems/<code>",
    "/api/v1/verifier",
    "/demo/mails",
    "/forgot",
    "/healthz",
    "/i/<token>",
    "/log-in",
    "/mail/<secret>",
    "/password/<secret>",
    "/plybook.webmanifest",
    "/push-worker.js",
    "/readyz",
    "/recover",
    "/sign-up",
    "/static/<digest>/<name>",
    "/unsubscribe/<key>",
}
"""What can be read there is about no match that has begun."""


def around(
    world: World,
    person: Person,
    match: str,
    *,
    elsewhere: bool = True,
    first: str | None = None,
) -> Iterator[outlets.Answer]:
    """Ask for all that there is around a match; ``elsewhere``: on pages of no match, too.

    ``first``: the match that began its series; None: this one.
    """
    at = f"/matches/{match}"
    yield from _exports(world, person, at)
    if first is not None:
        # It leads on to this one.
        for path in (f"/matches/{first}", f"/matches/{first}/replay", f"/series/{match}"):
            yield path, outlets.everything(person.get(path))
        for path in (f"/m/{first}", f"/m/{first}?at=1", f"/m/{first}/embed"):
            yield outlets.page(world, person, path)
    # A match of no series is asked for as one, too.
    series = f"/series/{first or match}"
    of_match = (f"{at}/decline", f"{at}/hint", f"{at}/invitations", series, f"{series}/export")
    for path in (*PATHS, *of_match):
        yield path, outlets.everything(person.get(path))
    yield from _notices(world, person)
    # All that was is in the frames from the beginning on.
    last = f"frames?from={max(0, world.truth(match).version - 3)}"
    pages = (
        f"/caller?of={match}",
        series,
        *(f"/m/{match}/{more}" for more in (*MATCH_PAGES, last)),
    )
    for path in (*pages, *PAGES, *(OF_NO_MATCH if elsewhere else ())):
        yield outlets.page(world, person, path)


def _notices(world: World, person: Person) -> Iterator[outlets.Answer]:
    """Give what a person is told by each channel, as it is sent, and what is shown of that."""
    webhook = world.webhooks.get(person.name, "w_0000000000000000")
    answer = person.get(f"/webhooks/{webhook}/deliveries?limit=100")
    yield "deliveries", outlets.masked(world, outlets.everything(answer))
    yield outlets.page(world, person, f"/account/webhooks/{webhook}")
    for address in world.subscriptions.get(person.name, ("/feeds/none", "/calendars/none")):
        yield address, outlets.everything(person.visit(address))
    with world.house.database.read() as connection:
        channel = channels.find(connection, webhook)
        for row in deliveries.list_page(connection, webhook, 1000):
            assert channel is not None
            body = body_of(row)
            headers = make_headers(channel, row, body, world.now)
            yield f"notice {row.number}", f"{sorted(headers.items())}".encode() + body
    yield from _pushes(world, person)
    yield from _mails(world, person)


def _pushes(world: World, person: Person) -> Iterator[outlets.Answer]:
    """Give what is sent to a person's browser: what the browser reads, and what others see."""
    for browser in () if person.name not in world.browsers else (world.browsers[person.name],):
        with world.house.database.read() as connection:
            channel = channels.find(connection, browser)
            waiting = deliveries.list_page(connection, browser, 1000)
        assert channel is not None
        for row in waiting:
            seen = f"{sorted(push_messages.make_headers(channel, row).items())}".encode()
            yield (
                f"push {row.number}",
                seen + push_messages.write_plain_body(row, load_catalogue(ENGLISH)),
            )


def _mails(world: World, person: Person) -> Iterator[outlets.Answer]:
    """Give what is sent to a person by mail, at once and in a digest, and what is shown of that."""
    channel = world.addresses.get(person.name)
    if channel is None:
        return
    with world.house.database.read() as connection:
        waiting = deliveries.list_page(connection, channel.id, 1000)
    later = world.now + timedelta(days=2)
    for hour in (None, 9):
        plan = world.house.emails.letters.plan(channel._replace(hour=hour), waiting, later)
        for parcel in plan.parcels:
            assert parcel.letter is not None
            # What stands between the parts is drawn each time.
            parcel.letter.set_boundary("parts")
            yield (
                f"mail {hour} {parcel.deliveries[0].number}",
                outlets.masked(world, parcel.letter.as_bytes()),
            )
        yield f"not mailed {hour}", f"{[one.number for one in plan.settled]}".encode()


def tries(world: World, person: Person, match: str, turn: int) -> Iterator[outlets.Answer]:
    """Try to enter moves and steps that may be impossible, and send forms that make no sense.

    A sixth of them at each turn: every one has its turn, in a long match several times.
    """
    version = world.truth(match).version
    moves, steps, forms = (all_of[turn % 6 :: 6] for all_of in (MOVES, STEPS, FORMS))
    for asked in (*({"move": one} for one in moves), *({"path": one} for one in steps)):
        query = urlencode({**asked, "on": version})
        yield outlets.page(world, person, f"/m/{match}?{query}")
    for form in forms:
        yield _sent(world, person, f"/m/{match}/{form}", {"version": str(version), "move": "x"})


def unasked(world: World) -> set[str]:
    """Return the routes to be read that nobody has asked for in a world."""
    counted = figures_of(world.app)
    routes = {
        rule.rule
        for rule in world.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and rule.rule not in ELSEWHERE
    }
    return {route for route in routes if f'method="GET",route="{route}"' not in counted}


def _exports(world: World, person: Person, at: str) -> Iterator[outlets.Answer]:
    for form in FORMATS:
        path = f"{at}/export?format={form}"
        answer = person.get(path)
        yield path, outlets.everything(answer)
        if form == "bundle" and answer.status_code == 200:
            with ZipFile(BytesIO(answer.data)) as files:
                yield f"inside {path}", b"".join(map(files.read, files.namelist()))
    world.sign()
    for path in (
        f"{at}/export?proof=true",
        f"{at}/export?format=json&proof=true&link=1",
        "/export?proof=true",
        f"{at}/inclusion",
    ):
        yield path, outlets.everything(person.get(path))


def _sent(world: World, person: Person, path: str, form: dict[str, str]) -> outlets.Answer:
    session = world.sessions.get(person.name, "nobody")
    client = world.app.test_client(use_cookies=False)
    data = {**form, "csrf": mask_token(token_of(session)), "key": "a-key"}
    answer = client.post(path, data=data, headers={"Cookie": f"plybook={session}"})
    return f"form {path}", outlets.everything(cast("Response", answer))
