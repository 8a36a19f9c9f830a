"""Series at work: with the end of one match the next one begins, in the same transaction.

``write`` is the one way in which events of commands come into the log. So however a match ends (by
a move, a line, a resignation, the clock, an agreement), what follows on it is there with it, or
neither is; and who comes second to an end finds its version taken, and has begun nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from domain.errors import Corruption
from domain.match.decisions.decide import follow
from domain.match.kinds import ENDINGS
from domain.match.series import End, SeriesPlace, compute_score, end_of, place_of
from domain.match.state import FINISHED, Match
from services.matches.repository import Appended, Repository
from services.matches.seats import let_absent_clocks_stand
from services.store import accounts
from services.store import matches as readmodels
from services.store.lobby import practice

STEPS = {"match-created", "match-started", *ENDINGS}
"""Kinds of events by which a match gets another status, and its series perhaps too."""


def write(connection: Connection, repository: Repository, appended: Appended) -> Appended:
    """Write what was decided; behind the end of a match of a series, what follows on it.

    Returns it with that. Raises what ``Repository.write`` raises.
    """
    match = appended.match
    if match.series is not None and match.status == FINISHED:
        # Before any event is written, as by all who hold players; whoever closes an account or goes
        # on vacation meanwhile finds this match, or the next one, and never neither.
        accounts.hold_all_open(connection, match.seats)
        before = list_matches_before(connection, repository, match)
        appended = _add_following(connection, repository, appended, [*map(end_of, before)])
    repository.write(connection, appended)
    if match.series is not None and any(one.kind in STEPS for one in appended.events):
        readmodels.settle_series(connection, match.series["id"])
    for former, next_ in zip(appended.all, appended.all[1:], strict=False):
        practice.go_on(connection, former.match.id, next_.match.id)
    return appended


def _add_following(
    connection: Connection, repository: Repository, appended: Appended, before: Sequence[End]
) -> Appended:
    match, ends = appended.match, [*before, end_of(appended.match)]
    if match.status != FINISHED or not compute_score(place_of(match.series).terms, ends).goes_on:
        return appended
    randomness = repository.randomness
    command = follow(match, randomness.make_match_secret(), randomness.make_match_id())
    begun = repository.create(command, match.updated_at)
    begun = let_absent_clocks_stand(connection, repository, begun)
    # A game may be over before anybody moves.
    following = _add_following(connection, repository, begun, ends)
    return appended._replace(following=following)


def list_matches_before(
    connection: Connection, repository: Repository, match: Match
) -> list[Match]:
    """Return the matches of a series before this one, in order, by what each names before it.

    Raises ``Corruption`` where one is not there, or another one.
    """
    found: list[Match] = []
    place: SeriesPlace = place_of(match.series)
    while place.previous is not None:
        before = repository.load(connection, place.previous[0])
        if before is None or before.head != place.previous[1] or before.series is None:
            raise Corruption(f"match {match.id} follows in its series on what is not there")
        number, place = place.number, place_of(before.series)
        if place.number != number - 1:
            raise Corruption(f"match {match.id} follows in its series on another number")
        found.append(before)
    return found[::-1]
