"""What mails say: which game, against whom, what happened, and where to look. Nothing of the game.

Each mail is made from what its reader may see of the match, through the one door, at the moment at
which it is sent. What they have answered by then, or seen by acting, is not told any more.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import NamedTuple

from markupsafe import Markup
from typing_extensions import override

from domain.errors import Corruption, Refusal
from domain.i18n import N_, Said, say, say_many, tell_in
from domain.match.clock import format_instant
from domain.match.notices import CHALLENGE, OVER, SERIES_OVER, TEST, TIME_LOW, TURN
from domain.match.state import ACTIVE, FINISHED, OPEN
from services.accounts.settings import zone_of as zone_named
from services.drawing.svg.markup import make_tag
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.notices.mail_times import (
    HOUR,
    MOST_AN_HOUR,
    URGENT,
    compute_send_time,
    has_acted,
)
from services.notices.messages import Parcel, Plan
from services.runtime.languages import ENGLISH, load_catalogue
from services.runtime.mail_server import domain_of
from services.store.cursors import CursorCipher
from services.store.notices import deliveries, mail_links
from services.store.notices.channels import ChannelRow
from services.store.notices.deliveries import (
    ADDRESS_CHANGED,
    ADDRESS_REMOVED,
    CODES_MADE,
    FAILED,
    PASSKEY_ADDED,
    PASSWORD_CHANGED,
    SECURITY,
    DeliveryRow,
)
from services.store.notices.mail_links import CONFIRM, PASSWORD
from services.store.people import profiles

SEEN = "seen"
"""Why a mail was not sent: its reader has acted since, or nobody needs it any more."""


class _Policy(EmailPolicy):
    """Writes the address of ``List-Unsubscribe`` in one line.

    Python would write a long one as words in another charset. Mail programs read those in texts,
    and find no address in them.
    """

    @override
    def fold_binary(self, name: str, value: str) -> bytes:
        if name == "List-Unsubscribe":
            return f"{name}: {value}{self.linesep}".encode("ascii")
        return super().fold_binary(name, value)


POLICY = _Policy(cte_type="7bit", linesep="\r\n")
"""Headers cannot be broken out of, and any server takes the bytes."""

_FULL = ":00:00.000000Z"
"""How instants end that are full hours."""

_MONTHS = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)

_RESULTS = {True: N_("You have won."), False: N_("You have lost."), None: N_("It is a draw.")}


class Item(NamedTuple):
    """One thing that a mail tells: in a line, in more words, and where to look.

    ``button``: what the link leads to, in words.
    """

    line: str
    more: str
    link: str
    button: str


@dataclass(frozen=True, slots=True)
class Letters:
    """Writes mails. ``base``: the service's address; ``sender``: from whom they come."""

    queries: MatchQueries
    sealer: CursorCipher
    base: str
    sender: str

    def plan(self, channel: ChannelRow, waiting: Sequence[DeliveryRow], now: datetime) -> Plan:
        """Say what goes now, in which mails, and what not, or not yet."""
        with self.queries.database.read() as connection:
            of_late = deliveries.count_sent_since(
                connection, channel.id, format_instant(now - HOUR)
            )
            chosen = profiles.get(connection, channel.player)
        zone = UTC if chosen.time_zone is None else zone_named(chosen.time_zone)
        tell = Telling(chosen.language or ENGLISH)
        parcels: dict[object, list[DeliveryRow]] = {}
        settled: list[DeliveryRow] = []
        for row in waiting:
            when = compute_send_time(row.type, datetime.fromisoformat(row.at), channel.hour, zone)
            many = of_late + len(parcels) >= MOST_AN_HOUR
            if many and when <= now and channel.hour is None and not _goes_anyway(row):
                when = now.replace(minute=0, second=0, microsecond=0) + HOUR
            if when > now:
                settled.append(row._replace(due_at=format_instant(when)))
            else:
                parcels.setdefault(_choose_group(row, channel.hour, when), []).append(row)
        made = []
        for rows in parcels.values():
            items = {row: self._make_item(channel, row, zone, now) for row in rows}
            told = [row for row in rows if items[row] is not None]
            seen = (row for row in rows if items[row] is None)
            settled += [row._replace(state=FAILED, due_at=None, reason=SEEN) for row in seen]
            if told:
                found = [item for item in items.values() if item is not None]
                made.append(Parcel(told, self._write_letter(channel, rows[-1], found, tell)))
        return Plan(made, settled)

    def key_of(self, channel: str) -> str:
        """Return what a link has that ends the mails of a channel."""
        return f"{channel}.{self.sealer.hash_with_key('unsubscribe', channel)}"

    def channel_of(self, key: str) -> str | None:
        """Return the channel of such a key, None if it is none of ours."""
        channel = key.partition(".")[0]
        ours = hmac.compare_digest(self.key_of(channel).encode(), key.encode())
        return channel if ours else None

    def _make_item(
        self, channel: ChannelRow, row: DeliveryRow, zone: tzinfo, now: datetime
    ) -> Item | None:
        """Return what a delivery tells, None: nothing any more."""
        if row.type == TEST:
            return Item(
                say("A test"),
                say("You have asked for this mail: notices reach you here."),
                f"{self.base}/account/email",
                say("Your notices"),
            )
        if row.match is not None:
            return self._make_match_item(channel.player, row, row.match, zone)
        with self.queries.database.read() as connection:
            secret = mail_links.find_secret(connection, channel.id, row.number, format_instant(now))
            name = self.queries.accounts.find_names_in(connection, [channel.player])[channel.player]
        if row.type in SECURITY:
            line, more, place, button = _ACCOUNT[row.type]
            return Item(say(line, name=name), say(more), f"{self.base}/{place}", say(button))
        return None if secret is None else _make_link_item(row.type, name, self.base, secret)

    def _make_match_item(
        self, player: str, row: DeliveryRow, match: str, zone: tzinfo
    ) -> Item | None:
        try:
            shown = self.queries.show(Asker(player), match)
        except (Refusal, Corruption):
            return None
        with self.queries.database.read() as connection:
            if has_acted(connection, player, shown.you, row):
                return None
        if not _is_still_so(row.type, player, shown):
            return None
        return Item(
            _tell_line(row.type, shown, player),
            _tell_more(row.type, shown, zone),
            f"{self.base}/m/{match}",
            say("Go to the match"),
        )

    def _write_letter(
        self, channel: ChannelRow, last: DeliveryRow, items: Sequence[Item], tell: Telling
    ) -> EmailMessage:
        letter, number = EmailMessage(policy=POLICY), len(items)
        several = say_many("{number} notice", "{number} notices", number)
        letter["Subject"] = tell(items[0].line if number == 1 else several)
        letter["From"], letter["To"] = self.sender, channel.address or ""
        # The same however often it is sent, so that whoever gets it twice can tell.
        letter["Message-ID"] = f"<{last.number}.{channel.id}@{domain_of(self.sender)}>"
        letter["Auto-Submitted"] = "auto-generated"
        stop = f"{self.base}/unsubscribe/{self.key_of(channel.id)}"
        foot = []
        if last.type not in (CONFIRM, PASSWORD, *SECURITY):
            letter["List-Unsubscribe"] = f"<{stop}>"
            letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
            chosen_at = f"{self.base}/account/email"
            foot = [(say("Choose which notices you get"), chosen_at), (say("No more mails"), stop)]
        letter.set_content(_as_text(items, foot, tell))
        letter.add_alternative(_as_html(items, foot, tell), "html")
        return letter


class Telling(NamedTuple):
    """Tells what there is to say in a language."""

    language: str

    def __call__(self, text: str) -> str:
        """Return a text in that language."""
        return tell_in(text, load_catalogue(self.language))


def say_instant(at: str, zone: tzinfo) -> Said:
    """Say an instant for people to read.

    >>> say_instant("2026-11-27T22:03:11.482913Z", UTC)
    '27 Nov 2026, 22:03 UTC'
    """
    there = datetime.fromisoformat(at).astimezone(zone)
    return say(
        "{day} {month} {year}, {time} {zone}",
        day=there.day,
        month=say(_MONTHS[there.month - 1]),
        year=there.year,
        time=f"{there:%H:%M}",
        zone=there.tzname(),
    )


def _choose_group(row: DeliveryRow, hour: int | None, when: datetime) -> object:
    """Return what those have in common that go in one mail: their hour, or what they tell of."""
    if row.type in URGENT:
        return row.number
    if hour is not None:
        return when
    return row.due_at if _goes_anyway(row) else (row.match, row.version)


def _goes_anyway(row: DeliveryRow) -> bool:
    """Whether a notice goes however many did: it is urgent, or was put off to a full hour."""
    return row.type in URGENT or (row.due_at != row.at and f"{row.due_at}"[13:] == _FULL)


def _is_still_so(type_: str, player: str, shown: ShownMatch) -> bool:
    """Whether it is still so what a notice of a match tells."""
    view = shown.view
    if type_ in (TURN, TIME_LOW):
        return view.status == ACTIVE and view.to_act is not None and view.to_act == shown.you
    return type_ != CHALLENGE or (view.status == OPEN and view.opponent == player)


def _tell_line(type_: str, shown: ShownMatch, player: str) -> str:
    view = shown.view
    others = (one for one in (*view.seats, view.creator, view.opponent) if one != player)
    name = next((shown.tell_name(one) for one in others if one is not None), None)
    return say(
        _LINES[type_], game=say(view.game.name), other=_remove_unprintable(name or say("nobody"))
    )


_LINES = {
    TURN: N_("Your turn: {game} against {other}"),
    CHALLENGE: N_("{other} challenges you: {game}"),
    OVER: N_("Finished: {game} against {other}"),
    TIME_LOW: N_("Little time is left: {game} against {other}"),
    SERIES_OVER: N_("The series is over: {game} against {other}"),
}


def _tell_more(type_: str, shown: ShownMatch, zone: tzinfo) -> str:
    """Return what else there is to say: until when there is time, or how it ended."""
    view = shown.view
    if type_ in (TURN, TIME_LOW) and view.deadline is not None:
        return say("You have time until {at}.", at=say_instant(view.deadline, zone))
    if type_ == CHALLENGE and view.lapses_at is not None:
        return say("You can answer until {at}.", at=say_instant(view.lapses_at, zone))
    if type_ != OVER:
        return ""
    if view.status != FINISHED or view.result is None:
        return say("It counts for nobody.")
    winner = view.result["winner"]
    return say(_RESULTS[None if winner is None else winner == shown.you])


def _make_link_item(type_: str, name: str, base: str, secret: str) -> Item:
    if type_ == CONFIRM:
        return Item(
            say("Confirm your address"),
            say(
                "{name} wants notices of their matches sent to this address. If that is you, "
                "confirm it within a day. If it is not, do nothing.",
                name=name,
            ),
            f"{base}/mail/{secret}",
            say("Confirm the address"),
        )
    return Item(
        say("A new password for {name}", name=name),
        say(
            "Somebody asked for this link. It works once, within an hour. If it was not "
            "you, do nothing: your password stays as it is."
        ),
        f"{base}/password/{secret}",
        say("Set a new password"),
    )


_LAST_MAIL = N_(
    "This is the last mail to this address. If it was not you, somebody is in your account: set a "
    "new password at once by a recovery code, or turn to whoever runs the service."
)
_ACCOUNT = {
    PASSWORD_CHANGED: (
        N_("The password of {name} was changed"),
        N_("If it was not you, set a new password at once, by a link that is sent to you by mail."),
        "forgot",
        N_("Have a link sent"),
    ),
    PASSKEY_ADDED: (
        N_("{name} has a new passkey"),
        N_(
            "It logs in without a password. If it was not you, remove it, and change your password."
        ),
        "account#passkeys",
        N_("Go to your passkeys"),
    ),
    CODES_MADE: (
        N_("{name} has new recovery codes"),
        N_(
            "The old ones no longer work. If it was not you, change your password and "
            "create new codes."
        ),
        "account#recovery",
        N_("Go to your account"),
    ),
    ADDRESS_CHANGED: (
        N_("{name} gets notices at another address from now on"),
        _LAST_MAIL,
        "recover",
        N_("Set a new password"),
    ),
    ADDRESS_REMOVED: (
        N_("{name} gets no more notices by mail"),
        _LAST_MAIL,
        "recover",
        N_("Set a new password"),
    ),
}
"""Of the account itself: what has happened, what to do if it was not oneself, and where."""


def _remove_unprintable(name: str) -> str:
    r"""Return a name without what would break a line or cannot be seen.

    >>> _remove_unprintable("Ada\r\nBcc: all\u202e")
    'Ada Bcc: all'
    """
    if isinstance(name, Said):
        return name
    return " ".join("".join(one if one.isprintable() else " " for one in name).split())


def _as_text(items: Iterable[Item], foot: Iterable[tuple[str, str]], tell: Telling) -> str:
    parts = [(item.line, item.more, item.link) for item in items]
    told = ["\n".join(tell(one) for one in part if one) for part in parts]
    ends = [f"{tell(words)}\n{link}" for words, link in foot]
    return "\n\n".join([*told, *(["\n".join(["-- ", *ends])] if ends else [])]) + "\n"


def _as_html(items: Iterable[Item], foot: Iterable[tuple[str, str]], tell: Telling) -> str:
    parts: list[Markup] = []
    for item in items:
        look = make_tag("a", tell(item.button), href=item.link)
        more = [make_tag("p", tell(item.more))] if item.more else []
        parts += [make_tag("h2", tell(item.line)), *more, make_tag("p", look)]
    parts += [make_tag("p", make_tag("a", tell(words), href=link)) for words, link in foot]
    return make_tag("html", make_tag("body", *parts, style=_STYLE), lang=tell.language)


_STYLE = "font:16px/1.5 sans-serif;max-width:36em;margin:auto;padding:1em"
