"""The endpoints, one module per kind of thing; importing this package registers them all.

Law of this package: no ``try``, no status of a failure, no check that the decorators or the
use cases make. An endpoint calls one use case and gives its answer on.
"""

from web.api.resources import (  # noqa: F401
    accounts,
    analysis,
    challenges,
    checkpoints,
    commands,
    conditional_moves,
    events,
    exports,
    games,
    matches,
    player_stream,
    players,
    problems,
    puzzles,
    ratings,
    replays,
    series,
    talk,
    vacations,
)
