"""What seats propose to each other, and what one can ask for: draws, takebacks, pauses, time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.match.clock import DAY, SECOND
from domain.match.decisions.clock import LARGEST_GIFT, LONGEST_PAUSE
from domain.match.house_players import level_of
from domain.match.state import ACTIVE, OFFER_KINDS, Offer, find_offer
from domain.match.views import MatchView
from services.matches.house_players import DRAW_FROM
from services.replays.replay import Frame, Replay
from web.i18n import N_, _, ngettext
from web.pages.replays.steps import list_taken_back

ABORTABLE_PLIES = 2
"""From so many moves on nobody is offered to abort alone; before that the match decides."""

SURE = ("resign", "abort")
"""Actions that are asked about a second time."""

_OWN = {
    "draw": N_("You propose a draw."),
    "takeback": N_("You propose to take back {about}."),
    "pause": N_("You propose a pause of {about}."),
    "resume": N_("You propose to end the pause now."),
    "abort": N_("You propose to abort the match, which then counts for nobody."),
}
_THEIRS = {
    "draw": N_("Your opponent offers a draw."),
    "takeback": N_("Your opponent proposes to take back {about}."),
    "pause": N_("Your opponent proposes a pause of {about}."),
    "resume": N_("Your opponent proposes to end the pause now."),
    "abort": N_("Your opponent proposes to abort the match, which then counts for nobody."),
}


class OfferForm(NamedTuple):
    """A proposal that stands: ``text`` says what it is.

    ``answers`` are the actions that may be sent about it, each with what its button says.
    """

    mine: bool
    text: str
    answers: tuple[tuple[str, str], ...]


class Ask(NamedTuple):
    """Something that can be asked for: what its button says, and what is to be known about it.

    ``amount`` is a whole number that is typed in: the name of its field, its unit, the most that it
    can be, and what stands there at first. ``fixed`` goes along as it is, by the name of its field.
    """

    action: str
    label: str
    meaning: str
    amount: tuple[str, str, int, int] | None = None
    fixed: tuple[str, int] | None = None


def list_proposals(view: MatchView, frames: Sequence[Frame], you: int | None) -> list[OfferForm]:
    """Return what stands in a running match, as the seat ``you`` reads it."""
    if you is None or view.status != ACTIVE:
        return []
    found = ((kind, find_offer(view.offers, kind)) for kind in OFFER_KINDS)
    return [_make_proposal(kind, offer, frames, you) for kind, offer in found if offer is not None]


def _make_proposal(kind: str, offer: Offer, frames: Sequence[Frame], you: int) -> OfferForm:
    mine = offer.seat == you
    text = _((_OWN if mine else _THEIRS)[kind]).format(about=_describe_subject(kind, offer, frames))
    decline = (f"decline_{kind}", _("Withdraw") if mine else _("Decline"))
    answers = (decline,) if mine else ((f"accept_{kind}", _("Accept")), decline)
    return OfferForm(mine, text, answers)


def _describe_subject(kind: str, offer: Offer, frames: Sequence[Frame]) -> str:
    if kind == "pause":
        days: int = offer.about * SECOND // DAY
        return ngettext("%(number)d day", "%(number)d days", days) % {"number": days}
    if kind != "takeback":
        return ""
    gone = list_taken_back(frames)
    names = [
        _write_move(one)
        for one in frames
        if _is_move(one) and one.version > offer.about and one.version not in gone
    ]
    if len(names) > 1:
        return _("%(move)s and what came after it") % {"move": names[0]}
    return "".join(names)


def list_asks(replay: Replay) -> list[Ask]:
    """Return what a player can ask for now; what has been proposed already is left out."""
    view, you = replay.shown.view, replay.shown.you
    if you is None or view.status != ACTIVE:
        return []
    offered = {kind for kind in OFFER_KINDS if find_offer(view.offers, kind) is not None}
    return [
        *_iter_game_asks(view, replay.frames, you, offered),
        *_iter_time_asks(view, offered, replay.shown.at),
    ]


def _iter_game_asks(
    view: MatchView, frames: Sequence[Frame], you: int, offered: set[str]
) -> Iterator[Ask]:
    means = _describe_meanings(view, you)
    if "draw" not in offered:
        yield Ask("offer_draw", _("Offer a draw"), means["draw"])
    back = None if "takeback" in offered else _find_own_last(frames, you)
    if back is not None:
        move, version = back
        yield Ask(
            "offer_takeback",
            _("Ask to take back %(move)s") % {"move": move},
            means["takeback"],
            fixed=("to_version", version),
        )
    later = view.series is not None and view.series["number"] > 1
    if "abort" not in offered and (later or view.ply >= ABORTABLE_PLIES):
        yield Ask("offer_abort", _("Propose to abort"), means["abort"])


def _describe_meanings(view: MatchView, you: int) -> dict[str, str]:
    """Say what becomes of each proposal; of a house player it is known how they answer."""
    if level_of(view.seats[2 - you]) is None:
        return {
            "draw": _("It stands until your opponent answers or moves."),
            "takeback": _("Nothing is taken back unless your opponent accepts."),
            "abort": _("If both agree, the match ends and does not count."),
        }
    draw = _("The house accepts a draw from %(most)s moves on, or once nothing can be decided.")
    rated = _("In rated matches the house takes nothing back and does not abort.")
    return {
        "draw": _("The house accepts a draw once nothing can be decided.")
        if view.rated
        else draw % {"most": DRAW_FROM},
        "takeback": rated if view.rated else _("The house accepts: the move is taken back."),
        "abort": rated
        if view.rated
        else _("The house accepts: the match ends and does not count."),
    }


def _iter_time_asks(view: MatchView, offered: set[str], now: str) -> Iterator[Ask]:
    clock = view.clock
    if clock is None:
        return
    yield Ask(
        "give_time",
        _("Give time"),
        _("Your opponent gets that much more; you lose nothing."),
        ("hours", _("hours"), LARGEST_GIFT // DAY * 24, 24),
    )
    if clock.paused_until > now:
        if "resume" not in offered:
            yield Ask(
                "offer_resume",
                _("Propose to end the pause"),
                _("If both agree, the clocks run again."),
            )
    elif clock.pace.pause and "pause" not in offered:
        yield Ask(
            "offer_pause",
            _("Propose a pause"),
            _("If both agree, both clocks stand for so many days."),
            ("days", _("days"), LONGEST_PAUSE // DAY, 3),
        )


def _find_own_last(frames: Sequence[Frame], you: int) -> tuple[str, int] | None:
    """Return a seat's latest move that still stands, and the version right before it."""
    gone = list_taken_back(frames)
    for number in range(len(frames) - 1, 0, -1):
        one = frames[number]
        last = one.view.last
        if _is_move(one) and one.version not in gone and last and last.seat == you:
            return _write_move(one), frames[number - 1].version
    return None


def _is_move(frame: Frame) -> bool:
    return frame.event is not None and frame.event["kind"] == "move-made"


def _write_move(frame: Frame) -> str:
    last = frame.view.last
    return "" if last is None else frame.view.game.notation.write(last.move)
