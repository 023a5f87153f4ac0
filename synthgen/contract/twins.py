"""Twins: problems with one tree, which must be one problem in what readers see of it, too.

All problems are written with the draws of one row, so that problems of one kind have one wording,
and texts differ only where the problems do.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.interfaces import Generator, Problems, Render
from synthgen.contract.registry import load_verifier
from synthgen.core.errors import AuthorError
from synthgen.core.images import NO_PICTURE, SVG
from synthgen.draws.randomness import Rows
from synthgen.trees.content_keys import Keys
from synthgen.trees.derivations import derivation_text

_OF_EACH = 4
_KIND = "subtype"


def twins_among(keys: Keys, most: int) -> NDArray[np.int64]:
    """Return the places of at most `most` keys that occur several times, a few of each."""
    order = np.argsort(keys[:, 0], kind="stable")
    words = keys[order, 0]
    first = np.searchsorted(words, words)
    several = np.searchsorted(words, words, side="right") - first > 1
    places: NDArray[np.int64] = order[several & (np.arange(len(words)) - first < _OF_EACH)]
    return places[:most]


@dataclass(frozen=True, slots=True)
class _Written:
    """A problem as it is written, and where it comes from."""

    group: tuple[object, ...]
    key: tuple[int, int]
    kind: str
    template: str
    prompt: str
    answer: str
    generator: Generator
    problems: Problems
    place: int

    @property
    def tree(self) -> str:
        codes = self.problems.derivations.take(np.array([self.place]))
        return str(derivation_text(codes, self.generator.signature)[0])


class Twins:
    """Problems of one family, each compared with those of its tree and of its prompt.

    Args:
        name: Name of the family, for messages.
        texts: Whether prompts of one tree must be equal, and not only kinds and answers.
    """

    def __init__(self, name: str, *, texts: bool = True) -> None:
        self._name, self._texts = name, texts
        self._of_tree: dict[object, _Written] = {}
        self._of_prompt: dict[object, _Written] = {}

    def add(self, generator: Generator, problems: Problems) -> None:
        """Compare problems with each other and with those before.

        Args:
            generator: Family of the problems, with its params.
            problems: Valid problems.

        Raises:
            AuthorError: if problems with one tree have two kinds, answers or prompts, or one prompt
                has two trees.
        """
        for row in _as_written(generator, problems):
            twin = self._of_tree.setdefault((row.group, row.key), row)
            if twin is not row:
                self._check_tree(twin, row)
            other = self._of_prompt.setdefault((row.group, row.prompt), row)
            if other.key != row.key:
                fault = "one prompt has two trees, so it can occur twice: the tree has something"
                fault += " that the prompt does not show, such as an order of the draws"
                advice = "leave it out of the tree, or show it in the prompt"
                raise self._error(fault, (other, row), f"{other.tree}\n{row.tree}\n{advice}")

    def _check_tree(self, one: _Written, other: _Written) -> None:
        """Compare two problems with one tree."""
        alike = one.prompt == other.prompt or one.template != other.template
        advice = "put it into the tree"
        if one.kind != other.kind:
            lost = f"the kind, {one.kind!r} or {other.kind!r}"
        elif not self._same_answer(one, other):
            lost = "something that the answer depends on"
        elif self._texts and not alike and not other.generator.same_up_to:
            lost = "something that the prompt shows"
            advice += ", or if it is only wording, draw it in `holes_of` or name it in `same_up_to`"
        else:
            return
        fault = "two problems have one tree, so one of them is dropped as a duplicate: the tree"
        fault += f" leaves out {lost}"
        raise self._error(fault, (one, other), f"{one.tree}\n{advice}")

    def _same_answer(self, one: _Written, other: _Written) -> bool:
        """Return whether each answer is right for the other problem."""
        if one.answer == other.answer or other.generator.answers_differ:
            return True
        prompts = pa.array([one.prompt, other.prompt])
        swapped = pa.array([other.answer, one.answer])
        return bool(load_verifier(other.generator.verifier).check(prompts, swapped, None).all())

    def _error(self, fault: str, rows: tuple[_Written, _Written], more: str) -> AuthorError:
        kind = f"kind {rows[1].kind!r}: " if rows[1].kind else ""
        generators = [row.generator for row in rows]
        shown = "".join(
            f"\n  {params}{row.prompt!r} -> {row.answer!r}"
            for params, row in zip(_differing(*generators), rows, strict=True)
        )
        return AuthorError(f"family {self._name!r}", f"{kind}{fault}{shown}\n{more}")


def _differing(one: Generator, other: Generator) -> tuple[str, str]:
    """Return the params in which two sources of a family differ."""
    names = [field.name for field in fields(one)]  # type: ignore[arg-type]
    differ = [name for name in names if getattr(one, name) != getattr(other, name)]
    texts = [
        ", ".join(f"{name}={getattr(each, name)!r}" for name in differ) for each in (one, other)
    ]
    return (f"{texts[0]}: ", f"{texts[1]}: ") if differ else ("", "")


def _as_written(generator: Generator, problems: Problems) -> list[_Written]:
    """Write problems with the draws of one row, bare if the family can."""
    style = "bare" if "bare" in generator.prompts else generator.prompts[0]
    group = tuple(getattr(generator, name) for name in generator.restated_by)
    same = replace(problems, rows=Rows(0, np.zeros(len(problems), np.uint64)))
    picture = SVG if generator.pictured == "needed" else NO_PICTURE
    texts = generator.render(same, Render(style, generator.solutions[0], picture))
    kinds = [""] * len(problems)
    spec = generator.axes.get(_KIND)
    if spec and spec.canonical and spec.values:
        kinds = [spec.values[code] for code in problems.axes[_KIND].tolist()]
    keys = map(tuple, problems.keys.tolist())
    columns = (texts.templates, texts.statements, texts.answers)
    rows = zip(keys, kinds, *(column.to_pylist() for column in columns), strict=True)
    return [
        _Written(group, key, kind, template, prompt, answer, generator, problems, place)
        for place, (key, kind, template, prompt, answer) in enumerate(rows)
    ]
