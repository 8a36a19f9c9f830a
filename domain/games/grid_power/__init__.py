"""Grid Power: fill a 3x3 grid with units that strengthen their neighbours."""

from __future__ import annotations

from domain.game.game import Game
from domain.game.options import IntegerOption
from domain.games.grid_power import notation, rules, scene
from domain.i18n import say

GRID_POWER = Game(
    slug="grid-power",
    name="Grid Power",
    rules_version=1,
    summary=say("Fill a 3x3 grid; your units strengthen each other; the higher total wins."),
    endings=("power",),
    options=(
        IntegerOption("komi", 0, 0, 99, say("Points added to the total of seat 2 at the end.")),
    ),
    initial=rules.initial,
    next=rules.next_step,
    form=rules.form,
    recall=rules.recall,
    written=rules.written,
    forbidden=rules.forbidden,
    legal_moves=rules.legal_moves,
    play=rules.play,
    forfeit=rules.forfeit,
    view=rules.view,
    show=rules.show,
    scene=scene.scene,
    path=scene.path,
    notation=notation.NOTATION,
    tell=scene.tell,
    dump=rules.dump,
    load=rules.load,
)

GAMES = (GRID_POWER,)
