"""Derivations read from their texts alone, where the generator's signature is not at hand."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.core.columns import Ragged, ragged
from synthgen.core.derivation import Signature, parse_derivation
from synthgen.core.errors import ParamError

_MOST_SYMBOLS = 1 << 16


def read_derivations(texts: Sequence[str]) -> tuple[Ragged, Signature]:
    """Return derivations in prefix order, and the signature that their symbols make up.

    Raises:
        ParamError: for a text that is no whole tree, a symbol with two numbers of arguments, or
            more than 65,536 symbols.
    """
    arities: dict[str, int] = {}
    for text in texts:
        for name, arity in _symbols(text):
            if arities.setdefault(name, arity) != arity:
                raise ParamError("derivation", text, f"{name!r} with {arities[name]} arguments")
    if len(arities) > _MOST_SYMBOLS:
        raise ParamError("symbols", len(arities), f"at most {_MOST_SYMBOLS} different ones")
    signature = Signature.of(dict(sorted(arities.items())))
    return ragged(parse_derivation(text, signature) for text in texts), signature


def _symbols(text: str) -> list[tuple[str, int]]:
    """Return each symbol of a tree with the number of its arguments."""
    counts: list[int] = []
    open_places: list[int] = []
    names: list[str] = []
    expect_operator = False
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            expect_operator = True
            continue
        if token == ")":
            if not open_places:
                raise ParamError("derivation", text, "a bracket before each that closes one")
            open_places.pop()
            continue
        if open_places:
            counts[open_places[-1]] += 1
        names.append(token)
        counts.append(0)
        if expect_operator:
            open_places.append(len(names) - 1)
        expect_operator = False
    return list(zip(names, counts, strict=True))
