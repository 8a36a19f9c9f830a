"""The reader of pages: it sees what the standard library sees, and lets nothing crooked pass."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from typing_extensions import override

from tests.web.pages.readers import PageParser, read

PAGE = """<!doctype html>
<html lang=en><!-- <b> --><TITLE>a &amp; b</TITLE>
<p CLASS='a b' disabled title="x &quot;&lt;b&gt;">a &lt; b<br><input value="">
<svg viewBox="0 0 1 1"><g/><path d="M0 0"/></svg>
<script type="module">if (a<b && c) {"</p>"}</script><script src="/x"></script>
<style>a>b{}</style></p></html>
"""


class _Calls(HTMLParser):
    """Writes down what a parser calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[object] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.calls.append((tag, [(name, value or "") for name, value in attrs]))

    @override
    def handle_endtag(self, tag: str) -> None:
        self.calls.append(f"/{tag}")

    @override
    def handle_data(self, data: str) -> None:
        self.calls.append(("text", data))


class _OurCalls(PageParser, _Calls):
    pass


def test_a_page_is_taken_apart_as_the_standard_library_does_it() -> None:
    theirs, ours = _Calls(), _OurCalls()
    for one in (theirs, ours):
        one.feed(PAGE)
    theirs.close()
    assert len(ours.calls) > 20
    assert ours.calls == theirs.calls


def test_texts_are_those_of_an_element_and_of_what_is_in_it() -> None:
    shown = read("<p>a<b>b<i>c</i></b><br>d</p><p>e</p>")
    texts = [(one.tag, one.text) for one in shown.everything()]
    assert texts == [("p", "abcd"), ("b", "bc"), ("i", "c"), ("br", ""), ("p", "e")]


@pytest.mark.parametrize(
    "page",
    [
        "<p>a",
        "<p><b></p></b>",
        "<p>a</b></p>",
        '<p a="x>y</p>',
        "<p <b></b></p>",
        "<p>a < b</p>",
        "<script>x",
        "<p>a</p",
    ],
)
def test_what_is_not_closed_in_its_place_fails(page: str) -> None:
    with pytest.raises(AssertionError):
        read(page)
