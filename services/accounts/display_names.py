"""Display names: in any script, beside the log-in name. Which may be, and which look alike.

Two names look alike if they have the same skeleton (UTS 39, section 4): each character becomes what
all that look like it have in common, by Unicode's list of confusable characters; then what log-in
names have in common (``services.store.accounts``) is brought together, too. Spaces, joiners and
punctuation count for nothing.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from confusable_homoglyphs.confusables import (  # type: ignore[import-untyped]
    confusables_data,
)

from domain.i18n import say
from services.accounts.user_texts import BREAK, clean
from services.errors import InvalidPlayer, InvalidText
from services.store import accounts

LONGEST = 32
"""Characters of a display name."""

_JOINERS = "\u200c\u200d"
"""Invisible, and needed in words of some scripts; of what people may write, names take no more."""

_KINDS = "LMNPS"
"""What a name is made of, by the first letter of Unicode's category, beside spaces."""

_UNSEEN = f"{_JOINERS} "
_DIRECTION = "\u200e"

RESERVED = (
    *("house", "the house", "house level", "plybook", "administrator", "admin", "moderator"),
    *("closed account", "deleted account", "a visitor", "visitor", "left hand", "right hand"),
    *("you", "nobody", "free seat"),
)
"""What nobody is called, since the service calls others so."""


def cleaned(text: str) -> str:
    """Return a display name in its canonical form, single spaces in it. Raises ``InvalidPlayer``.

    >>> cleaned("  Ada   Lovelace ")
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
    return character in _UNSEEN or unicodedata.category(character)[0] in _KINDS


def skeleton(name: str) -> str:
    r"""Return what a name has in common with all that look like it.

    >>> skeleton("Ada") == skeleton("\u0410\u0501\u0430") == skeleton("a-d a")
    True
    >>> skeleton("Zo\u00eb") == skeleton("Zoe")
    False
    """
    return plain_skeleton("".join(filter(_counts, unicodedata.normalize("NFKD", name))))


def plain_skeleton(name: str) -> str:
    r"""Return the same with punctuation, as log-in names have it.

    >>> plain_skeleton("\u0430_b 1"), plain_skeleton("ab1")
    ('a_bl', 'abl')
    """
    letters = (one for one in unicodedata.normalize("NFKD", name) if one not in _UNSEEN)
    return accounts.skeleton(unicodedata.normalize("NFD", "".join(map(_common, letters))))


def is_reserved(name: str) -> bool:
    """Tell whether a name looks like what the service calls others.

    >>> is_reserved("H0use"), is_reserved("House, level 5"), is_reserved("Householder")
    (True, True, False)
    """
    words = "".join(one for one in name if not one.isdecimal())
    return not {skeleton(name), skeleton(words)}.isdisjoint(_reserved())


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(skeleton, RESERVED))


def _counts(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMNS"


def _common(character: str) -> str:
    return _list().get(character, character)


@cache
def _list() -> dict[str, str]:
    """Return what each character becomes that has others which look like it.

    Unicode's list leads each of them to one that stands for all; the library has it both ways. One
    that others lead to stands for itself. Marks of direction stand around some, and mean nothing.
    """
    alike = {
        of.strip(_DIRECTION): [one["c"].strip(_DIRECTION) for one in others]
        for of, others in confusables_data.items()
    }
    return {
        one: _leading(one, others[0], len(alike.get(others[0], ())))
        for one, others in alike.items()
        if len(one) == len(others) == 1
    }


def _leading(one: str, other: str, others: int) -> str:
    """Return which of two that look alike stands for both; ``others`` look like the other one."""
    return other if len(other) > 1 or others > 1 else min(one, other)
