"""Every family and bundled recipe: right answers in usual forms are paid, other rows' are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from synthgen.contract.answers import grade
from synthgen.contract.interfaces import Generator, Render
from synthgen.contract.registry import generator_class, generator_names, load_verifier
from synthgen.draws.randomness import Rows, stream_key
from synthgen.recipe.bundled import bundled_names, find_recipe
from synthgen.training.reward import judge
from tests.building import plan_of

FORMS = (
    *("{}", "Answer: {}", "**{}**", "The answer is {}.", "```\n{}\n```"),
    *("<think>It may be 1 or 7.</think>\n{}", "{}<|im_end|>"),
)
BOX = r"So it is \boxed{{{}}}."
WITHOUT_ONE_ANSWER = ("rubric", "constraints")
STREAM = stream_key(41, "source", "answers")
ROWS, ADDRESSES = 8, 64


class Row(NamedTuple):
    prompt: str
    answer: str
    kind: str
    style: str

    def paid(self, text: str) -> bool:
        return judge(text, self.answer, self.kind, prompt=self.prompt).score == 1.0


def rows_of(generator: Generator) -> Iterator[list[Row]]:
    """Yield some rows in each style."""
    n = ADDRESSES if generator.block >= ADDRESSES else ROWS
    problems = generator.draw(Rows.span(STREAM, 0, n))
    addresses = problems.rows.addresses[np.flatnonzero(problems.valid)[:ROWS]]
    problems = generator.draw(Rows(STREAM, addresses))
    for style in generator.styles:
        texts = generator.render(problems, Render(style, "none"))
        columns = (texts.prompts, texts.answers, texts.answer_types)
        cells = zip(*(column.to_pylist() for column in columns), strict=True)
        yield [
            Row(prompt, answer, kind, style)
            for prompt, answer, kind in cells
            if kind not in WITHOUT_ONE_ANSWER
        ]


def spellings(row: Row) -> Iterator[str]:
    """Yield an answer as people may write it."""
    kind, answer = row.kind.partition(":")[0], row.answer
    yield answer
    if kind in ("list", "set", "checked"):
        yield answer.replace(", ", ",")
    elif kind == "label":
        yield answer.upper()
    elif kind == "integer":
        yield f"{int(answer):,}"


def check_answers(generator: Generator) -> None:
    verifier = load_verifier(generator.verifier)
    for rows in rows_of(generator):
        for row, other in zip(rows, [*rows[1:], *rows[:1]], strict=True):
            for text in spellings(row):
                for form in (*FORMS, *([BOX] if row.style == "boxed" else [])):
                    assert row.paid(form.format(text)), (form.format(text), row)
                assert verifier.accepts(row.prompt, text), (text, row)
            equal = grade(other.answer, row.answer, row.kind) == 1.0
            right = equal or (verifier.many_answers and verifier.accepts(row.prompt, other.answer))
            assert row.paid(f"Answer: {other.answer}") == right, (other, row)


@pytest.mark.parametrize("name", [name for name in generator_names() if name != "hint_paper"])
def test_of_each_family(name: str) -> None:
    check_answers(generator_class(name)())


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_names())
def test_of_each_recipe(name: str) -> None:
    for generator in {source.generator for source in plan_of(find_recipe(name)).sources}:
        check_answers(generator)
