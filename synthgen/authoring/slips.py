"""Mistakes of authors: what in a problem its family did not declare, and where to fix it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from synthgen.authoring.trees import trees_column
from synthgen.authoring.words import Words, parts_of
from synthgen.core.errors import AuthorError, did_you_mean
from synthgen.draws.randomness import RowDraws

_MADE_BY = ("make", "problems_at", "numbered", "problems", "make_all")
_MAX_SHOWN = 80


def code_place(function: Any) -> str:
    """Return where a function is written, as `folder/file.py:12`; or its module."""
    code = getattr(function, "__code__", None)
    if code is None:
        return str(getattr(function, "__module__", type(function).__name__))
    path = Path(code.co_filename)
    return f"{path.parent.name}/{path.name}:{code.co_firstlineno}"


def family_place(kind: type) -> str:
    """Return the name of a family, and where its problems are made."""
    table = getattr(sys.modules.get(kind.__module__), "GENERATORS", {})
    name = next((name for name, family in table.items() if family is kind), kind.__name__)
    makers = (vars(base)[by] for base in kind.__mro__ for by in _MADE_BY if by in vars(base))
    return f"family {name!r} ({code_place(next(makers, kind))})"


def slip(kind: type, message: object) -> AuthorError:
    """Return the error for a slip in a family."""
    return AuthorError(family_place(kind), str(message))


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """Return the message for a name that is not one of those declared."""
    names = [*filter(None, known)]
    listed = ", ".join(names) or "none"
    return f"unknown {what} {name!r}{did_you_mean(name, names)} (known: {listed})"


@contextmanager
def blamed(family: Any, problems: Sequence[Any] = (), *, holes: bool = False) -> Iterator[None]:
    """Turn an exception that a slip in one of the problems explains into an error that names it.

    An exception that no slip explains is an error in the author's code: it keeps its traceback.

    Args:
        family: Family of the problems.
        problems: Problems to check.
        holes: Whether to check the holes of the wordings, too.

    Raises:
        AuthorError: for the first slip.
    """
    try:
        yield
    except Exception as error:
        for problem in problems:
            if problem is not None:
                check_problem(family, problem, holes=holes)
        if isinstance(error, AuthorError):
            raise slip(type(family), error) from None
        error.add_note(f"in {family_place(type(family))}")
        raise


def check_problem(family: Any, problem: Any, *, holes: bool = False) -> None:
    """Check a problem against what its family declares.

    Raises:
        AuthorError: for the first slip, with the family, the kind of question and the wording.
    """
    try:
        _need(hasattr(problem, "tree"), "make", problem, "a Problem or None")
        if problem.kind not in family.words.kinds:
            raise AuthorError(unknown("kind", problem.kind, family.words.kinds))
        _check_axes(family, problem)
        _check_tree(family, problem)
        _need(isinstance(problem.difficulty, int), "difficulty", problem.difficulty, "an integer")
        answer = family.answer_of(problem)
        _need(isinstance(answer, str), "answer", answer, "a string")
        steps = family.steps_of(problem)
        is_list = isinstance(steps, Sequence) and not isinstance(steps, str)
        _need(is_list, "steps", steps, "a list")
        for line in steps:
            _need(isinstance(line, str), "a line of steps", line, "a string")
        if holes:
            _check_holes(family.words, problem.kind, family.holes_of(problem, RowDraws(0)))
    except AuthorError as error:
        kind = f"kind {problem.kind!r}: " if getattr(problem, "kind", "") else ""
        raise slip(type(family), f"{kind}{error}") from None


def _need(holds: bool, what: str, value: object, wanted: str) -> None:  # noqa: FBT001
    if not holds:
        message = f"{what}={_short(value)} ({type(value).__name__}): expected {wanted}"
        raise AuthorError(message)


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}..."


def _check_axes(family: Any, problem: Any) -> None:
    added = {"level", "subtype"}
    for name in problem.axes:
        if name not in family.axes:
            raise AuthorError(unknown("axis", name, family.axes.keys() - added))
    for name in family.axes.keys() - added:
        if name not in problem.axes:
            meant = did_you_mean(name, problem.axes)
            raise AuthorError("axes", f"axis {name!r} has no value{meant}")
    for name, value in problem.axes.items():
        spec, what = family.axes[name], f"axis {name}"
        if spec.values:
            if value not in spec.values:
                raise AuthorError(unknown(f"value of axis {name!r}:", value, spec.values))
            continue
        _need(isinstance(value, int), what, value, "an integer")
        inside = spec.low is None or value >= spec.low
        inside = inside and (spec.high is None or value <= spec.high)
        low, high = ("any" if end is None else end for end in (spec.low, spec.high))
        _need(inside, what, value, f"an integer from {low} to {high}")


def _check_tree(family: Any, problem: Any) -> None:
    try:
        trees_column([problem.tree], family.signature)
    except (TypeError, IndexError, KeyError):
        wanted = "an integer, the name of a symbol, or a tuple of a symbol and its arguments"
        _need(False, "tree", problem.tree, wanted)


def _check_holes(words: Words, kind: str, holes: Mapping[str, object]) -> None:
    for _, other_kind, text in words.numbered:
        for name in parts_of(text)[1::2] if other_kind == kind else ():
            if name not in holes:
                message = f"hole {name!r} has no value in `holes`{did_you_mean(name, holes)}"
                raise AuthorError("prompts", f"wording {_short(text)}: {message}")
