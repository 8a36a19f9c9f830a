"""The replay of a match elsewhere, as the service gives it."""

from __future__ import annotations

import time

from typing_extensions import override

from cli.remote.connection import Connection
from cli.remote.match_json import read_replay
from cli.replay.source import ReplaySource
from cli.terminal.exits import NOT_FOUND, Failure
from services.replays.replay import Replay

BETWEEN = 3.0
"""Seconds between two looks at a match that is replayed while it goes on."""


class RemoteReplay(ReplaySource):
    """A match of a service; without ``asked`` as the one whose login it is."""

    def __init__(self, there: Connection, match_id: str, asked: str | None) -> None:
        super().__init__(match_id, asked)
        # While a match runs, whatever was asked for, the eyes there are are one's own.
        self._at_first = None
        self._there = there
        self._looked = time.monotonic()

    @override
    def load(self) -> Replay:
        path = f"/matches/{self.match}/replay"
        found = self._there.get(path, scene=True, **{"as": self.asked})
        self._looked = time.monotonic()
        return read_replay(found, self._there.get(f"/games/{found['match']['game']}")["name"])

    @override
    def find_news(self, found: Replay) -> Replay | None:
        if time.monotonic() < self._looked + BETWEEN:
            return None
        self._looked = time.monotonic()
        now, before = self._there.get(f"/matches/{self.match}"), found.shown.view
        same = (now["version"], now["updated_at"]) == (before.version, before.updated_at)
        # Another instant at the same version: a backup has taken the place of the match.
        return None if same else self.load()

    @override
    def list_statuses(self, series: str) -> dict[str, str]:
        try:
            matches = self._there.get(f"/series/{series}")["matches"]
        except Failure as missing:
            if missing.code != NOT_FOUND:
                raise
            return {}
        return {one["match"]: one["status"] for one in matches}
