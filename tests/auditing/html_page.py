"""An HTML page as tests see it: its elements in order, and their texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "hr"}


@dataclass
class Element:
    name: str
    attributes: dict[str, str]
    text: str = ""
    inside: list[str] = field(default_factory=list)


class Page(HTMLParser):
    """Elements of a page; `faults` are ends that do not match what is open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.faults: list[str] = []
        self._open: list[Element] = []
        self.feed(text)
        self.close()
        self.faults += [f"{each.name} is never closed" for each in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = Counter(name for name, _ in attrs)
        self.faults += [f"{tag} has {name} twice" for name, n in names.items() if n > 1]
        attributes = {name: value or "" for name, value in attrs}
        made = Element(tag, attributes, inside=[each.name for each in self._open])
        self.elements.append(made)
        if tag not in VOID:
            self._open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1].name == tag:
            self._open.pop()
        else:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        for each in self._open:
            each.text += data

    def all(self, name: str, **attributes: str) -> list[Element]:
        """Return elements of a name whose attributes have these values; `kind` is a class."""
        kind = attributes.pop("kind", None)
        return [
            each
            for each in self.elements
            if each.name == name
            and all(each.attributes.get(key) == value for key, value in attributes.items())
            and (kind is None or kind in each.attributes.get("class", "").split())
        ]

    def one(self, name: str, **attributes: str) -> Element:
        (found,) = self.all(name, **attributes)
        return found
