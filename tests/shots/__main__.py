"""``./dev shots``: screenshots of everything, in a folder with an ``index.html`` to page through.

``./dev shots game-power-line`` takes those whose names begin so; ``--sizes 360,1280`` and
``--looks dark`` take fewer; ``--into FOLDER`` puts them elsewhere than into ``shots/``.
"""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from html import escape
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog
from playwright.sync_api import Browser, Error, Page

from tests.shots.cast import Shot
from tests.shots.stage import Stage, staged
from tests.web.pages.chromium import LOOKS, PATIENCE, started

ROOT = Path(__file__).parents[2]
SIZES = {360: 740, 768: 1024, 1280: 720, 1920: 1080}
PHONE = 700
"""Narrower ones are touched."""

PAUSES = (0, 500, 2_000)
"""Milliseconds to wait before each time that a picture is tried."""

FAILURE = ".failure-status"
"""Stands on the page for what went wrong, whatever it was."""

SEND = """([action, values]) => {
  const fits = (form) => (form.getAttribute("action") ?? "").split("?")[0] === action
    && Object.keys(values).every((name) => form.elements[name])
    && (!values.do || form.querySelector(`[name=do][value="${values.do}"]`))
    && (form.method === "post");
  const form = [...document.forms].find(fits);
  for (const [name, value] of Object.entries(values)) {
    for (const one of form.querySelectorAll(`[name="${name}"]`)) one.disabled = true;
    if (value === null) continue;
    const one = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    form.append(one);
  }
  HTMLFormElement.prototype.submit.call(form);
}"""

STYLE = """body { font: 1rem/1.4 system-ui, sans-serif; margin: 1rem; background: #ddd }
h2 { margin: 2rem 0 .5rem } nav a { margin-right: 1rem } .row { display: flex; gap: 1rem;
overflow-x: auto; align-items: flex-start } figure { margin: 0; flex: none } img { max-width: none;
width: calc(var(--w) * .45px); border: 1px solid #777; display: block }"""


def main(arguments: Sequence[str]) -> int:
    """Take the screenshots, and say what could not be taken."""
    parser = ArgumentParser(prog="./dev shots", description=__doc__)
    parser.add_argument("begins", nargs="*", help="what names begin with; left out: all")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--looks", default="light,dark")
    parser.add_argument("--into", type=Path, default=ROOT / "shots")
    wanted = parser.parse_args(arguments)
    sizes = [int(one) for one in wanted.sizes.split(",")]
    looks = wanted.looks.split(",")
    wanted.into.mkdir(parents=True, exist_ok=True)
    # What the service says of each request would stand between what is told of the progress.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.getLogger("werkzeug").disabled = True
    with TemporaryDirectory() as folder, staged(Path(folder)) as stage:
        # All of it is read now: a file that somebody changes meanwhile would not fit the rest.
        for template in stage.site.app.jinja_env.list_templates():
            stage.site.app.jinja_env.get_template(template)
        shots = [one for one in stage.shots if one.name.startswith(tuple(wanted.begins) or "")]
        with started(_chromium()) as browser:
            missed = [
                fault
                for size in sizes
                for look in looks
                for fault in _take(browser, stage, shots, (size, look), wanted.into)
            ]
    write_index(wanted.into, [one.name for one in shots], sizes, looks)
    print(f"{wanted.into / 'index.html'}: {len(shots)} pages")
    for fault in missed:
        print(fault, file=sys.stderr)
    return 1 if missed else 0


def _chromium() -> str:
    if "TEST_CHROMIUM" not in environ:
        raise SystemExit("There is no Chromium: see ./dev system.")
    return environ["TEST_CHROMIUM"]


def _take(
    browser: Browser, stage: Stage, shots: Sequence[Shot], kind: tuple[int, str], into: Path
) -> list[str]:
    """Take the shots of one size and look; return what could not be taken."""
    missed = []
    width, look = kind
    people = sorted({shot.who for shot in shots})
    pages = {who: _window(browser, stage, who, width, look) for who in people}
    for number, shot in enumerate(shots, 1):
        print(f"\r{width} {look} {number}/{len(shots)} {shot.name:<60.60}", end="", flush=True)
        fault = pictured(pages[shot.who], shot, into / file_name(shot.name, width, look))
        if fault:
            missed.append(f"{shot.name} at {width}, {look}: {fault}")
    print()
    for page in pages.values():
        page.context.close()
    return missed


def pictured(page: Page, shot: Shot, picture: Path) -> str:
    """Take a picture; return why there is none.

    What goes wrong may go wrong for a moment alone, so it is tried again. A picture of an earlier
    day is not left in the place of one that could not be taken.
    """
    picture.unlink(missing_ok=True)
    fault = ""
    for pause in PAUSES:
        page.wait_for_timeout(pause)
        try:
            fault = _open(page, shot)
            if not fault:
                page.screenshot(path=picture, full_page=not shot.awaited)
                return ""
        except Error as error:
            fault = error.message.splitlines()[0]
    return fault


def _window(browser: Browser, stage: Stage, who: str, width: int, look: str) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]},
        color_scheme=next(one for one in LOOKS if one.color_scheme == look).color_scheme,
        reduced_motion="reduce",
        has_touch=width < PHONE,
        is_mobile=width < PHONE,
    )
    context.add_cookies(stage.cookies.get(who, ()))  # type: ignore[arg-type]
    return context.new_page()


def _open(page: Page, shot: Shot) -> str:
    """Open a page, send its form if there is one to send, and wait until it stands still.

    Returns what is wrong with it.
    """
    page.goto(shot.url, wait_until="load")
    if shot.sent is not None:
        with page.expect_navigation():
            page.evaluate(SEND, list(shot.sent))
    if shot.script:
        page.evaluate(f"() => {{ {shot.script} }}")
    page.locator(shot.awaited or "body").first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(120)
    status = page.locator(FAILURE).all_text_contents()
    if bool(status) == shot.fails:
        return ""
    return f"a page that failed: {status[0]}" if status else "a page that did not fail"


def file_name(name: str, width: int, look: str) -> str:
    """Name the picture of a page."""
    return f"{name}-{width}-{look}.png"


def write_index(
    into: Path, names: Sequence[str], sizes: Sequence[int], looks: Sequence[str]
) -> None:
    """Write the pages by which a reviewer goes through: all of each page, and all of each size."""
    kinds = [(size, look) for size in sizes for look in looks]
    links = "".join(f'<a href="{size}-{look}.html">{size} {look}</a>' for size, look in kinds)
    nav = f'<nav><a href="index.html">by page</a>{links}</nav>'
    (into / "index.html").write_text(_document(nav, names, kinds), encoding="utf-8")
    for kind in kinds:
        text = _document(nav, names, [kind])
        (into / f"{kind[0]}-{kind[1]}.html").write_text(text, encoding="utf-8")


def _document(nav: str, names: Sequence[str], kinds: Sequence[tuple[int, str]]) -> str:
    parts = []
    for name in names:
        figures = "".join(
            f'<figure style="--w:{width}"><a href="{file}"><img loading="lazy" src="{file}" '
            f'alt="{escape(name)}"></a><figcaption>{width} {look}</figcaption></figure>'
            for width, look in kinds
            for file in [file_name(name, width, look)]
        )
        parts.append(f'<h2 id="{name}">{escape(name)}</h2><div class="row">{figures}</div>')
    head = f"<!doctype html><meta charset=utf-8><title>Plybook</title><style>{STYLE}</style>"
    return head + nav + "".join(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
