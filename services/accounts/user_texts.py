"""Texts that people write to themselves and to each other: what may stand in one.

Letters of every script, emoji and line breaks may. What cannot be seen and changes how other
text is shown may not: control characters, and the marks that turn the direction of writing for
all that follows. The marks that belong to words of some scripts, and to emoji, are kept.
"""

from __future__ import annotations

import unicodedata

from domain.i18n import say
from services.errors import InvalidText

BREAK = "\n"

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode categories of what nobody sees. Unassigned ones are none: they are next year's emoji."""

KEPT = frozenset("\u00ad\u061c\u200c\u200d\u200e\u200f") | {
    chr(tag) for tag in range(0xE0020, 0xE0080)
}
"""Of these the ones that scripts need (soft hyphen, joiners, marks of direction) and flags."""

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and signs that show nothing: fillers of Hangul, a cell of Braille without dots, a note
without a head. They may stand in a text, but make none."""

MOST_MARKS = 8
"""So many marks may be heaped on one letter."""


def clean(text: str, most: int, pointer: str = "/text") -> str:
    r"""Return a text in its canonical form, without space around it. Raises ``InvalidText``.

    ``most``: so many characters it may have.

    >>> clean("  well played\r\n", 100)
    'well played'
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", BREAK).replace("\r", BREAK)).strip()
    if not is_seen(text):
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
        kept = character == BREAK or character in KEPT
        if _is_noncharacter(character) or (category in INVISIBLE and not kept):
            detail = say(
                "The invisible character U+{code:04X} may not stand in a text.", code=ord(character)
            )
            raise InvalidText(detail, pointer=pointer)
        heaped = heaped + 1 if category in ("Mn", "Me") else 0
        if heaped > MOST_MARKS:
            raise InvalidText(say("Too many marks are heaped on one letter."), pointer=pointer)
    return text


def is_seen(text: str) -> bool:
    r"""Tell whether there is anything to read in a text.

    >>> is_seen("a"), is_seen(" \u3164\u200d"), is_seen("\ufffe")
    (True, False, False)
    """
    return any(map(_shows, text))


def find_noncharacter(text: str) -> str | None:
    r"""Return what of a text is no character at all, and no file or picture can hold; or None.

    That is one half of a pair of surrogates, or one of the 66 noncharacters.

    >>> find_noncharacter("a\ufffe") == "\ufffe", find_noncharacter("\U0001f600")
    (True, None)
    """
    return next((one for one in text if _is_noncharacter(one)), None)


def _is_noncharacter(character: str) -> bool:
    code = ord(character)
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF or 0xD800 <= code <= 0xDFFF  # noqa: PLR2004 - as Unicode has them


def _is_ignored(code: int) -> bool:
    """Tell whether a code that is not assigned yet is kept for what shows nothing."""
    return code == 0x2065 or 0xFFF0 <= code <= 0xFFF8 or 0xE0000 <= code <= 0xE0FFF  # noqa: PLR2004 - as Unicode has them


def _shows(character: str) -> bool:
    category = unicodedata.category(character)
    if category == "Cn":
        return not _is_noncharacter(character) and not _is_ignored(ord(character))
    return category[0] not in "CZM" and character not in BLANK
