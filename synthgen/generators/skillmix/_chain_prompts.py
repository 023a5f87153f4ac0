"""Prompt styles of the skill chains: what stands around a problem, and names of atoms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synthgen.generators.skillmix._chain_catalog import Atom
from synthgen.generators.skillmix._chain_names import opaque_name
from synthgen.generators.skillmix._chain_text import BARE, NESTED, THEN

_THEN_FRAMES = (
    (
        "Carry out these operations one after the other on what stands behind the colon.",
        "Reply with the result alone.",
    ),
    (
        "Below, some steps are followed by the input that they start from.",
        "What comes out in the end?",
    ),
    (
        "Each step takes what the step before it gave. The input is at the end of the line.",
        "State the final result.",
    ),
    ("What is the result of this?", "Write it down and nothing else."),
    (
        "Work through the steps in their order, beginning with the value behind the colon.",
        "Give the last value.",
    ),
    (
        "Here is a recipe and, after a colon, what it is to be used on.",
        "Which value does it lead to?",
    ),
    ("Follow this instruction exactly.", "Answer with what you end up with."),
    (
        "A value goes through the steps of a line; it is written behind them.",
        "What has become of it after the last step?",
    ),
)
_NESTED_FRAMES = (
    ("Work out this call, from the inside to the outside.", "Reply with the result alone."),
    ("What is the value of this expression?", "Write it down and nothing else."),
    (
        "The innermost function is applied first, and each one around it to what comes out.",
        "What does the outermost one give?",
    ),
    ("Evaluate the nested functions.", "Give the final value."),
    ("Functions inside brackets come first.", "State what the whole call returns."),
    (
        "Find out what is returned here; every function takes the result of the one inside it.",
        "Answer with that value.",
    ),
    ("Calculate this from the middle outwards.", "Which value do you get?"),
    ("Read the following as calls within calls.", "What is left when all have been made?"),
)
_DEFINED_HEADS = (
    "Some functions are defined as follows.",
    "These functions are all you need.",
    "This is what the functions of a small language do.",
    "Consider the following functions.",
    "Learn these definitions first.",
    "Here, names have these meanings.",
    "Let some functions be given.",
    "The list says what each function does.",
)


@dataclass(frozen=True, slots=True)
class Style:
    """A prompt style.

    Attributes:
        order: how the order of atoms is told.
        naming: "label", "name", "call", "defined" or "opaque".
    """

    order: int
    naming: str

    def names(self, atoms: Sequence[Atom], key: int) -> list[str]:
        """Return what atoms are called, under a table of opaque names."""
        if self.naming == "opaque":
            return [opaque_name(atom, key) for atom in atoms]
        if self.naming == "name":
            return [atom.name for atom in atoms]
        if self.naming == "call":
            return [atom.name.replace(" ", "_") for atom in atoms]
        return [atom.label for atom in atoms]

    def frames(self) -> tuple[list[str], list[str], list[str]]:
        """Return for each wording what stands before definitions, behind them, and at the end."""
        if self.order == BARE:
            return [""], [""], [""]
        told = _THEN_FRAMES if self.order == THEN else _NESTED_FRAMES
        heads = [head for head, _ in told]
        tails = [f"`\n\n{tail}" for _, tail in told]
        if self.naming == "defined":
            return list(_DEFINED_HEADS), [f"\n\n{head}\n\n`" for head in heads], tails
        return heads, ["\n\n`"] * len(told), tails


STYLES = {
    "bare": Style(BARE, "label"),
    "names": Style(THEN, "name"),
    "names_nested": Style(NESTED, "call"),
    "defined": Style(THEN, "defined"),
    "defined_nested": Style(NESTED, "defined"),
    "opaque": Style(THEN, "opaque"),
    "opaque_nested": Style(NESTED, "opaque"),
}
"""Prompt styles by their names, the default first."""
