"""Whisper: the smallest game with everything that hidden information asks of the house.

Each seat brings a deck of eight cards from 0 to 5 (a setting, hidden from the other). A
coin decides who begins, both decks are shuffled out of sight, and each seat takes three.
A turn lays one card: *said* face up, at least as high as the card last said (the *bar*),
or *whispered* face down, two a seat at most; then the seat takes the top card of its deck.
Saying a 0 makes the opponent lose one of the cards it said, by chance. A seat that can
do neither while the other has cards passes: both seats see its hand, and the bar falls to
0. Whoever has said `target` in all wins (`heard`); when nobody can lay a card any more, the
higher sum of both rows wins, equal is a draw (`spent`).
"""

from __future__ import annotations

from domain.game.game import Game
from domain.game.options import Option, declare_integer
from tests.support.games.whisper import rules, sight

SUGGESTED = [0, 0, 1, 2, 3, 3, 4, 5]

WHISPER = Game(
    slug="whisper",
    name="Whisper",
    rules_version=1,
    summary="Say cards aloud or lay them face down; the first to be heard wins.",
    endings={"heard": "a seat has been heard", "spent": "all cards are spent"},
    options=(declare_integer("target", 12, 5, 60, "The sum of cards said that wins."),),
    settings=(
        Option(
            "deck",
            SUGGESTED,
            {
                "type": "array",
                "items": {"type": "integer", "minimum": rules.LOWEST, "maximum": rules.HIGHEST},
                "minItems": rules.DECK_SIZE,
                "maxItems": rules.DECK_SIZE,
            },
            "Eight cards from 0 to 5.",
            rules.check_deck,
        ),
    ),
    set_up=rules.set_up,
    get_next_step=rules.get_next_step,
    parse_move=rules.parse_move,
    dump_move=rules.dump_move,
    check_move=rules.check_move,
    iter_legal_moves=rules.iter_legal_moves,
    play=rules.play,
    draw=rules.draw,
    forfeit=rules.forfeit,
    conceal=rules.conceal,
    view=sight.view,
    show=sight.show,
    build_scene=sight.build_scene,
    build_path=sight.build_path,
    notation=sight.NOTATION,
    tell=sight.tell,
    tell_draw=sight.tell_draw,
    warn=sight.warn,
    dump=rules.dump,
    load=rules.load,
    parse_seen=rules.parse_seen,
    doubt=sight.doubt,
    iter_revealed=sight.iter_revealed,
    begun_by_chance=True,
    secrets=True,
)
