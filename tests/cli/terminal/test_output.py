"""Counts that are shown while they grow."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from cli.terminal import output


def test_ctrl_c_while_a_count_comes_back_stops_it_and_shows_the_cursor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, shown = StringIO(), Console.show_cursor
    hidden = 0

    def show_cursor(console: Console, show: bool = True) -> bool:  # noqa: FBT001, FBT002 - as rich has it
        nonlocal hidden
        hidden += not show
        if hidden == 2 and not show:
            raise KeyboardInterrupt
        return shown(console, show)

    def terminal(**_: bool) -> Console:
        return Console(file=told, force_terminal=True, _environ={"TERM": "xterm"})

    monkeypatch.setattr(output, "Console", terminal)
    monkeypatch.setattr(Console, "show_cursor", show_cursor)
    with pytest.raises(KeyboardInterrupt), output.counting("events") as counted:
        counted.run_aside(lambda: None)
    assert told.getvalue().endswith("\x1b[?25h")
