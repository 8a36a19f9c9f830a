"""Grid Power: fill a 3x3 grid with units that strengthen their neighbours."""

from __future__ import annotations

from domain.game.game import Game, make_parser, view_all
from domain.game.options import declare_integer
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
    options=(declare_integer("komi", 0, 0, 99, say("Points added to the total of B at the end.")),),
    set_up=rules.set_up,
    get_next_step=rules.get_next_step,
    parse_move=make_parser(rules.Placement),
    recall=lambda json: rules.Placement(**json),
    dump_move=rules.Placement._asdict,
    check_move=rules.check_move,
    iter_legal_moves=rules.iter_legal_moves,
    play=rules.play,
    view=view_all,
    show=rules.show,
    build_scene=scene.build_scene,
    build_path=scene.build_path,
    notation=words.NOTATION,
    tell=scene.tell,
    evaluate=rules.evaluate,
    iter_promising=rules.iter_promising,
    find_opening=opening_book.find_opening,
    levels=(3, 12, 50, 180, 60_000),
    level_scores=(635, 598, 588, 595),
    lead=5,
    dump=shapes.dump,
    load=shapes.make_loader(rules.Position),
)

GAMES = (GRID_POWER,)
