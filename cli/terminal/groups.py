"""Groups of commands, in the order in which they were given; some imported when asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from shutil import get_terminal_size
from typing import Any

import click
from typing_extensions import override

from cli.terminal.exits import exits


class LazyGroup(click.Group):
    """A group that knows where some of its commands are: name -> ``module:attribute``."""

    def __init__(self, *args: Any, lazy: Mapping[str, str] = {}, **more: Any) -> None:  # noqa: ANN401 - click's arguments
        super().__init__(*args, **more)
        self._lazy = lazy

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order that they were given."""
        return [*self._lazy, *self.commands]

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        where = self._lazy.get(cmd_name)
        if where is None:
            return super().get_command(ctx, cmd_name)
        module, attribute = where.split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed. Raises ``UsageError``, which names what is alike."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            alike = get_close_matches(args[0], self.list_commands(ctx))
            if not alike:
                raise
            meant = f"{error.message} Did you mean {' or '.join(alike)}?"
            raise click.UsageError(meant, ctx) from error


NARROW = 52
"""Columns below which click, left alone, writes help that is wider than the terminal."""


class Program(LazyGroup):
    """The whole program: every expected failure ends in a sentence and an exit code."""

    @override
    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Begin a call; on a narrow terminal the help is as narrow."""
        columns = get_terminal_size().columns
        if columns < NARROW:
            extra.setdefault("terminal_width", columns)
        with exits():
            return super().make_context(info_name, args, parent, **extra)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        # Closed, as by `<&-` and `>&-`: there is nothing to read, and nobody who reads.
        if sys.stdin is None:
            sys.stdin = ctx.with_resource(open(os.devnull))  # noqa: PTH123, SIM115
        if sys.stdout is None:
            sys.stdout = ctx.with_resource(open(os.devnull, "w"))  # noqa: PTH123, SIM115
        with exits():
            return super().invoke(ctx)
