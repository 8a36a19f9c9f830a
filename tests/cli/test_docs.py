"""The page about the program is up to date, and what it shows works.

To write the help texts anew: ``python -m tests.cli.test_docs``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cli.main import main
from cli.terminal import exits
from services.replays.keyboard import KEYS
from tests.cli.processes import ROOT

PAGE = ROOT / "docs" / "cli.md"
MARK = "<!-- made by: python -m tests.cli.test_docs -->\n"
KEYS_MARK = "<!-- keys made by: python -m tests.cli.test_docs -->\n"
KEYS_END = "<!-- end of keys -->\n"


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield every command and group with its full name."""

    def below(
        name: str, command: click.Command, parent: click.Context | None
    ) -> Iterator[tuple[str, click.Command, click.Context]]:
        settings = {**main.context_settings, "terminal_width": 88}
        context = click.Context(command, parent, name.rpartition(" ")[2], **settings)
        yield name, command, context
        if isinstance(command, click.Group):
            for one in command.list_commands(context):
                found = command.get_command(context, one)
                assert found is not None
                yield from below(f"{name} {one}", found, context)

    return below("plybook", main, None)


def help_texts() -> str:
    return "".join(
        f"\n### {name}\n\n```text\n{context.get_help()}\n```\n" for name, _, context in commands()
    )


def keys_table() -> str:
    rows = [
        (" ".join(f"`{key}`" for key in one.list_labels(everything=True)), one.meaning)
        for one in KEYS
    ]
    lines = [
        "| key | what it does |",
        "| --- | --- |",
        *(f"| {keys} | {said} |" for keys, said in rows),
    ]
    return "".join(f"{line}\n" for line in lines)


def test_the_page_has_every_key_of_a_replay() -> None:
    made = PAGE.read_text(encoding="utf-8").partition(KEYS_MARK)[2].partition(KEYS_END)[0]
    assert made == f"\n{keys_table()}\n", "run: python -m tests.cli.test_docs"


def test_the_page_has_the_help_of_every_command() -> None:
    written, mark, made = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert mark
    assert made == help_texts(), "run: python -m tests.cli.test_docs"
    assert "### plybook" not in written


def test_the_page_documents_every_exit_code() -> None:
    documented = set(
        map(int, re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    )
    codes = {value for value in vars(exits).values() if type(value) is int}
    assert documented == codes


@pytest.mark.parametrize(
    ("name", "command"),
    [(name, command) for name, command, _ in commands()],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_command_has_an_example_that_parses(
    name: str, command: click.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for given in ("deck.json", "line.json", "lines.json"):
        (tmp_path / given).write_text("{}", encoding="utf-8")
    for kept in ("kept.json", "keys.json", "match.ndjson"):
        (tmp_path / kept).touch()
    examples = re.findall(
        rf"^  (?:\w+=\w+ )?({name} ?[^|&>\n]*)", command.epilog or "", re.MULTILINE
    )
    assert examples
    for example in examples:
        words = shlex.split(example)[len(name.split()) :]
        if isinstance(command, click.Group) and (words or not command.invoke_without_command):
            context = command.make_context(name, [*words])
            assert command.resolve_command(context, words)[1] is not None
        else:
            command.make_context(name, words)


def write_page() -> None:
    """Write what the page says of commands and keys anew."""
    text = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    before, mark, rest = text.partition(KEYS_MARK)
    text = f"{before}{mark}\n{keys_table()}\n{KEYS_END}{rest.partition(KEYS_END)[2]}"
    Path(PAGE).write_text(text + MARK + help_texts(), encoding="utf-8")


if __name__ == "__main__":
    write_page()
