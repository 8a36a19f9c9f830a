"""Sentences about seats, as they are said to the players of these seats."""

from __future__ import annotations

from domain.i18n import N_, Persons

PERSONS: Persons = {
    "P{seat} goes first.": {
        "seat": N_("You go first."),
    },
    "P{seat} places {card} face down on {at}.": {
        "seat": N_("You place {card} face down on {at}."),
    },
    "P{seat} draws {cards}.": {
        "seat": N_("You draw {cards}."),
    },
    "P{seat} shuffles the discard pile into the deck.": {
        "seat": N_("You shuffle the discard pile into the deck."),
    },
    "P{seat} declines.": {
        "seat": N_("You decline."),
    },
    "P{seat} draws {number} card and plays {card} on {at}.": {
        "seat": N_("You draw {number} card and play {card} on {at}."),
    },
    "P{seat} draws {number} cards and plays {card} on {at}.": {
        "seat": N_("You draw {number} cards and play {card} on {at}."),
    },
    "P{seat} discards {paid} and plays {card} on {at}.": {
        "seat": N_("You discard {paid} and play {card} on {at}."),
    },
    "P{seat} plays {card} on {at}.": {
        "seat": N_("You play {card} on {at}."),
    },
    "P{seat} draws {number} card, gives up {given} on {place} and plays {card} on {at}.": {
        "seat": N_("You draw {number} card, give up {given} on {place} and play {card} on {at}."),
    },
    "P{seat} draws {number} card, gives up {given} on {place} ({face}) and plays {card} on {at}.": {
        "seat": N_(
            "You draw {number} card, give up {given} on {place} ({face}) and play {card} on {at}."
        ),
    },
    "P{seat} draws {number} cards, gives up {given} on {place} and plays {card} on {at}.": {
        "seat": N_("You draw {number} cards, give up {given} on {place} and play {card} on {at}."),
    },
    (
        "P{seat} draws {number} cards, gives up {given} on {place} ({face}) and plays {card} on "
        "{at}."
    ): {
        "seat": N_(
            "You draw {number} cards, give up {given} on {place} ({face}) and play {card} on {at}."
        ),
    },
    "P{seat} plays {card} onto {covered} of P{other} on {at}.": {
        "seat": N_("You play {card} onto {covered} of P{other} on {at}."),
        "other": N_("P{seat} plays {card} onto {covered} of yours on {at}."),
    },
    "P{seat} dominates the base of P{owner}.": {
        "seat": N_("You dominate the base of P{owner}."),
        "owner": N_("P{seat} dominates your base."),
    },
    "P{seat} dominates {card} of P{owner} on {at}.": {
        "seat": N_("You dominate {card} of P{owner} on {at}."),
        "owner": N_("P{seat} dominates {card} of yours on {at}."),
    },
    "P{seat} dominates {card} of P{owner} on {at} ({face}).": {
        "seat": N_("You dominate {card} of P{owner} on {at} ({face})."),
        "owner": N_("P{seat} dominates {card} of yours on {at} ({face})."),
    },
    "P{seat} discards the base of P{owner}.": {
        "seat": N_("You discard the base of P{owner}."),
        "owner": N_("P{seat} discards your base."),
    },
    "P{seat} discards {card} of P{owner} on {at}.": {
        "seat": N_("You discard {card} of P{owner} on {at}."),
        "owner": N_("P{seat} discards {card} of yours on {at}."),
    },
    "P{seat} discards {card} of P{owner} on {at} ({face}).": {
        "seat": N_("You discard {card} of P{owner} on {at} ({face})."),
        "owner": N_("P{seat} discards {card} of yours on {at} ({face})."),
    },
    "The deck of P{seat} is shuffled.": {
        "seat": N_("Your deck is shuffled."),
    },
    "At random, {card} of the discard pile of P{seat} is trashed.": {
        "seat": N_("At random, {card} of your discard pile is trashed."),
    },
    "P{seat} draws for the 4 on {at}.": {
        "seat": N_("You draw for the 4 on {at}."),
    },
    "The 0 of P{seat} on {at} is worth less now and is trashed.": {
        "seat": N_("Your 0 on {at} is worth less now and is trashed."),
    },
    "P{seat} may discard a card of P{other} around {at}.": {
        "seat": N_("You may discard a card of P{other} around {at}."),
        "other": N_("P{seat} may discard a card of yours around {at}."),
    },
    "P{seat} may dominate an enemy beside the 7 for no action.": {
        "seat": N_("You may dominate an enemy beside the 7 for no action."),
    },
    "P{seat} may play a card of 5 or less beside the 9 for no action.": {
        "seat": N_("You may play a card of 5 or less beside the 9 for no action."),
    },
    "{card} of P{seat}, value {value}, cut off": {
        "seat": N_("{card}, yours, value {value}, cut off"),
    },
    "{card} of P{seat}, value {value}": {
        "seat": N_("{card}, yours, value {value}"),
    },
    "P{seat} may discard a card around {x},{y}, for free, or declines.": {
        "seat": N_("You may discard a card around {x},{y}, for free, or decline."),
    },
    "P{seat} may dominate an enemy beside the 7 on {x},{y}, for free, or declines.": {
        "seat": N_("You may dominate an enemy beside the 7 on {x},{y}, for free, or decline."),
    },
    "P{seat} may play a card of 5 or less beside the 9 on {x},{y}, for free, or declines.": {
        "seat": N_(
            "You may play a card of 5 or less beside the 9 on {x},{y}, for free, or decline."
        ),
    },
    "Hand of P{seat}": {
        "seat": N_("Your hand"),
    },
    "Deck of P{seat}": {
        "seat": N_("Your deck"),
    },
    "Discard pile of P{seat}": {
        "seat": N_("Your discard pile"),
    },
    "Trash pile of P{seat}": {
        "seat": N_("Your trash pile"),
    },
    "P{seat} places a card face down.": {
        "seat": N_("You place a card face down."),
    },
}
"""What is said to the players of the seats that a sentence names."""
