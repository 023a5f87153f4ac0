"""What a verifier says of one row."""

import re
from typing import Any

import pyarrow as pa

from synthgen.contract.interfaces import Generator, Problems
from synthgen.contract.registry import load_verifier
from synthgen.draws.randomness import Rows


def strings(*texts: str | None) -> pa.StringArray:
    return pa.array(texts, pa.string())


def valid_problems(generator: Generator, rows: Rows) -> Problems:
    """Draw the valid ones of some rows, again, as parts of some families cannot be cut."""
    valid = generator.draw(rows).valid
    return generator.draw(Rows(rows.stream, rows.addresses[valid]))


class Verdicts:
    """The verifier of a family, asked about single rows."""

    def __init__(self, name: str) -> None:
        self.verifier: Any = load_verifier(name)

    def accepts(self, prompt: str, answer: str, solution: str | None = None) -> bool:
        """Return whether the verifier accepts an answer with a solution."""
        return bool(self.verifier.check(strings(prompt), strings(answer), strings(solution))[0])


def answer(name: str, prompt: str) -> str | None:
    """Return what the verifier of a family answers to a prompt."""
    found: str | None = Verdicts(name).verifier.answer(prompt)
    return found


def accepts(name: str, prompt: str, answer: str, solution: str | None = None) -> bool:
    """Return what the verifier of a family says of an answer with a solution."""
    return Verdicts(name).accepts(prompt, answer, solution)


def check_every_line_counts(name: str, prompt: str, gold: str, lines: list[str]) -> None:
    """Check that a solution is accepted, but not without a line or with another digit in it."""
    assert accepts(name, prompt, gold, "\n".join(lines))
    for place, line in enumerate(lines):
        assert not accepts(name, prompt, gold, "\n".join(lines[:place] + lines[place + 1 :]))
        changed = re.sub("[0-9]", lambda digit: str((int(digit[0]) + 1) % 10), line, count=1)
        if changed != line:
            assert not accepts(
                name, prompt, gold, "\n".join([*lines[:place], changed, *lines[place + 1 :]])
            )
