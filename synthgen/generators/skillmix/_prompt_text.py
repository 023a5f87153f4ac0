"""Mixes as prompts, and their rubrics as compact JSON with sorted keys.

Both are programs over a table of texts: the pieces of the wordings and of the JSON, then one group
for each thing that varies with the skill, the topic or the size. A kernel runs them row by row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes
from synthgen.core.columns import text_bytes, text_column, text_list
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.skill_inventory import Skill
from synthgen.generators.skillmix._prompt_wordings import (
    LIMIT,
    SKILLS,
    TOPIC,
    WORDINGS,
    limit_of,
    limit_text,
)

Ints = NDArray[np.int64]
Columns = NDArray[np.int16]
Table = tuple[NDArray[np.uint8], Ints]
STYLES = ("definitions", "names", "examples")

_LITERAL, _BY_TOPIC, _BY_SIZE, _BY_SKILL, _LISTED = range(5)
_MOST_SKILLS = 6
_COMMA = np.uint8(ord(","))
_SKILL, _ABOUT, _SENSE = "Illustrates ", "Pertains to ", "Makes sense"


@dataclass(frozen=True)
class Program:
    """How to write a column.

    Attributes:
        steps: of each variant, (kind, first text) pairs, int64 (m, 2), and their offsets.
        texts: bytes and offsets of all texts.
    """

    steps: Ints
    offsets: Ints
    texts: Table

    def write(
        self, variants: Ints, sizes: Columns, topics: Columns, order: Columns
    ) -> pa.StringArray:
        """Write one text a row.

        Args:
            variants: which steps each row has, (n,).
            sizes: of the rows, (n,).
            topics: of the rows, (n,).
            order: their skills, (n, m).
        """
        mixes = (sizes, topics, order)
        return text_column(*_write(variants, *mixes, self.steps, self.offsets, *self.texts))


class _Texts:
    """Collects texts and says at which number each group begins."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def add(self, texts: Sequence[str]) -> int:
        """Append texts and return the number of the first."""
        self.all += texts
        return len(self.all) - len(texts)

    def table(self) -> Table:
        """Return bytes and offsets of all texts."""
        return text_bytes(text_list(self.all))


def _program(variants: Sequence[Sequence[tuple[int, int]]], texts: _Texts) -> Program:
    steps = [step for variant in variants for step in variant]
    ends = np.cumsum([0, *(len(variant) for variant in variants)])
    return Program(np.array(steps, np.int64), ends.astype(np.int64), texts.table())


@lru_cache(maxsize=16)
def prompt_program(skills: tuple[Skill, ...], topics: tuple[str, ...], style: str) -> Program:
    """Return how to write prompts, with one variant for each wording."""
    texts = _Texts()
    groups = {
        TOPIC: (_BY_TOPIC, texts.add(topics)),
        LIMIT: (_BY_SIZE, texts.add([limit_text(k) for k in range(_MOST_SKILLS + 1)])),
        SKILLS: (_BY_SKILL, texts.add([_line(skill, style) for skill in skills])),
    }
    variants = [
        [
            groups[piece] if piece in groups else (_LITERAL, texts.add([piece]))
            for piece in re.split(r"(\{\w+\})", wording)
            if piece
        ]
        for wording in WORDINGS
    ]
    return _program(variants, texts)


def _line(skill: Skill, style: str) -> str:
    """Write a skill as a line of the list."""
    if style == "names":
        return f"\n- {skill.name}"
    example = f" Example: {skill.example}" if style == "examples" else ""
    return f"\n- {skill.name}: {skill.definition}{example}"


@lru_cache(maxsize=16)
def rubric_program(skills: tuple[Skill, ...], topics: tuple[str, ...]) -> Program:
    """Return how to write rubrics."""
    texts = _Texts()
    sizes = range(_MOST_SKILLS + 1)
    counts = [f'],"n_sentences":{limit_of(k)},"rubric":[' for k in sizes]
    limits = [_item("sense", _SENSE) + "," + _limit_item(k) + "]}" for k in sizes]
    items = [_item("skill", _SKILL + s.name, s.id if s.checker else None) + "," for s in skills]
    about = [_item("topic", _ABOUT + topic) + "," for topic in topics]
    steps = [
        (_LITERAL, texts.add(['{"forbidden":['])),
        (_LISTED, texts.add([_json(forbidden_name(skill.name)) for skill in skills])),
        (_BY_SIZE, texts.add(counts)),
        (_BY_SKILL, texts.add(items)),
        (_BY_TOPIC, texts.add(about)),
        (_BY_SIZE, texts.add(limits)),
    ]
    return _program([steps], texts)


def forbidden_name(name: str) -> str:
    """Return what a text must not say: the name in lower case, without what is in brackets."""
    return (name.partition("(")[0].strip() or name).lower()


def _limit_item(k: int) -> str:
    n = limit_of(k)
    return _item("length", f"Has at most {n} sentence{'s' if n > 1 else ''}")


def _item(kind: str, text: str, checker: str | None = None) -> str:
    return _json({"checker": checker, "kind": kind, "text": text, "weight": 1})


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def wording_names() -> Iterator[str]:
    """Yield the names of the wordings."""
    yield from (f"wording_{number}" for number in range(1, len(WORDINGS) + 1))


@njit(cache=True, nogil=True)
def _write(
    variants: Ints,
    sizes: Columns,
    topics: Columns,
    order: Columns,
    steps: Ints,
    step_offsets: Ints,
    data: NDArray[np.uint8],
    ends: Ints,
) -> tuple[NDArray[np.uint8], Ints]:
    """Run the steps twice: to measure the rows, and to write them."""
    n = len(variants)
    offsets = np.zeros(n + 1, np.int64)
    out = np.empty(0, np.uint8)
    for writing in range(2):
        at: Int = np.int64(0)
        for i in range(n):
            for step in range(step_offsets[variants[i]], step_offsets[variants[i] + 1]):
                kind, text = steps[step, 0], steps[step, 1]
                if kind == _BY_SKILL or kind == _LISTED:
                    for j in range(sizes[i]):
                        if kind == _LISTED and j:
                            if writing:
                                out[at] = _COMMA
                            at += 1
                        at = _copy(out, at, data, ends, text + order[i, j], writing)
                    continue
                if kind == _BY_TOPIC:
                    text += topics[i]
                elif kind == _BY_SIZE:
                    text += sizes[i]
                at = _copy(out, at, data, ends, text, writing)
            offsets[i + 1] = at
        if not writing:
            out = np.empty(at, np.uint8)
    return out, offsets


@lent
def _copy(
    out: NDArray[np.uint8], at: Int, data: NDArray[np.uint8], ends: Ints, text: Int, writing: Int
) -> Int:
    """Write a text, or only count its bytes; return where it ends."""
    start, length = ends[text], ends[text + 1] - ends[text]
    if writing:
        copy_bytes(out, at, data, start, length)
    stop: Int = at + length
    return stop
