"""Mails and browsers tell a player things in the language that they have chosen."""

from __future__ import annotations

from email.header import decode_header, make_header
from pathlib import Path

import orjson
import pytest

from services.errors import InvalidRequest
from services.notices.push.messages import LENGTH, write_plain_body
from services.runtime import languages
from services.store.notices.deliveries import DeliveryRow
from services.store.people.profiles import ProfileRow
from tests.services.notices.mail import Post
from tests.web.pages.made_up import LANGUAGE, in_latin, translated

ONE, TWO = {"steps": 1}, {"steps": 2}


def choose(post: Post, language: str | None) -> None:
    post.house.profile_settings.change(post.there.second, ProfileRow(language=language))


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("hour", [None, 9])
def test_a_mail_is_in_the_language_of_its_reader(post: Post, hour: int | None) -> None:
    post.confirmed(hour=hour)
    choose(post, LANGUAGE)
    for _ in range(2):
        post.there.start(pace={"days_per_move": 3}).play(ONE)
    mail = post.later(days=1, minutes=10)[0]
    subject = str(make_header(decode_header(str(mail.letter["Subject"]))))
    lines = [one for one in mail.text.splitlines() if one and not one.startswith("http")]
    # The opponent's name, and the zone, are called so in every language.
    told = [one.replace("ada", "").replace("UTC", "") for one in (subject, *lines)]
    assert [one for one in told if in_latin(one)] == []
    assert f'lang="{LANGUAGE}"' in mail.html
    assert translated("No more mails") in mail.text


@pytest.mark.usefixtures("made_up")
def test_who_has_chosen_no_language_is_told_in_english(post: Post) -> None:
    post.confirmed()
    post.there.start().play(ONE)
    [mail] = post.later(minutes=10)
    assert str(mail.letter["Subject"]) == "Your turn: Path Capture against ada"
    assert 'lang="en"' in mail.html
    with pytest.raises(InvalidRequest):
        choose(post, "tlh")


@pytest.mark.usefixtures("made_up")
def test_a_browser_shows_a_sentence_in_the_language_and_all_are_of_one_length(post: Post) -> None:
    row = DeliveryRow(1, "p_1", "match.turn", "m" * 16, 10, "move-made", "")
    words = post.house.outbox.sender.words
    choose(post, LANGUAGE)
    body = write_plain_body(row, words(post.there.second))
    assert orjson.loads(body)["text"] == translated("It is your turn.")
    assert (
        orjson.loads(write_plain_body(row, words(post.there.first)))["text"] == "It is your turn."
    )
    assert len(body) == LENGTH


def test_a_language_that_is_gone_is_english(post: Post, made_up: Path) -> None:
    choose(post, LANGUAGE)
    for file in made_up.rglob("*.mo"):
        file.unlink()
    languages.load_catalogue.cache_clear()
    row = DeliveryRow(1, "p_1", "match.turn", None, None, "move-made", "")
    body = write_plain_body(row, post.house.outbox.sender.words(post.there.second))
    assert orjson.loads(body)["text"] == "It is your turn."
