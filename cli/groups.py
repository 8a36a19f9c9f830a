"""Groups of commands that import a command only when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from cli.compat import override
from cli.exits import exits


class LazyGroup(click.Group):
    """A group that knows where its commands are: name -> ``module:attribute``."""

    def __init__(self, *args: Any, lazy: Mapping[str, str] = {}, **more: Any) -> None:  # noqa: ANN401 - click's arguments
        super().__init__(*args, **more)
        self._lazy = lazy

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Return the names in the order that they were given."""
        return list(self._lazy)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Import a command."""
        where = self._lazy.get(cmd_name)
        if where is None:
            return None
        module, attribute = where.split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


class Program(LazyGroup):
    """The whole program: every expected failure ends in a sentence and an exit code."""

    @override
    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Run the command that was asked for."""
        with exits():
            return super().invoke(ctx)
