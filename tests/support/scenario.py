"""Matches in memory, driven by the domain alone; and sentences over them.

    given(PATH_CAPTURE, {"steps": 3}).when(seat=1, move={"steps": 1}).refuses("not-your-turn")
    given(PATH_CAPTURE).when(seat=1, move={"steps": 3}).leads_to("move-made", to_act=2)

Ids, instants, salts and secrets are fixed, so that the same sentence has the same events,
byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import count
from typing import Any, Self, cast

import pytest

from domain.errors import Refusal
from domain.game.game import AnyGame, Game, Viewer
from domain.game.options import fill
from domain.game.registry import Games
from domain.json_types import Json, JsonObject
from domain.log.event_format import GENESIS
from domain.match import commands
from domain.match.clock import complete_pace
from domain.match.decisions.decide import Decision, create, decide, follow
from domain.match.decisions.draft import Chance, draw_provably
from domain.match.events import Event, chain_events
from domain.match.fold import fold, remember_events
from domain.match.series import SeriesTerms, make_first_place
from domain.match.state import Match, dump, find_result
from domain.match.views import MatchView, show_event, view

MATCH = "0123456789abcdef"
SECRET = sha256(b"the secret of the scenarios").hexdigest()
PLAYERS = ("p_ada0000000000000", "p_bob0000000000000")
STRANGER = "p_eve0000000000000"

AnyRules = Game[Any, Any, Any]


def salts(label: str) -> Callable[[], str]:
    """Return a function that gives another 64 hex digits at each call, always the same ones."""
    numbers = count()
    return lambda: sha256(f"{label} {next(numbers)}".encode()).hexdigest()


def instant(number: int) -> str:
    """Return the ``number``th of a row of instants, a second apart."""
    minutes, seconds = divmod(number, 60)
    hours, minutes = divmod(minutes, 60)
    return f"2026-11-{27 + hours // 24:02}T{hours % 24:02}:{minutes:02}:{seconds:02}.000000Z"


class Table:
    """A match in memory: decide, seal, chain, fold, as the service does, without a store.

    Players sit in the order of the seats; with ``seat`` None the creator's is by chance. Tests of a
    game need only ``Table.started`` and ``play``.
    """

    def __init__(  # noqa: PLR0913 - all that a match can be created with
        self,
        game: AnyRules,
        *,
        options: JsonObject | None = None,
        settings: tuple[JsonObject, JsonObject] = ({}, {}),
        seat: int | None = 1,
        opponent: str | None = None,
        visibility: str = "public",
        pace: Json = None,
        secret: str = SECRET,
        match: str = MATCH,
        chance: Chance = draw_provably,
        waits: int | None = None,
        series: SeriesTerms | None = None,
        created: commands.CreateMatch | None = None,
    ) -> None:
        self.game = cast("AnyGame", game)
        self.games = Games([game])
        self.chance = chance
        self.settings = tuple(fill(self.game.settings, one) for one in settings)
        self.events: list[Event] = []
        self._salt = salts(match)
        created = created or commands.CreateMatch(
            match=match,
            secret=secret,
            game=self.game,
            options=fill(self.game.options, options or {}),
            settings=self.settings[0 if seat is None else seat - 1],
            creator=PLAYERS[0 if seat is None else seat - 1],
            seat=seat,
            opponent=opponent,
            visibility=visibility,
            pace=complete_pace(pace),
            waits=waits,
            series=make_first_place(terms=series, match=match),
        )
        self.match: Match = self._append(create(created, chance, at=instant(0)), instant(0))

    @classmethod
    def started(cls, game: AnyRules, **given: Any) -> Self:  # noqa: ANN401 - as __init__
        """Return a match with both seats taken."""
        table = cls(game, **given)
        table.join()
        return table

    @classmethod
    def behind(cls, former: Table, match: str) -> Table:
        """Return the match that follows on one of a series, with this id."""
        secret = sha256(f"the secret of {match}".encode()).hexdigest()
        created = follow(former.match, secret, match)
        table = cls(former.game, match=match, chance=former.chance, created=created)
        table.settings = former.settings[::-1]
        return table

    def _append(self, decided: Decision, at: str) -> Match:
        version = len(self.events)
        new = chain_events(
            decided.proposals,
            match=decided.match.id,
            version=version,
            previous=self.events[-1].hash if self.events else GENESIS,
            at=at,
            salt=self._salt,
        )
        past = remember_events(self.events, self.games)
        present = fold(new, self.games, self.match if self.events else None, past)
        self.events += new
        # The service goes on from what was decided; whoever comes later, from what is folded.
        assert decided.stamp(new[0], new[-1]) == present
        return present

    def do(self, command: commands.Command, at: str | None = None) -> list[Event]:
        """Carry a command out; return its events. Raises a ``Refusal`` and changes nothing.

        ``at``: when; otherwise a moment after the last event.
        """
        version = len(self.events)
        at = at or max(instant(version), self.match.updated_at)
        decided = decide(self.match, command, self.chance, at=at)
        self.match = self._append(decided, at)
        return self.events[version:]

    def state_at(self, version: int) -> Match:
        """Return the state right after an earlier version."""
        return remember_events(self.events, self.games)(version)

    def take_back(self, seat: int, version: int, at: str | None = None) -> list[Event]:
        """Let ``seat`` ask for a takeback to ``version``, and the other seat accept."""
        past = self.state_at(version)
        self.do(commands.OfferTakeback(seat, past, self.events[version:]), at)
        return self.do(commands.AcceptOffer(3 - seat, "takeback", past), at)

    def join(self, player: str | None = None, contribution: str | None = None) -> list[Event]:
        """Let the player of the free seat (or another) sit down."""
        seat = self.match.free_seat or 1
        other = next(name for name in PLAYERS if name != self.match.creator)
        settings = self.settings[seat - 1]
        return self.do(commands.JoinMatch(player or other, settings, contribution))

    def play(self, *moves: Json, seat: int | None = None, at: str | None = None) -> list[Event]:
        """Play moves (JSON) of the seat to act, or of ``seat``; return the events of the last."""
        events: list[Event] = []
        for move in moves:
            parsed = self.game.parse_move(move)
            events = self.do(commands.PlayMove(seat or self.match.to_act or 1, parsed), at)
        return events

    def legal_moves(self) -> list[JsonObject]:
        """Return the legal moves of the seat to act, as JSON."""
        return [self.game.dump_move(m) for m in self.game.iter_legal_moves(self.match.started)]

    def view(self, viewer: Viewer) -> MatchView:
        """Return what ``viewer`` sees."""
        return view(self.match, viewer)

    def state(self, viewer: Viewer = Viewer.SERVER) -> JsonObject | None:
        """Return the state (the JSON of the game's page) that ``viewer`` sees."""
        sight = self.view(viewer).sight
        return None if sight is None else self.game.show(sight)

    def shown(self, viewer: Viewer = Viewer.SERVER) -> list[JsonObject]:
        """Return the events as ``viewer`` sees them now."""
        finished = self.match.status == "finished"
        return [show_event(event, viewer, finished=finished) for event in self.events]


def given(game: AnyRules, *moves: Json, **table: Any) -> Given:  # noqa: ANN401 - as Table
    """Start a match and play ``moves``; the keywords are those of ``Table``."""
    played = Table.started(game, **table)
    played.play(*moves)
    return Given(played)


class Given:
    """A match in the state that the sentence begins with."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def when(
        self,
        *,
        seat: int | None = None,
        move: Json = None,
        command: commands.Command | None = None,
    ) -> When:
        """Ask for a move of ``seat`` (left out: of the seat to act), or for a command."""
        return When(self.table, seat or self.table.match.to_act or 1, move, command)


class When:
    """A match, and what is asked of it."""

    def __init__(
        self, table: Table, seat: int, move: Json, command: commands.Command | None
    ) -> None:
        self.table = table
        self.seat = seat
        self.move = move
        self.command = command

    def _do(self) -> list[Event]:
        if self.command is not None:
            return self.table.do(self.command)
        return self.table.play(self.move, seat=self.seat)

    def refuses(self, code: str) -> Refusal:
        """Expect a refusal with ``code`` and a sentence, and that nothing changes."""
        before, events = dump(self.table.match), list(self.table.events)
        with pytest.raises(Refusal) as raised:
            self._do()
        assert raised.value.code == code, raised.value.detail
        assert is_sentence(raised.value.detail), raised.value.detail
        assert dump(self.table.match) == before
        assert self.table.events == events
        return raised.value

    def leads_to(self, *kinds: str, **expected: Any) -> Table:  # noqa: ANN401 - members of a match
        """Expect the kinds of the new events, if any are named, and members of the match.

        ``expected`` may name ``state`` (the whole JSON), ``result``, and any member of
        ``Match`` (``to_act``, ``ply``, ``status``, ...).
        """
        events = self._do()
        if kinds:
            assert [event.kind for event in events] == list(kinds)
        for name, value in expected.items():
            assert self._member(name) == value, name
        return self.table

    def _member(self, name: str) -> Any:  # noqa: ANN401 - as leads_to
        if name == "state":
            return self.table.state()
        return (
            find_result(self.table.match) if name == "result" else getattr(self.table.match, name)
        )


def is_sentence(text: str) -> bool:
    """Say whether a text begins and ends as a sentence does."""
    return len(text) > 4 and not text[0].islower() and text[-1] in ".!?"
