"""Sentences are English texts, and know what another language needs to say the same."""

from __future__ import annotations

import json
import pickle
from gettext import NullTranslations

import orjson
import pytest
from typing_extensions import override

from domain.i18n import (
    Said,
    dump_said,
    join_texts,
    join_with_and,
    load_said,
    say,
    say_many,
    tell_in,
)

ENGLISH = NullTranslations()


class Words(NullTranslations):
    """A catalogue with a few words."""

    def __init__(self, **texts: str) -> None:
        super().__init__()
        self.texts = texts

    @override
    def gettext(self, message: str) -> str:
        return self.texts.get(message, message)

    @override
    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def test_a_sentence_is_a_text_like_any_other() -> None:
    said = say("P{seat} draws.", seat=1)
    assert said == "P1 draws."
    assert hash(said) == hash("P1 draws.")
    assert orjson.dumps([said]) == b'["P1 draws."]'
    assert json.dumps([said]) == '["P1 draws."]'


def test_a_catalogue_may_order_the_values_anew() -> None:
    words = Words(**{"{one} before {other}": "{other} post {one}"})
    assert say("{one} before {other}", one=1, other=2).tell_in(words) == "2 post 1"


def test_a_number_takes_the_form_of_the_language() -> None:
    words = Words(**{"{number} move": "{number} movo", "{number} moves": "{number} movoj"})
    said = [say_many("{number} move", "{number} moves", number) for number in (1, 2)]
    assert [str(one) for one in said] == ["1 move", "2 moves"]
    assert [one.tell_in(words) for one in said] == ["1 movo", "2 movoj"]


def test_sentences_in_a_sentence_are_translated_too() -> None:
    words = Words(**{"a base": "bazo", "{what} falls.": "Falas {what}."})
    assert say("{what} falls.", what=say("a base")).tell_in(words) == "Falas bazo."
    # A text that nobody said, such as a name, stays what it is.
    assert say("{what} falls.", what="a base").tell_in(words) == "Falas a base."


def test_what_is_joined_is_translated_part_by_part() -> None:
    words = Words(**{"One.": "Unu.", "{others} and {last}": "{others} kaj {last}", "x": "ikso"})
    assert join_texts([say("One."), say("Two.")]).tell_in(words) == "Unu. Two."
    assert tell_in(join_with_and(["1", "2", say("x")]), words) == "1, 2 kaj ikso"
    assert join_with_and(["1", "2", say("x")]) == "1, 2 and x"
    assert tell_in(join_with_and([say("x")]), words) == "ikso"


@pytest.mark.parametrize("broken", ["{else_}", "{}", "{", "{one.no}", "{one!x}"])
def test_a_translation_that_cannot_be_filled_is_left_aside(broken: str) -> None:
    assert say("{one} is there", one=1).tell_in(Words(**{"{one} is there": broken})) == "1 is there"


def test_braces_of_a_sentence_without_values_are_braces() -> None:
    assert say('Write {"steps": 1}.').tell_in(ENGLISH) == 'Write {"steps": 1}.'


def test_a_sentence_survives_the_way_to_another_process() -> None:
    words = Words(**{"P{seat} draws.": "{seat} remizas."})
    said = pickle.loads(pickle.dumps(say("P{seat} draws.", seat=1)))
    assert isinstance(said, Said)
    assert said.tell_in(words) == "1 remizas."


@pytest.mark.parametrize(
    "said",
    [
        say("P{seat} draws.", seat=1),
        say_many("{number} move of P{seat}", "{number} moves of P{seat}", 2, seat=1),
        join_texts([say("One."), "two"]),
        say("{what} falls.", what=say("a base")),
        say("Braces {}."),
    ],
)
def test_a_sentence_that_is_kept_can_be_told_again(said: Said) -> None:
    again = load_said(orjson.loads(orjson.dumps(dump_said(said))))
    assert again == said
    assert again.made == said.made
