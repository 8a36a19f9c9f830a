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
    "tests/domain/game/test_contract.py",
    "tests/domain/game/test_scene.py",
    "tests/domain/games/test_notation.py",
)
_MATCH: Stage = (
    *_ONE,
    f"{_SERVICES}/matches/test_timeouts.py",
    f"{_SERVICES}/matches/test_commands.py",
    f"{_SERVICES}/matches/test_downtime.py",
    f"{_SERVICES}/matches/test_downtime_gaps.py",
    f"{_SERVICES}/matches/test_vacations.py",
    f"{_SERVICES}/lobby/test_challenges.py",
    f"{_SERVICES}/matches/test_series.py",
    f"{_SERVICES}/test_worker.py",
    f"{_SERVICES}/audits/test_decisions.py",
    f"{_SERVICES}/audits/test_chain.py",
)
_STORE: tuple[str, ...] = (
    f"{_SERVICES}/test_caches_are_used.py",
    f"{_SERVICES}/store",
    f"{_SERVICES}/matches/test_repository.py",
    f"{_SERVICES}/matches/test_commands.py",
    f"{_SERVICES}/audits/test_audit.py",
)
_FORMS: Stage = (
    *_ONE,
    f"{_SERVICES}/store/log/test_codec.py",
    f"{_SERVICES}/exchange/test_added_members.py",
)
_CONDITIONAL: tuple[str, ...] = tuple(
    f"{_SERVICES}/matches/test_conditional_{name}.py"
    for name in ("moves", "execution", "execution_lapses", "execution_races", "execution_costs")
)
_LISTS: tuple[str, ...] = (
    f"{_SERVICES}/store/test_matches.py",
    f"{_SERVICES}/lobby/test_lists.py",
    f"{_SERVICES}/lobby/test_agenda.py",
    f"{_SERVICES}/accounts/test_closing.py",
    f"{_SERVICES}/accounts/test_relations.py",
    f"{_SERVICES}/lobby/test_rematches.py",
    f"{_SERVICES}/matches/test_series.py",
    *_CONDITIONAL,
    "tests/web/pages/lobby/test_lists.py",
    "tests/web/pages/lobby/test_agenda.py",
    "tests/web/pages/accounts/test_profiles.py",
)
_EXCHANGE: tuple[str, ...] = (
    f"{_SERVICES}/exchange",
    "tests/web/api/resources/test_exports.py",
)
_IMPORTS: tuple[str, ...] = (
    f"{_SERVICES}/exchange/test_imports.py",
    f"{_SERVICES}/exchange/test_imports_storing.py",
)
_AUDITS: tuple[str, ...] = (
    f"{_SERVICES}/store/test_matches.py",
    f"{_SERVICES}/audits/test_audit.py",
    f"{_SERVICES}/audits/test_database.py",
    f"{_SERVICES}/exchange/test_file_audit.py",
    f"{_SERVICES}/audits/test_chain.py",
    f"{_SERVICES}/audits/test_decisions_in_files.py",
    f"{_SERVICES}/matches/test_known_faults.py",
)


def _game(name: str, *own: str) -> tuple[Stage, ...]:
    """Return the tests of one game, then what holds for every game, of this one."""
    slug = name.replace("_", "-")
    chosen = slug if slug != "power-line" else "power-line and not power-lines"
    return (
        (f"domain/games/{name}", *(f"tests/domain/games/{path}" for path in own)),
        ("-k", chosen, *_EVERY_GAME),
        ("tests/domain/match/test_whole_matches.py",),
    )


_DECIDE = ("decide", "decide_offers", "decide_starting", "decide_leaving", "decide_takebacks")
_MATCH_ALONE: Stage = (
    *(
        f"tests/domain/match/test_{name}.py"
        for name in (*_DECIDE, "series", "fold", "clock", "kinds", "audit_by_viewers", "secrecy")
    ),
    "tests/domain/test_i18n.py",
    "tests/domain/log/test_vectors.py",
)
_MATCHES_OF_GAMES: Stage = (
    *(f"tests/domain/match/test_{name}.py" for name in ("clock_mixes", "whole_matches", "twins")),
    "tests/golden",
)

STAGES: dict[str, tuple[Stage, ...]] = {
    "domain/games/power_lines/": _game("power_lines", "power_lines"),
    "domain/games/power_line/": _game("power_line", "power_line"),
    "domain/games/energy_capture/": _game("energy_capture", "energy_capture"),
    "domain/games/grid_power/": _game("grid_power", "test_grid_power.py"),
    "domain/games/path_capture/": _game("path_capture", "test_path_capture.py"),
    "domain/match/decisions/clock.py": (
        ("tests/domain/match/test_clock.py",),
        _MATCH_ALONE,
        _MATCH,
        _MATCHES_OF_GAMES,
    ),
    "domain/match/clock.py": (
        ("tests/domain/match/test_clock.py",),
        _MATCH_ALONE,
        _MATCH,
        _MATCHES_OF_GAMES,
    ),
    "domain/match/events.py": (
        _MATCH_ALONE,
        _FORMS,
        _MATCH,
        _MATCHES_OF_GAMES,
    ),
    "domain/match/": (_MATCH_ALONE, _MATCH, _MATCHES_OF_GAMES),
    "domain/log/merkle.py": (
        ("tests/domain/log/test_merkle.py",),
        (*_ONE, f"{_SERVICES}/checkpoints", f"{_SERVICES}/exchange/test_verify_match.py"),
        (*_ONE, f"{_SERVICES}/test_restored.py"),
    ),
    "domain/log/": (
        ("domain/log", "tests/domain/log/test_vectors.py", "tests/domain/match/test_kinds.py"),
        _FORMS,
        (*_ONE, *_AUDITS),
        (*_ONE, *_EXCHANGE),
    ),
    "services/store/matches.py": (
        (*_ONE, *_LISTS),
        (*_ONE, *_STORE),
        (*_OTHER, f"{_SERVICES}/store/test_matches.py", *_CONDITIONAL),
    ),
    "services/store/log/exports.py": ((*_ONE, *_EXCHANGE), (*_OTHER, *_EXCHANGE)),
    "services/store/log/audits.py": ((*_ONE, *_AUDITS), (*_OTHER, *_AUDITS)),
    "services/store/log/rebuild.py": (
        (
            *_ONE,
            f"{_SERVICES}/audits/test_audit.py",
            "tests/cli/commands/test_audits.py",
            "tests/migrations",
        ),
    ),
    "services/store/log/feed.py": (
        (*_ONE, f"{_SERVICES}/store/log/test_feed.py"),
        (*_OTHER, f"{_SERVICES}/store/log/test_feed.py"),
        (*_ONE, "tests/web/api/resources/test_player_stream.py", f"{_SERVICES}/checkpoints"),
        (*_OTHER, f"{_SERVICES}/checkpoints", "tests/web/api/resources/test_player_stream.py"),
        (
            *_ONE,
            "tests/web/api/resources/test_events_histories.py",
            f"{_SERVICES}/matches/test_house_players.py",
        ),
    ),
    "services/store/log/events.py": (
        (*_ONE, f"{_SERVICES}/store/log/test_events_together.py"),
        (*_OTHER, f"{_SERVICES}/store/log/test_events_together.py"),
        (*_ONE, *_STORE),
    ),
    "services/store/log/snapshots.py": (
        (*_ONE, f"{_SERVICES}/store/test_matches.py", f"{_SERVICES}/matches/test_repository.py"),
        (*_ONE, f"{_SERVICES}/matches/test_repository_takebacks.py", *_AUDITS),
    ),
    "services/store/log/": (
        (*_ONE, *_STORE),
        (*_ONE, *_AUDITS),
        (*_ONE, *_IMPORTS, f"{_SERVICES}/matches/test_repository_takebacks.py"),
        (*_OTHER, f"{_SERVICES}/store", *_IMPORTS),
    ),
    "services/audits/": ((*_ONE, *_AUDITS), (*_ONE, "tests/cli/commands/test_audits.py")),
}
"""By the beginning of a module's path; the first that fits counts."""


def stages(path: str) -> tuple[Stage, ...]:
    """Return the tests that concern a module, in the order in which they are run."""
    return next(chosen for beginning, chosen in STAGES.items() if path.startswith(beginning))
