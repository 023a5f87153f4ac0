"""Verifiers in plain Python: parse a prompt by its wordings, solve it, check the steps.

>>> from synthgen.authoring import PlainVerifier, Words, holes, reads
>>> words = Words({"prompts": {"instruction": ["What is {p} plus {q}?"]}})
>>> @reads(words, p=holes.INTEGER, q=holes.INTEGER)
... def read(p, q):
...     return p, q
>>> verifier = PlainVerifier(read, lambda pair: str(sum(pair)))
>>> verifier.answer("What is 2 plus 3?")
'5'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from itertools import starmap, zip_longest
from operator import eq
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring.holes import Hole
from synthgen.authoring.pictures import Shape, shapes
from synthgen.authoring.slips import code_place, unknown
from synthgen.authoring.words import BOXED, Words, parts_of
from synthgen.contract.answers import ANSWER_TYPES, grade, parser_of
from synthgen.contract.interfaces import Verifier
from synthgen.core.errors import AuthorError
from synthgen.core.images import prompt_and_svg

P = TypeVar("P", bound=Hashable)
S = TypeVar("S")

MAX_CHARACTERS = 50_000
"""Longer prompts are rejected unread, and so are solutions unless the verifier allows more."""
_REMEMBERED = 1 << 14
_HEAD = 8
"""First characters of a prompt, by which its possible wordings are looked up."""


def reads(
    words: Words, **holes: Hole
) -> Callable[[Callable[..., P | None]], Callable[[str], P | None]]:
    """Turn a function of a wording's kind and holes into one that reads whole prompts.

    The decorated function gets the kind of question, if the words have several, and the parsed
    value of each hole of the wording, by name. It returns the problem, or None if the values do not
    state one; where a value is None, it is not called and the prompt states no problem. A hole that
    a wording repeats must have the same text each time.

    Args:
        words: Wordings to try, style by style.
        **holes: Pattern and parser of each hole.

    Raises:
        AuthorError: for a wording with another hole, or one that the function does not take.
    """
    for _, _, text in words.numbered:
        for name in parts_of(text)[1::2]:
            if name not in holes:
                raise AuthorError(words.file, f"wording {text!r}: {unknown('hole', name, holes)}")
    compiled = [
        (start, kind, pattern, {name: holes[name].parse for name in pattern.groupindex})
        for _, kind, text in words.numbered
        for start, pattern in [wording_pattern(text, holes)]
    ]
    short = [entry for entry in compiled if len(entry[0]) < _HEAD]
    possible = {
        start[:_HEAD]: [entry for entry in compiled if start.startswith(entry[0][:_HEAD])]
        for start, *_ in compiled
        if len(start) >= _HEAD
    }

    def decorate(make: Callable[..., P | None]) -> Callable[[str], P | None]:
        for _, kind, _, parsers in compiled:
            try:
                signature(make).bind(*filter(None, [kind]), **parsers)
            except TypeError as error:
                asked = ", ".join([*(["the kind"] if kind else []), *parsers])
                message = f"reads calls it with {asked}, but: {error}"
                raise AuthorError(code_place(make), message) from None

        def read(prompt: str) -> P | None:
            for start, kind, pattern, parsers in possible.get(prompt[:_HEAD], short):
                match = prompt.startswith(start) and pattern.fullmatch(prompt)
                if match:
                    values = {name: parse(match[name]) for name, parse in parsers.items()}
                    if None in values.values():
                        return None
                    return make(kind, **values) if kind else make(**values)
            return None

        return read

    return decorate


class Sighted(Generic[S, P]):
    """Reads prompts whose problems have pictures.

    Args:
        read: Function that returns what a prompt states, or None if it is not of the family.
        see: Function that returns the problem, given what the prompt states and the shapes of the
            picture, None without one; it returns None if they do not fit together.
    """

    def __init__(
        self,
        read: Callable[[str], S | None],
        see: Callable[[S, Sequence[Shape] | None], P | None],
    ) -> None:
        self._read, self._see = read, see

    def __call__(self, prompt: str, svg: str | None = None) -> P | None:
        """Return the problem of a prompt and its picture."""
        said = self._read(prompt)
        seen = None if svg is None else shapes(svg)
        if said is None or (svg is not None and seen is None):
            return None
        try:
            return self._see(said, seen)
        except (ValueError, ArithmeticError):  # of colors and sizes that no picture has
            return None


def exactly(
    lines_of: Callable[[P], Iterable[str | None]],
) -> Callable[[P, str, Sequence[str]], bool]:
    """Return what `PlainVerifier` takes as `follows` where a problem has only one solution.

    Args:
        lines_of: Function that returns the lines of the solution, None for a line that no text can
            match. The lines of an iterator are made only up to the first that differs.
    """
    return lambda problem, _, lines: all(starmap(eq, zip_longest(lines, lines_of(problem))))


class HasPattern(Protocol):
    """A hole, as far as the pattern of a wording needs it."""

    @property
    def pattern(self) -> str:
        """Regular expression without named groups."""


def wording_pattern(wording: str, holes: Mapping[str, HasPattern]) -> tuple[str, re.Pattern[str]]:
    """Return the text before the first hole of a wording, and a pattern with a group per hole."""
    parts = parts_of(wording)
    seen: set[str] = set()
    pieces = []
    for place, part in enumerate(parts):
        if place % 2 == 0:
            pieces.append(re.escape(part))
        elif part in seen:
            pieces.append(f"(?P={part})")
        else:
            seen.add(part)
            pieces.append(f"(?P<{part}>{holes[part].pattern})")
    return parts[0], re.compile("".join(pieces), re.ASCII)


class PlainVerifier(Verifier, Generic[P]):
    """Checks rows one by one.

    Attributes:
        max_prompt: Characters of a prompt; longer prompts are rejected unread.

    Args:
        read: Function that returns the problem that a prompt states, or None if it is not one of
            the family's; rows with pictures need a `Sighted` one.
        solve: Function that returns the answer, or None if the problem does not have one.
        answer_type: Type by which other spellings of the answer are accepted, or a function that
            returns that of a problem.
        follows: Function that returns whether the lines of a solution lead from a problem to its
            answer; without it, solutions are rejected.
        remembered: Number of recent problems whose answers are cached.
        longest: Characters of a solution; longer solutions are rejected unread.
    """

    max_prompt: ClassVar[int] = MAX_CHARACTERS

    def __init__(
        self,
        read: Callable[[str], P | None],
        solve: Callable[[P], str | None],
        answer_type: str | Callable[[P], str] = "integer",
        follows: Callable[[P, str, Sequence[str]], bool] | None = None,
        remembered: int = _REMEMBERED,
        longest: int = MAX_CHARACTERS,
    ) -> None:
        if isinstance(answer_type, str) and parser_of(answer_type) is None:
            message = unknown("answer_type of a verifier", answer_type, ANSWER_TYPES)
            raise AuthorError(code_place(solve), message)
        self._read = read
        self._stated = lru_cache(1)(self._of)  # options of one question have the same prompt
        self._longest = longest
        self._solve = lru_cache(remembered)(solve) if remembered else solve
        self._answer_type = answer_type if callable(answer_type) else lambda _: answer_type
        self._follows = follows

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Solve every prompt, and check its solution, if any."""
        steps = solutions.to_pylist() if solutions is not None else [None] * len(answers)
        rows = zip(prompts.to_pylist(), answers.to_pylist(), steps, strict=True)
        return np.array([self._accepts(*row) for row in rows], dtype=bool)

    @property
    def has_steps(self) -> bool:
        """Whether the family has worked steps, which `check` can replay."""
        return self._follows is not None

    def _accepts(self, prompt: str, answer: str, solution: str | None) -> bool:
        problem = self.problem(prompt)
        if problem is None or not self._fits(problem, answer):
            return False
        if solution is None:
            return True
        if self._follows is None or len(solution) > self._longest:
            return False
        return self._follows(problem, answer, solution.split("\n"))

    def _fits(self, problem: P, answer: str) -> bool:
        return self._solve(problem) == answer

    def problem(self, prompt: str) -> P | None:
        """Return the problem that a prompt states, with or without the request for a box."""
        return self._stated(prompt)

    def _of(self, statement: str) -> P | None:
        prompt, svg = prompt_and_svg(statement)
        prompt = prompt.removesuffix(BOXED)
        if len(prompt) > self.max_prompt:
            return None
        if svg is None:
            return self._read(prompt)
        return self._read(prompt, svg) if isinstance(self._read, Sighted) else None

    def reads(self, prompt: str) -> bool:
        """Return whether a prompt is worded as those of the family."""
        return self.problem(prompt) is not None

    def answer(self, prompt: str) -> str | None:
        """Solve a prompt; None if it is not a problem of the family."""
        problem = self.problem(prompt)
        return None if problem is None else self._solve(problem)

    def accepts(self, prompt: str, prediction: str) -> bool:
        """Return whether an answer to a prompt is right, in any spelling of its type."""
        problem = self.problem(prompt)
        return problem is not None and self._agrees(problem, prediction)

    def _agrees(self, problem: P, prediction: str) -> bool:
        answer = self._solve(problem)
        return answer is not None and grade(prediction, answer, self._answer_type(problem)) == 1.0


class WorkedVerifier(PlainVerifier[P]):
    """A verifier of problems with only one worked solution, which it writes again.

    Args:
        read, answer_type: Reader and equality, as in `PlainVerifier`.
        work: Function that returns the answer, or None without one, and the lines of the solution.
    """

    def __init__(
        self,
        read: Callable[[str], P | None],
        work: Callable[[P], tuple[str | None, list[str]]],
        answer_type: str | Callable[[P], str] = "integer",
    ) -> None:
        def lines_of(problem: P) -> list[str]:
            return work(problem)[1]

        follows = exactly(lines_of)
        super().__init__(read, lambda problem: work(problem)[0], answer_type, follows, remembered=0)
        self._work = work

    def _accepts(self, prompt: str, answer: str, solution: str | None) -> bool:
        """Work once for the answer and the solution."""
        problem = self.problem(prompt)
        if problem is None:
            return False
        right, lines = self._work(problem)
        return right == answer and solution in (None, "\n".join(lines))


class AnswerChecker(PlainVerifier[P]):
    """A verifier of problems with many right answers: it checks answers instead of solving.

    Predictions are equal to the answer in its type, or the type is `checked:` and the name of this
    verifier.

    Args:
        read, follows, answer_type: Functions and type, as in `PlainVerifier`.
        accepts: Function that returns whether an answer to a problem is right.
        solve: Function that returns one right answer, where that is of use.
        plain: Function that returns an answer in the spelling of rows; the text itself by default.
    """

    many_answers = True

    def __init__(
        self,
        read: Callable[[str], P | None],
        accepts: Callable[[P, str], bool],
        follows: Callable[[P, str, Sequence[str]], bool] | None = None,
        solve: Callable[[P], str | None] = lambda _: None,
        plain: Callable[[P, str], str] = lambda _, answer: answer,
        answer_type: str | Callable[[P], str] = "string",
    ) -> None:
        super().__init__(read, solve, answer_type, follows)
        self._accepts_answer, self._plain = accepts, plain

    def _fits(self, problem: P, answer: str) -> bool:
        return self._accepts_answer(problem, answer)

    def _agrees(self, problem: P, prediction: str) -> bool:
        plain = self._plain(problem, prediction)
        return self._accepts_answer(problem, plain) or super()._agrees(problem, prediction)


def problem_of(prompt: str) -> str:
    """Return the text between the last two backticks of a prompt, or all of it."""
    parts = prompt.rsplit("`", 2)
    return parts[1] if len(parts) == 3 else prompt
