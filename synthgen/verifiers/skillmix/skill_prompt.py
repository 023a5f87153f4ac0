"""Prompts for writers: the rubric that must follow from the text of the prompt alone."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes, text_list
from synthgen.core.skill_inventory import checkers_by_name
from synthgen.verifiers._text_verifier import TextVerifier
from synthgen.verifiers.skillmix._prompt_exact import rubric_of
from synthgen.verifiers.skillmix._prompt_forms import LIMITS, form_table
from synthgen.verifiers.skillmix._prompt_kernel import (
    RIGHT,
    UNDECIDED,
    check_rubrics,
    name_place,
)
from synthgen.verifiers.skillmix._prompt_read import NAMES
from synthgen.verifiers.skillmix._rubric import rubric_points

_PIECES = (
    '{"forbidden":["',
    '","',
    '{"checker":null,"kind":"skill","text":"Illustrates ',
    '","weight":1},',
    '{"checker":null,"kind":"topic","text":"Pertains to ',
)
"""Constant parts of every rubric, in the order in which the kernel goes through them."""


@cache
def _tables() -> tuple[Any, ...]:
    """Return what the kernel reads besides the rows."""
    slots, firsts, form_texts = form_table()
    known = sorted(item for item in checkers_by_name().items() if _is_plain(item[0]))
    numbers = range(1, len(LIMITS) + 1)
    groups = (
        form_texts,
        LIMITS,
        _PIECES,
        [f'"],"n_sentences":{n},"rubric":[' for n in numbers],
        [_ending(n) for n in numbers],
        [name for name, _ in known],
        [(name.partition("(")[0].strip() or name).lower() for name, _ in known],
        [_item(*pair) for pair in known],
    )
    data, ends = text_bytes(text_list(text for group in groups for text in group))
    bases = np.cumsum([0, *map(len, groups)])
    return slots, firsts, data, ends, bases, _places(data, ends, int(bases[NAMES]), len(known))


def _is_plain(name: str) -> bool:
    """Say whether JSON writes a name as it is."""
    return name.isascii() and name.isprintable() and not {'"', "\\"} & set(name)


def _ending(n: int) -> str:
    """Write what follows the topic's name, for a limit of n sentences."""
    return (
        '","weight":1},{"checker":null,"kind":"sense","text":"Makes sense","weight":1},'
        f'{{"checker":null,"kind":"length","text":"Has at most {n} sentence{"s" if n > 1 else ""}",'
        '"weight":1}]}'
    )


def _item(name: str, checker: str) -> str:
    """Write the item of a skill that has a checker."""
    return f'{{"checker":"{checker}","kind":"skill","text":"Illustrates {name}","weight":1}},'


def _places(
    data: NDArray[np.uint8], ends: NDArray[np.int64], first: int, n: int
) -> NDArray[np.int64]:
    """Return a hash table of n texts from `first` on; at most a quarter of it is taken."""
    places = np.full(4 * n + 1, -1, np.int64)
    for number in range(n):
        start, end = ends[first + number], ends[first + number + 1]
        place = int(name_place(data, start, end, len(places)))
        while places[place] >= 0:
            place = (place + 1) % len(places)
        places[place] = number
    return places


def _check_rows(
    prompts: NDArray[np.uint8],
    prompt_offsets: NDArray[np.int64],
    answers: NDArray[np.uint8],
    answer_offsets: NDArray[np.int64],
    *_solutions: object,
) -> NDArray[np.bool_]:
    """Check all rows; those with signs that the kernel does not write go to the plain form."""
    found = check_rubrics(prompts, prompt_offsets, answers, answer_offsets, *_tables())
    right: NDArray[np.bool_] = found == RIGHT
    for i in np.flatnonzero(found == UNDECIDED).tolist():
        prompt = _text(prompts, prompt_offsets, i)
        right[i] = rubric_of(prompt) == _text(answers, answer_offsets, i)
    return right


def _text(data: NDArray[np.uint8], offsets: NDArray[np.int64], row: int) -> str:
    """Return one text; bytes that are no UTF-8 stay different from each other."""
    return bytes(data[offsets[row] : offsets[row + 1]]).decode("utf-8", "surrogateescape")


class SkillPromptVerifier(TextVerifier):
    """Works rubrics out again, and gives texts their points."""

    def points(self, prompt: str, text: str) -> tuple[int | None, ...] | None:
        """Give a text the points of a prompt's rubric, None for one that no checker can give."""
        rubric = rubric_of(prompt)
        return None if rubric is None else rubric_points(rubric, text)


VERIFIER = SkillPromptVerifier(_check_rows, rubric_of, "rubric")
