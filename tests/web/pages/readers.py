"""Reading pages: their elements, links and texts, by the standard library's parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from typing_extensions import override

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


@dataclass
class Element:
    """An element of a page; ``texts`` are those directly within it and below."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text within, spaces folded."""
        return " ".join("".join(self.texts).split())

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Return the elements within that have a tag and attributes (``class_``: one class)."""
        found = []
        for child in self.children:
            if child.tag == tag and all(child.has(*one) for one in attributes.items()):
                found.append(child)
            found += child.all(tag, **attributes)
        return found

    def one(self, tag: str, **attributes: str) -> Element:
        """Return the only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def everything(self) -> list[Element]:
        """Return all elements within."""
        return [one for child in self.children for one in (child, *child.everything())]

    def has(self, name: str, value: str) -> bool:
        """Whether an attribute has a value."""
        if name == "class_":
            return value in self.attributes.get("class", "").split()
        return self.attributes.get(name.replace("_", "-")) == value


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.at = self.root = Element("document", {})

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Element(tag, {name: value or "" for name, value in attrs}, self.at))

    @override
    def handle_endtag(self, tag: str) -> None:
        assert tag == self.at.tag, f"</{tag}> closes <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    @override
    def handle_data(self, data: str) -> None:
        element: Element | None = self.at
        while element is not None:
            element.texts.append(data)
            element = element.parent


def read(page: str) -> Element:
    """Return a page as a tree; a tag that is not closed in its place fails."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is left open"
    return reader.root
