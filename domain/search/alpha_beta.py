"""Alpha-beta search, one ply deeper each time, until all is proven or the budget is spent.

Source: Knuth, Moore, "An analysis of alpha-beta pruning", 1975. A position that was met before is
looked up in a transposition table. A search that no longer meets its horizon has proven its value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple

from domain.game.game import Move, Position
from domain.search.ground import WON, Exhausted, Ground, SearchNode

EXACT, AT_LEAST, AT_MOST = 0, 1, -1
ENDLESS: Final = 1 << 60
"""Beyond every value, and the depth of a proof."""


class SearchResult(NamedTuple):
    """The best move, its value as the seat to act sees it, and whether that is proven."""

    move: Move
    value: int
    proven: bool


class _Entry(NamedTuple):
    depth: int
    kind: int
    value: int
    best: Move | None


def search_position(ground: Ground, position: Position, seat: int) -> SearchResult:
    """Search as deep as the budget of ``ground`` lets. At least one move must be legal."""
    search, value, proven = AlphaBeta(ground), 0, False
    move = next(iter(ground.moves(position)))
    try:
        for depth in count(1):
            value = search.search_to_depth(depth, position, seat)
            proven = search.proven
            if proven:
                break
            move = search.preferred or move
    except Exhausted:
        # A round begins with what the last one found best, so what it prefers is no worse.
        pass
    return SearchResult(search.preferred or move, value, proven)


class AlphaBeta:
    """The rounds of one search share what they found."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._table: dict[tuple[Position, int], _Entry] = {}
        self._killers: dict[int, Move] = {}
        """Of each depth the move that last made all others there needless."""
        self.cut = False
        """Whether this round met its horizon."""
        self.preferred: Move | None = None
        """What is best at the root as far as the round has come."""
        self._most = WON if ground.game.evaluate is None else ENDLESS
        """What no move can do better than: where a game counts no points, a win."""

    @property
    def proven(self) -> bool:
        """Whether what the round gave is so whatever happens: no horizon, and no chance."""
        return not self.cut and not self._ground.drawn

    def judge_move(self, move: Move, root: SearchNode, depth: int, low: int) -> int:
        """Return what one move is worth to the seat at ``root``, exactly if that exceeds ``low``.

        Whether this meets the horizon is told by ``cut``. Raises ``Exhausted``.
        """
        self.cut = False
        child = self._ground.play(root.position, move)
        return self._judge_child(child, root.seat, depth, low, ENDLESS)

    def follow_move(self, root: SearchNode, move: Move) -> SearchNode:
        """Return what follows a move, without counting it."""
        return self._ground.settle(self._ground.game.play(root.position, move))

    def iter_line(self, decision: SearchNode) -> Iterator[tuple[Move, SearchNode]]:
        """Yield how it goes on from here as far as is known, each move with what follows it.

        It ends where chance decides.
        """
        while decision.seat:
            entry = self._table.get((decision.position, decision.seat))
            if entry is None or entry.best is None:
                return
            ground = self._ground
            drawn, ground.drawn = ground.drawn, False
            decision = self.follow_move(decision, entry.best)
            yield entry.best, decision
            here, ground.drawn = ground.drawn, ground.drawn or drawn
            if here:
                return

    def search_to_depth(self, depth: int, position: Position, seat: int) -> int:
        """Search ``depth`` moves ahead; return what that shows. Raises ``Exhausted``."""
        cut, best, low = False, -ENDLESS, -self._most
        self.preferred = None
        key = position, seat
        for move, child in self._iter_children(position, seat, depth, self._table.get(key)):
            self.cut = False
            value = self._judge_child(child, seat, depth, low, self._most)
            if value > best:
                best = value
                low = max(low, value)
                self.preferred = move
            if value >= self._most:
                break
            cut = self.cut = self.cut or cut
        self._keep(key, _Entry(depth, EXACT, best, self.preferred))
        return best

    def _judge_position(
        self, position: Position, seat: int, depth: int, low: int, high: int
    ) -> int:
        """Return what a position is worth to ``seat``, which acts, within ``low`` and ``high``."""
        if not depth:
            self.cut = True
            points = self._ground.count_points(position)
            return points if seat == 1 else -points
        key = position, seat
        entry = self._table.get(key)
        known = None if entry is None else self._find_known(entry, depth, low, high)
        if known is not None:
            return known
        before, cut = self.cut, False
        best, preferred, floor = -ENDLESS, None, low
        for move, child in self._iter_children(position, seat, depth, entry):
            self.cut = False
            value = self._judge_child(child, seat, depth, floor, high)
            # With the most that there is a move decides alone, whatever others did not look at.
            if value < self._most:
                cut = self.cut = self.cut or cut
            if value > best:
                best, preferred = value, move
                floor = max(floor, value)
                if value >= high:
                    self._killers[depth] = move
                    break
        kind = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
        self._keep(key, _Entry(depth, kind, best, preferred))
        self.cut = self.cut or before
        return best

    def _judge_child(self, child: SearchNode, seat: int, depth: int, low: int, high: int) -> int:
        if not child.seat:
            return child.final if seat == 1 else -child.final
        if child.seat == seat:
            return self._judge_position(child.position, seat, depth - 1, low, high)
        return -self._judge_position(child.position, child.seat, depth - 1, -high, -low)

    def _find_known(self, entry: _Entry, depth: int, low: int, high: int) -> int | None:
        """Return the value that an earlier look gives, if it says enough."""
        if entry.depth < depth:
            return None
        enough = (
            entry.kind == EXACT
            or (entry.kind == AT_LEAST and entry.value >= high)
            or (entry.kind == AT_MOST and entry.value <= low)
        )
        if not enough:
            return None
        self.cut = self.cut or entry.depth < ENDLESS
        return entry.value

    def _keep(self, key: tuple[Position, int], entry: _Entry) -> None:
        """Remember an entry; where no horizon was met, it is a proof."""
        self._table[key] = entry if self.cut else entry._replace(depth=ENDLESS)

    def _iter_children(
        self, position: Position, seat: int, depth: int, known: _Entry | None
    ) -> Iterator[tuple[Move, SearchNode]]:
        """Yield the moves and what follows: the best known first, then by the game's points."""
        ground, best = self._ground, known.best if known is not None else None
        if best is not None:
            yield best, ground.play(position, best)
        moves = [move for move in ground.moves(position) if move != best]
        killer = self._killers.get(depth)
        if killer is not None and killer in moves:
            moves.remove(killer)
            yield killer, ground.play(position, killer)
        others = ((move, ground.play(position, move)) for move in moves)
        if depth == 1:
            yield from others
            return
        sign = -1 if seat == 1 else 1
        yield from sorted(
            others, key=lambda pair: sign * (pair[1].final or ground.count_points(pair[1].position))
        )
