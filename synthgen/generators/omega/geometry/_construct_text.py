"""Constructions in English: a sentence for each command, and a question.

In a sentence `{a}`, `{b}`, `{c}`, `{d}` are the arguments, `{x}` and `{y}` the first two results,
`{z}` the last one, `{n}` and `{m}` the integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega.geometry._construct_program import Program
from synthgen.generators.omega.geometry._construct_questions import QUESTIONS
from synthgen.generators.omega.geometry._construct_rules import RULES
from synthgen.generators.omega.geometry._construct_sentences import SENTENCES

WORDINGS = 4
_SIDES = ("nearer to", "farther from")


def told(program: Program, names: Sequence[str], wording: int, draws: RowDraws) -> str:
    """Tell the steps, each in one of its two ways, and ask in one of four."""
    ways = draws.bits()
    texts = []
    for number, step in enumerate(program.steps):
        args = [names[one] for one in step.args]
        made = [names[one] for one in step.made]
        holes = _holes(args, made, step.numbers, near="c" in _letters_of(step.name))
        texts.append(SENTENCES[step.name][ways >> number % 64 & 1].format_map(holes))
    asked = program.question
    holes = _holes([names[one] for one in asked.args], [], (), near=False)
    texts.append(QUESTIONS[asked.kind][wording].format_map(holes))
    return " ".join(texts)


def _letters_of(name: str) -> str:
    """Say whether the last integer of a command chooses a side: it does with a third argument."""
    rule = RULES[name]
    return "abcd"[: len(rule.takes)] if rule.numbers else ""


def _holes(
    args: Sequence[str], made: Sequence[str], numbers: Sequence[int], *, near: bool
) -> Mapping[str, object]:
    holes: dict[str, object] = dict(zip("abcd", args, strict=False))
    holes.update(zip("xy", made, strict=False))
    if made:
        holes["z"] = made[-1]
    if near:
        holes["side"] = _SIDES[numbers[-1]]
    holes.update(zip("nm", numbers, strict=False))
    return holes
