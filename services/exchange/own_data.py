"""All that the service has of a player, as one file; docs/accounts.md leads to its JSON Schema.

Matches stand there as their player may see them, and no more: of a running match nothing of the
other hand. What others wrote is theirs, and is left out. No secret is in the file: of tokens,
sessions and codes it says that there are some, and when they were made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import orjson
from sqlalchemy import Connection

from domain.errors import Corruption, UnknownGame
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.clock import format_instant
from domain.match.conditional_moves import dump_lines
from services.accounts.accounts import Accounts
from services.accounts.relations import Relations
from services.errors import NotFound
from services.lobby.series import SeriesQueries, series_json
from services.matches.match_json import match_json
from services.matches.queries import Asker, MatchQueries
from services.matches.repository import Appended
from services.ratings.leaderboards import Leaderboards, change_json
from services.store import accounts, conditional_moves, puzzles, ratings, talk, vacations
from services.store.lobby.filters import RowFilters, iter_match_ids
from services.store.notices import channels
from services.store.notices.channels import CALENDAR, FEED, MAIL, PUSH, WEBHOOK
from services.store.people import moderation, passkeys, profiles, recovery_codes

FORMAT, FORMAT_VERSION = "plybook/own-data", 1


class OwnFile(NamedTuple):
    """A file: its name, and its bytes in pieces."""

    name: str
    chunks: Iterator[bytes]


@dataclass(frozen=True, slots=True)
class OwnData:
    """Gathers what there is of a player."""

    accounts: Accounts
    relations: Relations[Appended]
    queries: MatchQueries
    series: SeriesQueries
    leaderboards: Leaderboards

    def make_file(self, name: str, password: str) -> OwnFile:
        """Return the file of a player who shows the password. Raises ``Unauthenticated``."""
        row = self.accounts.check_password(name, password)
        return OwnFile(f"plybook-{row.name}.json", self._write_pieces(row.id))

    def _write_pieces(self, player: str) -> Iterator[bytes]:
        """Yield the file; matches are read one by one, however many there are."""
        head = self._gather_rest(player)
        yield orjson.dumps(head)[:-1] + b',"matches":['
        series: dict[str, None] = {}
        between = b""
        for match_id in iter_match_ids(self.queries.database, RowFilters(mine=player)):
            try:
                found = self._show_match(player, match_id)
            except (UnknownGame, Corruption) as fault:
                # Part of the file is sent already: it is to be whole, without this one.
                self.queries.leave_out(match_id, fault)
                continue
            if found["match"]["series"] is not None:
                series[found["match"]["series"]["id"]] = None
            yield between + orjson.dumps(found)
            between = b","
        told = [series_json(one) for one in self.series.show_all(Asker(player), [*series])]
        yield b'],"series":' + orjson.dumps(told) + b"}\n"

    def _gather_rest(self, player: str) -> JsonObject:
        related, now = self.relations.get_related(player), format_instant(self.accounts.now())
        tokens = [one._asdict() for one in self.accounts.list_tokens(player)]
        rated = self._list_ratings(player)
        with self.accounts.database.read() as connection:
            return {
                "format": FORMAT,
                "format_version": FORMAT_VERSION,
                "made_at": now,
                "account": _show_account(connection, player),
                "tokens": tokens,
                "passkeys": [
                    {"label": one.label, "created_at": one.created_at, "used_at": one.used_at}
                    for one in passkeys.list_by_player(connection, player)
                ],
                "sessions": _list_sessions(connection, player, now),
                "channels": [
                    {
                        "kind": one.kind,
                        "name": one.name,
                        "address": one.address,
                        "types": one.types.split(),
                        "created_at": one.created_at,
                    }
                    for kind in (WEBHOOK, FEED, CALENDAR, *MAIL, PUSH)
                    for one in channels.list_by_player(connection, player, kind)
                ],
                "blocked": [str(one) for one in related.blocked],
                "followed": [str(one) for one in related.followed],
                "vacations": [
                    _omit_player(one) for one in vacations.list_by_player(connection, player, "")
                ],
                "puzzles": [one._asdict() for one in puzzles.list_attempts(connection, player)],
                "ratings": rated,
                "chat": [one._asdict() for one in talk.list_said_by(connection, player)],
                "notes": [_omit_player(one) for one in talk.list_all_notes(connection, player)],
                "moderation": [
                    _omit_player(one) for one in moderation.list_concerning(connection, player)
                ],
            }

    def _list_ratings(self, player: str) -> list[Json]:
        with self.accounts.database.read() as connection:
            now = ratings.list_by_players(connection, [player])
        return [
            {
                "game": game,
                **one.rating._asdict(),
                "matches": one.matches,
                "last_at": one.last_at,
                "changes": [change_json(it) for it in self.leaderboards.list_changes(player, game)],
            }
            for (game, _), one in now.items()
        ]

    def _show_match(self, player: str, match_id: str) -> JsonObject:
        look = Asker(player)
        shown = self.queries.show(look, match_id)
        with self.queries.database.read() as connection:
            seat = shown.you
            kept = seat and conditional_moves.get(connection, match_id, seat)
        return {
            "match": match_json(shown),
            "events": self.queries.show_events(look, match_id).events,
            "conditional_moves": dump_lines(kept.lines) if kept else [],
        }


def _show_account(connection: Connection, player: str) -> JsonObject:
    row, chosen = accounts.find_by_id(connection, player), profiles.get(connection, player)
    codes = recovery_codes.count(connection, player)
    if row is None:
        raise NotFound(say("There is no such player."))
    return {
        "id": row.id,
        "name": row.name,
        "created_at": row.created_at,
        "administrator": row.admin,
        "display_name": chosen.display_name,
        "time_zone": chosen.time_zone,
        "language": chosen.language,
        "shows_record": chosen.shows_record,
        "shows_matches": chosen.shows_matches,
        "recovery_codes": codes._asdict(),
    }


def _list_sessions(connection: Connection, player: str, now: str) -> list[Json]:
    return [
        {"browser": one.agent, "created_at": one.created_at, "expires_at": one.expires_at}
        for one in accounts.list_sessions(connection, player, now)
    ]


def _omit_player(row: NamedTuple) -> JsonObject:
    return {name: value for name, value in row._asdict().items() if name not in ("player", "actor")}
