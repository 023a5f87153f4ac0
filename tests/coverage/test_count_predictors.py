"""Shortcuts that are planted are found, and none are found where nothing is planted."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import polars as pl
import pytest

from synthgen.coverage.predictors import NEAR, PAIRS, TREE, measure_shortcuts

_NAMES = [f"{a}{b}{c}" for a in "BKLMT" for b in "aeiou" for c in "nrs"]
_RELATIONS = "owner", "maker", "seller", "mender", "finder"

Row = tuple[str, str]


def chain(draws: Random) -> Row:
    """Return a chain of assignments: the first literal, negated for each `not`."""
    value, names = draws.random() < 0.5, draws.sample(_NAMES, draws.randint(6, 30))
    lines = [f"{names[0]} = {value}"]
    for left, right in zip(names[1:], names, strict=False):
        negated = draws.random() < 0.5
        value ^= negated
        lines.append(f"{left} = {'not ' * negated}{right}")
    return "\n".join([*lines, f"Is {names[-1]} True or False?"]), str(value)


def pair(draws: Random) -> Row:
    """Return words of which "red fox" is one pair or not; both occur in either case."""
    words = [draws.choice("red fox owl elk blue green".split()) for _ in range(12)]
    while bad := [i for i in range(11) if words[i : i + 2] == ["red", "fox"]]:
        words[bad[0]] = "blue"
    yes = draws.random() < 0.5
    first, second = ("red", "fox") if yes else ("fox", "red")
    return " ".join(["red owl", *words, first, second, "elk fox"]), "yes" if yes else "no"


def degree(draws: Random) -> Row:
    """Return facts of which the entity with the most has the answer to the last relation."""
    names = draws.sample(_NAMES, 12)
    facts = [(draws.choice(_RELATIONS[:4]), names[0]) for _ in range(4)]
    facts += [(_RELATIONS[4], name) for name in names[:5]]
    facts += [(relation, name) for relation, name in zip(_RELATIONS[:4], names[1:5], strict=True)]
    values = iter(draws.sample([f"{name}ov" for name in _NAMES], len(facts)))
    told = [(relation, name, next(values)) for relation, name in facts]
    answer = next(v for r, n, v in told if (r, n) == (_RELATIONS[4], names[0]))
    draws.shuffle(told)
    text = " ".join(f"The {r} of {n} is {v}." for r, n, v in told)
    return f"{text} Who is the finder of the {_RELATIONS[0]} of {names[11]}?", answer


def random_row(draws: Random) -> Row:
    """Return facts and a question without a relation to the answer."""
    facts = " ".join(f"{draws.choice(_NAMES)} likes {draws.choice(_NAMES)}." for _ in range(10))
    return f"{facts} Does {draws.choice(_NAMES)} sing?", draws.choice(["yes", "no"])


def shares(make: Callable[[Random], Row]) -> dict[str, float]:
    draws = Random(7)  # noqa: S311
    rows = [make(draws) for _ in range(1_500)]
    frame = pl.DataFrame(rows, schema=["prompt", "answer"], orient="row").with_columns(
        task=pl.lit("")
    )
    hits = measure_shortcuts(frame[:1_000], {"test": frame[1_000:]})["test"]
    return {name: (each == 1).sum() / (each >= 0).sum() for name, each in hits.items()}


@pytest.mark.parametrize(("make", "predictor"), [(chain, TREE), (pair, PAIRS), (degree, NEAR)])
def test_planted_shortcuts_are_found(make: Callable[[Random], Row], predictor: str) -> None:
    assert shares(make)[predictor] > 0.95


def test_random_answers_are_not_predicted() -> None:
    assert max(shares(random_row).values()) < 0.56
