"""Kinds of atoms and compounds, by the names that recipes use; `compounds` extracts them."""

from __future__ import annotations

from dataclasses import dataclass

from synthgen.core.errors import ParamError, UnknownNameError

NGRAMS = "ngrams"
COMPOUNDS = ("fragments", "edges", "subtrees", NGRAMS)
PROMPT, DERIVATION = "prompt", "derivation"
WORDS = (PROMPT, DERIVATION)


@dataclass(frozen=True, slots=True)
class CompoundKind:
    """One way to decompose a problem.

    Attributes:
        name: One of "fragments" (connected pieces of 2 to `nodes` nodes), "edges" (parent, slot,
            child), "subtrees" (nodes with all of their descendants, 2 or more) and "ngrams".
        nodes: Nodes of the largest fragment, 2 to 5.
        ngram: Lengths of the n-grams in words.
        words: Words of the n-grams: "prompt" (space-separated words of the prompt) or "derivation"
            (the symbols of the derivation in prefix order).

    Raises:
        UnknownNameError: for another name or other words.
        ParamError: for n-grams without a number of words.
    """

    name: str
    nodes: int = 3
    ngram: tuple[int, ...] = ()
    words: str = PROMPT

    def __post_init__(self) -> None:
        if self.name not in COMPOUNDS:
            raise UnknownNameError("kind of compounds", self.name, COMPOUNDS)
        if self.words not in WORDS:
            raise UnknownNameError("words", self.words, WORDS)
        if self.name == NGRAMS and not self.ngram:
            raise ParamError("ngram", self.ngram, "at least one number of words")

    @property
    def of_prompts(self) -> bool:
        """Whether problems are decomposed by their prompts, not by their derivations."""
        return self.name == NGRAMS and self.words == PROMPT

    @property
    def atoms_label(self) -> str:
        """What atoms are, in words."""
        return "words" if self.of_prompts else "symbols"

    @property
    def compounds_label(self) -> str:
        """What compounds are, in words."""
        if self.name == NGRAMS:
            sizes = [f"{n}-" for n in sorted(self.ngram)]
            listed = " and ".join([", ".join(sizes[:-1]), sizes[-1]] if sizes[1:] else sizes)
            return f"{listed}grams of {self.atoms_label}"
        return f"fragments of 2 to {self.nodes}" if self.name == "fragments" else self.name
