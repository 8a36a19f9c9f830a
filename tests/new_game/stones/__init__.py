"""Stones: take one, two or three from a heap; whoever takes the last one wins."""

from __future__ import annotations

from domain.game.game import Game, make_parser, view_all
from domain.game.options import declare_integer
from domain.i18n import say
from domain.log import shapes
from tests.new_game.stones import rules, scene, words

STONES = Game(
    slug="stones",
    name="Stones",
    rules_version=1,
    summary=say("Take 1, 2 or 3 stones in turn; take the last one to win."),
    endings={"last-stone": say("the last stone has been taken")},
    persons=words.PERSONS,
    options=(declare_integer("stones", 11, 5, 40, say("How many stones there are.")),),
    set_up=rules.set_up,
    get_next_step=rules.get_next_step,
    parse_move=make_parser(rules.Take),
    dump_move=rules.Take._asdict,
    check_move=rules.check_move,
    iter_legal_moves=rules.iter_legal_moves,
    play=rules.play,
    view=view_all,
    show=rules.show,
    build_scene=scene.build_scene,
    build_path=scene.build_path,
    notation=words.NOTATION,
    tell=scene.tell,
    dump=shapes.dump,
    load=shapes.make_loader(rules.Position),
)

GAMES = (STONES,)
