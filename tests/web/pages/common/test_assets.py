"""What every page loads: joined, packed, kept for good, and the same however it is fetched."""

from __future__ import annotations

import gzip
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
from flask.testing import FlaskClient

from tests.web.pages.readers import read
from web.pages.common.assets import join_scripts, join_sheets

NAMES = ("plybook.js", "plybook.css", "icon.svg")


def addresses(visitor: FlaskClient) -> list[str]:
    """Return the addresses of what the first page loads."""
    shown = read(visitor.get("/").text)
    linked = [one.attributes["href"] for one in shown.all("link")]
    return [*linked, *(one.attributes["src"] for one in shown.all("script"))]


def test_files_are_packed_and_kept_for_good(visitor: FlaskClient) -> None:
    found = addresses(visitor)
    assert sorted(one.rpartition("/")[2] for one in found) == sorted(NAMES)
    for address in found:
        plain = visitor.get(address)
        assert plain.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        for encoding, unpack in (("br", brotli.decompress), ("gzip", gzip.decompress)):
            answer = visitor.get(address, headers={"Accept-Encoding": encoding})
            assert answer.headers["Content-Encoding"] == encoding
            assert answer.headers["Vary"] == "Accept-Encoding"
            assert answer.headers["Content-Type"] == plain.headers["Content-Type"]
            assert answer.headers["Cache-Control"] == plain.headers["Cache-Control"]
            assert unpack(answer.data) == plain.data
            head = visitor.head(address, headers={"Accept-Encoding": encoding})
            assert head.data == b""
            assert head.headers["Content-Length"] == str(len(answer.data))
        refused = visitor.get(address, headers={"Accept-Encoding": "br;q=0, gzip;q=0"})
        assert (refused.data, refused.headers.get("Content-Encoding")) == (plain.data, None)


def test_a_page_of_another_release_gets_the_present_file_and_may_not_keep_it(
    visitor: FlaskClient,
) -> None:
    for address in addresses(visitor):
        folder, _, name = address.rpartition("/")
        other = visitor.get(f"{folder.rpartition('/')[0]}/0123456789abcdef/{name}")
        assert other.data == visitor.get(address).data
        assert other.headers["Cache-Control"] == "no-cache"
        assert visitor.get(f"{folder}/x{name}").status_code == 404


def written(folder: Path, **scripts: str) -> Path:
    for name, source in scripts.items():
        (folder / f"{name}.js").write_text(source)
    return folder


def test_a_module_runs_once_behind_what_it_imports(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        one='import { b as c, make } from "./two.js";\nimport "./three.js";\nc(make);\n',
        two="// Of two.\nlet a = 1;\nexport const b = () => a;\nexport async function make() {}\n",
        three='import { b } from "./two.js";\nexport class Three {}\nb();\n',
    )
    assert join_scripts(folder, ("one.js", "three.js")) == (
        "const two = (() => {\nlet a = 1;\nconst b = () => a;\nasync function make() {}\n"
        "return { b, make };\n})();\n"
        "const three = (() => {\nconst { b } = two;\nclass Three {}\nb();\n"
        "return { Three };\n})();\n"
        "const one = (() => {\nconst { b: c, make } = two;\n\nc(make);\n})();\n"
    )


@pytest.mark.parametrize(
    "source",
    [
        "export default 1;\n",
        "export let a = 1;\n",
        "export { a };\n",
        'export * from "./two.js";\n',
        'import two from "./two.js";\n',
        'import * as two from "./two.js";\n',
        'import { a } from "two";\n',
        'import { a } from "./two.js"\n',
        'const a = () => import("./two.js");\n',
        "const a = import.meta.url;\n",
        "await a();\n",
    ],
)
def test_what_cannot_be_joined_is_refused_by_name(tmp_path: Path, source: str) -> None:
    with pytest.raises(ValueError, match=r"one\.js: this cannot be joined: "):
        join_scripts(written(tmp_path, one=source, two=""), ("one.js",))


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, one='import "./two.js";\n', two='import "./one.js";\n')
    with pytest.raises(ValueError, match=r"one\.js imports two\.js imports one\.js"):
        join_scripts(folder, ("one.js",))


def test_sheets_are_joined_in_their_order_without_comments(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("/* Of\n a. */\na {\n  color: red; /* why */\n}\n")
    (tmp_path / "b.css").write_text("b {}\n")
    assert join_sheets(tmp_path, ("b.css", "a.css")) == "b {}\na {\n  color: red; }\n"
