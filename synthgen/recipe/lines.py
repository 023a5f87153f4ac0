"""Line numbers of every key of a TOML text.

`tomllib` does not record positions, so the text is scanned a second time, only for keys. The
scanner expects a text that `tomllib` accepts; where it fails it keeps the lines found so far.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

Key = tuple[str, ...]
"""Path of a value; the items of an array count from "0"."""

_WHITE = re.compile(r"[ \t\r\n]*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]+")


@dataclass(frozen=True, slots=True)
class LineMap:
    """Line of each path of a file.

    Attributes:
        lines: Path -> line number from 1.
    """

    lines: Mapping[Key, int]

    def line(self, path: str | Sequence[str | int]) -> int | None:
        """Return the line of a path or of its nearest ancestor, None if none is in the file."""
        key = as_key(path)
        while key:
            if key in self.lines:
                return self.lines[key]
            key = key[:-1]
        return None


def as_key(path: str | Sequence[str | int]) -> Key:
    """Return the key of a dotted path (`split.0.rows`) or of its parts."""
    if isinstance(path, str):
        return tuple(path.split(".")) if path else ()
    return tuple(str(part) for part in path)


def line_map(text: str) -> LineMap:
    """Find the lines of all keys, tables and array items of a TOML text."""
    scanner = _Scanner(text)
    with suppress(_LostError, tomllib.TOMLDecodeError, RecursionError):
        scanner.document()
    return LineMap(scanner.lines)


class _LostError(Exception):
    """The text does not follow the grammar."""


class _Scanner:
    """Recursive descent that records lines of keys; values are skipped, not parsed."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Key, int] = {}
        self._text = text
        self._at = 0
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._newest: dict[Key, int] = {}  # array of tables -> index of its last table so far

    def document(self) -> None:
        table: Key = ()
        self._blank()
        while self._at < len(self._text):
            if self._sees("["):
                table = self._header()
            else:
                self._pair(table)
            self._blank()

    def _header(self) -> Key:
        line = self._line()
        double = self._sees("[[")
        self._at += 2 if double else 1
        *parents, name = self._key()
        self._expect("]]" if double else "]")
        table: Key = ()
        for parent in parents:
            table = (*table, parent)
            self.lines.setdefault(table, line)
            if table in self._newest:
                table = (*table, str(self._newest[table]))
        table = (*table, name)
        if double:
            self.lines.setdefault(table, line)
            self._newest[table] = self._newest.get(table, -1) + 1
            table = (*table, str(self._newest[table]))
        # A table's own header takes precedence over an earlier header that only passes through.
        self.lines[table] = line
        return table

    def _pair(self, table: Key) -> None:
        line = self._line()
        path = table
        for part in self._key():
            path = (*path, part)
            self.lines.setdefault(path, line)
        self._expect("=")
        self._eat(_SPACE)
        self._value(path)

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._eat(_SPACE)
            if self._sees("'", '"'):
                quoted = self._string()
                parts.append(str(tomllib.loads(f"key = {quoted}")["key"]))
            else:
                parts.append(self._eat(_BARE_KEY))
            self._eat(_SPACE)
            if not self._sees("."):
                return parts
            self._at += 1

    def _value(self, path: Key) -> None:
        if self._sees("["):
            self._array(path)
        elif self._sees("{"):
            self._inline_table(path)
        elif self._sees("'", '"'):
            self._string()
        else:
            self._eat(_SCALAR)

    def _array(self, path: Key) -> None:
        self._at += 1
        index = 0
        self._blank()
        while not self._sees("]"):
            item = (*path, str(index))
            self.lines[item] = self._line()
            self._value(item)
            self._comma_or("]")
            index += 1
        self._at += 1

    def _inline_table(self, path: Key) -> None:
        self._at += 1
        self._blank()
        while not self._sees("}"):
            self._pair(path)
            self._comma_or("}")
        self._at += 1

    def _comma_or(self, end: str) -> None:
        self._blank()
        if not self._sees(end):
            self._expect(",")
            self._blank()

    def _blank(self) -> None:
        """Skip white space and comments."""
        self._eat(_WHITE)
        while self._sees("#"):
            end = self._text.find("\n", self._at)
            self._at = len(self._text) if end < 0 else end
            self._eat(_WHITE)

    def _string(self) -> str:
        """Consume a string of any of the four kinds, with its quotes."""
        start, quote = self._at, self._text[self._at]
        closing = quote * 3 if self._sees(quote * 3) else quote
        self._at += len(closing)
        while True:
            end = self._text.find(closing, self._at)
            if end < 0:
                raise _LostError
            self._at = end + 1
            if quote == "'" or not self._is_escaped(end):
                break
        self._at = end + len(closing)
        if len(closing) == 3:
            # Up to two quotes may directly precede the three that close it.
            self._eat(re.compile(f"{quote}{{0,2}}"))
        return self._text[start : self._at]

    def _is_escaped(self, at: int) -> bool:
        before = at
        while self._text[before - 1] == "\\":
            before -= 1
        return (at - before) % 2 == 1

    def _sees(self, *tokens: str) -> bool:
        return self._text.startswith(tokens, self._at)

    def _expect(self, token: str) -> None:
        if not self._sees(token):
            raise _LostError
        self._at += len(token)

    def _eat(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise _LostError
        self._at = match.end()
        return match.group()

    def _line(self) -> int:
        return bisect_left(self._breaks, self._at) + 1
