"""What people can choose, looked at again where their decisions are repeated.

A decider takes a command whose members somebody has looked at: whoever asks for something comes
through a form that knows what there is. Events come from a database or a file, where anybody may
have written anything. So what an audit makes a command of is looked at here first: all that a
decider takes over as it is.
"""

from __future__ import annotations

import re
from typing import Any

from domain.errors import Corruption, InvalidSettings
from domain.game.game import AnyGame
from domain.game.options import fill
from domain.json_types import Json
from domain.log.event_format import write_canonical
from domain.match import commands
from domain.match.clock import DAY, HOUR, SECOND, complete_pace
from domain.match.house_players import HOUSE, describe_engine, level_of
from domain.match.series import SeriesPlace, place_of
from domain.match.state import Match
from services.matches.access import VISIBILITIES
from services.matches.actions import CONTRIBUTION
from services.matches.vacations import DAYS_A_YEAR
from services.runtime.settings import LONGEST_CHALLENGE

CAUSES = ("player", "conditional", "bot", HOUSE)
"""Who may have decided on a move; the last of them alone, and always, in a house player's seat."""

_MATCH = re.compile(r"[0-9a-z]{16}", re.ASCII)
_PLAYER = re.compile(r"p_[0-9a-z]{16}", re.ASCII)
_SECRET = re.compile(r"[0-9a-f]{64}", re.ASCII)
"""So is a hash written, too."""
_ENGINE = re.compile(r"[0-9a-z][0-9a-z.-]{0,31}", re.ASCII)

_A_SECOND, _AN_HOUR, _A_DAY = 1, HOUR // SECOND, DAY // SECOND
_ANY = 2**53 - 1


def must_be_creatable(command: commands.CreateMatch) -> None:
    """Refuse what nobody could have created. Raises ``Corruption`` or a ``Refusal``."""
    _must_have_form(command.match, _MATCH, "the match's id")
    if not _has_form(command.secret, _SECRET):  # which is told to nobody, whatever it is
        raise Corruption("the secret is not 64 hex digits")
    _must_be_a_person(command.creator)
    if command.seat is not None:
        _must_be_a_seat(command.seat)
    if fill(command.game.options, command.options) != command.options:
        raise Corruption("the match has not all options of its game")
    if complete_pace(command.pace) != command.pace:
        raise Corruption("the match has not all parts of its pace")
    if command.visibility not in VISIBILITIES:
        raise Corruption(f"there is no visibility {_shorten(command.visibility)}")
    if type(command.rated) is not bool:
        raise Corruption(f"the match cannot be rated {_shorten(command.rated)}")
    _must_be_another(command.creator, command.opponent)
    if command.waits is not None:
        _must_be_whole(command.waits, _A_DAY, LONGEST_CHALLENGE * _A_DAY, "a challenge waits for")
    _must_have_settings(command.game, command.settings)
    if command.series is not None:
        _must_have_a_place(command, place_of(command.series))


def _must_be_another(creator: str, opponent: Json) -> None:
    if opponent is not None:
        _must_have_form(opponent, _PLAYER, "the opponent")
        if opponent == creator:
            raise Corruption("nobody challenges themselves")


def _must_have_a_place(command: commands.CreateMatch, place: SeriesPlace) -> None:
    _must_have_form(place.id, _MATCH, "the series")
    if place.number == 1:
        if place.id != command.match or place.previous is not None:
            raise Corruption("a series begins with its first match, and follows on nothing")
        return
    if place.previous is None or command.match in (place.id, place.previous[0]):
        raise Corruption("a later match of a series follows on the one before it")
    if (place.number - 1 == 1) is not (place.previous[0] == place.id):
        raise Corruption("the second match of a series, and no other, follows on the first")
    _must_have_form(place.previous[0], _MATCH, "the match before")
    _must_have_form(place.previous[1], _SECRET, "its last hash")
    if command.opponent is None or command.seat is None:
        raise Corruption("a later match of a series begins with both players in their seats")
    _must_have_settings(command.game, command.opposed or {})


def _must_be_a_person(creator: Json) -> None:
    _must_have_form(creator, _PLAYER, "the creator")
    if level_of(creator) is not None:
        raise Corruption("a house player creates no match")


def must_be_possible(match: Match, command: commands.Command) -> None:
    """Refuse what nobody could have asked of a match. Raises ``Corruption`` or a ``Refusal``.

    Whether it was the time for it is for the decider to say.
    """
    match command:
        case commands.JoinMatch(player=player, settings=settings, contribution=contribution):
            _must_have_form(player, _PLAYER, "the player")
            if level_of(player) is not None and match.opponent != player:
                raise Corruption("a house player sits down where it was named alone")
            _must_have_settings(match.game, settings)
            if contribution is not None:
                _must_have_form(contribution, CONTRIBUTION, "the contribution")
        case commands.TimeOut() | commands.LapseMatch() | commands.DeclineChallenge():
            pass
        case commands.AbortMatch(seat=None):
            pass
        case _:
            _must_be_taken(match, _get_seat(command))
            _must_be_given(command)
            if isinstance(command, commands.PlayMove):
                _must_be_the_houses(match, command)


def _must_be_given(command: commands.Command) -> None:
    match command:
        case commands.Contribute(contribution=contribution):
            _must_have_form(contribution, CONTRIBUTION, "the contribution")
        case commands.PlayMove(cause=cause):
            if cause not in CAUSES:
                raise Corruption(f"there is no cause {_shorten(cause)}")
        case commands.MakeOffer(kind="pause", seconds=seconds):
            _must_be_whole(seconds, _A_DAY, _ANY, "a pause takes")
        case commands.GiveTime(seconds=seconds):
            _must_be_whole(seconds, _AN_HOUR, _ANY, "somebody gives")
        case commands.GiveBackTime(seconds=seconds):
            _must_be_whole(seconds, _A_SECOND, _ANY, "somebody gets back")
        case commands.GoAway(seconds=seconds):
            _must_be_whole(seconds, _A_SECOND, DAYS_A_YEAR * _A_DAY, "somebody is away for")
        case _:
            pass


def _must_be_the_houses(match: Match, command: commands.PlayMove) -> None:
    """Refuse a house player's move without its engine, or that of somebody else with one."""
    level, engine = level_of(match.seats[command.seat - 1]), command.engine
    if (command.cause == HOUSE) is not (level is not None):
        raise Corruption(f"the cause of this seat's move cannot be {_shorten(command.cause)}")
    if level is None and engine is None:
        return
    version = engine.get("version") if type(engine) is dict else None
    made = None if level is None else describe_engine(str(version), level)
    # As it is written: to Python, true is 1.
    if (
        made is None
        or not _has_form(version, _ENGINE)
        or write_canonical(made) != write_canonical(engine)
    ):
        raise Corruption(f"the engine of this seat's move cannot be {_shorten(engine)}")


def _get_seat(command: Any) -> Json:  # noqa: ANN401 - of each kind that a seat asks for
    return command.seat


def _must_be_taken(match: Match, seat: Json) -> None:
    if match.seats[_must_be_a_seat(seat) - 1] is None:
        raise Corruption(f"nobody sits in seat {seat}")


def _must_be_a_seat(seat: Json) -> int:
    if type(seat) is not int or seat not in (1, 2):
        raise Corruption(f"there is no seat {_shorten(seat)}")
    return seat


def _must_have_settings(game: AnyGame, settings: Json) -> None:
    if fill(game.settings, settings, InvalidSettings) != settings:
        raise Corruption("a seat has not all settings of its game")


def _has_form(value: Json, form: re.Pattern[str]) -> bool:
    return type(value) is str and form.fullmatch(value) is not None


def _must_have_form(value: Json, form: re.Pattern[str], what: str) -> None:
    if not _has_form(value, form):
        raise Corruption(f"{what} cannot be {_shorten(value)}")


def _must_be_whole(amount: Json, unit: int, most: int, what: str) -> None:
    """Refuse an amount of seconds that is not made of whole units, or too small or too large."""
    if type(amount) is not int or amount % unit or not unit <= amount <= most:
        raise Corruption(f"{what} {_shorten(amount)} seconds, which nobody could choose")


def _shorten(value: Json) -> str:
    return repr(value)[:40]
