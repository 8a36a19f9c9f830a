"""Sentences about seats, as they are said to the players of these seats."""

from __future__ import annotations

from domain.i18n import N_, Persons

PERSONS: Persons = {
    "P{seat} offers a draw.": N_("You offer a draw."),
    "P{seat} proposes a pause of {span}.": N_("You propose a pause of {span}."),
    "P{seat} proposes to end the pause now.": N_("You propose to end the pause now."),
    "P{seat} proposes to abort the match.": N_("You propose to abort the match."),
    "P{seat} withdraws the offer of the draw.": N_("You withdraw the offer of the draw."),
    "P{seat} withdraws the offer of the takeback.": N_("You withdraw the offer of the takeback."),
    "P{seat} withdraws the offer of the pause.": N_("You withdraw the offer of the pause."),
    "P{seat} withdraws the offer of the earlier end of the pause.": N_(
        "You withdraw the offer of the earlier end of the pause."
    ),
    "P{seat} withdraws the offer of aborting the match.": N_(
        "You withdraw the offer of aborting the match."
    ),
    "P{seat} declines the draw.": N_("You decline the draw."),
    "P{seat} declines the takeback.": N_("You decline the takeback."),
    "P{seat} declines the pause.": N_("You decline the pause."),
    "P{seat} declines the earlier end of the pause.": N_(
        "You decline the earlier end of the pause."
    ),
    "P{seat} declines aborting the match.": N_("You decline aborting the match."),
    "P{seat} is on vacation; that clock stands for {span}.": N_(
        "You are on vacation; your clock stands for {span}."
    ),
    "P{seat} agrees to the pause; both clocks stand for {span}.": N_(
        "You agree to the pause; both clocks stand for {span}."
    ),
    "P{seat} is back from vacation, {span} early.": N_("You are back from vacation, {span} early."),
    "P{seat} agrees to end the pause, {span} early.": N_(
        "You agree to end the pause, {span} early."
    ),
    "P{seat} has no legal move and is passed over.": N_(
        "You have no legal move and are passed over."
    ),
    "The service was away: P{seat} gets {span} back.": N_(
        "The service was away: you get {span} back."
    ),
    "P{giver} gives P{seat} {span} more.": {
        "giver": N_("You give P{seat} {span} more."),
        "seat": N_("P{giver} gives you {span} more."),
    },
    "P{other} resigns; P{winner} wins.": {
        "other": N_("You resign; P{winner} wins."),
        "winner": N_("P{other} resigns; you win."),
    },
    "P{other} has run out of time; P{winner} wins.": {
        "other": N_("You have run out of time; P{winner} wins."),
        "winner": N_("P{other} has run out of time; you win."),
    },
    "P{other} leaves the series; P{winner} wins.": {
        "other": N_("You leave the series; P{winner} wins."),
        "winner": N_("P{other} leaves the series; you win."),
    },
    (
        "P{other} has run out of time without a move, and forfeits the rest of the series; "
        "P{winner} wins."
    ): {
        "other": N_(
            "You have run out of time without a move, and forfeit the rest of the series; "
            "P{winner} wins."
        ),
        "winner": N_(
            "P{other} has run out of time without a move, and forfeits the rest of the series; "
            "you win."
        ),
    },
    "P{winner} won: P{other} resigned.": {
        "winner": N_("You won: P{other} resigned."),
        "other": N_("P{winner} won: you resigned."),
    },
    "P{winner} won: P{other} ran out of time.": {
        "winner": N_("You won: P{other} ran out of time."),
        "other": N_("P{winner} won: you ran out of time."),
    },
    "closed to P{seat}": N_("closed to you"),
    "P{seat} from {first} to {last}": N_("you from {first} to {last}"),
    "P{seat}'s": N_("yours"),
    "P{seat} plays from here": N_("You play from here"),
    "P{seat} holds": N_("You hold"),
    "What P1 saw": N_("What you saw"),
    "What P2 saw": N_("What you saw"),
    "P{seat} accepts: the game goes back to its beginning.": N_(
        "You accept: the game goes back to its beginning."
    ),
    "P{seat} accepts: the game goes back to where it was after move {number}.": N_(
        "You accept: the game goes back to where it was after move {number}."
    ),
    "P{seat} asks to take back all moves.": N_("You ask to take back all moves."),
    "P{seat} asks to take back what followed on move {number}.": N_(
        "You ask to take back what followed on move {number}."
    ),
    "P{seat} has seen something since then that was hidden before.": N_(
        "You have seen something since then that was hidden before."
    ),
    "P{winner} wins ({reason}).": N_("You win ({reason})."),
}
"""What is said to the players of the seats that a sentence names."""
