"""House players' ids, and the seed that their chance follows from."""

from __future__ import annotations

import hmac
from hashlib import sha256
from pathlib import Path

import pytest

from domain.match import house_players
from services.runtime.randomness import ALPHABET, Randomness

SECRET = sha256(b"a secret").hexdigest()
MATCH = "0123456789abcdef"


def test_no_person_can_have_the_id_of_a_house_player() -> None:
    assert not set("house") <= set(ALPHABET)
    assert len({*house_players.PLAYERS.values()}) == house_players.LEVELS
    for level, player in house_players.PLAYERS.items():
        assert len(player) == len(Randomness().make_player_id())
        assert house_players.level_of(player) == level
    assert house_players.level_of(Randomness().make_player_id()) is None


def test_the_seed_is_what_the_contract_says() -> None:
    label = b'["plybook/house/1","0123456789abcdef",7]'
    block = hmac.new(bytes.fromhex(SECRET), label, sha256).digest()
    assert house_players.derive_seed(SECRET, MATCH, 7) == int.from_bytes(block[:8], "big")


@pytest.mark.parametrize(
    "other", [(SECRET[::-1], MATCH, 7), (SECRET, MATCH[::-1], 7), (SECRET, MATCH, 8)]
)
def test_the_seed_is_another_one_for_each_match_and_version(other: tuple[str, str, int]) -> None:
    assert house_players.derive_seed(*other) != house_players.derive_seed(SECRET, MATCH, 7)


def test_the_page_about_the_format_says_how_the_seed_is_made() -> None:
    page = (Path(__file__).parents[3] / "docs" / "event-format.md").read_text()
    assert f'`["{house_players.SCHEME}", match, version]`' in " ".join(page.split())
