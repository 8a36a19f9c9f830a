"""Notices in their phases: by mail, in browsers, to webhooks, by feed and calendar; and links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from datetime import timedelta
from io import StringIO

from domain.match.clock import HOUR, add_span, format_instant
from domain.match.notices import TEST, TYPES
from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
from services.store.notices import channels, deliveries
from services.store.notices.channels import CALENDAR, EMAIL, FEED, PUSH, WEBHOOK, ChannelRow
from services.store.notices.deliveries import FAILED, SENT, WAITING, DeliveryRow
from tests.shots.accounts import FULL, MAKER, NEW
from tests.shots.cast import OPEN_ALL, Cast, Sent, Shot
from tests.web.people import PASSWORD

MAIL, BROWSERS, HOOKS, KEPT = (
    f"/account/{name}" for name in ("email", "browsers", "webhooks", "subscriptions")
)

ASKED = """document.querySelectorAll("[data-why]").forEach((one) => { one.hidden = true });
document.querySelector("[data-push] button").disabled = false"""
"""Shows what a browser shows that was not told yet whether it may."""

WHY = """document.querySelectorAll("[data-why]").forEach(
  (one) => { one.hidden = one.dataset.why !== "%s" })"""

Outcome = tuple[str, str | None, int | None]
"""What became of a notice: its state, why it failed, and the status of the answer."""

ARRIVED: tuple[Outcome, ...] = ((WAITING, None, None), *((SENT, None, 200),) * 7)
REFUSED: tuple[Outcome, ...] = (
    *((WAITING, "refused", 500), (FAILED, "refused", 503), (FAILED, "redirect", 302)),
    *((FAILED, one, None) for one in ("private", "unknown-host", "no-connection", "no-answer")),
    *((FAILED, "gone", 410), (FAILED, "off", None), (SENT, None, 204)),
)
MAILED: tuple[Outcome, ...] = (
    *((WAITING, None, None), (SENT, None, 250), (WAITING, "deferred", 451)),
    *((FAILED, "rejected", 550), (FAILED, "no-server", None), (FAILED, "off", None)),
    *((FAILED, "seen", None), (FAILED, "stopped", None), (SENT, None, 250)),
)


def pages(cast: Cast, bare: Cast) -> Iterator[Shot]:
    """Yield the pages of all channels; of the service ``bare`` those where they are off."""
    house, url = cast.site.house, cast.site.url
    full = Full(cast)
    hooks = full.webhooks()
    full.browsers()
    full.email()
    for kind in (FEED, CALENDAR):
        house.subscriptions.make(full.player, kind)
    for name, webhook in hooks.items():
        yield Shot(f"notices-webhook-{name}", f"{url}{HOOKS}/{webhook}", FULL)
    hook = f"{HOOKS}/{hooks['active']}"
    done = (
        *(("email-given", f"{MAIL}?done=given"), ("email-test", f"{MAIL}?done=test")),
        *(("browsers", f"{BROWSERS}?done=register"), ("webhook", f"{hook}?done=test")),
        *(("webhooks", f"{HOOKS}?done=deleted"), ("subscriptions", f"{KEPT}?done=revoked")),
    )
    for name, address in done:
        yield Shot(f"notices-done-{name}", url + address, FULL, script=OPEN_ALL)
    yield Shot("notices-browsers-asked", url + BROWSERS, NEW, script=ASKED)
    for why in ("insecure", "unable", "failed"):
        yield Shot(f"notices-browsers-{why}", url + BROWSERS, NEW, script=WHY % why)
    yield from _forms(url, hook)
    yield from _links(cast)
    yield from _off(bare)


class Full:
    """A player who is told everywhere, and is sent what arrives and what does not."""

    def __init__(self, cast: Cast) -> None:
        self.house = cast.site.house
        self.player = self.house.accounts.get_by_name(FULL).id
        found = self.house.lobby.list_matches(Asker(self.player), MatchFilter(mine=True))
        self.match = found.listed[0].view.id

    def _channel(self, kind: str, number: int, address: str, *, off: str | None) -> ChannelRow:
        at = format_instant(self.house.now() - timedelta(days=9 - number))
        row = ChannelRow(f"s_{kind}_{number}", self.player, kind, " ".join(TYPES), at)
        row = row._replace(address=address, secret="a b c", held_until=at)
        if off == "failing now":
            return row._replace(failures=3, failing_since=at)
        return row if off is None else row._replace(off_at=at, off_reason=off)

    def _keep(self, row: ChannelRow, outcomes: Sequence[Outcome]) -> str:
        """Add a channel at which all of that has become of notices, one an hour; return its id."""
        with self.house.database.write() as connection:
            channels.insert(connection, row)
            for number, outcome in enumerate(outcomes):
                at = add_span(row.created_at, number * HOUR)
                deliveries.save(connection, self._told(row.id, number, at, outcome))
        return row.id

    def _told(self, channel: str, number: int, at: str, outcome: Outcome) -> DeliveryRow:
        state, reason, status = outcome
        kind = (*TYPES, TEST)[number % (len(TYPES) + 1)]
        match, version = (None, None) if kind == TEST else (self.match, 9)
        due = format_instant(self.house.now() + timedelta(hours=5)) if state == WAITING else None
        attempts = int(state == SENT or reason is not None)
        row = DeliveryRow(number + 1, channel, kind, match, version, "move-made", at, state, due)
        return row._replace(attempts=attempts, reason=reason, status=status, tried_at=at)

    def webhooks(self) -> dict[str, str]:
        """Let there be webhooks in all states; return their ids."""
        states = {
            "active": (None, ARRIVED * 4),
            "failing": ("failing now", REFUSED),
            "off": ("asked", ()),
            "gone": ("gone", REFUSED),
            "given-up": ("failing", ()),
        }
        found = {}
        for number, (name, (off, outcomes)) in enumerate(states.items()):
            path = "plybook" if number else f"{'w' * 100}/plybook?key={'1' * 30}"
            address = f"https://{name}.bots.example/{path}"
            row = self._channel(WEBHOOK, number, address, off=off)
            row = row._replace(name=None if number else f"My bot at home {'w' * 30}")
            found[name] = self._keep(row, outcomes)
        return found

    def browsers(self) -> None:
        """Let there be browsers in all states."""
        hosts = (
            "push.browser.example",
            "fcm.example",
            "web.push.phone.example",
            "b.example",
        )
        for number, off in enumerate((None, "failing now", "gone", "failing")):
            row = self._channel(PUSH, number, f"https://{hosts[number]}/{number}", off=off)
            self._keep(row._replace(digest=f"{number}" * 64), REFUSED if off else ARRIVED)

    def email(self) -> None:
        """Let there be an address that is told once a day."""
        row = self._channel(EMAIL, 0, "zofia.novakova@mail.example", off=None)
        at = row.created_at
        self._keep(row._replace(confirmed_at=at, hour=7, types="match.turn match.over"), MAILED)


def _forms(url: str, hook: str) -> Iterator[Shot]:
    """Yield what is shown once, and forms that come back with what is wrong in them."""
    mail, wrong = f"{MAIL}/address", "a wrong password"
    forms: tuple[tuple[str, str, str, Sent], ...] = (
        ("made-webhook", HOOKS, MAKER, (HOOKS, {"url": "https://bot.example/plybook"})),
        ("made-secret", hook, FULL, (hook, {"do": "rotate"})),
        ("refused-change", hook, FULL, (hook, {"do": "change", "url": "no", "type": None})),
        ("made-feed", KEPT, MAKER, (KEPT, {"do": "make", "kind": "feed"})),
        ("refused-url", HOOKS, NEW, (HOOKS, {"url": "http://10.0.0.1/"})),
        ("refused-types", HOOKS, NEW, (HOOKS, {"url": "https://bot.example/", "type": None})),
        ("refused-browser", BROWSERS, NEW, (BROWSERS, {"do": "register"})),
        ("refused-choice", BROWSERS, FULL, (BROWSERS, {"do": "choose", "type": None})),
        ("refused-address", MAIL, NEW, (mail, {"address": "nobody", "password": PASSWORD})),
        ("refused-password", MAIL, NEW, (mail, {"address": "a@b.example", "password": wrong})),
    )
    for name, address, who, sent in forms:
        yield Shot(f"notices-{name}", url + address, who, sent)


def _links(cast: Cast) -> Iterator[Shot]:
    """Let mails be sent; yield where their links lead, and the mails themselves."""
    house, url = cast.site.house, cast.site.url
    house.emails.give(MAKER, PASSWORD, "mark@mail.example")
    with redirect_stderr(StringIO()):
        house.outbox.deliver()
    folder = house.outbox.mailer.folder
    secret = next(
        word.rpartition("/")[2]
        for mail in (folder.list_newest() if folder else ())
        for word in mail.text.split()
        if "/mail/" in word
    )
    yield Shot("notices-email-unconfirmed", url + MAIL, MAKER)
    yield Shot("notices-mails-of-the-demo", f"{url}/demo/mails")
    yield Shot("notices-link-confirm", f"{url}/mail/{secret}")
    yield Shot("notices-link-confirmed", f"{url}/staged/confirmed")
    yield Shot("notices-link-confirm-used", f"{url}/mail/nothing")
    key = house.emails.letters.key_of("s_email_0")
    yield Shot("notices-link-stop", f"{url}/unsubscribe/{key}")
    nobody = f"{url}/unsubscribe/{house.emails.letters.key_of('nobody')}"
    yield Shot("notices-link-stopped", nobody, sent=("", {}))
    yield Shot("notices-link-stop-unknown", f"{url}/unsubscribe/nothing")
    # As furnished: the page that a link to a new password leads to.
    new: dict[str, str | None] = {"password": "short", "again": "short"}
    other: dict[str, str | None] = {"password": "a new password", "again": "another"}
    password = f"{url}/password/password"
    yield Shot("notices-link-password", password)
    yield Shot("notices-link-password-short", password, sent=("", new))
    yield Shot("notices-link-password-differs", password, sent=("", other))
    yield Shot("notices-link-password-used", f"{url}/password/nothing")
    yield Shot("notices-forgot", f"{url}/forgot")
    yield Shot("notices-forgot-sent", f"{url}/forgot?done=1")


def _off(bare: Cast) -> Iterator[Shot]:
    """Yield pages of a service that sends no mail, and cannot use its key for browsers."""
    who = "somebody of the bare service"
    bare.enter(NEW, called=who)
    for page, address in (("notices", "/account/notices"), ("email", MAIL), ("browsers", BROWSERS)):
        yield Shot(f"notices-off-{page}", bare.site.url + address, who)
    yield Shot("notices-off-forgot", f"{bare.site.url}/forgot")
