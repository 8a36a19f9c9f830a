"""Commands: the order of the checks, what nobody may do, and that a refusal changes nothing."""

from collections.abc import Callable
from threading import Barrier, Thread

import pytest

from domain import errors
from domain.errors import Refusal
from domain.json_types import Json
from services.container import Services
from services.errors import (
    IdempotencyKeyReused,
    InvalidRequest,
    NotFound,
    PreconditionRequired,
    StaleVersion,
    UnknownOpponent,
)
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import (
    AlreadyAnswered,
    ChangeRequest,
    CommandResult,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from tests.services.people import Table, table


@pytest.fixture
def there(house: Services) -> Table:
    return table(house).start()


def _stranger(house: Services) -> str:
    return house.accounts.get_local_player("stranger").id


def test_the_checks_come_in_the_order_of_the_contract(house: Services, there: Table) -> None:
    """Every try has all the later faults as well, so the first one must speak."""
    play = house.matches.play
    stranger, nonsense, illegal = _stranger(house), {"steps": "x"}, {"steps": 9}
    with pytest.raises(NotFound):
        play(ChangeRequest(stranger), "0" * 16, nonsense)
    with pytest.raises(errors.MalformedMove):
        play(ChangeRequest(stranger), there.match, nonsense)
    with pytest.raises(errors.NotYourSeat):
        play(ChangeRequest(stranger), there.match, illegal)
    with pytest.raises(PreconditionRequired):
        play(ChangeRequest(there.second), there.match, illegal)
    with pytest.raises(StaleVersion) as stale:
        play(ChangeRequest(there.second, 1), there.match, illegal)
    assert stale.value.version == there.version
    with pytest.raises(errors.NotYourTurn):
        play(ChangeRequest(there.second, there.version), there.match, illegal)
    with pytest.raises(errors.IllegalMove):
        play(ChangeRequest(there.first, there.version), there.match, illegal)
    there.act(1, "resign")
    with pytest.raises(errors.MatchNotActive):
        play(ChangeRequest(there.second, there.version), there.match, illegal)


def test_a_refusal_changes_nothing(house: Services, there: Table) -> None:
    before = there.shown()
    moves: list[Json] = [None, {"steps": 0}, {"steps": True}, {"steps": 2**80}, []]
    for move in moves:
        with pytest.raises(Refusal):
            house.matches.play(ChangeRequest(there.first, there.version), there.match, move)
    assert there.shown() == before
    assert house.audits.verify(there.match).holds


def test_nobody_joins_their_own_match_or_a_full_one(house: Services, there: Table) -> None:
    with pytest.raises(errors.OwnMatch):
        house.matches.join(ChangeRequest(there.first), there.match)
    with pytest.raises(errors.MatchNotOpen):
        house.matches.join(ChangeRequest(_stranger(house)), there.match)


def test_a_seat_that_is_kept_for_somebody_is_nobody_elses(house: Services) -> None:
    there = table(house)
    new = NewMatch("path-capture", opponent="BROOK")
    there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    with pytest.raises(errors.SeatReserved):
        house.matches.join(ChangeRequest(_stranger(house)), there.match)
    assert (
        house.matches.join(ChangeRequest(there.second), there.match).shown.view.status == "active"
    )


@pytest.mark.parametrize("opponent", ["nobody", "ada", ""])
def test_a_challenge_needs_somebody_else(house: Services, opponent: str) -> None:
    there = table(house)
    with pytest.raises(UnknownOpponent):
        house.matches.create(
            ChangeRequest(there.first), NewMatch("path-capture", opponent=opponent)
        )


def test_a_private_match_is_not_there_for_others(house: Services) -> None:
    there = table(house)
    new = NewMatch("path-capture", opponent="brook", visibility="private")
    there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    for caller in (None, _stranger(house)):
        with pytest.raises(NotFound):
            house.queries.show(Asker(caller), there.match)
    with pytest.raises(NotFound):
        house.matches.join(ChangeRequest(_stranger(house)), there.match)
    assert house.queries.show(Asker(there.second), there.match).view.opponent == there.second


def test_a_private_match_needs_an_opponent(house: Services) -> None:
    request = ChangeRequest(table(house).first)
    with pytest.raises(InvalidRequest):
        house.matches.create(request, NewMatch("path-capture", visibility="private"))


def test_an_administrator_aborts_what_players_cannot_any_more(
    house: Services, there: Table
) -> None:
    there.play({"steps": 1}, {"steps": 1})
    with pytest.raises(errors.TooLateToAbort):
        there.act(1, "abort")
    request = ChangeRequest(_stranger(house), there.version, admin=True)
    done = house.matches.act(request, there.match, Action("abort"))
    assert done.shown.view.result == {"winner": None, "reason": "administrator"}


@pytest.mark.parametrize("contribution", ["", "zz" * 32, "ab" * 31, "ab" * 33, "٣" * 64])
def test_dice_that_are_no_dice_are_refused(house: Services, contribution: str) -> None:
    there = table(house)
    there.match = house.matches.create(
        ChangeRequest(there.first), NewMatch("energy-capture")
    ).shown.view.id
    with pytest.raises(InvalidRequest):
        house.matches.join(ChangeRequest(there.second), there.match, None, contribution)
    with pytest.raises(InvalidRequest):
        house.matches.act(
            ChangeRequest(there.first, there.version),
            there.match,
            Action("contribute", contribution),
        )


def test_both_players_contribute_to_the_dice(house: Services) -> None:
    there = table(house)
    done = house.matches.create(ChangeRequest(there.first), NewMatch("energy-capture", seat=2))
    there.match = done.shown.view.id
    request = ChangeRequest(there.first, there.version)
    house.matches.act(request, there.match, Action("contribute", "AB" * 32))
    with pytest.raises(errors.AlreadyContributed):
        house.matches.act(
            ChangeRequest(there.first, there.version), there.match, Action("contribute", "cd" * 32)
        )
    house.matches.join(ChangeRequest(there.second), there.match, None, "cd" * 32)
    assert house.audits.verify(there.match).holds


def _record(fingerprint: str = "this request") -> Repeatable[CommandResult]:
    return Repeatable(
        "key-1",
        fingerprint,
        lambda done: StoredAnswer(201, {"X": "1"}, done.shown.view.id.encode()),
    )


def test_a_repeated_request_gets_its_first_answer(house: Services, there: Table) -> None:
    request = ChangeRequest(there.first, there.version, record=_record())
    first = house.matches.play(request, there.match, {"steps": 2})
    with pytest.raises(AlreadyAnswered) as repeated:
        house.matches.play(request, there.match, {"steps": 2})
    assert repeated.value.answer == first.answer
    assert there.shown().view.ply == 1


def test_a_key_is_good_for_one_request(house: Services, there: Table) -> None:
    request = ChangeRequest(there.first, there.version, record=_record())
    house.matches.play(request, there.match, {"steps": 2})
    other = ChangeRequest(there.first, there.version, record=_record("another request"))
    with pytest.raises(IdempotencyKeyReused):
        house.matches.play(other, there.match, {"steps": 1})


def test_a_refusal_is_not_kept_under_the_key(house: Services, there: Table) -> None:
    request = ChangeRequest(there.first, there.version, record=_record())
    with pytest.raises(errors.IllegalMove):
        house.matches.play(request, there.match, {"steps": 7})
    assert house.matches.play(request, there.match, {"steps": 2}).shown.view.ply == 1


def test_two_who_create_under_one_key_at_once_get_one_match(house: Services) -> None:
    there = table(house)
    results = _at_once(
        4,
        lambda: house.matches.create(
            ChangeRequest(there.first, record=_record()), NewMatch("path-capture")
        ),
    )
    made = [one for one in results if isinstance(one, CommandResult)]
    assert len(made) == 1
    others = [one for one in results if not isinstance(one, CommandResult)]
    assert all(isinstance(one, AlreadyAnswered | Refusal) for one in others), others


def test_of_eight_who_join_at_once_one_is_in(house: Services) -> None:
    there = table(house)
    there.match = house.matches.create(
        ChangeRequest(there.first), NewMatch("path-capture")
    ).shown.view.id
    players = iter([house.accounts.get_local_player(f"player-{n}").id for n in range(8)])
    results = _at_once(8, lambda: house.matches.join(ChangeRequest(next(players)), there.match))
    assert len([one for one in results if isinstance(one, CommandResult)]) == 1
    refused = [one for one in results if not isinstance(one, CommandResult)]
    assert all(isinstance(one, errors.MatchNotOpen) for one in refused), refused
    assert house.audits.verify(there.match).holds


def test_of_eight_same_moves_at_once_one_is_made(house: Services, there: Table) -> None:
    version = there.version
    results = _at_once(
        8,
        lambda: house.matches.play(ChangeRequest(there.first, version), there.match, {"steps": 1}),
    )
    assert len([one for one in results if isinstance(one, CommandResult)]) == 1
    refused = [one for one in results if not isinstance(one, CommandResult)]
    assert all(isinstance(one, StaleVersion) for one in refused), refused
    assert there.version == version + 1


def _at_once(number: int, work: Callable[[], CommandResult]) -> list[object]:
    """Run ``work`` in so many threads at the same time; return results and exceptions."""
    results: list[object] = []
    barrier = Barrier(number)

    def run() -> None:
        barrier.wait()
        try:
            results.append(work())
        except Exception as error:  # noqa: BLE001 - it is looked at by the test
            results.append(error)

    threads = [Thread(target=run) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
