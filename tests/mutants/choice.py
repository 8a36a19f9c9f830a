"""Which tests concern a module: the quickest first, so that most mutants cost seconds."""

from __future__ import annotations

from typing import TypeAlias

Stage: TypeAlias = tuple[str, ...]
"""What pytest is given: paths of tests and options."""

_SERVICES = "tests/services"
_ONE = ("-m", "not postgres and not slow")
"""SQLite alone, where the database makes no difference."""
_OTHER = ("-m", "postgres and not slow")
_EVERY_GAME = (
    "tests/golden",
    "tests/domain/test_contract.py",
    "tests/domain/test_whole_matches.py",
    "tests/domain/test_scenes.py",
    "tests/domain/games/test_reading.py",
)
_MATCH: Stage = (
    *_ONE,
    f"{_SERVICES}/test_time.py",
    f"{_SERVICES}/test_matches.py",
    f"{_SERVICES}/test_downtime.py",
    f"{_SERVICES}/test_vacations.py",
    f"{_SERVICES}/test_starting.py",
    f"{_SERVICES}/test_worker.py",
    f"{_SERVICES}/test_decided_again.py",
    f"{_SERVICES}/test_planted_faults.py",
)
_STORE: tuple[str, ...] = (
    f"{_SERVICES}/store",
    f"{_SERVICES}/test_repository.py",
    f"{_SERVICES}/test_matches.py",
    f"{_SERVICES}/test_audits.py",
)
_LISTS: tuple[str, ...] = (
    f"{_SERVICES}/store/test_caches.py",
    f"{_SERVICES}/test_lobby.py",
    f"{_SERVICES}/test_agenda.py",
    f"{_SERVICES}/test_closing.py",
    f"{_SERVICES}/test_rematches.py",
    f"{_SERVICES}/conditionals",
    "tests/web/pages/test_matches.py",
    "tests/web/pages/test_home.py",
    "tests/web/pages/test_profiles.py",
)
_EXCHANGE: tuple[str, ...] = (
    f"{_SERVICES}/exports",
    f"{_SERVICES}/imports",
    "tests/web/api/test_exports.py",
)
_AUDITS: tuple[str, ...] = (
    f"{_SERVICES}/test_audits.py",
    f"{_SERVICES}/test_planted_in_rows.py",
    f"{_SERVICES}/test_planted_in_exports.py",
    f"{_SERVICES}/test_planted_faults.py",
    f"{_SERVICES}/test_one_judge.py",
    f"{_SERVICES}/test_known_faults.py",
)


def _game(name: str, *own: str) -> tuple[Stage, ...]:
    """Return the tests of one game, then what holds for every game, of this one."""
    slug = name.replace("_", "-")
    chosen = slug if slug != "power-line" else "power-line and not power-lines"
    return tuple(f"tests/domain/games/{path}" for path in own), ("-k", chosen, *_EVERY_GAME)


_MATCH_ALONE: Stage = tuple(
    f"tests/domain/test_{name}.py"
    for name in (
        *("decide", "fold", "offers", "starting", "leaving", "takebacks", "clock"),
        *("kinds", "saying", "vectors", "audit"),
    )
)
_MATCHES_OF_GAMES: Stage = (
    *(f"tests/domain/test_{name}.py" for name in ("clock_mixes", "whole_matches", "twins")),
    "tests/golden",
)

STAGES: dict[str, tuple[Stage, ...]] = {
    "domain/games/power_lines/": _game("power_lines", "power_lines"),
    "domain/games/power_line/": _game(
        "power_line",
        "test_power_line.py",
        "test_power_line_board.py",
        "test_power_line_reference.py",
    ),
    "domain/games/energy_capture/": _game(
        "energy_capture",
        "test_energy_capture.py",
        "test_energy_capture_board.py",
        "test_energy_capture_reference.py",
    ),
    "domain/games/grid_power/": _game("grid_power", "test_grid_power.py"),
    "domain/games/path_capture/": _game("path_capture", "test_path_capture.py"),
    "domain/match/decide_clock.py": (
        ("tests/domain/test_clock.py",),
        _MATCH_ALONE,
        _MATCH,
        _MATCHES_OF_GAMES,
    ),
    "domain/match/clock.py": (
        ("tests/domain/test_clock.py",),
        _MATCH_ALONE,
        _MATCH,
        _MATCHES_OF_GAMES,
    ),
    "domain/match/": (_MATCH_ALONE, _MATCH, _MATCHES_OF_GAMES),
    "domain/log/merkle.py": (
        ("tests/domain/test_merkle.py",),
        (*_ONE, f"{_SERVICES}/checkpoints", f"{_SERVICES}/test_standalone.py"),
    ),
    "domain/log/": (
        ("tests/domain/test_vectors.py", "tests/domain/test_kinds.py"),
        (*_ONE, f"{_SERVICES}/store/test_codec.py", f"{_SERVICES}/test_added_members.py"),
        (*_ONE, *_AUDITS),
        (*_ONE, *_EXCHANGE, f"{_SERVICES}/test_standalone.py"),
    ),
    "services/store/matches.py": (
        (*_ONE, *_LISTS),
        (*_ONE, *_STORE),
        (*_OTHER, f"{_SERVICES}/store/test_caches.py", f"{_SERVICES}/conditionals"),
    ),
    "services/store/log/exports.py": ((*_ONE, *_EXCHANGE), (*_OTHER, *_EXCHANGE)),
    "services/store/log/audits.py": ((*_ONE, *_AUDITS), (*_OTHER, *_AUDITS)),
    "services/store/log/rebuild.py": (
        (*_ONE, f"{_SERVICES}/test_audits.py", "tests/cli/test_verify.py", "tests/migrations"),
    ),
    "services/store/log/feed.py": (
        (*_ONE, f"{_SERVICES}/store/test_feed.py"),
        (*_OTHER, f"{_SERVICES}/store/test_feed.py"),
        (*_ONE, "tests/web/api/test_own_stream.py", f"{_SERVICES}/checkpoints"),
        (*_OTHER, f"{_SERVICES}/checkpoints", "tests/web/api/test_own_stream.py"),
    ),
    "services/store/log/group_commit.py": (
        (*_ONE, f"{_SERVICES}/store/test_grouping.py"),
        (*_OTHER, f"{_SERVICES}/store/test_grouping.py"),
        (*_ONE, *_STORE),
    ),
    "services/store/log/snapshots.py": (
        (*_ONE, f"{_SERVICES}/store/test_caches.py", f"{_SERVICES}/test_repository.py"),
        (*_ONE, f"{_SERVICES}/test_many_takebacks.py", *_AUDITS),
    ),
    "services/store/log/": (
        (*_ONE, *_STORE),
        (*_ONE, *_AUDITS),
        (*_ONE, f"{_SERVICES}/imports", f"{_SERVICES}/test_many_takebacks.py"),
        (*_OTHER, f"{_SERVICES}/store", f"{_SERVICES}/imports"),
    ),
    "services/audits/": ((*_ONE, *_AUDITS), (*_ONE, "tests/cli/test_verify.py")),
}
"""By the beginning of a module's path; the first that fits counts."""


def stages(path: str) -> tuple[Stage, ...]:
    """Return the tests that concern a module, in the order in which they are run."""
    return next(chosen for beginning, chosen in STAGES.items() if path.startswith(beginning))
