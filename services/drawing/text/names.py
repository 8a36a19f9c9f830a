"""Names in texts for people: any name stays one word of one line, and can be read back.

A name is written as it is, unless it begins with a quotation mark, or has a character that would
break the line or steer a terminal or the order of what follows: then it is a JSON string, with
these characters escaped. A name with letters that run from right to left stands between U+2068
and U+2069, so that the text around it keeps its order.
"""

from __future__ import annotations

from unicodedata import bidirectional, category

import orjson

_STEERING = {"Cc", "Zl", "Zp", "Cs"}
_BIDI_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_ISOLATE, _ISOLATE_ENDS = "\u2068", "\u2069"


def written(name: str) -> str:
    r"""Return a name as it stands in a text.

    >>> written("ada"), written("two\nlines"), written('"')
    ('ada', '"two\\nlines"', '"\\""')
    """
    text = name
    if not name or name != name.strip() or name.startswith('"') or any(map(_steers, name)):
        text = "".join(map(_escaped, orjson.dumps(name).decode()))
    if any(bidirectional(one) in _RIGHT_TO_LEFT for one in text):
        return f"{_ISOLATE}{text}{_ISOLATE_ENDS}"
    return text


def read(text: str) -> str:
    r"""Return the name that ``written`` wrote.

    >>> read(written("two\nlines"))
    'two\nlines'
    """
    bare = text.removeprefix(_ISOLATE).removesuffix(_ISOLATE_ENDS)
    if not bare.startswith('"'):
        return bare
    name: str = orjson.loads(bare)
    return name


def _steers(one: str) -> bool:
    return one in _BIDI_MARKS or category(one) in _STEERING


def _escaped(one: str) -> str:
    return f"\\u{ord(one):04x}" if _steers(one) else one
