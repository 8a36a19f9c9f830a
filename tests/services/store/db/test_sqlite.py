"""Turns to write: one at a time, in the order of coming, and no waiting for ever."""

# ruff: noqa: SLF001 - who stands in the queue cannot be seen from outside

import threading
import time

import pytest

from services.errors import Unavailable
from services.store.db.sqlite import Turns


def waiting(turns: Turns, number: int) -> None:
    """Wait until so many threads stand in the queue."""
    until = time.monotonic() + 10
    while len(turns._waiting) != number:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_turns_come_in_the_order_of_coming() -> None:
    turns, order = Turns(10), []

    def take(number: int) -> None:
        with turns:
            order.append(number)

    threads = []
    with turns:
        for number in range(8):
            threads.append(threading.Thread(target=take, args=(number,)))
            threads[-1].start()
            waiting(turns, number + 1)
    for thread in threads:
        thread.join(10)
    assert order == list(range(8))


def test_one_at_a_time() -> None:
    turns = Turns(30)
    inside, most = 0, 0

    def take() -> None:
        nonlocal inside, most
        for _ in range(50):
            with turns:
                inside += 1
                most = max(most, inside)
                time.sleep(0)
                inside -= 1

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert most == 1


def test_who_comes_back_at_once_does_not_pass_those_who_wait() -> None:
    turns, order = Turns(10), []

    def take() -> None:
        with turns:
            order.append("patient")

    thread = threading.Thread(target=take)
    with turns:
        thread.start()
        waiting(turns, 1)
    with turns:
        order.append("greedy")
    thread.join(10)
    assert order == ["patient", "greedy"]


def test_a_turn_that_does_not_come_in_time_is_given_up_and_holds_up_nobody() -> None:
    turns = Turns(0.05)
    refused = []

    def take() -> None:
        try:
            with turns:
                pass
        except Unavailable as refusal:
            refused.append(refusal.code)

    thread = threading.Thread(target=take)
    with turns:
        thread.start()
        thread.join(10)
    assert refused == ["unavailable"]
    with turns:
        pass


def test_a_turn_that_comes_just_as_it_is_given_up_is_passed_on() -> None:
    turns, late = Turns(1), threading.Lock()
    late.acquire()
    with turns:
        turns._waiting.append(late)
    # By now it is the late one's turn, and it has stopped waiting for it.
    turns._give_up(late)
    with turns:
        pass


def test_a_second_turn_within_the_first_is_a_mistake_and_no_deadlock() -> None:
    turns = Turns(10)
    with turns, pytest.raises(RuntimeError), turns:
        pass
    with turns:
        pass


def test_an_exception_within_a_turn_passes_it_on() -> None:
    turns = Turns(1)
    with pytest.raises(LookupError), turns:
        raise LookupError
    with turns:
        pass
