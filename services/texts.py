"""Texts that people write to themselves and to each other: what may stand in one.

Letters of every script, emoji and line breaks may. What cannot be seen and changes how other
text is shown may not: control characters, and the marks that turn the direction of writing for
all that follows. The marks that belong to words of some scripts, and to emoji, are kept.
"""

from __future__ import annotations

import unicodedata

from domain.saying import say
from services.errors import InvalidText

BREAK = "\n"

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode categories of what nobody sees. Unassigned ones are none: they are next year's emoji."""

KEPT = frozenset("\u00ad\u061c\u200c\u200d\u200e\u200f") | {
    chr(tag) for tag in range(0xE0020, 0xE0080)
}
"""Of these the ones that scripts need (soft hyphen, joiners, marks of direction) and flags."""

MOST_MARKS = 8
"""So many marks may be heaped on one letter."""


def clean(text: str, most: int, pointer: str = "/text") -> str:
    r"""Return a text in its canonical form, without space around it. Raises ``InvalidText``.

    ``most``: so many characters it may have.

    >>> clean("  well played\r\n", 100)
    'well played'
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", BREAK).replace("\r", BREAK)).strip()
    if not any(_shows(character) for character in text):
        raise InvalidText(say("There is nothing to read in this text."), pointer=pointer)
    if len(text) > most:
        raise InvalidText(
            say(
                "This text has {number} characters; {most} are the most.",
                number=len(text),
                most=most,
            ),
            pointer=pointer,
        )
    heaped = 0
    for character in text:
        category = unicodedata.category(character)
        if category in INVISIBLE and character != BREAK and character not in KEPT:
            detail = say(
                "The invisible character U+{code:04X} may not stand in a text.", code=ord(character)
            )
            raise InvalidText(detail, pointer=pointer)
        heaped = heaped + 1 if category in ("Mn", "Me") else 0
        if heaped > MOST_MARKS:
            raise InvalidText(say("Too many marks are heaped on one letter."), pointer=pointer)
    return text


def _shows(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Cn" or category[0] not in "CZM"
