"""Which columns of a foreign table hold prompts, answers and solutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from synthgen.core.errors import DatasetError, nearest

PROMPT_NAMES = (
    *("prompt", "sentence", "expression", "expr", "command"),
    *("question", "problem", "input", "source", "src"),
)
"""Names of a column of prompts, the first that is there is taken."""
ANSWER_NAMES = (
    *("answer", "result", "actions", "output", "target", "tgt"),
    *("logical_form", "lf"),
)
"""Names of a column of answers."""

_MOST_NAMED = 12
_MOST_COMPARED = 1000
_LONGEST_NAME = 80


Answers = Literal["needed", "found", "none"]
"""Whether a file must have answers, may have them, or is read without them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Columns that somebody asks for; None is the first of the usual names (no solutions).

    Attributes:
        more: further columns, by name.
        answers: whether there must be a column of answers.
    """

    prompt: str | None = None
    answer: str | None = None
    solution: str | None = None
    more: tuple[str, ...] = ()
    answers: Answers = "needed"

    @property
    def names(self) -> bool:
        """Whether any column is named."""
        return bool(self.more) or (self.prompt, self.answer, self.solution) != (None, None, None)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns that are there and are read; no answers where a file need not have them."""

    prompt: str
    answer: str | None
    solution: str | None = None


def choose_columns(
    place: str, names: Sequence[str], wanted: Wanted, *, numbered: bool = False, advice: str = ""
) -> Columns:
    """Find the wanted columns among those of a file.

    Args:
        place: of the names, for messages: the file and, where there is one, the line.
        names: of all columns, in order.
        wanted: by the user.
        numbered: whether numbers are all the names there are; the first two columns are then
            prompts and answers unless others are wanted.
        advice: for the message, if a column is not there.

    Raises:
        DatasetError: if a column is not there, or its name is there twice.
    """
    usual_prompts, usual_answers = (("1",), ("2",)) if numbered else (PROMPT_NAMES, ANSWER_NAMES)

    def choose(role: str, asked: str | None, usual: Sequence[str]) -> str:
        candidates = usual if asked is None else (asked,)
        chosen = next((name for name in candidates if name in names), None)
        if chosen is None:
            msg = f"{place}: {_missing(names, role, asked, usual)}{advice}"
            raise DatasetError(msg)
        if (times := list(names).count(chosen)) > 1:
            msg = f"{place}: {times:,} columns are named {shown_name(chosen)}: expected one"
            raise DatasetError(msg)
        return chosen

    def choose_answer() -> str | None:
        there = wanted.answer is not None or any(name in names for name in usual_answers)
        if wanted.answers == "none" or (wanted.answers == "found" and not there):
            return None
        return choose("answer", wanted.answer, usual_answers)

    for name in wanted.more:
        choose("column", name, ())
    return Columns(
        choose("prompt", wanted.prompt, usual_prompts),
        choose_answer(),
        None if wanted.solution is None else choose("solution", wanted.solution, ()),
    )


def shown_name(name: str) -> str:
    """Return a name in quotes for a message: cut, and with nothing a terminal would act on."""
    return repr(name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…")


def _missing(names: Sequence[str], role: str, asked: str | None, usual: Sequence[str]) -> str:
    listed = ", ".join(shown_name(name) for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    known = f"columns: {listed or 'none'}{more}"
    short = [name for name in names[:_MOST_COMPARED] if len(name) <= _LONGEST_NAME]
    hint = nearest(asked or role, short)
    meant = f"; did you mean {hint!r}?" if hint else ";"
    if asked is None:
        wanted = f"expected one of {', '.join(usual)}, or --{role}-col"
        return f"no column of {role}s{meant} {wanted}; {known}"
    return f"no column {shown_name(asked)}{meant} {known}"
