"""Power Line: build nodes on a line, capture weaker neighbours, hold the longest run."""

from __future__ import annotations

from domain.game.game import Game, view_all
from domain.game.options import declare_choice, declare_integer
from domain.games.power_line import rules, scene, words
from domain.games.power_line.rules import ATTACKER, DUEL
from domain.i18n import say
from domain.log import shapes

POWER_LINE = Game(
    slug="power-line",
    name="Power Line",
    rules_version=1,
    summary=say("Place and upgrade nodes on a line, capture weaker neighbours, hold all of it."),
    persons=words.PERSONS,
    endings={
        "chain": say("one player holds the whole line"),
        "deadlock": say("neither player can act any more"),
    },
    options=(
        declare_integer("length", 11, 3, 21, say("Number of positions, numbered from 0.")),
        declare_integer("nodes", 5, 1, 21, say("Nodes that each seat owns.")),
        declare_integer("energy", 15, 1, 99, say("Energy that each seat starts with.")),
        declare_choice(
            "capture",
            DUEL,
            {DUEL: say("neighbours, or the node itself"), ATTACKER: say("neighbours only")},
            say(
                "What is captured where a node is placed or upgraded: only weaker neighbours, or "
                "also the node itself, beside a stronger one."
            ),
        ),
        declare_choice(
            "deadlock",
            rules.LADDER,
            {
                rules.LADDER: say("by run, nodes, power, energy"),
                rules.DRAW: say("always a draw"),
            },
            say(
                "How a frozen line is settled: by the longest run, nodes, power and energy, or not "
                "at all."
            ),
        ),
    ),
    set_up=rules.set_up,
    get_next_step=rules.get_next_step,
    parse_move=rules.parse_move,
    recall=rules.recall,
    dump_move=rules.dump_move,
    check_move=rules.check_move,
    iter_legal_moves=rules.iter_legal_moves,
    play=rules.play,
    view=view_all,
    show=rules.show,
    build_scene=scene.build_scene,
    build_path=scene.build_path,
    notation=words.NOTATION,
    tell=scene.tell,
    warn=scene.warn,
    evaluate=rules.evaluate,
    levels=(100, 300, 2_000, 20_000),
    level_scores=(658, 648, 690),
    lead=60,
    dump=shapes.dump,
    load=shapes.make_loader(rules.Position),
)

GAMES = (POWER_LINE,)
