"""The units of a text that constraints count: words, runs, sentences, paragraphs and lines.

A word is a piece between blanks or long dashes that holds a letter or digit, without other
characters at its ends: "don't", "well-known" and "3.14" are one word each. The marks of list items,
numbers and headings at the start of a line are not words. Words are compared in lower case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from unicodedata import combining

_ITEM = re.compile(r"\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)")
"""The mark of a list item, a numbered item or a heading at the start of a line."""
_DIVIDER = re.compile(r"\s*(?:\*{3,}|-{3,}|_{3,})\s*")
_TITLE = re.compile(r"\s*<<[^<>]*>>\s*")
_LABEL = re.compile(r"\s*[^\W\d_]+ \d+:?\s*")
_ABBREVIATIONS = frozenset("mr. mrs. ms. dr. prof. st. vs. cf. e.g. i.e. etc. p.m. a.m.".split())
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+")
_CLOSERS = "\"'”’»)]}*_"
_CLOSING_QUOTES = tuple("\"'”’»")
_OPENERS = "\"'“‘«([{*_"
_ENDS = ".!?…。！？।؟۔"
_UNSPACED_END = re.compile(r"(?<=[。！？])(?=\w)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence.

    Attributes:
        text: Text as written, with single blanks.
        words: Words, at least one.
    """

    text: str
    words: tuple[str, ...]


class Answer:
    r"""A text to grade, whose units are computed when a constraint first uses them.

    Args:
        text: Text; line ends become "\n" and blanks at both ends are dropped.
    """

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n").strip()

    @cached_property
    def lowered(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @cached_property
    def lines(self) -> list[str]:
        """The lines that are not blank."""
        return [line for line in self.text.split("\n") if line.strip()]

    @cached_property
    def words(self) -> list[str]:
        """The words as written."""
        return [word for line in self.lines for word in words_of(line)]

    @cached_property
    def lowered_words(self) -> list[str]:
        """The words in lower case."""
        return [word.lower() for word in self.words]

    @cached_property
    def runs(self) -> list[str]:
        """Maximal runs of letters, digits and underscores, in lower case."""
        return re.findall(r"\w+", self.lowered)

    @cached_property
    def paragraphs(self) -> list[str]:
        """The texts between blank lines that hold a word."""
        return [part for part in re.split(r"\n[^\S\n]*\n\s*", self.text) if has_word(part)]

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences."""
        return [
            sentence
            for paragraph in self.paragraphs
            for block in _blocks(paragraph)
            for sentence in _sentences_of(block)
        ]


def has_word(text: str) -> bool:
    """Return whether a text holds a word."""
    return any(words_of(line) for line in text.split("\n"))


def words_of(line: str) -> list[str]:
    """Return the words of a line, as written."""
    return _words_in(without_mark(line))


def _words_in(text: str) -> list[str]:
    return [word for word in map(bare, text.replace("—", " ").split()) if word]


def without_mark(line: str) -> str:
    """Return a line without the mark of a list item or heading at its start."""
    item = _ITEM.match(line)
    return line[item.end() :] if item else line


def bare(piece: str) -> str:
    """Return a piece without the characters at its ends that are not letters or digits."""
    start, end = 0, len(piece)
    while start < end and not piece[start].isalnum():
        start += 1
    while end > start and not piece[end - 1].isalnum() and not combining(piece[end - 1]):
        end -= 1
    return piece[start:end]


def _blocks(paragraph: str) -> list[str]:
    """Split a paragraph into blocks: lines that end a sentence by themselves, and joined others."""
    blocks: list[list[str]] = []
    joins = False
    for line in paragraph.split("\n"):
        apart = any(kind.fullmatch(line) for kind in (_DIVIDER, _TITLE, _LABEL))
        item = _ITEM.match(line)
        if joins and not apart and not item:
            blocks[-1].append(line)
        else:
            blocks.append([line[item.end() :] if item else line])
        joins = not apart and not item
    return [" ".join(lines) for lines in blocks]


def _sentences_of(block: str) -> list[Sentence]:
    pieces = (block if block.isascii() else _UNSPACED_END.sub(" ", block)).split()
    sentences: list[Sentence] = []
    start = 0
    for at, piece in enumerate(pieces):
        last = at == len(pieces) - 1
        if last or _ends(piece, pieces[at + 1]):
            text = " ".join(pieces[start : at + 1])
            words = tuple(_words_in(text))
            if words:
                sentences.append(Sentence(text, words))
            start = at + 1
    return sentences


def _ends(piece: str, following: str) -> bool:
    """Return whether a piece ends a sentence that another one follows."""
    core = piece.rstrip(_CLOSERS)
    if not core or core[-1] not in _ENDS:
        return False
    plain = core.lstrip(_OPENERS).lower()
    if core[-1] != "." or plain.endswith(".."):
        inside = core[-1] in ".…" or piece[len(core) :].startswith(_CLOSING_QUOTES)
        return not (inside and following[0].islower())
    if plain == "no.":
        return not following[0].isdigit()
    if plain in _ABBREVIATIONS or _DOTTED.fullmatch(plain):
        return False
    return not (plain[:-1].isdigit() and following.lstrip(_OPENERS)[:1].islower())
