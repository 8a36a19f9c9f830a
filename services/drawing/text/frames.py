"""One moment of a match as text: who plays, the board, what happened, who is to act.

A name stays one word of one line. It is written as it is, unless it begins with a quotation mark,
or has a character that would break the line or steer a terminal or the order of what follows: then
it is a JSON string, with these characters escaped. A name with letters that run from right to left
stands between U+2068 and U+2069, so that the text around it keeps its order.

An event can be told whole: hash, seals, and whether they hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple
from unicodedata import bidirectional, category

import orjson
from rich.text import Text

from domain.game.scene import Note, Scene, Shape, Space, Zone
from domain.json_types import JsonObject
from domain.log.event_format import compute_commitment, hash_bytes, restore_body, write_canonical
from domain.match.house_players import name_house_player
from domain.match.narration import format_reason
from domain.match.views import MatchView, build_scene
from services.drawing.text.board import render
from services.drawing.text.cells import OWNER_STYLES, QUIET

_STEERING = {"Cc", "Zl", "Zp", "Cs"}
_BIDI_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LAST = 0xFFFE
"""The last two of each 65,536 codes are no characters, and no picture can hold two of them."""
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_ISOLATE, _ISOLATE_ENDS = "\u2068", "\u2069"


def write_name(name: str) -> str:
    r"""Return a name as it stands in a text.

    >>> write_name("ada"), write_name("two\nlines"), write_name('"')
    ('ada', '"two\\nlines"', '"\\""')
    """
    text = quote_name(name)
    if any(bidirectional(one) in _RIGHT_TO_LEFT for one in text):
        return f"{_ISOLATE}{text}{_ISOLATE_ENDS}"
    return text


def quote_name(name: str) -> str:
    r"""Return a name as ``write_name`` has it, in whatever order its letters run.

    >>> quote_name("ada"), quote_name("gnp\u202eexe")
    ('ada', '"gnp\\u202eexe"')
    """
    if not name or name != name.strip() or name.startswith('"') or any(map(_steers, name)):
        quoted = json.dumps(name, ensure_ascii=False)
        return "".join(json.dumps(one)[1:-1] if _steers(one) else one for one in quoted)
    return name


def _steers(one: str) -> bool:
    return one in _BIDI_MARKS or category(one) in _STEERING or ord(one) & _LAST == _LAST


RULE = 40

_SEAT = re.compile(r"\bP([12])\b")


class Names(NamedTuple):
    """The names of a match's players, by id; ``numbered``: with their seats."""

    names: Mapping[str, str]
    numbered: bool = True

    def name_player(self, player: str) -> str:
        """Return the name of a player, by id."""
        return name_house_player(player) or write_name(self.names.get(player, player))

    def name_seat(self, view: MatchView, seat: int) -> str:
        """Return ``P1 ada``, or ``ada``; ``P1`` alone while nobody sits there."""
        player = view.seats[seat - 1]
        if player is None:
            return f"P{seat}"
        return f"P{seat} {self.name_player(player)}" if self.numbered else self.name_player(player)

    def tell(self, view: MatchView, sentence: str) -> str:
        """Return a sentence with names in the place of the seats that somebody has taken.

        A pattern finds the seats. Pages know of a sentence what it was made of, and name people as
        they make it (``domain.i18n.People``); what a remote service sends is finished text.
        """

        def name(found: re.Match[str]) -> str:
            player = view.seats[int(found[1]) - 1]
            return found[0] if player is None else self.name_player(player)

        return _SEAT.sub(name, sentence)

    def name_scene(self, view: MatchView, scene: Scene) -> Scene:
        """Return a scene whose titles, labels and notes have names in the place of seats."""

        def space(one: Space) -> Space:
            label = self.tell(view, one.label)
            tokens = (replace(token, label=self.tell(view, token.label)) for token in one.tokens)
            return replace(one, label=label, tokens=tuple(tokens))

        def zone(one: Zone) -> Zone:
            title, spaces = self.tell(view, one.title), tuple(map(space, one.spaces))
            return replace(one, title=title, spaces=spaces)

        def note(one: Note) -> Note:
            told = self.tell(view, one.text)
            # Whose it is, its name says.
            return replace(one, text=told, owner=one.owner if told == one.text else None)

        notes, zones = tuple(map(note, scene.notes)), tuple(map(zone, scene.zones))
        return replace(scene, zones=zones, notes=notes)


def draw_heading(view: MatchView, names: Names, width: int) -> Text:
    """Name the game, the match and both sides, in one line or, where it is too long, in two."""
    first, second = (Text(names.name_seat(view, seat), OWNER_STYLES[seat]) for seat in (1, 2))
    place = "" if view.series is None else f"  match {view.series['number']} of a series"
    match = Text.assemble((view.game.name, "bold"), (f"  {view.id}{place}", QUIET))
    sides = Text.assemble(first, " against ", second)
    fits = match.cell_len + len("  ") + sides.cell_len <= width
    return Text("  " if fits else "\n").join([match, sides])


def draw_rule() -> Text:
    """Draw a line between two moments."""
    return Text("-" * RULE, QUIET)


def draw_board(
    view: MatchView,
    width: int,
    names: Names | None = None,
    *,
    acting: bool = False,
    flipped: bool = False,
) -> Text:
    """Draw the board, ``flipped`` from its other side; say why there is none.

    Choices without a place on the board are listed only for somebody who is ``acting``. Without
    ``names`` what is written beside it speaks of seats.
    """
    scene = build_scene(view)
    if scene is None:
        return Text("The match has not started: a seat is still free.")
    if not acting:
        zones = tuple(zone for zone in scene.zones if zone.shape is not Shape.CHOICES)
        scene = replace(scene, zones=zones)
    if names is not None:
        scene = names.name_scene(view, scene)
    return render(scene, width, flipped=flipped)


def draw_moment(view: MatchView, names: Names, width: int, *, acting: bool = False) -> list[Text]:
    """Return the parts of a moment: whose match it is, the board, and how it stands."""
    shown = draw_board(view, width, names, acting=acting)
    return [draw_heading(view, names, width), Text(), shown, Text(), describe_standing(view, names)]


_PENDING = {
    None: "The match goes on by itself.",
    "chance": "Chance decides next.",
    "pass": "A pass follows: there is no legal move.",
    "end": "The game is over.",
}
"""What a match waits for in which nobody is to act."""


def _describe_wait(view: MatchView, names: Names) -> str:
    if view.status != "open":
        return _PENDING[view.pending]
    if view.opponent is None:
        return "Waiting for a second player."
    return f"A challenge: waits for {names.name_player(view.opponent)} to accept it."


def describe_standing(view: MatchView, names: Names) -> Text:
    """Say who is to act, or how it ended."""
    if view.to_act is not None:
        return Text(f"{names.name_seat(view, view.to_act)} to move.", OWNER_STYLES[view.to_act])
    if view.result is None:
        return Text(_describe_wait(view, names))
    winner, reason = view.result["winner"], format_reason(view.result["reason"])
    if winner is not None:
        return Text(f"{names.name_seat(view, winner)} wins ({reason}).", OWNER_STYLES[winner])
    if view.status == "aborted":
        return Text(f"Aborted ({reason}).")
    return Text(f"A draw ({reason}).")


def fit_line(line: Text, width: int, *, pad: bool = False) -> Text:
    """Return a line of at most ``width`` cells; what is cut off shows as an ellipsis."""
    cut = line.copy()
    cut.truncate(max(1, width), overflow="ellipsis", pad=pad)
    return cut


def join_beside(
    left: Sequence[Text], right: Sequence[Text], width: int, gap: str
) -> Iterator[Text]:
    """Yield lines that have ``left``, ``width`` cells wide, the gap, and ``right``."""
    for one, other in zip_longest(left, right, fillvalue=Text()):
        line = fit_line(one, width, pad=True).append(gap, "dim").append_text(other)
        line.rstrip()
        yield line


NAMES = 9
"""How much room the names of members take."""

_TITLE = "bold"
_SIMPLE = ("match", "schema", "actor", "at", "previous", "hash")


def inspect_events(events: Sequence[JsonObject], width: int) -> Iterator[Text]:
    """Yield the lines that tell the events of a step, as the viewer may see them."""
    if not events:
        yield from _wrap_text("No event: this is the position before the first move.", width)
    elif len(events) > 1:
        yield from _wrap_text(
            f"{len(events)} events led to the position before the first move.", width
        )
        yield Text()
    for number, event in enumerate(events):
        if number:
            yield Text()
        yield from _inspect_event(event, width)


def _inspect_event(event: JsonObject, width: int) -> Iterator[Text]:
    yield Text(f"Event {event['version']}: {event['kind']}", _TITLE)
    for name in _SIMPLE:
        yield from _format_member(name, str(event[name]), width)
    right = hash_bytes(restore_body(event)) == event["hash"]
    verdict = "it is the SHA-256 of what is shown" if right else "IT IS NOT THAT OF WHAT IS SHOWN"
    yield from _format_member("", verdict, width)
    yield Text()
    yield Text("Data", _TITLE)
    pretty = orjson.dumps(event["data"], option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    for line in pretty.decode().splitlines():
        yield from _break_line(line, width)
    yield Text()
    yield from _inspect_seals(event["sealed"], width)
    yield Text("As it is hashed", _TITLE)
    yield from _break_line(restore_body(event).decode(), width)


def _inspect_seals(seals: list[JsonObject], width: int) -> Iterator[Text]:
    if not seals:
        yield Text("Nothing is sealed in it.")
        yield Text()
    for number, seal in enumerate(seals, 1):
        yield Text(f"Seal {number}, for {', '.join(seal['for'])}: {_judge_seal(seal)}", _TITLE)
        yield from _format_member("commits", str(seal["commitment"]), width)
        if "salt" in seal:
            yield from _format_member("salt", str(seal["salt"]), width)
            yield from _format_member("value", write_canonical(seal["value"]).decode(), width)
        yield Text()


def _judge_seal(seal: JsonObject) -> str:
    if "salt" not in seal:
        return "closed"
    right = compute_commitment(seal["salt"], seal["value"]) == seal["commitment"]
    return "open, and what was sealed" if right else "open, and NOT WHAT WAS SEALED"


def _format_member(name: str, value: str, width: int) -> Iterator[Text]:
    room = max(8, width - NAMES)
    for number, line in enumerate(wrap(value, room, break_on_hyphens=False) or [""]):
        yield Text.assemble((f"{'' if number else name:<{NAMES}}", "dim"), line)


def _break_line(line: str, width: int) -> Iterator[Text]:
    """Break where the width ends: no character is added or left out."""
    return (Text(line[at : at + width]) for at in range(0, len(line), max(1, width)))


def _wrap_text(text: str, width: int) -> Iterator[Text]:
    return map(Text, wrap(text, max(8, width)))
