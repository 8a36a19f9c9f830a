"""Which names look like one another, though they are different ones.

Unicode's list of confusable characters (UTS 39, section 4) has few among the letters, digits and
marks that names are made of: I, l and 1, O and 0, m and rn. We add w and vv. Each character becomes
what all that look like it have in common; names with the same skeleton are easily taken for each
other. Case is folded, as it is for names themselves, but last: an I looks like an l, an i does not.
"""

from __future__ import annotations

_COMMON = str.maketrans({"1": "l", "I": "l", "0": "o", "m": "rn", "w": "vv"})

LONGEST = 48
"""Twice as long as a name."""


def skeleton(name: str) -> str:
    """Return what a name has in common with all that look like it.

    >>> skeleton("Ian") == skeleton("lan") == skeleton("1AN")
    True
    >>> skeleton("bill") == skeleton("ball"), skeleton("Moby") == skeleton("moby")
    (False, False)
    """
    return name.translate(_COMMON).casefold()
