"""Template tasks: wildcards of a template are replaced by symbols, and the template has a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synthgen.authoring import (
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    check_int,
    levelled,
    params,
)

_WORDS = Words.beside(__file__)
_TASKS: dict[str, list[str]] = _WORDS["tasks"]
_LAST = 9_999


@levelled("wildcards + length", 3, 4, 5, 6)
@dataclass(frozen=True)
class SymbolTemplates(PlainFamily):
    """The label of a sequence, which depends only on which of its symbols are equal.

    Attributes:
        task: set of templates with their labels.
        first_symbol: number of the first symbol of the alphabet.
        symbols_used: symbols of the alphabet, from x`first_symbol` on.
    """

    task: str = params.choice("same_different", tuple(_TASKS))
    first_symbol: int = params.integer(0, 0, _LAST)
    symbols_used: int = params.integer(100, 3, _LAST + 1)

    version = 2
    verifier = "symbol_templates"
    words = _WORDS
    symbols = {**dict.fromkeys(_TASKS, (2, 4)), "p": 0, "q": 0}
    own_axes = {
        "rule": axis("number of the rule that fits, from 1", 1, 5),
        "length": axis("tokens of the sequence", 2, 4),
        "wildcards": axis("different symbols of the sequence", 1, 3),
        "low_symbol": axis("lowest number of a symbol", 0, _LAST),
        "high_symbol": axis("highest number of a symbol", 0, _LAST),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("symbols_used", self.symbols_used, 3, _LAST + 1 - self.first_symbol)

    def make(self, draws: RowDraws) -> Problem:
        """Draw a template, and a different symbol for each of its wildcards."""
        rules = _TASKS[self.task]
        number = draws.integer(0, len(rules))
        form, _, label = rules[number].partition(" -> ")
        tokens = form.split()
        names = sorted({token for token in tokens if token.isupper()})
        chosen: list[int] = []
        while len(chosen) < len(names):
            symbol = self.first_symbol + draws.integer(0, self.symbols_used)
            if symbol not in chosen:
                chosen.append(symbol)
        numbers = dict(zip(names, chosen, strict=True))
        texts = {name: f"x{symbol}" for name, symbol in numbers.items()}
        return Problem(
            tree=(self.task, *(numbers.get(token, token) for token in tokens)),
            answer=texts.get(label, label),
            holes={
                "task": self.task,
                "rules": "\n".join(rules),
                "sequence": " ".join(texts.get(token, token) for token in tokens),
            },
            axes={
                "rule": number + 1,
                "length": len(tokens),
                "wildcards": len(names),
                "low_symbol": min(chosen),
                "high_symbol": max(chosen),
            },
            difficulty=len(tokens),
            data=(rules[number], texts),
        )

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of the labels."""
        del problem
        return "integer" if self.task == "counting" else "label"

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the rule that fits, and the symbol of each wildcard."""
        rule, texts = problem.data
        return [rule, *(f"{name} = {text}" for name, text in texts.items())]


GENERATORS = {"symbol_templates": SymbolTemplates}
