"""Energy Capture: two markers cross a grid, never step back, and race for 15 energy."""

from __future__ import annotations

from domain.game.game import Game, make_parser, view_all
from domain.game.options import Option, declare_choice
from domain.games.energy_capture import rules, scene, setup, words
from domain.i18n import say
from domain.log import shapes

ENERGY_CAPTURE = Game(
    slug="energy-capture",
    name="Energy Capture",
    rules_version=1,
    summary=say("Step across a 5x5 grid, never back, and be the first to collect 15 energy."),
    persons=words.PERSONS,
    endings={
        "energy": say("a score of {goal} has been reached", goal=setup.GOAL),
        "exhausted": say("every Energy Cell has been captured, and the score decides"),
        "blocked": say("neither marker can move, and the score decides"),
    },
    options=(
        declare_choice(
            "closed",
            rules.CAPTURED,
            {
                rules.CAPTURED: say("visited, or the opponent's"),
                rules.OWN: say("visited only"),
            },
            say(
                "Which cells are closed to a marker: only those that it has visited, or also those "
                "whose Energy Cell the opponent captured."
            ),
        ),
        Option(
            "cells",
            None,
            setup.SCHEMA,
            say(
                "Where the Energy Cells lie (1 to 23 different cells, none on a start cell). "
                "Without a list, 8 of them are drawn."
            ),
            setup.check_cells,
        ),
    ),
    set_up=rules.set_up,
    get_next_step=rules.get_next_step,
    parse_move=make_parser(rules.Go),
    recall=lambda json: rules.Go(**json),
    dump_move=rules.Go._asdict,
    check_move=rules.check_move,
    iter_legal_moves=rules.iter_legal_moves,
    play=rules.play,
    draw=rules.draw,
    view=view_all,
    show=rules.show,
    build_scene=scene.build_scene,
    build_path=scene.build_path,
    notation=words.NOTATION,
    tell=scene.tell,
    tell_draw=scene.tell_draw,
    evaluate=rules.evaluate,
    turned_for=1,
    levels=(20, 80, 300, 10_000),
    level_scores=(570, 582, 592),
    lead=20,
    dump=shapes.dump,
    load=shapes.make_loader(rules.Position),
)

GAMES = (ENERGY_CAPTURE,)
