"""The endpoints, one module per kind of thing; importing this package registers them all.

Law of this package: no ``try``, no status of a failure, no check that the decorators or the
use cases make. An endpoint calls one use case and gives its answer on.
"""

from web.api.resources import (  # noqa: F401
    analysis,
    challenges,
    checkpoints,
    commands,
    conditional_moves,
    events,
    exports,
    games,
    matches,
    problems,
    puzzles,
    replays,
    series,
    talk,
    vacations,
)
from web.api.resources.people import accounts, player_stream, players, ratings, relations, webhooks  # noqa: F401
