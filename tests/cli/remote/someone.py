"""Somebody who plays at a real server through ``plybook remote``."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
from click.testing import CliRunner, Result

from cli.main import main

PASSWORD = " correct horse battery "
"""Blanks at its ends are part of it."""


def call(*words: str, home: Path, typed: str = "", **env: str) -> Result:
    """Call the program with a home of its own; there is no database to be found."""
    env = {"XDG_CONFIG_HOME": str(home), "COLUMNS": "80", "PLYBOOK_DATABASE_URL": "/nowhere", **env}
    result = CliRunner().invoke(main, ["remote", *words], input=typed, env=env, prog_name="plybook")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


class Someone:
    """A player with a home in which a login is kept."""

    def __init__(self, url: str, name: str, home: Path) -> None:
        self.url, self.name, self.home = url, name, home
        account = {"name": name, "password": PASSWORD}
        signed_up = httpx.post(f"{url}/api/v1/players", json=account, timeout=60)
        assert signed_up.status_code == 201
        done = self("login", url, name, typed=f"{PASSWORD}\n")
        assert done.exit_code == 0, done.output

    def __call__(self, *words: str, typed: str = "", **env: str) -> Result:
        return call(*words, home=self.home, typed=typed, **env)

    def done(self, *words: str, **more: str) -> str:
        """Call, and expect that it works."""
        result = self(*words, **more)
        assert result.exit_code == 0, result.output
        return result.stdout

    @property
    def file(self) -> Path:
        return self.home / "plybook" / "remote.json"


def begun(ada: Someone, bob: Someone, game: str = "power-line", *words: str) -> str:
    """Begin a match in which ada has seat 1."""
    told = ada.done("challenge", game, bob.name, "--seat", "1", *words)
    found = re.search(r"\b[0-9a-z]{16}\b", told)
    assert found is not None
    bob.done("join", found[0])
    return found[0]
