"""Series: several matches of the same two players, with seats swapped from one to the next.

A series is no stream. Its terms stand in the first event of each of its matches, and its score is
a fold over their ends: ``compute_score`` takes the ends in order and says who has how much, whether
a match follows, and who is the champion. A win is two half points, a draw one for each.
``find_misfit`` says whether a match belongs behind others: its chain alone does not say that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from domain.errors import Corruption, InvalidSeries
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.events import MatchCreated
from domain.match.state import ABORTED, ACTIVE, FINISHED, OPEN, Match

EARLY, PLAYED_OUT = "early", "played-out"
DECIDED = (EARLY, PLAYED_OUT)
"""When a series ends: as soon as nobody can catch up, or when all its matches are played."""

SHARED, TWO_MORE = "shared", "two-more"
TIES = (SHARED, TWO_MORE)
"""What comes of a tie: both are first, or two more matches are played."""

SHORTEST, LONGEST = 2, 21
"""How many matches a series may have, before a tie."""

MORE, TIMES = 2, 3
"""So many more matches after a tie, and so often at most."""

WIN, DRAW = 2, 1
"""Half points."""


class SeriesTerms(NamedTuple):
    """How a series is played: one of ``DECIDED`` and one of ``TIES``."""

    length: int
    decided: str = EARLY
    tie: str = SHARED

    @property
    def most(self) -> int:
        """The number of the last match that there can be."""
        return self.length + (MORE * TIMES if self.tie == TWO_MORE else 0)


def complete_terms(given: Json) -> SeriesTerms | None:
    """Return the terms that somebody asks for, defaults filled in; None of null.

    Raises ``InvalidSeries``; its pointer begins at the object that has them as ``series``.
    """
    return None if given is None else _read_terms(given)


def _read_terms(given: Json) -> SeriesTerms:
    if type(given) is not dict:
        raise InvalidSeries(say("A series is null or a JSON object."), pointer="/series")
    for name in given:
        if name not in SeriesTerms._fields:
            there = ", ".join(SeriesTerms._fields)
            raise InvalidSeries(
                say("A series has no {name!r}: only {there}.", name=name[:40], there=there),
                pointer="/series",
            )
    length = _read_length(given.get("length"))
    decided = _read_word(given, "decided", DECIDED)
    if decided == EARLY and length % 2 == 0:
        raise InvalidSeries(
            say(
                "A series that ends as soon as it is decided has an odd number of matches; or "
                "let all of them be played ({played_out}).",
                played_out=PLAYED_OUT,
            ),
            pointer="/series/length",
        )
    return SeriesTerms(length, decided, _read_word(given, "tie", TIES))


def _read_length(length: Json) -> int:
    # To Python, true is 1.
    if type(length) is not int or not SHORTEST <= length <= LONGEST:
        raise InvalidSeries(
            say(
                "A series has {least} to {most} matches: 'length' is a whole number.",
                least=SHORTEST,
                most=LONGEST,
            ),
            pointer="/series/length",
        )
    return length


def _read_word(given: JsonObject, name: str, words: tuple[str, ...]) -> str:
    word = given.get(name, words[0])
    if type(word) is not str or word not in words:
        raise InvalidSeries(
            say("'{name}' is one of {words}.", name=name, words=", ".join(words)),
            pointer=f"/series/{name}",
        )
    return word


def build_terms_schema() -> JsonObject:
    """Return the JSON Schema of the terms of a series."""
    return {
        "type": ["object", "null"],
        "properties": {
            "length": {"type": "integer", "minimum": SHORTEST, "maximum": LONGEST},
            "decided": {"enum": [*DECIDED], "default": EARLY},
            "tie": {"enum": [*TIES], "default": SHARED},
        },
        "required": ["length"],
        "additionalProperties": False,
    }


class SeriesPlace(NamedTuple):
    """The place of a match in its series, as its first event says.

    ``id``: that of the first match. ``number``: from 1 on. ``previous``: the match before, and the
    hash of its last event; None in the first one.
    """

    terms: SeriesTerms
    id: str
    number: int
    previous: tuple[str, str] | None = None

    def to_json(self) -> JsonObject:
        """Return the member ``series`` of the first event."""
        before = self.previous
        return {
            **self.terms._asdict(),
            "id": self.id,
            "number": self.number,
            "previous": None if before is None else {"match": before[0], "head": before[1]},
        }


def make_first_place(terms: SeriesTerms | None, match: str) -> JsonObject | None:
    """Return what the first event of a match says that begins a series; None: it begins none."""
    return None if terms is None else SeriesPlace(terms, match, 1).to_json()


def place_of(series: JsonObject) -> SeriesPlace:
    """Return what ``SeriesPlace.to_json`` wrote. Raises ``Corruption`` for anything else."""
    try:
        terms = _read_terms({name: series[name] for name in SeriesTerms._fields})
        before = series["previous"]
        previous = None if before is None else (before["match"], before["head"])
        place = SeriesPlace(terms, series["id"], series["number"], previous)
    except (InvalidSeries, LookupError, TypeError) as error:
        raise Corruption("the series of a match cannot be") from error
    if type(place.number) is not int or place.to_json() != series:
        raise Corruption("the series of a match has other members than it may have")
    if not 1 <= place.number <= place.terms.most:
        raise Corruption(f"a series without a match {place.number}")
    return place


class End(NamedTuple):
    """How a match of a series stands: its players by seats, its status, and how it ended."""

    players: tuple[str | None, str | None]
    status: str
    winner: int | None = None
    forfeits: bool = False

    @property
    def won_by(self) -> str | None:
        """The player who won; None: nobody has."""
        return None if self.winner is None else self.players[self.winner - 1]


class Score(NamedTuple):
    """What the ends of a series' matches add up to.

    ``half_points``: by player, in the order of the seats of the first match. ``planned``: how many
    matches there are to be, with those that ties have added. ``played``: how many have ended.
    ``champion``: None while there is none, and where the first place is shared. ``status``: as that
    of a match; the series is ``aborted`` with one of its matches, and then nobody is champion.
    """

    half_points: Mapping[str, int]
    planned: int
    played: int
    status: str
    champion: str | None = None

    @property
    def goes_on(self) -> bool:
        """Whether a match is to follow on those that have ended."""
        return self.status == ACTIVE


def compute_score(terms: SeriesTerms, ends: Iterable[End]) -> Score:
    """Return the score after these matches, which are all there are, in order."""
    points: dict[str, int] = {}
    planned, played, status = terms.length, 0, OPEN
    for end in ends:
        for player in end.players:
            if player is not None:
                points.setdefault(player, 0)
        if end.status in (OPEN, ABORTED):
            return Score(points, planned, played, end.status)
        status = ACTIVE
        if end.status == ACTIVE:
            break
        played += 1
        _count_end(points, end)
        if end.forfeits:
            return _count_forfeit(terms, points, end, planned, played)
        planned = _count_planned(terms, points, planned, played)
        if _is_decided(terms, points, planned, played):
            return Score(points, planned, played, FINISHED, _find_leader(points))
    return Score(points, planned, played, status)


def _count_end(points: dict[str, int], end: End) -> None:
    winner = end.won_by
    for player in end.players:
        if player is not None:
            points[player] += DRAW if winner is None else WIN * (player == winner)


def _count_forfeit(
    terms: SeriesTerms, points: dict[str, int], end: End, planned: int, played: int
) -> Score:
    """Give the matches that are left, and those that a tie would add, to who did not give up."""
    winner = end.won_by
    if winner is not None:
        points[winner] += WIN * (planned - played)
    tied = _find_leader(points) is None and terms.tie == TWO_MORE
    return Score(points, planned, played, FINISHED, winner if tied else _find_leader(points))


def _count_planned(terms: SeriesTerms, points: Mapping[str, int], planned: int, played: int) -> int:
    """Return how many matches there are to be, now that so many are played."""
    added = terms.tie == TWO_MORE and played == planned < terms.most
    return planned + MORE if added and _find_leader(points) is None else planned


def _is_decided(terms: SeriesTerms, points: Mapping[str, int], planned: int, played: int) -> bool:
    # Of ``planned`` matches there are twice as many half points: who has more than half is first.
    return played == planned or (terms.decided == EARLY and max(points.values()) > planned)


def _find_leader(points: Mapping[str, int]) -> str | None:
    """Return who has more than the other; None: both have the same."""
    best = [player for player, number in points.items() if number == max(points.values())]
    return best[0] if len(best) == 1 else None


def format_points(half_points: int) -> str:
    """Say half points as points.

    >>> format_points(0), format_points(1), format_points(5)
    ('0', '½', '2½')
    """
    whole, half = divmod(half_points, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def end_of(match: Match) -> End:
    """Return how a match stands, for the score."""
    return End(match.seats, match.status, match.winner, match.forfeits)


# --- what belongs together ------------------------------------------------------------------------


class Misfit(Enum):
    """Why a match does not belong behind others of its series."""

    LINK = auto()
    """It names another match before it, or another end of that."""
    RUNNING = auto()
    """The match before it is not over."""
    TERMS = auto()
    """It is played otherwise: another game, other options, terms or number."""
    SEATS = auto()
    """The same players do not sit the other way round."""
    OVER = auto()
    """The series was over before it."""


class Member(NamedTuple):
    """A match of a series, and what the series goes by. ``kept``: what all of them have in common.

    ``head`` is the hash of its newest event.
    """

    match: str
    head: str
    kept: tuple[Json, ...]
    place: SeriesPlace
    end: End


def member_of(match: Match) -> Member:
    """Return what a series goes by of one of its matches. Raises ``Corruption`` if it is none."""
    game, how = match.game, (match.options, match.visibility, match.pace, match.rated)
    kept = (game.slug, game.rules_version, *how, match.creator)
    return Member(match.id, match.head, kept, place_of(match.series), end_of(match))


def list_kept(first: MatchCreated) -> tuple[Json, ...]:
    """Return ``Member.kept`` as a first event has it."""
    how = (first.options, first.visibility, first.pace, first.rated)
    return (first.game, first.rules_version, *how, first.creator)


def find_misfit(one: Member, before: Sequence[Member]) -> Misfit | None:
    """Say why a match does not belong behind these, which come right before it, in order.

    Where they do not begin with the first match, what came before that is not known.
    """
    if not before:
        return None
    last = before[-1]
    if one.place.previous != (last.match, last.head):
        return Misfit.LINK
    if last.end.status != FINISHED:
        return Misfit.RUNNING
    terms = one.place.terms == last.place.terms and one.place.number == last.place.number + 1
    if not terms or one.place.id != last.place.id or one.kept != last.kept:
        return Misfit.TERMS
    if one.end.players != last.end.players[::-1]:
        return Misfit.SEATS
    ends = (member.end for member in before)
    begins = before[0].place.number == 1
    return Misfit.OVER if begins and not compute_score(one.place.terms, ends).goes_on else None
