"""Practice matches: one person plays both seats, or one against the house, without an account.

Nobody plays against themselves, so there are two players for it, the left hand and the right
hand, which all practice matches share. No name leads to them, they have no password, and what
they may do is bound to single matches: a browser holds a practice match by a cookie, for a day.
Then the sweep ends what is unfinished. Practice matches are unlisted and unrated, so that they
are in no list and no statistic; the list of one's own goes with the cookie.

Against the house a visitor is a player of their own (``services.accounts.guests``), who sits in
one seat and sees what it sees. Whoever signs up takes these matches along, and the sweep leaves
them alone.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import structlog
from sqlalchemy import Connection

from domain.errors import (
    CannotTakeBack,
    Corruption,
    InvalidOptions,
    InvalidSettings,
    MatchNotActive,
    UnknownGame,
)
from domain.game.options import fill
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.clock import DAY, add_span
from domain.match.events import TakebackAccepted
from domain.match.house_players import level_of, name_of
from domain.match.state import OPEN, Match, find_offer
from services.accounts.accounts import hash_secret
from services.accounts.guests import NAME, find_guest, is_guest, key_of
from services.errors import NotFound, TooOften
from services.matches import seats
from services.matches.access import UNLISTED
from services.matches.actions import Action
from services.matches.commands import MatchCommands
from services.matches.match_json import HANDS, ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.matches.repository import Appended
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    NewMatch,
    Repeatable,
    must_be_new,
)
from services.store.lobby import practice
from services.store.lobby.practice import PracticeRow
from services.store.log import events as log

DAYS = 1
"""How long a browser holds a practice match."""

MOST = 20
"""How many practice matches a browser may hold at a time."""

MOST_AGAINST_THE_HOUSE = 10
"""How many running matches against the house a visitor may have."""

_AT_ONCE = 100

_HANDS = tuple(zip(HANDS, ("PRACTICE-LEFT", "PRACTICE-RIGHT"), strict=True))
"""Names, and keys: no name that is looked up folds to them."""

_log = structlog.get_logger(__name__)


class NewPractice(NamedTuple):
    """A practice match to begin; ``settings`` of both seats, ``series``: terms of one, or None."""

    game: str
    options: JsonObject
    settings: tuple[JsonObject, JsonObject]
    series: Json = None


class Opponent(NamedTuple):
    """The house at a level, against somebody in ``seat`` (None: by chance)."""

    level: int
    seat: int | None = None


class Acting(NamedTuple):
    """Who acts in a match that a browser holds until then.

    ``both``: in both seats, by one hand at a time.
    """

    player: str
    name: str
    both: bool
    until: str


class Practice(NamedTuple):
    """A practice match that is held, and until when."""

    shown: ShownMatch
    until: str


@dataclass(frozen=True, slots=True)
class PracticeMatches:
    """Use cases around practice matches; ``holder`` is what a browser's cookie holds."""

    matches: MatchCommands
    queries: MatchQueries

    def begin(
        self, holder: str, new: NewPractice, record: Repeatable[CommandResult] | None = None
    ) -> CommandResult:
        """Begin a practice match. Raises refusals for options and settings, and ``TooOften``.

        Pointers of settings begin with the seat: ``/2/deck``.
        """
        self._check(new)
        left, right = (self.matches.accounts.get_nameless(key, name) for name, key in _HANDS)
        # Before they are counted: what is asked for again is there already.
        must_be_new(self.queries.database, left, record)
        self._must_hold_more(holder)

        match = NewMatch(
            new.game, new.options, new.settings[0], 1, visibility=UNLISTED, series=new.series
        )
        hold = partial(self._hold, holder)
        done = self.matches.create(ChangeRequest(left, record=record, also=(hold,)), match)
        joined = self.matches.join(ChangeRequest(right), done.shown.view.id, new.settings[1])
        return replace(joined, answer=done.answer)

    def begin_against(
        self,
        holder: str,
        new: NewPractice,
        opponent: Opponent,
        record: Repeatable[CommandResult] | None = None,
    ) -> CommandResult:
        """Begin a match of a visitor against the house, which they hold as a practice match.

        ``new`` has the settings of the visitor's seat first. Raises refusals for options, settings
        and the level, ``TooOften`` and ``TooManyHouseMatches``.
        """
        wanted = make_house_match(new, opponent)
        # What is refused makes nobody a player.
        self.matches.plan("", wanted)
        known = find_guest(self.matches.database, holder)
        if known is not None:
            must_be_new(self.queries.database, known, record)
        self._must_hold_more(holder)
        guest = self.matches.accounts.get_nameless(key_of(holder), NAME)

        def check(connection: Connection, _: Appended) -> None:
            seats.must_have_room(connection, guest, MOST_AGAINST_THE_HOUSE)

        also = (check, partial(self._hold, holder))
        return self.matches.create(ChangeRequest(guest, record=record, also=also), wanted)

    def _hold(self, holder: str, connection: Connection, appended: Appended) -> None:
        now = self._get_now()
        until = add_span(now, DAYS * DAY)
        practice.insert(connection, PracticeRow(appended.match.id, hash_secret(holder), now, until))

    def _must_hold_more(self, holder: str) -> None:
        if len(self._list_creators(holder)) >= MOST:
            raise TooOften(say("You have {most} practice matches today already.", most=MOST), 3600)

    def holds_a_visitors(self, holder: str) -> bool:
        """Say whether a browser holds matches that a visitor plays in it against the house."""
        return NAME in self._list_creators(holder)

    def _list_creators(self, holder: str) -> list[str]:
        """Return the name of who has created each match that a browser holds: hand or visitor.

        Those of a visitor who has signed up are held by the account.
        """
        with self.queries.database.read() as connection:
            found = practice.list_creators(connection, hash_secret(holder), self._get_now())
            names = self.matches.accounts.find_names_in(connection, found)
        return [names[one] for one in found if names.get(one) in (*HANDS, NAME)]

    def find_acting(self, holder: str, match_id: str) -> Acting | None:
        """Return who acts in a match, if this browser holds it: the visitor, or the hand to move.

        Where nobody is to act it is the left hand. A visitor against the house is never anybody
        but themselves: the house's cards are not theirs to see.
        """
        with self.queries.database.read() as connection:
            row = practice.find(connection, match_id, hash_secret(holder), self._get_now())
            match = None if row is None else self.matches.repository.load(connection, match_id)
        if row is None or match is None:
            return None
        return self._find_acting(match, holder, row.expires_at)

    def _find_acting(self, match: Match, holder: str, until: str) -> Acting | None:
        if _find_house(match) is not None:
            guest = find_guest(self.matches.database, holder)
            seated = guest is not None and match.seat_of(guest) is not None
            return Acting(guest, NAME, both=False, until=until) if guest and seated else None
        seat = match.to_act or 1
        player = match.seats[seat - 1]
        if player is None:
            return None
        # The left hand creates; in a series seats are swapped.
        hand = _HANDS[0 if player == match.creator else 1][0]
        return Acting(player, hand, both=True, until=until)

    def list_held(self, holder: str) -> list[Practice]:
        """Return the practice matches that a browser holds, the newest first."""
        guest = find_guest(self.matches.database, holder)
        look = Asker(guest)
        with self.queries.database.read() as connection:
            held = []
            for row in practice.list_held(connection, hash_secret(holder), self._get_now()):
                match = self.queries.load_listed(connection, look, row.match)
                if match is None:
                    continue
                if _find_house(match) is not None and match.seat_of(guest) is None:
                    # The visitor has signed up: it is in the list of the account.
                    continue
                shown = self.queries.show_state(connection, match, look)
                held.append(Practice(shown, row.expires_at))
        return held

    def _must_play_both(self, holder: str, match_id: str) -> Match:
        found = self.find_acting(holder, match_id)
        if found is None or not found.both:
            raise NotFound(say("This is not a practice match of this browser."))
        return self._load(match_id)

    def take_back(self, holder: str, match_id: str) -> None:
        """Take back the last move: one hand asks for it, and the other agrees.

        Raises ``NotFound``, ``MatchNotActive`` and ``CannotTakeBack``.
        """
        match = self._must_play_both(holder, match_id)
        version = self._find_last_move(match_id)
        if version is None:
            raise CannotTakeBack(say("No move stands that could be taken back."))
        self._agree(match, "takeback", version - 1)

    def _find_last_move(self, match_id: str) -> int | None:
        """Return the version of the last move that was not taken back."""
        with self.queries.database.read() as connection:
            stream = log.load(connection, match_id)
        taken_back = [
            range(one.fact.version + 1, one.version)
            for one in stream
            if isinstance(one.fact, TakebackAccepted)
        ]
        moves = (one.version for one in stream if one.kind == "move-made")
        standing = (one for one in moves if not any(one in gone for gone in taken_back))
        return max(standing, default=None)

    def end(self, holder: str, match_id: str) -> None:
        """End a practice match before its game does: both hands agree to abort it."""
        self._abort(self._must_play_both(holder, match_id))

    def clear(self) -> int:
        """End and let go what nobody holds any more; return how many matches that are."""
        cleared = 0
        while True:
            with self.queries.database.read() as connection:
                gone = practice.list_expired(connection, self._get_now(), _AT_ONCE)
            for row in gone:
                self._let_go(row.match)
            cleared += len(gone)
            if len(gone) < _AT_ONCE:
                return cleared

    def _let_go(self, match_id: str) -> None:
        try:
            match = self._load(match_id)
            if not match.over and not self._is_an_accounts(match):
                # It may end by itself meanwhile: the house agrees as soon as it hears of it.
                with suppress(MatchNotActive):
                    self._abort(match)
        except (Corruption, UnknownGame) as error:
            # The others are to be let go too; what became of this one an audit tells.
            _log.error("damaged_match", match=match_id, reason=str(error))
        with self.queries.database.write() as connection:
            practice.delete(connection, match_id)

    def _is_an_accounts(self, match: Match) -> bool:
        """Whether a match against the house is one of somebody who has signed up since."""
        ours = _find_house(match)
        if ours is None:
            return False
        with self.queries.database.read() as connection:
            return not is_guest(connection, match.seats[2 - ours])

    def _abort(self, match: Match) -> None:
        if match.status == OPEN:
            # It was cut off while it began.
            request = ChangeRequest(match.creator, any_version=True)
            self.matches.act(request, match.id, Action("abort"))
            return
        self._agree(match, "abort")

    def _agree(self, match: Match, kind: str, to_version: int | None = None) -> None:
        """Let one hand make an offer of this kind, and the other one accept it."""
        # One that stands already was cut off between the two.
        standing = find_offer(match.offers, kind)
        ours = _find_house(match)
        # The house proposes nothing: to whom its match belongs asks.
        first = match.to_act or 1 if ours is None else 3 - ours
        asks = standing.seat if standing is not None else first
        one, other = match.seats[asks - 1] or "", match.seats[2 - asks] or ""
        if standing is None:
            offer = Action(f"offer_{kind}", to_version=to_version)
            self.matches.act(ChangeRequest(one, any_version=True), match.id, offer)
        self.matches.act(ChangeRequest(other, any_version=True), match.id, Action(f"accept_{kind}"))

    def _check(self, new: NewPractice) -> None:
        game = self.matches.repository.games.get(new.game)
        fill(game.options, new.options, InvalidOptions)
        for seat, settings in enumerate(new.settings, 1):
            try:
                fill(game.settings, settings, InvalidSettings)
            except InvalidSettings as refusal:
                pointer = f"/{seat}{refusal.pointer or ''}"
                raise InvalidSettings(refusal.detail, pointer=pointer) from refusal

    def _load(self, match_id: str) -> Match:
        with self.queries.database.read() as connection:
            return self.queries.must_load(connection, Asker(local=True), match_id)

    def _get_now(self) -> str:
        return self.queries.repository.get_instant()


def make_house_match(new: NewPractice, opponent: Opponent) -> NewMatch:
    """Return the match that is to be created for somebody to play against the house at once."""
    return NewMatch(
        new.game,
        new.options,
        new.settings[0],
        seat=opponent.seat,
        opponent=name_of(opponent.level),
        visibility=UNLISTED,
        series=new.series,
    )


def _find_house(match: Match) -> int | None:
    return next((seat for seat, one in enumerate(match.seats, 1) if level_of(one)), None)
