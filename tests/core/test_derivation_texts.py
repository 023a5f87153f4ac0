"""Derivations read back without their signature."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.derivation import Signature, derivation_text, parse_derivation, read_derivations
from synthgen.core.errors import ParamError

SIGNATURE = Signature.of({"+": 2, "neg": 1, "x": 0, "7": 0})
TREES = st.recursive(
    st.sampled_from(["x", "7"]),
    lambda tree: st.builds("(+ {} {})".format, tree, tree) | st.builds("(neg {})".format, tree),
    max_leaves=12,
)


@given(st.lists(TREES, min_size=1, max_size=5))
def test_what_is_read_is_written_again(texts: list[str]) -> None:
    derivations, signature = read_derivations(texts)
    assert derivation_text(derivations, signature).to_pylist() == texts
    assert set(signature.names) <= set(SIGNATURE.names)
    for name, arity in zip(signature.names, signature.arities, strict=True):
        assert arity == SIGNATURE.arities[SIGNATURE.code[name]]


def test_ids_of_symbols_do_not_depend_on_codes() -> None:
    texts = ["(+ x (neg 7))", "7"]
    derivations, signature = read_derivations(texts)
    own = ragged(parse_derivation(text, SIGNATURE) for text in texts)
    ids = [
        sig.symbol_ids[d.values].tolist() for d, sig in ((derivations, signature), (own, SIGNATURE))
    ]
    assert ids[0] == ids[1]


@pytest.mark.parametrize(
    "text", ["", "(", ")", "x)", "(+ x", "(+ x x) x", "x x", "(+ (neg x) x))", "((neg x))", "()"]
)
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(ParamError):
        read_derivations([text])


def test_one_symbol_has_one_number_of_arguments() -> None:
    with pytest.raises(ParamError, match="'f'"):
        read_derivations(["(f x)", "(f x x)"])
