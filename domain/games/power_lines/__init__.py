"""Power Lines, the card game: two lines of cards grow towards each other's base."""

from __future__ import annotations

from domain.game.game import Game
from domain.game.options import Option, declare_integer
from domain.games.power_lines import (
    heuristics,
    moves,
    narration,
    position,
    rules,
    scene,
    views,
    words,
)
from domain.games.power_lines.cards import DECK_SIZE, HIGHEST, LOWEST, SUGGESTED, check_deck
from domain.i18n import say

DECK = Option(
    "deck",
    list(SUGGESTED),
    {
        "type": "array",
        "items": {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST},
        "minItems": DECK_SIZE,
        "maxItems": DECK_SIZE,
    },
    say("Your own deck: 26 cards from 0 to 10, any mix, in any order."),
    check_deck,
)

POWER_LINES = Game(
    slug="power-lines",
    name="Power Lines",
    rules_version=1,
    summary=say(
        "Lay a line of cards to the enemy base and dominate it; hands and decks are hidden."
    ),
    persons=words.PERSONS,
    begun_by_chance=True,
    endings={
        position.BASE_DOMINATED: say("the other base has been dominated"),
        position.BASE_DISCARDED: say("the other base has been discarded"),
        position.STALLED: say("no action is possible any more, and the distance decides"),
        position.TURN_LIMIT: say("all turns are used up, and the distance decides"),
    },
    options=(
        declare_integer("gap", 11, 3, 21, say("Free positions between the two bases.")),
        declare_integer(
            "turn_limit", 200, 20, 1000, say("Turns, of both seats, after which distance decides.")
        ),
    ),
    settings=(DECK,),
    set_up=position.set_up,
    get_next_step=rules.get_next_step,
    parse_move=moves.parse_move,
    dump_move=moves.dump_move,
    check_move=rules.check_move,
    iter_legal_moves=rules.iter_legal_moves,
    play=rules.play,
    draw=rules.draw,
    forfeit=rules.forfeit,
    conceal=moves.conceal,
    view=views.view,
    show=views.show,
    build_scene=scene.build_scene,
    build_path=scene.build_path,
    notation=words.NOTATION,
    tell=narration.tell,
    tell_draw=narration.tell_draw,
    warn=narration.warn,
    reckon=narration.reckon,
    foresee=views.foresee,
    find_sequel=views.find_sequel,
    dump=position.dump,
    load=position.load,
    parse_seen=moves.parse_seen,
    doubt=views.doubt,
    iter_revealed=views.iter_revealed,
    complete=heuristics.complete,
    evaluate=heuristics.evaluate,
    iter_promising=heuristics.iter_promising,
    levels=(200, 1_000, 3_000, 6_000),
    level_scores=(748, 838, 780),
    lead=130,
    secrets=True,
    turned_for=2,
)

GAMES = (POWER_LINES,)
