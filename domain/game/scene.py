"""What to draw, not how: the small vocabulary that every game's board is told in.

Front ends know these records and no game. The terminal renders a scene as text, the
web as SVG and as an ARIA grid. Ids (``cell:2,3``, ``node:4``, ``hand:9``, ``unit:5``,
``steps:2``, ``action:draw``) are the steps of a legal move's path.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

LETTERS = {1: "A", 2: "B"}
"""How a board calls the seats, where there is no room for names."""


class Shape(StrEnum):
    """How the spaces of a zone lie."""

    LINE = "line"  # nodes in a row, joined; x counts from 0
    GRID = "grid"  # cells by column x and row y, all drawn
    FIELD = "field"
    """A grid without edges: only the spaces given are there; x and y may be negative."""
    HAND = "hand"  # cards or pieces that a seat may use, in a row
    PILE = "pile"  # cards in order of arrival; shown as its count and what lies on top
    CHOICES = "choices"  # plain buttons: choices that have no place on a board


BOARDS = frozenset({Shape.LINE, Shape.GRID, Shape.FIELD})


class Mark(StrEnum):
    """Why a space or token stands out."""

    LAST = "last"  # the last move went here
    LEFT = "left"  # the last move came from here
    CAPTURED = "captured"  # the last move took something from here
    CLOSED = "closed"  # nobody, or the seats told in the space's ``closed_to``, may enter
    REACH = "reach"  # the seat to act can get here
    LOOSE = "loose"  # cut off from its owner's base
    TRIED = "tried"  # a move that is not made yet would bring it about


class Sign(StrEnum):
    """What a card costs or does, as a small picture."""

    DISCARD = "discard"  # another card of the hand is given up
    DRAW = "draw"  # a card is drawn
    GIVE = "give"  # a card in play is given up
    FOLLOWS = "follows"  # its worth follows that of a neighbour
    STRENGTHENS = "strengthens"  # its neighbours are worth more
    BREAKS = "breaks"  # something happens around it when it goes
    FEEDS = "feeds"  # somebody draws by it
    TRASHES = "trashes"  # it takes cards out of the game
    COVERS = "covers"  # it may lie on another one
    STRIKES = "strikes"  # it may take an enemy at once
    GROWS = "grows"  # its neighbours make it worth more
    MORE = "more"  # another card may follow at once
    NONE = "none"  # it does nothing


@dataclass(frozen=True, slots=True)
class Token:
    """A piece, card or thing that lies on a space.

    ``kind`` is a word that styles know it by. ``text`` is at most a few characters (``A3``,
    ``E5``, ``B``); ``label`` says it in words; ``owner`` is a seat or None; ``value`` is a
    strength or worth to show by size; ``face_down`` is for cards whose face does not show to
    everybody. A card says what it costs (``price``) and does (``effect``) by signs, and both in a
    sentence (``told``).
    """

    id: str
    kind: str
    text: str
    label: str
    owner: int | None = None
    value: int | None = None
    face_down: bool = False
    marks: frozenset[Mark] = frozenset()
    price: tuple[Sign, ...] = ()
    effect: Sign | None = None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Space:
    """A place of a board: where tokens lie, bottom first."""

    id: str
    x: int
    y: int
    label: str
    tokens: tuple[Token, ...] = ()
    marks: frozenset[Mark] = frozenset()
    closed_to: tuple[int, ...] = ()
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the scene: the board, a hand, a pile, the choices."""

    id: str
    title: str
    shape: Shape
    spaces: tuple[Space, ...]
    owner: int | None = None
    hidden_count: int = 0
    """How many things lie here that this viewer may not see."""


@dataclass(frozen=True, slots=True)
class Link:
    """A bond between two spaces: a lit span, neighbours that strengthen each other."""

    source: str
    target: str
    owner: int


@dataclass(frozen=True, slots=True)
class Trail:
    """The spaces a piece has been on, oldest first."""

    owner: int
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meter:
    """A number that belongs to a seat: energy, score, power. ``maximum`` None: no end.

    More is better for the seat, so that its bar and its line in a graph rise with what is good.
    ``before``: what it is, where a move is only tried that would change it.
    """

    owner: int
    label: str
    value: int
    maximum: int | None = None
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A line beside the board; ``owner`` is the seat it is about, or None."""

    text: str
    owner: int | None = None

    def tell(self) -> str:
        """Return the text, behind its seat where it does not name it."""
        told = self.owner is None or f"P{self.owner}" in self.text
        return self.text if told else f"P{self.owner}: {self.text}"


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to draw of one position, for one viewer.

    ``zones`` holds the board first. ``columns`` and ``rows`` say how to name the axes
    of a grid (empty: no axis). ``measure`` is the label of the meter that tells best how a
    seat stands, which a graph over the whole match shows; None: no meter does.
    """

    zones: tuple[Zone, ...]
    links: tuple[Link, ...] = ()
    trails: tuple[Trail, ...] = ()
    meters: tuple[Meter, ...] = ()
    notes: tuple[Note, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    measure: str | None = None


def remove_reach(scene: Scene) -> Scene:
    """Return a scene without what the next move could reach, for when there is none."""

    def rested(space: Space) -> Space:
        tokens = tuple(replace(one, marks=one.marks - {Mark.REACH}) for one in space.tokens)
        return replace(space, tokens=tokens, marks=space.marks - {Mark.REACH})

    zones = (replace(zone, spaces=tuple(map(rested, zone.spaces))) for zone in scene.zones)
    return replace(scene, zones=tuple(zones))


def turn_scene(scene: Scene) -> Scene:
    """Return a scene with its boards turned by half a turn, as the other side sees them."""
    zones = tuple(_turn_zone(zone) if zone.shape in BOARDS else zone for zone in scene.zones)
    # The places of a line have numbers for names, which turn along.
    lines = (zone for zone in scene.zones if zone.shape is Shape.LINE)
    numbers = next((tuple(str(x) for x in range(len(zone.spaces))) for zone in lines), ())
    columns = scene.columns or numbers
    return replace(scene, zones=zones, columns=columns[::-1], rows=scene.rows[::-1])


def mark_tried(before: Scene, after: Scene) -> Scene:
    """Return the scene after a move that is not made yet, with a mark on what differs."""
    there = {
        space.id: {(one.text, one.owner, one.value) for one in space.tokens}
        for zone in before.zones
        for space in zone.spaces
    }
    zones = {space.id: zone.id for zone in before.zones for space in zone.spaces}

    def marked(space: Space) -> Space:
        known = there.get(space.id, set())
        tokens = tuple(
            one
            if (one.text, one.owner, one.value) in known
            else replace(one, marks=one.marks | {Mark.TRIED})
            for one in space.tokens
        )
        return space if tokens == space.tokens else replace(space, tokens=tokens)

    def of_its_own(space: Space, zone: Zone) -> Space:
        # Whoever acts next has the ids that the mover's choices have: those were not chosen there.
        own = zones.get(space.id, zone.id) == zone.id
        return space if own else replace(space, id=f"{zone.id}:{space.id}")

    def at_board(zone: Zone) -> Zone:
        if zone.shape in BOARDS:
            return replace(zone, spaces=tuple(map(marked, zone.spaces)))
        return replace(zone, spaces=tuple(of_its_own(one, zone) for one in zone.spaces))

    was = {(one.owner, one.label): one.value for one in before.meters}
    meters = tuple(
        one
        if was.get((one.owner, one.label), one.value) == one.value
        else replace(one, before=was[one.owner, one.label])
        for one in after.meters
    )
    return replace(after, zones=tuple(map(at_board, after.zones)), meters=meters)


def _turn_zone(zone: Zone) -> Zone:
    """Turn a board; what counted from 0 counts from 0 again, a field keeps its origin."""
    right = max((space.x for space in zone.spaces), default=0)
    low = max((space.y for space in zone.spaces), default=0)
    if zone.shape is Shape.FIELD:
        right = low = 0
    spaces = tuple(replace(one, x=right - one.x, y=low - one.y) for one in zone.spaces)
    return replace(zone, spaces=spaces)
