"""What every page loads: one file of scripts, one of style sheets, and the icon.

Scripts are written as modules, and style sheets by what they are about. A browser would ask for
thirty of them, one behind the other; so they are joined when they are first asked for. Their
addresses have a digest of what is in them, and can be kept for good.

Of a script each module becomes a function that runs once, behind those that it imports, and gives
what it exports:

    const common_words = (() => { ... return { _, ngettext }; })();
    const common_times = (() => { const { _ } = common_words; ... })();
"""

from __future__ import annotations

import gzip
import posixpath
import re
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]
import orjson
from flask import Blueprint, Response, url_for
from werkzeug.exceptions import NotFound

from web.http.answers import FOR_ALL_FOREVER, SHARED, Ready, choose_encoding

STATIC = Path(__file__).parents[2] / "static"

ENTRIES = (
    "common/page.js",
    "lobby/new_match.js",
    "matches/match.js",
    "puzzles/puzzle.js",
    "accounts/push.js",
)
"""Scripts that run on every page, in this order: each looks whether there is anything for it."""

SHEETS = (
    "common/tokens.css",
    "common/base.css",
    "boards/boards.css",
    "replays/replay.css",
    "lobby/lists.css",
    "matches/layout.css",
)
"""Style sheets in the order in which they count."""

SCRIPT, SHEET, ICON = "plybook.js", "plybook.css", "icon.svg"
PUSH_WORKER = "push-worker.js"

assets = Blueprint("assets", __name__)

_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"(\.[^"]*)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_UNKNOWN = re.compile(r"^(?:import|export|await)\b.*|\bimport\b *[(.].*", re.MULTILINE)
_LINE_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
_SHEET_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)


class Asset(NamedTuple):
    """A file that pages load. ``digest``: of what is in it, for its address."""

    body: bytes
    kind: str
    digest: str


@assets.get("/static/<digest>/<name>")
def show_asset(digest: str, name: str) -> Response:
    """Give a file; a page of another release gets the present one, which it may not keep."""
    if name not in (SCRIPT, SHEET, ICON):
        raise NotFound
    encoding, found = choose_encoding(), make_asset(name)
    headers = {
        "Cache-Control": FOR_ALL_FOREVER if digest == found.digest else SHARED,
        "Vary": "Accept-Encoding",
    }
    if encoding is not None:
        headers["Content-Encoding"] = encoding
    body = found.body if encoding is None else pack_asset(name, encoding)
    return Ready(body, headers=headers, content_type=found.kind)


@assets.get(f"/{PUSH_WORKER}")
def show_push_worker() -> Response:
    """Give the script that shows notices; browsers ask for it again at this very address."""
    headers = {"Cache-Control": SHARED, "Content-Security-Policy": "default-src 'none'"}
    found = make_asset(PUSH_WORKER)
    return Ready(found.body, headers=headers, content_type=found.kind)


@assets.get("/plybook.webmanifest")
def show_manifest() -> Response:
    """Tell who puts a page on a home screen what it is: on iPhones only such pages are told."""
    icon = {"src": address_of(ICON), "type": make_asset(ICON).kind, "sizes": "any"}
    home = url_for("pages.home")
    told = {"name": "Plybook", "id": home, "start_url": home, "display": "standalone"}
    headers = {"Cache-Control": SHARED}
    body = orjson.dumps({**told, "icons": [icon]})
    return Ready(body, headers=headers, content_type="application/manifest+json")


def address_of(name: str) -> str:
    """Return the address of a file that pages load."""
    return url_for("assets.show_asset", digest=make_asset(name).digest, name=name)


@cache
def make_asset(name: str) -> Asset:
    """Make one of the files."""
    make, kind = _MADE[name]
    body = make().encode()
    return Asset(body, kind, blake2b(body, digest_size=8).hexdigest())


@cache
def pack_asset(name: str, encoding: str) -> bytes:
    """Return a file as small as it gets, which takes a tenth of a second, once a process."""
    body = make_asset(name).body
    smaller: bytes = brotli.compress(body) if encoding == "br" else gzip.compress(body, mtime=0)
    return smaller


def join_scripts(folder: Path, entries: tuple[str, ...] = ENTRIES) -> str:
    """Join scripts and what they import. Raises ``ValueError`` for what cannot be joined."""
    done: dict[str, str] = {}
    for entry in entries:
        _add_module(folder, entry, done, ())
    return "".join(done.values())


def _add_module(folder: Path, script: str, done: dict[str, str], within: tuple[str, ...]) -> None:
    """Add a module to those that are ``done``, behind what it imports."""
    if script in within:
        raise ValueError(f"{' imports '.join((*within, script))}: a circle cannot be joined.")
    if script in done:
        return
    source = (folder / script).read_text(encoding="utf-8")

    def take(found: re.Match[str]) -> str:
        names, path = found.groups()
        other = posixpath.normpath(posixpath.join(posixpath.dirname(script), path))
        _add_module(folder, other, done, (*within, script))
        return f"const {names.replace(' as ', ': ')} = {_name_variable(other)};" if names else ""

    body = _EXPORT.sub(r"\1", _IMPORT.sub(take, _LINE_COMMENT.sub("", source)))
    unknown = _UNKNOWN.search(body)
    if unknown:
        raise ValueError(f"{script}: this cannot be joined: {unknown[0].strip()}")
    exported = ", ".join(name for _, name in _EXPORT.findall(source))
    gives = f"return {{ {exported} }};\n" if exported else ""
    done[script] = f"const {_name_variable(script)} = (() => {{\n{body}{gives}}})();\n"


def _name_variable(script: str) -> str:
    return re.sub(r"\W", "_", script.removesuffix(".js"))


def join_sheets(folder: Path, sheets: tuple[str, ...] = SHEETS) -> str:
    """Join style sheets."""
    texts = ((folder / sheet).read_text(encoding="utf-8") for sheet in sheets)
    return "".join(_SHEET_COMMENT.sub("", text) for text in texts)


_MADE: dict[str, tuple[Callable[[], str], str]] = {
    SCRIPT: (lambda: join_scripts(STATIC / "js"), "text/javascript; charset=utf-8"),
    PUSH_WORKER: (
        lambda: join_scripts(STATIC / "js", ("accounts/push_worker.js",)),
        "text/javascript; charset=utf-8",
    ),
    SHEET: (lambda: join_sheets(STATIC), "text/css; charset=utf-8"),
    ICON: (lambda: (STATIC / ICON).read_text(encoding="utf-8"), "image/svg+xml"),
}
