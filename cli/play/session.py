"""A match between two people who share a terminal, from prompt to prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from rich.text import Text

from cli.play.entry import MoveEntry
from cli.terminal.output import Output
from domain.errors import Refusal
from domain.game.move_tree import Candidate, grow_tree
from domain.json_types import JsonObject
from domain.match.house_players import level_of
from domain.match.series import format_points
from domain.match.views import MatchView
from services.container import Services
from services.drawing.text.board import flow
from services.drawing.text.cells import OWNER_STYLES, QUIET
from services.drawing.text.frames import (
    Names,
    describe_standing,
    draw_board,
    draw_heading,
    draw_rule,
)
from services.matches.actions import Action
from services.matches.house_players import DRAW_FROM
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest

WORDS = "step, moves, board, help, draw, undo, resign, quit"
STEPWISE = "Or press Enter to choose step by step."
LEAVING = ("quit", "q", "exit")
MOVES_SHOWN = 200

HELP = """\
step     enter a move step by step (also: ?, or Enter alone)
moves    all moves that you may make now
board    the board once more
help     how to write a move, and this
draw     offer a draw; the other one is asked at once
undo     ask to take back the last move
resign   give up the match
quit     leave it, to go on later"""


def read_line(out: Output, prompt: str, style: str = "") -> str:
    """Read a line; one that comes from a pipe is shown, as a terminal would show it."""
    typed = out.ask(prompt, style)
    if not sys.stdin.isatty():
        out.say(Text(typed))
    return typed


def tell_moves(out: Output, legal: Sequence[JsonObject]) -> None:
    """List legal moves in notation."""
    parts = [Text(str(move["text"])) for move in legal[:MOVES_SHOWN]]
    out.say(*flow("", parts, out.width, "   "))
    if len(legal) > MOVES_SHOWN:
        out.say(f"... and {len(legal) - MOVES_SHOWN} more.")


class Left(Exception):
    """The players leave the match as it stands."""


class PlaySession:
    """The loop. ``told`` is the version up to which each seat has been told what happened."""

    def __init__(self, house: Services, match_id: str, out: Output) -> None:
        self.house = house
        self.match_id = match_id
        self.out = out
        shown = house.queries.show(Asker(local=True), match_id)
        self.names = Names(shown.names)
        self.houses = {seat for seat, one in enumerate(shown.view.seats, 1) if level_of(one)}
        self.secrets = shown.view.game.secrets and not self.houses
        """Whether two people must not see each other's cards."""
        self.told = {1: shown.view.version, 2: shown.view.version}
        self.before: int | None = None
        self.legal: tuple[int, list[JsonObject]] = (0, [])
        self.words: dict[str, Callable[[MatchView], object]] = {
            "": self._enter,
            "?": self._enter,
            "step": self._enter,
            "moves": self._list_moves,
            "board": self._show_board,
            "help": self._show_help,
            "draw": self._offer_draw,
            "undo": self._undo,
            "resign": self._resign,
            **dict.fromkeys(LEAVING, self._quit),
        }

    def run(self) -> str | None:
        """Play until the match is over or the players leave; return the match that follows."""
        self.out.say(draw_heading(self._get_match(None).view, self.names, self.out.width))
        self.out.say(Text(f"Commands: {WORDS}.", QUIET))
        if self.houses:
            self.out.tell(
                f"The house takes back what you ask it to, accepts a draw from {DRAW_FROM} moves "
                "on or once nothing can be decided, and brings along what a seat does that says "
                "nothing.",
                QUIET,
            )
        try:
            while (seat := self._get_match(None).view.to_act) is not None:
                if seat in self.houses:
                    self.house.house_players.go_on(self.match_id)
                else:
                    self._play_turn(seat)
        except (Left, EOFError):
            self._say_how_to_resume()
            return None
        except KeyboardInterrupt:
            self._say_how_to_resume()
            raise
        self._tell_the_end()
        return self._tell_the_score()

    def _get_match(self, seat: int | None) -> ShownMatch:
        sight = None if seat is None else f"seat-{seat}"
        return self.house.queries.show(Asker(asked=sight, local=True), self.match_id)

    def _play_turn(self, seat: int) -> None:
        """Let a seat make one move: board, what happened, prompt until a move stands."""
        if self.secrets and seat != self.before:
            self._hand_over(seat)
        self.before = seat
        view = self._get_match(seat).view
        self.out.say("", draw_rule())
        self._tell_news(seat)
        self._show_board(view)
        self.out.tell(f"{view.game.notation.help} {STEPWISE}", QUIET)
        while not self._answer(view, seat):
            pass

    def _hand_over(self, seat: int) -> None:
        name = self.names.name_seat(self._get_match(None).view, seat)
        if self.before is not None:
            self._ask(f"Press Enter to hide your cards and hand over to {name}. ")
        self.out.wipe()
        if self._ask(f"{name}: press Enter when only you see the screen. ").strip() in LEAVING:
            raise Left
        self.out.wipe()
        self.out.say(draw_heading(self._get_match(None).view, self.names, self.out.width))

    def _tell_news(self, seat: int) -> None:
        """Tell what happened since this seat was last told, as this seat may know it."""
        look = Asker(asked=f"seat-{seat}", local=True)
        replay = self.house.replays.replay(look, self.match_id, self.told[seat] + 1)
        news = [frame for frame in replay.frames if frame.event is not None]
        for frame in news:
            self.out.tell(self.names.tell(frame.view, frame.text))
        for one in (seat,) if self.secrets else (1, 2):
            self.told[one] = max([self.told[one], *(frame.version for frame in news)])
        if news:
            self.out.say()

    def _show_board(self, view: MatchView) -> None:
        drawing = draw_board(view, self.out.width, self.names, acting=True)
        self.out.say(drawing, "", describe_standing(view, self.names))

    def _answer(self, view: MatchView, seat: int) -> bool:
        """Read one line and do it; say whether the position is another one now."""
        name = self.names.name_seat(view, seat)
        typed = self._ask(f"{name}> ", OWNER_STYLES[seat]).strip()
        word = self.words.get(typed.lower())
        try:
            if word is None:
                self._play_typed(view, view.game.notation.read(typed))
            else:
                word(view)
        except Refusal as refusal:
            self.out.tell(refusal.detail)
        return self._get_match(None).view.version != view.version

    def _play_typed(self, view: MatchView, move: JsonObject) -> None:
        written = view.game.dump_move(view.game.parse_move(move))
        legal = any(one["move"] == written for one in self._get_legal_moves(view))
        warning = self._find_warning(view, written) if legal else None
        if warning is None or self._is_sure(f"{warning} Play it all the same?"):
            self._play(view, written)

    def _enter(self, view: MatchView) -> None:
        if view.sight is None:
            return

        def ask(prompt: str) -> str:
            while (typed := self._ask(prompt)).strip().lower() in ("board", *LEAVING):
                self.words[typed.strip().lower()](view)
            return typed

        def warn(one: Candidate) -> str | None:
            return self._find_warning(view, one.move)

        scene = self.names.name_scene(view, view.game.build_scene(view.sight, view.last))
        entered = MoveEntry(
            grow_tree(self._get_legal_moves(view), scene), scene, self.out, ask, warn
        ).run()
        if entered is not None:
            self._play(view, entered.move)

    def _play(self, view: MatchView, move: JsonObject) -> None:
        request = ChangeRequest(view.seats[(view.to_act or 1) - 1] or "", view.version)
        done = self.house.matches.play(request, self.match_id, move)
        if self.secrets and view.to_act is not None and done.shown.view.to_act != view.to_act:
            self._tell_news(view.to_act)

    def _find_warning(self, view: MatchView, move: JsonObject) -> str | None:
        return (
            None if view.sight is None else view.game.warn(view.sight, view.game.parse_move(move))
        )

    def _get_legal_moves(self, view: MatchView) -> list[JsonObject]:
        """Return the legal moves, listed once for a position: there may be thousands."""
        if self.legal[0] != view.version:
            look = Asker(asked=f"seat-{view.to_act}", local=True)
            self.legal = (
                view.version,
                self.house.queries.list_legal_moves(look, self.match_id).moves,
            )
        return self.legal[1]

    def _list_moves(self, view: MatchView) -> None:
        tell_moves(self.out, self._get_legal_moves(view))

    def _show_help(self, view: MatchView) -> None:
        self.out.tell(view.game.notation.help)
        self.out.say(HELP)
        self.out.say(f"The rules: plybook rules {view.game.slug}")

    def _resign(self, view: MatchView) -> None:
        if self._is_sure("Give up this match?"):
            self._act(view, view.to_act or 1, view.version, Action("resign"))

    def _offer_draw(self, view: MatchView) -> None:
        self._offer(view, Action("offer_draw"), "a draw", "draw")

    def _undo(self, view: MatchView) -> None:
        """Ask to take back the last move. Raises a ``Refusal`` if there is none, or it may not."""
        frames = self.house.replays.replay(Asker(local=True), view.id).frames
        moves = [
            frame.version
            for frame in frames
            if frame.taken_back is None and frame.event and frame.event["kind"] == "move-made"
            # The house's answer goes with the move that it answers.
            if not self.houses or frame.event["data"]["seat"] == view.to_act
        ]
        # Without a move this asks for what there is not, and is refused in a sentence.
        to_version = (moves[-1] if moves else view.version) - 1
        offer = Action("offer_takeback", to_version=to_version)
        self._offer(view, offer, "to take back the last move", "takeback")

    def _offer(self, view: MatchView, offer: Action, words: str, kind: str) -> None:
        """Offer something, which the other one answers at once."""
        asks = view.to_act or 1
        version = self._act(view, asks, view.version, offer)
        if self.houses:
            self.house.house_players.go_on(view.id)
            return
        accepts = self._is_sure(f"{self.names.name_seat(view, 3 - asks)}: accept {words}?")
        answer = Action(f"{'accept' if accepts else 'decline'}_{kind}")
        self._act(view, 3 - asks, version, answer)

    def _act(self, view: MatchView, seat: int, version: int, action: Action) -> int:
        """Take an action for a seat; return the version after it."""
        request = ChangeRequest(view.seats[seat - 1] or "", version)
        return self.house.matches.act(request, view.id, action).shown.view.version

    def _quit(self, _: MatchView) -> None:
        raise Left

    def _is_sure(self, question: str) -> bool:
        return self._ask(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def _ask(self, prompt: str, style: str = "") -> str:
        return read_line(self.out, prompt, style)

    def _say_how_to_resume(self) -> None:
        if self.secrets:
            self.out.wipe()
        self.out.say("", f"The match is kept. To go on: plybook play --resume {self.match_id}")

    def _tell_the_end(self) -> None:
        """Show everything: nothing is hidden any more."""
        shown = self._get_match(None)
        self.out.say("", draw_rule())
        if not self.secrets:
            self._tell_news(1)
        self.out.say(draw_board(shown.view, self.out.width, self.names), "")
        self.out.say(describe_standing(shown.view, self.names))
        self.out.say(Text(f"To see it again: plybook replay {self.match_id}", QUIET))

    def _tell_the_score(self) -> str | None:
        """Say how the series stands, if there is one; return the match that follows in it."""
        place = self._get_match(None).view.series
        if place is None:
            return None
        series = self.house.series.show(Asker(local=True), place["id"])
        score, name = series.score, self.names.name_player
        stand = ", ".join(
            f"{name(one)} {format_points(half)}" for one, half in score.half_points.items()
        )
        self.out.tell(f"The series after match {place['number']}: {stand}.")
        if score.goes_on:
            self.out.say()
            return series.last.view.id
        if score.champion is not None:
            self.out.tell(f"{name(score.champion)} has won the series.")
        else:
            undecided = score.status == "aborted"
            self.out.tell("It ended undecided." if undecided else "The first place is shared.")
        return None
