"""Templates, style sheets and scripts: all are used, and all that is used is there.

They lie in folders called like the packages of the pages, and keep to the directions of those.
"""

from __future__ import annotations

import ast
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from jinja2 import Environment, meta, nodes

from web.pages.common.assets import ENTRIES, ICON, SCRIPT, SHEET, SHEETS

WEB = Path(__file__).parents[3] / "web"
TEMPLATES = {
    str(path.relative_to(WEB / "templates")): path.read_text(encoding="utf-8")
    for path in sorted((WEB / "templates").rglob("*.html"))
}
STATIC = {
    str(path.relative_to(WEB / "static")): path
    for path in sorted((WEB / "static").rglob("*"))
    if path.is_file()
}
MODULES = sorted((WEB / "pages").rglob("*.py"))
API = sorted((WEB / "api").rglob("*.py"))
"""The page about the interface for programs has a template as well."""
IMPORTED = re.compile(r'^import .* from "(\.[^"]*)";$', re.MULTILINE)


def test_no_line_begins_with_the_dot_that_separates_what_stands_before_it() -> None:
    loose = [name for name, text in TEMPLATES.items() if re.search("(?<!&#160;)·", text)]
    assert loose == []


def parsed(template: str) -> nodes.Template:
    return Environment(extensions=["jinja2.ext.i18n"], autoescape=True).parse(TEMPLATES[template])


def taken_by(template: str) -> set[str]:
    """Return the templates that one extends, includes or imports from."""
    found = set(meta.find_referenced_templates(parsed(template)))
    assert None not in found, f"{template} takes a template that no reader can name"
    return {str(one) for one in found}


def rendered_by(module: Path) -> set[str]:
    """Return the templates that a module names."""
    return {one for one in constants(module) if one.endswith(".html")}


def constants(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def linked_by(template: str) -> set[str]:
    """Return the files that a template names."""
    texts = (one.value for one in parsed(template).find_all(nodes.Const))
    return {one for one in texts if isinstance(one, str) and one.endswith((".css", ".js", ".svg"))}


def imported_by(script: str) -> set[str]:
    """Return the scripts that a script imports."""
    source = STATIC[script].read_text(encoding="utf-8")
    here = posixpath.dirname(script)
    return {posixpath.normpath(posixpath.join(here, one)) for one in IMPORTED.findall(source)}


def test_every_template_is_rendered_or_taken_by_another_one() -> None:
    rendered = set(chain.from_iterable(map(rendered_by, [*MODULES, *API])))
    taken = set(chain.from_iterable(map(taken_by, TEMPLATES)))
    assert rendered | taken == set(TEMPLATES)


def test_every_static_file_is_joined_or_imported_and_templates_link_what_is_joined() -> None:
    scripts = [one for one in STATIC if one.endswith(".js")]
    linked = set(chain.from_iterable(map(linked_by, TEMPLATES)))
    imported = set(chain.from_iterable(map(imported_by, scripts)))
    assert linked == {SCRIPT, SHEET, ICON}
    by_itself = {"js/accounts/push_worker.js"}
    assert by_itself | {f"js/{one}" for one in ENTRIES} | imported | {*SHEETS, ICON} == set(STATIC)


def levels() -> dict[str, int]:
    """Return how high each package of the pages stands, as the contracts of imports have it."""
    settings = tomllib.loads((WEB.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["id"] == "pages")
    return {
        name: len(layers) - place
        for place, layer in enumerate(layers)
        for name in layer.split(" | ")
    }


def feature(file: Path | str) -> str:
    """Return the package of the pages to which a module or a template belongs."""
    return Path(file).with_suffix("").parts[0]


def upwards(arrows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the arrows that lead to another feature which does not stand below."""
    level = levels()
    return [
        (user, used)
        for user, used in arrows
        if feature(user) != feature(used) and level[feature(user)] <= level[feature(used)]
    ]


def test_scripts_import_from_their_feature_or_from_what_it_stands_on() -> None:
    scripts = [one for one in STATIC if one.endswith(".js")]
    arrows = [(one, used) for one in scripts for used in imported_by(one)]
    assert len(arrows) > len(scripts)
    assert upwards((one[len("js/") :], used[len("js/") :]) for one, used in arrows) == []


def test_pages_and_templates_take_templates_of_their_feature_or_of_what_it_stands_on() -> None:
    arrows = [
        *(
            (str(module.relative_to(WEB / "pages")), template)
            for module in MODULES
            for template in rendered_by(module)
        ),
        *((template, taken) for template in TEMPLATES for taken in taken_by(template)),
    ]
    assert len(arrows) > len(TEMPLATES)
    assert upwards(arrows) == []


@pytest.mark.parametrize("folder", ["templates", "static", "static/js"])
def test_folders_are_called_like_the_packages_of_the_pages(folder: str) -> None:
    folders = {one.name for one in (WEB / folder).iterdir() if one.is_dir()} - {"js"}
    assert folders
    assert folders <= levels().keys() | {"api"}
