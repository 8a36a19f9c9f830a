"""Small things in words: instants, numbers of things, seats, how a match stands."""

from __future__ import annotations

import re
from datetime import datetime

from flask import url_for
from markupsafe import Markup
from typing_extensions import override

from domain.game.game import AnyGame
from domain.game.scene import LETTERS
from domain.i18n import People, Said, say
from domain.json_types import Json, JsonObject
from domain.match.clock import format_pace
from domain.match.commands import CreateMatch
from domain.match.house_players import PLAYERS, name_house_player
from domain.match.house_players import name_of as name_of_level
from domain.match.kinds import ENDINGS
from domain.match.move_count import MoveCount, tell_count
from domain.match.narration import format_reason
from domain.match.persons import PERSONS
from domain.match.series import EARLY, TWO_MORE, SeriesTerms, place_of
from domain.match.state import FINISHED
from domain.match.views import MatchView
from services.accounts.accounts import is_name
from services.drawing.svg.markup import make_tag
from services.matches.match_json import ShownMatch
from services.replays.replay import Frame, tell_without_time
from web.i18n import N_, _, ngettext, translate
from web.pages.common.visitors import find_practiser, find_visitor, get_zone

_INSIDE = re.compile("(?<!,) | (?=.*,)")
"""All blanks of an instant but the one behind its day, which may end in the year."""


def clock(instant: str) -> Markup:
    r"""Return a stored instant as a ``time`` element: in the reader's time zone, else in UTC.

    >>> str(clock("2026-11-27T22:03:11.482913Z"))
    '<time datetime="2026-11-27T22:03:11Z">27\xa0Nov\xa02026, 22:03\xa0UTC</time>'
    """
    when = datetime.fromisoformat(instant)
    there = when.astimezone(get_zone())
    shown = _("%(day)d %(month)s %(year)d, %(time)s %(zone)s") % {
        "day": there.day,
        "month": _(_MONTHS[there.month - 1]),
        "year": there.year,
        "time": f"{there:%H:%M}",
        "zone": there.tzname(),
    }
    # Broken in a narrow place, it is behind the day.
    shown = _INSIDE.sub("\N{NO-BREAK SPACE}", shown)
    return make_tag("time", shown, datetime=f"{when:%Y-%m-%dT%H:%M:%S}Z")


STATUSES = (N_("open"), N_("active"), N_("finished"), N_("aborted"))
VISIBILITIES = (N_("public"), N_("unlisted"), N_("private"))
"""Words of the contract that pages show as they are."""

_PENDING = {
    "chance": N_("Chance decides next."),
    "pass": N_("A pass follows: there is no legal move."),
    "end": N_("The game is over."),
}
"""What a match waits for in which nobody is to act."""

_UNITS = (
    (86_400, N_("%(number)d d")),
    (3600, N_("%(number)d h")),
    (60, N_("%(number)d min")),
    (1, N_("%(number)d s")),
)

_MONTHS = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)


def format_duration(start: str, end: str) -> str:
    """Return how long something took, in its two largest units.

    >>> format_duration("2026-11-27T22:03:11.482913Z", "2026-11-28T01:15:12.000000Z")
    '3 h 12 min'
    >>> format_duration("2026-11-27T22:03:11.482913Z", "2026-11-27T22:03:11.999999Z")
    'less than 1 s'
    """
    took = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    rest = int(took.total_seconds())
    parts: list[str] = []
    for size, unit in _UNITS:
        number, rest = divmod(rest, size)
        if number or parts:
            parts.append(_(unit) % {"number": number} if number else "")
    return " ".join(part for part in parts[:2] if part) or _("less than 1 s")


def moves(number: int) -> str:
    """Return a number of moves.

    >>> moves(1), moves(3)
    ('1 move', '3 moves')
    """
    return ngettext("%(number)d move", "%(number)d moves", number) % {"number": number}


class _Total(int):
    """A number of moves that a script keeps true, where a match goes on."""

    @override
    def __format__(self, _: str) -> str:
        return f'<b class="total">{int(self)}</b>'


def counted(count: MoveCount, total: int) -> Markup:
    """Say where a step lies among the moves.

    >>> str(counted(MoveCount(12, True), 40))
    'Move 12 of <b class="total">40</b>'
    """
    return Markup(translate(tell_count(count, _Total(total))))  # noqa: S704 - sentences of ours


def say_option(value: Json) -> str:
    """Return the value of an option for a person.

    >>> say_option(5), say_option(None), say_option([{"row": 1, "value": 3}])
    ('5', 'by chance', 'row 1 value 3')
    """
    if value is None:
        return _("by chance")
    if isinstance(value, list):
        return "; ".join(say_option(one) for one in value)
    if isinstance(value, dict):
        return " ".join(f"{_(name)} {say_option(one)}" for name, one in value.items())
    return _(value) if isinstance(value, str) else str(value)


def name_option(name: str) -> str:
    """Return the name of an option in words."""
    return _(name.replace("_", " "))


def list_options(game: AnyGame, options: JsonObject) -> list[tuple[str, str]]:
    """Return options of a game, their names and values in words."""
    words = {one.name: one.words for one in game.options}

    def say_value(name: str, value: Json) -> str:
        said = words.get(name, {}).get(value) if isinstance(value, str) else None
        return say_option(value) if said is None else _(said)

    return [(name_option(name), say_value(name, value)) for name, value in options.items()]


def list_unusual(match: MatchView | CreateMatch) -> list[tuple[str, str]]:
    """Return the options of a match that are not as usual, in words."""
    usual = {one.name: one.default for one in match.game.options}
    others = {name: value for name, value in match.options.items() if value != usual.get(name)}
    return list_options(match.game, others)


def describe_series(terms: SeriesTerms) -> str:
    """Say how a series is played.

    >>> str(describe_series(SeriesTerms(3))), str(describe_series(SeriesTerms(4, "played-out")))
    ('best of 3', '4 matches, all of them played')
    """
    if terms.decided == EARLY:
        said = _("best of %(length)s") % {"length": terms.length}
    else:
        said = _("%(length)s matches, all of them played") % {"length": terms.length}
    return said if terms.tie != TWO_MORE else _("%(said)s, two more after a tie") % {"said": said}


def series_terms(match: MatchView | CreateMatch) -> str:
    """Say how the series of a match is played; nothing of a match alone."""
    return "" if match.series is None else describe_series(place_of(match.series).terms)


def pace_of(view: MatchView) -> str:
    """Say the pace of a match."""
    return format_pace(view.pace)


def player_mark(seat: int) -> Markup:
    """Return the small sign of a seat, by which pages tell the seats apart."""
    shape = (
        make_tag("circle", cx=8, cy=8, r=7, class_="sign")
        if seat == 1
        else make_tag("rect", x=1.5, y=1.5, width=13, height=13, rx=1.5, class_="sign")
        + make_tag("path", d="M 2 9 L 9 2 M 5 14 L 14 5 M 11 14 L 14 11", class_="sign-hatch")
    )
    return make_tag(
        "svg",
        shape,
        viewBox="0 0 16 16",
        width=16,
        height=16,
        aria_hidden="true",
        class_=f"seat-sign seat-{seat}",
    )


def name_of(shown: ShownMatch, seat: int) -> str | None:
    """Return the name of a seat's player, or None while it is free."""
    return shown.tell_name(shown.view.seats[seat - 1])


def find_reader(shown: ShownMatch) -> int | None:
    """Return the seat of the one who reads, if they have one alone: who practises has both."""
    return None if find_practiser() else shown.you


def people_of(shown: ShownMatch) -> People:
    """Return who plays a match, as sentences of pages name them."""
    names = {seat: translate(name_of(shown, seat) or LETTERS[seat]) for seat in (1, 2)}
    persons = {**PERSONS, **shown.view.game.persons}
    named = {seat: isolate_name(name) for seat, name in names.items()}
    words = all(isinstance(name_of(shown, seat), Said) for seat in (1, 2))
    return People(named, find_reader(shown), persons, _("you"), words=words)


def isolate_name(name: str) -> str:
    """Return a name so that its direction is its own: a sentence has no element around it.

    >>> isolate_name("ada"), isolate_name("\u05d0")
    ('ada', '\u2068\u05d0\u2069')
    """
    return name if name.isascii() else f"\u2068{name}\u2069"


def profile_of(shown: ShownMatch, player: str | None) -> str | None:
    """Return the address of a player's page, or None: nobody here, or only for this match."""
    if player is None or shown.imported is not None:
        return None
    return profile_named(str(shown.get_name(player)))


def profile_named(name: str) -> str | None:
    """Return the address of the page of the player of that name, None of a closed account."""
    there = is_name(name) or name in HOUSE_NAMES
    return url_for("pages.player", name=name) if there else None


HOUSE_NAMES = {name_of_level(level): name_house_player(player) for level, player in PLAYERS.items()}
"""The names of house players, and what people call them."""


def ending(shown: ShownMatch) -> str:
    """Say how a match stands: who won and why, whose turn it is, what it waits for."""
    view, you = shown.view, find_reader(shown)
    if view.status == "aborted":
        return _("Aborted: it counts for nobody.")
    if view.result is not None:
        return _describe_result(shown, you)
    if view.to_act is None:
        return _describe_waiting(shown)
    if view.to_act == you:
        return _("It is your turn.")
    return _("%(player)s is to move.") % {"player": _name_player(shown, view.to_act)}


def _describe_waiting(shown: ShownMatch) -> str:
    view = shown.view
    if view.pending is not None:
        return _(_PENDING[view.pending])
    if view.opponent is not None:
        who = find_visitor()
        if who is not None and who.player == view.opponent:
            return _("Waits for you to accept the challenge.")
        return _("Waits for %(player)s to accept the challenge.") % {
            "player": shown.tell_name(view.opponent)
        }
    return _("Waits for an opponent.")


def tale(frame: Frame, shown: ShownMatch) -> str:
    """Tell what a step was; an end as the match's page tells it everywhere.

    Where the first step lies among the moves, its count says.
    """
    if frame.event is None:
        return _("The start position.")
    return ending(shown) if is_end(frame) else tell_without_time(frame)


def is_end(frame: Frame) -> bool:
    """Whether a step is the end of a match that has a result."""
    return frame.event is not None and ENDINGS.get(frame.event["kind"]) == FINISHED


def letter(seat: int) -> str:
    """Return how boards call a seat."""
    return LETTERS[seat]


def _describe_result(shown: ShownMatch, you: int | None) -> str:
    result = shown.view.result or {}
    winner, reason = result["winner"], result["reason"]
    if winner is not None and reason in _GIVEN:
        return translate(say(_GIVEN[reason], winner=winner, other=3 - winner), people_of(shown))
    agreed = _AGREED if reason == "agreement" else format_reason(reason)
    why = translate(shown.view.game.endings.get(reason) or agreed)
    if winner is None:
        return _("A draw: %(reason)s.") % {"reason": why}
    if winner == you:
        return _("You won: %(reason)s.") % {"reason": why}
    return _("%(player)s won: %(reason)s.") % {"player": _name_player(shown, winner), "reason": why}


_GIVEN = {
    "resignation": N_("P{winner} won: P{other} resigned."),
    "timeout": N_("P{winner} won: P{other} ran out of time."),
}
"""What is said where a seat wins by a reason that no game gives."""

_AGREED = say("both players agreed to it")


def _name_player(shown: ShownMatch, seat: int) -> str:
    name = name_of(shown, seat) or say("nobody")
    if isinstance(name, Said):
        return translate(name)[0].upper() + translate(name)[1:]
    return isolate_name(name)
