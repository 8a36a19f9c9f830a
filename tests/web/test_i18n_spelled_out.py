"""Every sentence in the code is one that translators are given: none is made in passing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.texts import TEMPLATE, WEB, collect, template, texts_of
from web.i18n import COUNTED

ROOT = WEB.parent
APART = {
    *("store", "exchange", "audits", "checkpoints", "drawing"),
    *("settings.py", "logs.py"),
    *("choices.py", "server.py", "metrics.py", "gateway.py", "rebuild.py", "worker.py"),
    *("rated_matches.py", "mail_folder.py", "key_file.py", "vapid_key.py"),
}
"""Folders and modules of ``services`` that no page shows a sentence of: files, logs, terminals."""

MODULES = sorted(
    [
        *(ROOT / "domain").rglob("*.py"),
        *(one for one in (ROOT / "services").rglob("*.py") if not APART.intersection(one.parts)),
        *(WEB / "pages").rglob("*.py"),
    ]
)
SAYS = {"say", "say_many", "N_", "_", "ngettext"}
FAULTS = {"ValueError", "Corruption", "TypeError", "RuntimeError"}
"""What nobody is shown: the fault of a program, or of what is stored."""

WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z]{2,}(?![\w-])")
NO_SENTENCES = {
    *(
        "answered before",
        "cursor of {}",
        "cursor of players",
        "line of {}",
        "match {} has gone on",
        "the password of nobody at all",
    ),
    *("text/javascript; charset=utf-8", "text/css; charset=utf-8"),
    *("application/atom+xml; charset=utf-8", "text/calendar; charset=utf-8"),
    *('attachment; filename="{}"', "{} is no name of a host"),
    *("passkey to add", "passkey to log in by"),
    # With what display names are compared.
    *("the house", "house level", "closed account", "deleted account"),
    *("left hand", "right hand", "free seat"),
    *("private, no-store", *(text for pair in COUNTED for text in pair)),
}
"""Texts with two words that nobody reads; and those that scripts have themselves."""


def sentences(node: ast.AST) -> Iterator[str]:
    """Yield texts with words side by side that are no argument of what says, or looks up."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in SAYS | FAULTS:
            return
        case ast.Expr(value=ast.Constant()):
            return
        case ast.JoinedStr(values=values):
            text = "".join(
                str(one.value) if isinstance(one, ast.Constant) else "{}" for one in values
            )
            yield from _found(text)
        case ast.Constant(value=str(text)):
            yield from _found(text)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from sentences(child)


def _found(text: str) -> list[str]:
    return [text] if WORDS.search(text) and text not in NO_SENTENCES else []


def _looked_up(tree: ast.AST) -> ast.AST:
    """Leave out by which texts a table is looked into: they are said where they come from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            node.keys = [None for _ in node.keys]
    return tree


@pytest.mark.parametrize("path", MODULES, ids=lambda one: str(one.relative_to(ROOT)))
def test_no_sentence_is_made_in_passing(path: Path) -> None:
    tree: ast.AST = ast.parse(path.read_text(encoding="utf-8"))
    tree = _looked_up(tree) if path.name in {"persons.py", "words.py"} else tree
    assert list(sentences(tree)) == []


@pytest.mark.parametrize(
    "source",
    [
        'x = f"P{seat} goes on"',
        'raise Refusal("Not that.")',
        'x = say("Yes.") + "Or not that"',
        'x = ["one", f"{a} and some more"]',
    ],
)
def test_a_sentence_made_in_passing_is_found(source: str) -> None:
    assert len(list(sentences(ast.parse(source)))) == 1


def test_templates_are_written_out_where_they_are_said() -> None:
    found = [
        (str(path.relative_to(ROOT)), node.lineno)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in {"say", "say_many"} and isinstance(node.args[0], ast.JoinedStr)
    ]
    assert found == []


def test_the_template_on_disk_has_every_text() -> None:
    """``python -m tests.texts`` writes it anew."""
    assert TEMPLATE.read_bytes() == template()
    assert len(texts_of(collect())) > 1405
