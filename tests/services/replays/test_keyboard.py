"""The one table of keys holds together."""

from collections import Counter

from services.replays.keyboard import ACTIONS, KEYS, NAMED, iter_site_keys


def test_no_key_does_two_things_and_no_action_stands_twice() -> None:
    keys = Counter(key for one in KEYS for key in one.all)
    here = {key for one in KEYS if one.terminal for key in one.all}
    assert [key for key, times in keys.items() if times > 1] == []
    assert len({one.action for one in KEYS}) == len(KEYS)
    assert here == set(ACTIONS)


def test_every_key_types_a_character_or_has_a_name() -> None:
    for key in ACTIONS:
        assert len(key) == 1 or key in NAMED, key


def test_the_site_has_the_keys_that_it_promises_by_the_names_that_browsers_use() -> None:
    keys = {key for one in iter_site_keys() for key in one.browser_keys}
    assert keys == {
        *("ArrowRight", "ArrowLeft", "Home", "End", "PageUp", "PageDown", " "),
        *(">", "<", "f", "+", "-", "c", "x", "X", "?", "Escape"),
    }
