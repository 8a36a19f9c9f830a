"""Twins that differ in what others keep beside a match: unfired lines, notes, chat.

Both worlds play the same match. What a viewer gets in either must be the same bytes, while it
runs, when lines fire or lapse, and after the end, at every outlet and in every export.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from domain.game.game import Viewer
from domain.json_types import JsonObject
from tests.secrecy import corners, outlets
from tests.secrecy.outlets import Answer
from tests.secrecy.pairs import VIEWERS, Script
from tests.secrecy.terminal import commands
from tests.secrecy.worlds import PLAYERS, Twins, World, two_worlds
from tests.web.people import Person

ONE, TWO, THREE = ({"steps": steps} for steps in (1, 2, 3))
SECRETS = ("alpha-secret", "omega-secret")
"""What stands in every text of either world that others must not read."""


def line(when: JsonObject, then: JsonObject, *following: JsonObject) -> JsonObject:
    return {"if": when, "then": [then], "next": list(following)}


FIRING = (
    [line(ONE, TWO, line(ONE, ONE)), line(THREE, ONE)],
    [line(ONE, TWO, line(TWO, THREE), line(THREE, ONE)), line(TWO, TWO)],
)
"""Of either world: the first line is played in both, and what is left differs."""

LAPSING = ([line(TWO, ONE)], [line(THREE, TWO, line(ONE, ONE))])
"""Of either world: neither answers a move of one step."""


class Pair:
    """Two worlds, the same match in both, and what one viewer gets there."""

    def __init__(self, worlds: Twins, viewer: Viewer) -> None:
        self.worlds = worlds
        self.viewer = viewer
        script = Script({"length": 41}, ({}, {}), {}, [])
        self.match, other = (world.start("path-capture", script) for world in worlds)
        assert self.match == other
        self.seen: list[bytes] = []
        self.answers = 0

    def same(self, *, elsewhere: bool = True) -> None:
        """Let every onlooker ask for everything in both worlds, and compare.

        ``elsewhere``: on pages that are about no match, too.
        """
        for asking in zip(*(outlets.onlookers(w, self.viewer) for w in self.worlds), strict=True):
            asked = (
                self._all(w, one, elsewhere) for w, one in zip(self.worlds, asking, strict=True)
            )
            self._compare(*asked)
        self._compare(
            *(commands(w, self.match, self.viewer, all_of_them=False) for w in self.worlds)
        )

    def _all(self, world: World, person: Person, elsewhere: bool) -> Iterator[Answer]:  # noqa: FBT001
        yield from outlets.whole(world, person, self.match, 30)
        yield from corners.around(world, person, self.match, elsewhere=elsewhere)

    def _compare(self, one: Iterator[Answer], other: Iterator[Answer]) -> None:
        for first, second in zip(one, other, strict=True):
            assert first == second
            self.seen.append(first[1])
            self.answers += 1

    def keep(self, lines: tuple[list[JsonObject], list[JsonObject]]) -> None:
        """Let the seat that waits store lines, other ones in either world."""
        for world, kept in zip(self.worlds, lines, strict=True):
            truth = world.truth(self.match)
            person = world.people[PLAYERS[2 - (truth.to_act or 1)]]
            path = f"/matches/{self.match}/conditional-moves"
            version = person.get(path).json["version"]
            body = {"lines": kept, "match_version": truth.version, "expected_version": version}
            world.tick()
            assert person.ask("PUT", path, json=body).status_code == 200

    def write(self) -> None:
        """Let everybody but the viewer write notes, and say things where the viewer is not."""
        room = "players" if self.viewer is Viewer.SPECTATOR else "spectators"
        for world, secret in zip(self.worlds, SECRETS, strict=True):
            world.tick()
            own = outlets.onlookers(world, self.viewer)[0].name
            for name, person in world.people.items():
                if name != own:
                    path = f"/matches/{self.match}/notes/1"
                    assert person.ask("PUT", path, json={"text": secret}).status_code == 200
                if name in (PLAYERS if room == "players" else ("eve", "root")) and name != own:
                    path = f"/matches/{self.match}/chat/{room}"
                    assert (
                        person.post(path, {"text": secret}, key=f"chat-{name}").status_code == 201
                    )

    def play(self, move: JsonObject) -> None:
        """Make a move in both, twice under its key; compare the answers if the viewer moves."""
        own = self.worlds.first.truth(self.match).to_act == self.viewer.seat
        key = f"move-{self.worlds.first.truth(self.match).version}"
        for again in (False, True):
            first, second = (
                outlets.everything(world.play(self.match, move, key, again=again))
                for world in self.worlds
            )
            assert not own or first == second
            self.seen += [first] if own else []

    def end(self) -> None:
        """Let the first player give up in both; players may hear what spectators said then.

        So that is deleted before, but for those who may never hear it.
        """
        for world in self.worlds:
            world.tick()
            if self.viewer is not Viewer.SPECTATOR:
                for number in (1, 2):
                    path = f"/matches/{self.match}/chat/spectators/{number}"
                    assert world.root.ask("DELETE", path).status_code == 204
            version = world.truth(self.match).version
            path = f"/matches/{self.match}/actions"
            answer = world.people["ada"].post(path, {"action": "resign"}, version=version)
            assert answer.status_code == 201


ALIKE = ("both", "both")
"""Worlds of one name have the same secrets, which are opened at the end of a match."""


@pytest.fixture
def worlds(new_sqlite: Callable[[str], str], still: None) -> Iterator[Twins]:  # noqa: ARG001
    with two_worlds(new_sqlite("first"), new_sqlite("second"), names=ALIKE) as twins:
        yield twins


def compared(worlds: Twins, viewer: Viewer, *, each_moment: bool = True) -> Pair:
    """Go through a match with lines that fire, lapse, and are left over at the end.

    Pages of no match are asked while all is kept that ever is, with lines that have fired and
    lapsed, and after the end. Otherwise than at ``each_moment`` the rest is asked then, too, and
    once lines have lapsed: that makes each statement to the database that there is.
    """
    pair = Pair(worlds, viewer)
    if viewer is Viewer.SEAT_2:
        pair.play(ONE)
    pair.write()
    for turn, lines in enumerate((FIRING, LAPSING, FIRING)):
        pair.keep(lines)
        if each_moment or turn == 2:
            pair.same(elsewhere=turn == 2)
        pair.play(ONE)
        if each_moment or lines is LAPSING:
            pair.same(elsewhere=False)
        if lines is LAPSING:
            pair.play(ONE)
    pair.end()
    pair.same()
    return pair


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_can_tell_what_others_keep_beside_a_match(worlds: Twins, viewer: Viewer) -> None:
    pair = compared(worlds, viewer)
    assert pair.answers > 300
    assert worlds.first.logged == worlds.second.logged
    for secret in SECRETS:
        assert not any(secret.encode() in answer for answer in pair.seen)
        assert secret not in f"{worlds.first.logged} {worlds.second.logged}"
    causes = [getattr(event.fact, "cause", None) for event in worlds.first.log(pair.match)]
    assert causes.count("conditional") == 2


@pytest.mark.postgres
@pytest.mark.usefixtures("still")
def test_nobody_can_tell_on_postgresql_either(new_postgres: Callable[[str], str]) -> None:
    with two_worlds(new_postgres("first"), new_postgres("second"), names=ALIKE) as worlds:
        assert compared(worlds, Viewer.SEAT_1, each_moment=False).answers > 300


def test_their_authors_can_tell_the_worlds_apart(worlds: Twins) -> None:
    """The comparison itself would see a difference: it does, through the eyes of the author."""
    pair = Pair(worlds, Viewer.SEAT_2)
    pair.keep(FIRING)
    with pytest.raises(AssertionError):
        pair.same()
