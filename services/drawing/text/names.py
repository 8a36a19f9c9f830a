"""Names in texts for people: any name stays one word of one line, and can be read back.

A name is written as it is, unless it begins with a quotation mark, or has a character that would
break the line or steer a terminal or the order of what follows: then it is a JSON string, with
these characters escaped. A name with letters that run from right to left stands between U+2068
and U+2069, so that the text around it keeps its order.
"""

from __future__ import annotations

import json
from unicodedata import bidirectional, category

_STEERING = {"Cc", "Zl", "Zp", "Cs"}
_BIDI_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LAST = 0xFFFE
"""The last two of each 65,536 codes are no characters, and no picture can hold two of them."""
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_ISOLATE, _ISOLATE_ENDS = "\u2068", "\u2069"


def written(name: str) -> str:
    r"""Return a name as it stands in a text.

    >>> written("ada"), written("two\nlines"), written('"')
    ('ada', '"two\\nlines"', '"\\""')
    """
    text = one_word(name)
    if any(bidirectional(one) in _RIGHT_TO_LEFT for one in text):
        return f"{_ISOLATE}{text}{_ISOLATE_ENDS}"
    return text


def one_word(name: str) -> str:
    r"""Return a name as ``written`` has it, in whatever order its letters run.

    >>> one_word("ada"), one_word("gnp\u202eexe")
    ('ada', '"gnp\\u202eexe"')
    """
    if not name or name != name.strip() or name.startswith('"') or any(map(_steers, name)):
        return "".join(map(_escaped, json.dumps(name, ensure_ascii=False)))
    return name


def read(text: str) -> str:
    r"""Return the name that ``written`` wrote.

    >>> read(written("two\nlines"))
    'two\nlines'
    """
    bare = text.removeprefix(_ISOLATE).removesuffix(_ISOLATE_ENDS)
    if not bare.startswith('"'):
        return bare
    name: str = json.loads(bare)
    return name


def _steers(one: str) -> bool:
    return one in _BIDI_MARKS or category(one) in _STEERING or ord(one) & _LAST == _LAST


def _escaped(one: str) -> str:
    return json.dumps(one)[1:-1] if _steers(one) else one
