"""Rule books in the terminal: formatted on a terminal, as written where they are piped."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown

READABLE = 88
"""Lines of prose longer than this are hard to read, however wide the terminal is."""


def show_markdown(text: str, console: Console) -> None:
    """Print Markdown. What is piped stays Markdown, so that other tools can have it."""
    if console.is_terminal:
        console.print(Markdown(text), width=min(READABLE, console.width))
    else:
        console.out(text.rstrip("\n"), highlight=False)
