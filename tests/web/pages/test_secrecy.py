"""What a seat alone may know stands on that seat's pages alone, and no cache keeps it."""

from __future__ import annotations

import re

import pytest

from domain.game.game import Viewer
from domain.match.views import build_scene, view
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import Element, read

OWN_CARD_FACE_DOWN = re.compile(r"face-down card \((\d+)\)")
HAND_ID = re.compile(r"hand:(\d+)")
LEAST = 10
"""So many moves lay out the cards that lie face down, and some more."""


@pytest.fixture
def match(pair: Pair) -> str:
    """Give the address of a card match: hands are held, and cards lie face down."""
    address = pair.start("power-lines")
    # Whatever was dealt: both place cards, then they draw until one can be played.
    for number in range(40):
        moves = pair.legal(address)
        if number > LEAST and any(one["path"][0].startswith("hand:") for one in moves):
            break
        pair.play(address, moves[0]["move"])
    return address


def hands(shown: Element) -> dict[str, Element]:
    """Return the pictures of hands by their titles."""
    figures = shown.all("figure", class_="shape-hand")
    return {one.one("figcaption").text: one for one in figures}


def hand(pair: Pair, match: str, seat: int) -> list[int]:
    """Return the cards that a seat holds, of the whole truth."""
    with pair.house.database.read() as connection:
        truth = pair.house.matches.repository.load(connection, identity(match))
    assert truth is not None
    seen = view(truth, Viewer.SERVER)
    assert seen.sight is not None
    cards: list[int] = seen.game.show(seen.sight)["players"][seat - 1]["hand"]
    return cards


def hrefs(shown: Element) -> list[str]:
    """Return where all links of a page lead."""
    return [one.attributes["href"] for one in shown.all("a") if "href" in one.attributes]


def own_hand(pair: Pair, match: str, seat: int) -> set[str]:
    """Return the numbers that the ids of a seat's cards have in its own scene."""
    look = Asker(pair.ids[seat - 1])
    scene = build_scene(pair.house.queries.show(look, identity(match)).view)
    assert scene is not None
    spaces = [space.id for zone in scene.zones for space in zone.spaces]
    return {found[1] for one in spaces if (found := HAND_ID.fullmatch(one))}


OTHERS = {1: "dan", 2: "cora"}
"""Whom each seat plays against."""


def test_a_seat_reads_what_its_own_cards_do_and_nothing_of_the_other_hand(
    pair: Pair, match: str
) -> None:
    readable = 0
    for seat in (1, 2):
        shown = pair.browsers[seat - 1].page(match)
        own, other = hands(shown)["Your hand"], hands(shown)[f"Hand ({OTHERS[seat]})"]
        look = Asker(pair.ids[seat - 1])
        scene = build_scene(pair.house.queries.show(look, identity(match)).view)
        assert scene is not None
        spaces = [space for zone in scene.zones for space in zone.spaces if HAND_ID.match(space.id)]
        cards = {(one.text, one.told) for space in spaces for one in space.tokens if one.told}
        (said,) = shown.all("details", class_="sayings") or (None,)
        assert len(said.all("li") if said else []) == len(cards)
        assert said is None or said.attributes["data-key"] == f"hand-{seat}"
        assert not [*own.all("ul", class_="readables"), *other.all("ul", class_="readables")]
        assert len(shown.all("ul", class_="readables")) == (1 if cards else 0)
        readable += len(cards)
    assert readable


@pytest.mark.parametrize("seat", [1, 2])
def test_a_seat_sees_its_own_hand_and_the_back_of_the_other(
    pair: Pair, match: str, seat: int
) -> None:
    shown = pair.browsers[seat - 1].page(match)
    own, other = hands(shown)["Your hand"], hands(shown)[f"Hand ({OTHERS[seat]})"]
    printed = [int(one.text) for one in own.all("text", class_="print")]
    assert printed == sorted(hand(pair, match, seat))
    assert not other.all("text")
    assert "that only their owner may see" in other.text


def test_no_face_of_a_hidden_card_is_on_any_page_of_somebody_else(
    pair: Pair, match: str, somebody: Browser
) -> None:
    eve = Browser(pair.acting.client.application).sign_up("eve")
    own = {seat: pair.browsers[seat - 1].get(match).text for seat in (1, 2)}
    assert all(OWN_CARD_FACE_DOWN.search(text) for text in own.values())
    last = pair.house.queries.show(Asker(), identity(match)).view.version
    for step in ("", "?as=spectator", *(f"?at={at}" for at in range(1, last, 3))):
        for browser in (eve, somebody):
            text = browser.get(match + step).text
            assert not OWN_CARD_FACE_DOWN.search(text)
            assert not HAND_ID.search(text)
            assert not [one for one in hands(read(text)).values() if one.all("text")]
        for browser in pair.browsers:
            shown = read(browser.get(match + step).text)
            others = [one for title, one in hands(shown).items() if title != "Your hand"]
            assert others
            assert not [one for one in others if one.all("text")]
            # Cards of the other seat lie on the field as backs: only one's own have a face.
            labels = [one.text for one in shown.all("title") if "face-down" in one.text]
            known = [one for one in labels if OWN_CARD_FACE_DOWN.search(one)]
            assert all("your " in one for one in known)


def test_the_path_of_a_hidden_move_is_offered_to_its_seat_alone(
    pair: Pair, match: str, somebody: Browser
) -> None:
    seat = pair.to_act(match) or 1
    links = [url for url in pair.browsers[seat - 1].choices(match).values() if "hand:" in url]
    assert links
    for browser in (pair.browsers[2 - seat], somebody):
        for link in links:
            shown = browser.page(link)
            assert not shown.all("ol", class_="taken")
            assert not [url for url in hrefs(shown) if HAND_ID.search(url)]
    assert not HAND_ID.search(somebody.get(match).text)
    # What a player waits with is walked over by keys, too: it is their own hand, nothing else.
    waiting = pair.browsers[2 - seat].get(match).text
    assert set(HAND_ID.findall(waiting)) == own_hand(pair, match, 3 - seat)


def test_another_seats_sight_is_refused_while_the_match_runs(pair: Pair, match: str) -> None:
    assert pair.acting.get(f"{match}?as=seat-2").status_code == 403
    assert pair.acting.get(f"{match}?as=seat-1").status_code == 200


def test_what_a_player_sees_is_never_kept(pair: Pair, match: str) -> None:
    for address in (match, f"{match}?at=9", "/", "/new", "/games/path-capture", "/m/none"):
        answer = pair.acting.get(address)
        assert "no-store" in answer.headers["Cache-Control"], address
        assert "ETag" not in answer.headers, address
    for address in (match, "/"):
        assert pair.acting.get(address).headers["Vary"] == "Cookie, Accept-Encoding"


def test_a_tag_of_another_visitor_brings_nobody_their_page(
    pair: Pair, match: str, somebody: Browser
) -> None:
    public = somebody.get(match)
    assert public.headers["Cache-Control"] == "no-cache"
    assert public.headers["Vary"] == "Cookie, Accept-Encoding"
    for tag in (public.headers["ETag"], "*"):
        answer = pair.acting.get(match, If_None_Match=tag)
        assert answer.status_code == 200
        assert "Your hand" in answer.text
    assert somebody.get(match, If_None_Match=public.headers["ETag"]).status_code == 304


def test_the_same_address_shows_nothing_any_more_after_the_log_out(
    pair: Pair, match: str, somebody: Browser
) -> None:
    assert "Your hand" in pair.acting.get(match).text
    pair.acting.log_out()
    after = pair.acting.get(match)
    assert "Your hand" not in after.text
    assert after.text == somebody.get(match).text


def test_the_opponent_at_the_same_browser_sees_only_their_own(pair: Pair, match: str) -> None:
    pair.acting.log_out()
    assert pair.acting.log_in("dan").status_code == 303
    assert hands(pair.acting.page(match)).keys() == {"Your hand", "Hand (cora)"}
    printed = hands(pair.acting.page(match))["Your hand"].all("text", class_="print")
    assert [int(one.text) for one in printed] == sorted(hand(pair, match, 2))


def test_a_move_that_is_refused_tells_the_other_seat_nothing(pair: Pair, match: str) -> None:
    seat = pair.to_act(match) or 1
    other = pair.browsers[2 - seat]
    token = other.form("/", "/log-out")["csrf"]
    version = str(pair.house.queries.show(Asker(), identity(match)).view.version)
    texts = set()
    for move in pair.legal(match)[:10]:
        values = {"csrf": token, "version": [version], "move": [move["text"]]}
        answer = other.post(f"{match}/moves", values)
        assert answer.status_code == 409
        texts.add(read(answer.text).one("div", class_="failure").text)
    assert len(texts) == 1
