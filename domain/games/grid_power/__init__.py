"""Grid Power: fill a 3x3 grid with units that strengthen their neighbours."""

from __future__ import annotations

from domain.game.game import Game, form_of, open_to_all
from domain.game.options import integer
from domain.games.grid_power import opening_book, rules, scene, words
from domain.i18n import say
from domain.log import shapes

GRID_POWER = Game(
    slug="grid-power",
    name="Grid Power",
    rules_version=1,
    summary=say("Fill a 3x3 grid; your units strengthen each other; the higher total wins."),
    persons=words.PERSONS,
    endings={"power": say("the grid is full, and power decides")},
    options=(integer("komi", 0, 0, 99, say("Points added to the total of B at the end.")),),
    initial=rules.initial,
    next=rules.next_step,
    form=form_of(rules.Placement),
    recall=lambda json: rules.Placement(**json),
    written=rules.Placement._asdict,
    forbidden=rules.forbidden,
    legal_moves=rules.legal_moves,
    play=rules.play,
    view=open_to_all,
    show=rules.show,
    scene=scene.scene,
    path=scene.path,
    notation=words.NOTATION,
    tell=scene.tell,
    evaluate=rules.evaluate,
    promising=rules.promising,
    opening=opening_book.opening,
    levels=(3, 12, 50, 180, 60_000),
    level_scores=(635, 598, 588, 595),
    lead=5,
    dump=shapes.dump,
    load=shapes.loader(rules.Position),
)

GAMES = (GRID_POWER,)
