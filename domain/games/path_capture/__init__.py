"""Path Capture: two pieces walk towards each other; landing on the other wins."""

from __future__ import annotations

from domain.game.game import Game, form_of, open_to_all
from domain.game.options import integer
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
    options=(integer("length", 11, 5, 41, say("Number of nodes, numbered from 0.")),),
    initial=rules.initial,
    next=rules.next_step,
    form=form_of(rules.Walk),
    recall=lambda json: rules.Walk(**json),
    written=rules.Walk._asdict,
    forbidden=rules.forbidden,
    legal_moves=rules.legal_moves,
    play=rules.play,
    view=open_to_all,
    show=rules.show,
    scene=scene.scene,
    path=scene.path,
    notation=words.NOTATION,
    tell=scene.tell,
    levels=(100, 40_000),
    level_scores=(670,),
    settled=scene.settled,
    dump=shapes.dump,
    load=shapes.loader(rules.Position),
    turned_for=2,
)

GAMES = (PATH_CAPTURE,)
