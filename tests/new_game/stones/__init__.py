"""Stones: take one, two or three from a heap; whoever takes the last one wins."""

from __future__ import annotations

from domain.game.game import Game, form_of, open_to_all
from domain.game.options import integer
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
    options=(integer("stones", 11, 5, 40, say("How many stones there are.")),),
    initial=rules.initial,
    next=rules.next_step,
    form=form_of(rules.Take),
    written=rules.Take._asdict,
    forbidden=rules.forbidden,
    legal_moves=rules.legal_moves,
    play=rules.play,
    view=open_to_all,
    show=rules.show,
    scene=scene.scene,
    path=scene.path,
    notation=words.NOTATION,
    tell=scene.tell,
    dump=shapes.dump,
    load=shapes.loader(rules.Position),
)

GAMES = (STONES,)
