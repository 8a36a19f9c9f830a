"""Path Capture: two pieces walk towards each other; landing on the other wins."""

from __future__ import annotations

from domain.game.game import Game, make_parser, view_all
from domain.game.options import declare_integer
from domain.games.path_capture import rules, scene, words
from domain.i18n import say
from domain.log import shapes

PATH_CAPTURE = Game(
    slug="path-capture",
    name="Path Capture",
    rules_version=1,
    summary=say("Walk 1, 2 or 3 nodes towards each other; land on the other piece to win."),
    persons=words.PERSONS,
    endings={
        "capture": say("a piece has landed on the other one"),
        "passed": say("the pieces have passed each other"),
    },
    options=(declare_integer("length", 11, 5, 41, say("Number of nodes, numbered from 0.")),),
    set_up=rules.set_up,
    get_next_step=rules.get_next_step,
    parse_move=make_parser(rules.Walk),
    recall=lambda json: rules.Walk(**json),
    dump_move=rules.Walk._asdict,
    check_move=rules.check_move,
    iter_legal_moves=rules.iter_legal_moves,
    play=rules.play,
    view=view_all,
    show=rules.show,
    build_scene=scene.build_scene,
    build_path=scene.build_path,
    notation=words.NOTATION,
    tell=scene.tell,
    levels=(100, 40_000),
    level_scores=(670,),
    tell_settled=scene.tell_settled,
    dump=shapes.dump,
    load=shapes.make_loader(rules.Position),
    turned_for=2,
)

GAMES = (PATH_CAPTURE,)
