"""Talk beside a match, by several at the same moment."""

from __future__ import annotations

from services.container import Services
from services.talk import chat
from tests.services.people import Table, together


def test_who_says_much_at_once_says_no_more_than_one_after_the_other(
    house: Services, there: Table
) -> None:
    there.start()
    said = together(
        *(
            lambda number=number: house.chat.say(there.first, there.match, "players", f"{number}")
            for number in range(chat.BURST + 6)
        )
    )
    assert sum(isinstance(one, tuple) for one in said) == chat.BURST
