"""Display names: in any script, beside the log-in name. Which may be, and which look alike.

Two names look alike if they have the same skeleton (UTS 39, section 4): each character becomes what
all that look like it have in common, by Unicode's list of confusable characters; then what log-in
names have in common (``services.store.accounts``) is brought together, too. Spaces, joiners,
punctuation and what chooses a variant of a character count for nothing.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped]

from domain.i18n import say
from services.accounts.user_texts import BLANK, BREAK, clean
from services.errors import InvalidPlayer, InvalidText
from services.store import accounts
from services.store.people.profiles import LONGEST_SKELETON

LONGEST = 32
"""Characters of a display name."""

_JOINERS = "\u200c\u200d"
"""Invisible, and needed in words of some scripts; of what people may write, names take no more."""

_KINDS = "LMNPS"
"""What a name is made of, by the first letter of Unicode's category, beside spaces."""

_VARIANTS = {0x180F, *range(0x180B, 0x180E), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
"""They choose how the character before them is drawn, in Mongolian, in emoji and in names of Han
characters; behind all others they show nothing."""

_UNSEEN = {*_JOINERS, " ", *map(chr, _VARIANTS)}
_NOTHING = BLANK | {"\u034f", "\u17b4", "\u17b5", "\U00016fe4"}
"""Letters, signs and marks that show nothing: with one a name would look like another."""

_DIRECTION = "\u200e"

RESERVED = (
    *("house", "the house", "closed account", "deleted account", "a visitor", "visitor"),
    *("left hand", "right hand", "you", "nobody", "free seat"),
)
"""What nobody is called, since the service calls others so."""

_HOUSE = "house level"
"""What no name begins with: so the house players are called."""

OFFICES = (
    *("plybook", "administrator", "administrators", "admin", "admins", "moderator", "moderators"),
)
"""Words that stand in no name: with them it would seem to be the service that speaks."""


def clean_name(text: str) -> str:
    """Return a display name in its canonical form, single spaces in it. Raises ``InvalidPlayer``.

    >>> clean_name("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    try:
        name = clean(" ".join(text.split(" ")), LONGEST)
    except InvalidText as refusal:
        raise InvalidPlayer(refusal.detail, pointer="/display_name") from None
    name = " ".join(name.split())
    wrong = next((one for one in name if not _may_stand(one)), None)
    if wrong is not None or BREAK in text:
        code = ord(wrong or BREAK)
        told = say("The character U+{code:04X} may not stand in a name.", code=code)
        raise InvalidPlayer(told, pointer="/display_name")
    if unicodedata.category(name[0])[0] == "M" or not any(map(str.isalnum, name)):
        told = say("A name has at least one letter or digit, and begins with no mark.")
        raise InvalidPlayer(told, pointer="/display_name")
    return name


def _may_stand(character: str) -> bool:
    if character in _UNSEEN:
        return True
    return character not in _NOTHING and unicodedata.category(character)[0] in _KINDS


def make_skeleton(name: str) -> str:
    r"""Return what a name has in common with all that look like it.

    >>> make_skeleton("Ada") == make_skeleton("\u0410\u0501\u0430") == make_skeleton("a-d a")
    True
    >>> make_skeleton("Zo\u00eb") == make_skeleton("Zoe")
    False
    """
    plain = "".join(filter(_counts, unicodedata.normalize("NFKD", name)))
    # Some characters stand for many.
    return make_plain_skeleton(plain)[:LONGEST_SKELETON]


def make_skeletons(name: str) -> set[str]:
    """Return the skeletons of a name however its capitals are: an I looks like an l, an i not.

    >>> make_skeleton("Ivan") in make_skeletons("ivan")
    True
    >>> make_skeleton("ivan") in make_skeletons("IVAN")
    True
    """
    return set(map(make_skeleton, _vary_capitals(name)))


def begins_so(name: str, beginning: str) -> bool:
    r"""Tell whether a name begins so, whatever its capitals. What only looks alike is another.

    >>> begins_so("Zo\u00eb", "zo"), begins_so("Mara", "r")
    (True, False)
    """
    one, other = (unicodedata.normalize("NFKD", text).casefold() for text in (name, beginning))
    return one.startswith(other)


def make_plain_skeletons(name: str) -> set[str]:
    """Return the same as log-in names may have them, whatever stands between the words.

    >>> make_plain_skeleton("ada_lovelace") in make_plain_skeletons("Ada Lovelace")
    True
    """
    words = "".join(one if _counts(one) else " " for one in name).split()
    joined = {name, *(between.join(words) for between in ("", "_", "-"))}
    return {make_plain_skeleton(one) for text in joined for one in _vary_capitals(text)}


def _vary_capitals(name: str) -> set[str]:
    return {name, name.lower(), name.upper(), name.title()}


def lock_of(name: str) -> str:
    """Return what is the same of all names that look alike, and of some others."""
    return make_skeleton(name.lower()).replace("i", "l")


def make_plain_skeleton(name: str) -> str:
    r"""Return the same with punctuation, as log-in names have it.

    >>> make_plain_skeleton("\u0430_b 1"), make_plain_skeleton("ab1")
    ('a_bl', 'abl')
    """
    letters = (one for one in unicodedata.normalize("NFKD", name) if one not in _UNSEEN)
    return accounts.make_skeleton(unicodedata.normalize("NFD", "".join(map(_unify, letters))))


def is_reserved(name: str) -> bool:
    """Tell whether a name looks like what the service calls others.

    >>> is_reserved("H0use"), is_reserved("House, level V"), is_reserved("Householder")
    (True, True, False)
    >>> is_reserved("Plybook team"), is_reserved("the-admin-2"), is_reserved("Badminton")
    (True, True, False)
    """
    plain = unicodedata.normalize("NFKD", name)
    seen = "".join(one for one in plain if one == " " or one not in _UNSEEN)
    texts = (seen, "".join(one for one in seen if not one.isdecimal()))
    words = [one for text in texts for one in re.split(r"[\W_]+", text)]
    return (
        any(make_skeletons(one) & _collect_skeletons((*RESERVED, *OFFICES)) for one in texts)
        or any(one.startswith(make_skeleton(_HOUSE)) for one in make_skeletons(seen))
        or any(make_skeletons(one) & _collect_skeletons(OFFICES) for one in words)
    )


def must_not_be_reserved(name: str, pointer: str) -> None:
    """Refuse what the service calls others. Raises ``InvalidPlayer``, with the ``pointer``."""
    if is_reserved(name):
        raise InvalidPlayer(
            say("The service uses this name for others. Choose another name."), pointer=pointer
        )


@cache
def _collect_skeletons(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(make_skeleton, words))


def _counts(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMNS"


_LETTER = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER"
    r"|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
"""Names of characters that are letters to look at, and for Unicode's list are not."""


def _unify(character: str) -> str:
    letter = _LETTER.fullmatch(unicodedata.name(character, ""))
    return _build_confusables().get(character, character) if letter is None else letter[1].lower()


@cache
def _build_confusables() -> dict[str, str]:
    """Return what each character becomes that has others which look like it.

    Unicode's list leads each of them to one that stands for all; the library has it both ways. One
    that others lead to stands for itself. Marks of direction stand around some, and mean nothing.
    """
    alike = {
        of.strip(_DIRECTION): [one["c"].strip(_DIRECTION) for one in others]
        for of, others in confusables_data.items()
    }
    return {
        one: _choose_leading(one, others[0], len(alike.get(others[0], ())))
        for one, others in alike.items()
        if len(one) == len(others) == 1
    }


def _choose_leading(one: str, other: str, others: int) -> str:
    """Return which of two that look alike stands for both; ``others`` look like the other one."""
    return other if len(other) > 1 or others > 1 else min(one, other)
