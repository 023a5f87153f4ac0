"""Feed hostile input to every surface that reads what others wrote, and mutated answers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

from benchmarks.faults.common import Commands, Tally
from benchmarks.faults.surfaces import SURFACES, Surfaces
from synthgen.contract.answers import PARSERS, grade

_SIZES = {"small": (4, 1_000), "full": (200, 200_000)}
"""Inputs for each surface, and answers."""
_NUMBERS = {"integer": "", "rational": "/.", "decimal": "."}
"""Signs of a number of each type beside digits, plus and minus."""
_LETTERS = "0123456789+-/. _e,\x00\n\u00a0\u0661\u2212x"

_NOT_WORDS = {"choice", "expression", "labels", "literal"}
"""Types whose texts are labels, formulas and values of Python: the tests of rewards attack them."""


def fuzz(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # mutations, not secrets
    inputs, answers = _SIZES[size]
    with Commands(folder) as commands:
        surfaces = Surfaces(commands, folder, tally)
        for name, attack in SURFACES.items():
            for _ in range(inputs):
                attack(surfaces, chance)
            tally.did[name] += inputs
    _fuzz_answers(answers, chance, tally)
    return tally


def _fuzz_answers(number: int, chance: Random, tally: Tally) -> None:
    """Grade mutated answers, and compare with another reading of them."""
    for _ in range(number):
        kind = chance.choice(sorted(PARSERS.keys() - _NOT_WORDS))
        answer = _answer(kind, chance)
        text = answer
        for _ in range(chance.randint(1, 3)):
            place, width = chance.randint(0, len(text)), chance.randint(0, 1)
            more = "".join(chance.choices(_LETTERS, k=chance.randint(0, 2)))
            text = text[:place] + more + text[place + width :]
        right = _means_the_same(text, answer, kind)
        tally.did["mutated answers"] += 1
        tally.did["mutated answers that are right"] += right
        graded = grade(text, answer, kind)
        tally.expect(graded == right, "wrong grades", f"{kind}: {text!r} for {answer!r}: {graded}")


def _answer(kind: str, chance: Random) -> str:
    number = chance.randint(-(10 ** chance.randint(1, 30)), 10 ** chance.randint(1, 30))
    endings: dict[str, Callable[[], str]] = {
        "integer": str,
        "rational": lambda: f"/{chance.randint(1, 99)}",
        "decimal": lambda: f".{chance.randint(0, 999)}",
    }
    return f"{number}{endings.get(kind, lambda: ' x')()}"


def _means_the_same(text: str, answer: str, kind: str) -> bool:
    """Read both as Python reads numbers; texts must have the same words, labels in any case."""
    if kind not in _NUMBERS:
        words, others = text.split(), answer.split()
        if kind == "label":
            return [*map(str.casefold, words)] == [*map(str.casefold, others)]
        return words == others
    plain = "/".join(_plain(side.strip()) for side in text.split("/"))
    known = {*"0123456789+-", *_NUMBERS[kind]}
    try:
        return {*plain} <= known and Fraction(plain) == Fraction(answer)
    except (ValueError, ZeroDivisionError):
        return False


def _plain(number: str) -> str:
    """Return a number without separators of thousands, if each group of digits is whole."""
    number = number.replace("\u2212", "-")
    for separator in ", \u00a0":
        first, *rest = number.split(separator)
        *groups, last = [group.partition(".")[0] for group in rest] or [""]
        digits = first.removeprefix("-").removeprefix("+")
        whole = all(len(group) == 3 and group.isdecimal() for group in (*groups, last))
        if rest and whole and digits.isdecimal() and len(digits) <= 3 and digits[0] != "0":
            return number.replace(separator, "")
    return number
