"""Power Line: build nodes on a line, capture weaker neighbours, hold the longest run."""

from __future__ import annotations

from domain.game.game import Game, open_to_all
from domain.game.options import choice, integer
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
        integer("length", 11, 3, 21, say("Number of positions, numbered from 0.")),
        integer("nodes", 5, 1, 21, say("Nodes that each seat owns.")),
        integer("energy", 15, 1, 99, say("Energy that each seat starts with.")),
        choice(
            "capture",
            DUEL,
            (DUEL, ATTACKER),
            say(
                "duel: a node placed or upgraded beside a stronger enemy is captured itself; "
                "attacker: it stays."
            ),
        ),
        choice(
            "deadlock",
            rules.LADDER,
            (rules.LADDER, rules.DRAW),
            say(
                "How a frozen line is settled: by the longest run, nodes, power and energy, or not "
                "at all."
            ),
        ),
    ),
    initial=rules.initial,
    next=rules.next_step,
    form=rules.form,
    recall=rules.recall,
    written=rules.written,
    forbidden=rules.forbidden,
    legal_moves=rules.legal_moves,
    play=rules.play,
    view=open_to_all,
    show=rules.show,
    scene=scene.scene,
    path=scene.path,
    notation=words.NOTATION,
    tell=scene.tell,
    warn=scene.warn,
    evaluate=rules.evaluate,
    levels=(100, 300, 2_000, 20_000),
    level_scores=(658, 648, 690),
    lead=60,
    dump=shapes.dump,
    load=shapes.loader(rules.Position),
)

GAMES = (POWER_LINE,)
