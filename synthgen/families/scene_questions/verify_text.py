"""Parsing of questions from left to right, by the wordings of a family."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from synthgen.authoring import parts_of


class Reader:
    """Parses one question; no position is parsed twice as the same thing.

    Args:
        text: The question.
    """

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self._known: dict[tuple[str, int], tuple[Any, int]] = {}

    @abstractmethod
    def hole(self, name: str) -> Any:
        """Read what a hole of a wording holds; None if it is not there."""

    def whole(self, wording: str) -> dict[str, Any] | None:
        """Read all of the text by a wording; return the values of its holes."""
        self.at = 0
        known = self.here(wording)
        return known if self.at == len(self.text) else None

    def here(self, wording: str) -> dict[str, Any] | None:
        """Read a wording, or stay at the same place and return None."""
        start, known = self.at, {}
        for place, part in enumerate(parts_of(wording)):
            if place % 2:
                value = self._remembered(part)
                if value is None:
                    self.at = start
                    return None
                known[part] = value
            elif self.text.startswith(part, self.at):
                self.at += len(part)
            else:
                self.at = start
                return None
        return known

    def _remembered(self, name: str) -> Any:
        """Read a hole, once at each place."""
        key = name, self.at
        if key not in self._known:
            self._known[key] = None, self.at  # for a hole that begins with itself
            self._known[key] = self.hole(name), self.at
        value, self.at = self._known[key]
        return value

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern matches here."""
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match


def one_of(options: Iterable[str]) -> str:
    """Return a regular expression of whole words, the longest first."""
    return rf"(?:{'|'.join(sorted(map(re.escape, options), key=len, reverse=True))})(?![a-z])"


def by_word(names: Mapping[str, Sequence[str]], end: str = "") -> dict[str, str]:
    """Return the value of each of its names."""
    return {name + end: value for value, some in names.items() for name in some}
