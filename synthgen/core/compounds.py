"""Which structures of a derivation count as its compounds, by the names that recipes use."""

from __future__ import annotations

from synthgen.core.columns import Ragged
from synthgen.core.derivation import Signature
from synthgen.core.errors import UnknownNameError
from synthgen.core.structures import edges, fragments, subtrees

COMPOUNDS = ("fragments", "edges", "subtrees")


def compounds_of(derivations: Ragged, signature: Signature, kind: str, nodes: int) -> Ragged:
    """Return the compounds of each derivation, each as often as it occurs, ragged uint64.

    Args:
        derivations: symbol codes in prefix order.
        signature: names and arities of the codes.
        kind: "edges" (parent, slot, child), "fragments" (connected pieces of 2 to `nodes` nodes)
            or "subtrees" (2 and more nodes with all that is below them).
        nodes: of the largest fragment, 2 to 5.

    Raises:
        UnknownNameError: for another kind.
        ParamError: for nodes out of range, or codes that are not whole derivations.
    """
    if kind == "edges":
        return edges(derivations, signature)
    if kind == "fragments":
        return fragments(derivations, signature, max_nodes=nodes)
    if kind == "subtrees":
        return subtrees(derivations, signature)
    raise UnknownNameError("kind of compounds", kind, COMPOUNDS)
