"""What was looked up a moment ago, such as tokens."""

from datetime import UTC, datetime
from time import sleep

from services.accounts.accounts import Known, make_known_tokens
from services.accounts.tokens import Caller

FOUND = (Caller("p_ada", "ada", frozenset(), "t"), datetime(2028, 1, 1, tzinfo=UTC))


def test_what_was_learned_is_known_for_a_moment() -> None:
    now = 0.0
    known = Known[str](9, 1.0, clock=lambda: now)
    known.learn({"digest": "ada"}, known.generation)
    assert known.recall(["digest", "another"]) == {"digest": "ada"}
    now = 1.0
    assert known.recall(["digest"]) == {}


def test_a_revocation_forgets_all_and_what_was_being_learned() -> None:
    known = Known[str](9, 60.0)
    before = known.generation
    known.learn({"digest": "ada"}, before)
    known.forget()
    assert known.recall(["digest"]) == {}
    known.learn({"digest": "ada"}, before)
    assert known.recall(["digest"]) == {}


def test_one_among_several_processes_keeps_nothing() -> None:
    found = {"digest": FOUND}
    for alone in (True, False):
        known = make_known_tokens(alone=alone)
        known.learn(found, known.generation)
        assert known.recall(["digest"]) == (found if alone else {})


def test_a_token_is_believed_for_a_second_and_of_4096_tokens() -> None:
    """What another process revokes counts a second later."""
    known = make_known_tokens(alone=True)
    tokens = [f"digest {number}" for number in range(5_000)]
    known.learn(dict.fromkeys(tokens, FOUND), known.generation)
    assert len(known.recall(tokens)) == 4_096
    sleep(1.0)
    assert known.recall(tokens) == {}


def test_no_more_is_kept_than_there_is_room_for() -> None:
    known = Known[int](2, 60.0)
    for number in range(3):
        known.learn({str(number): number}, known.generation)
    assert known.recall(["0", "1", "2"]) == {"1": 1, "2": 2}
