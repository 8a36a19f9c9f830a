"""Works go on abreast: step by step, each to its own end."""

from __future__ import annotations

from services.audits.steps import Steps, abreast, finished


def work(name: str, steps: int, done: list[str]) -> Steps[str]:
    for number in range(steps):
        done.append(f"{name}{number}")
        yield
    return name


def test_each_step_is_done_by_all_before_the_next_by_any() -> None:
    done: list[str] = []
    assert abreast(work(name, steps, done) for name, steps in (("a", 1), ("b", 3), ("c", 2))) == [
        "a",
        "b",
        "c",
    ]
    assert done == ["a0", "b0", "c0", "b1", "c1", "b2"]
    assert abreast([]) == []


def test_work_by_itself_is_done_to_its_end() -> None:
    done: list[str] = []
    assert finished(work("a", 2, done)) == "a"
    assert done == ["a0", "a1"]
    assert finished(work("b", 0, done)) == "b"
