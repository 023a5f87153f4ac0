"""Content keys against a plain-Python reference, and ids that may never change."""

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.families.hint.kernels import SIGNATURE as HINT
from synthgen.trees.content_keys import (
    ID_LENGTH,
    derivation_keys,
    domain_seed,
    id_column,
    keys_of_ids,
    text_keys,
)
from synthgen.trees.derivations import Signature, parse_derivation

LEAVES = Signature.from_arities(dict.fromkeys("abcdef", 0) | {"f": 1, "g": 2})
ROWS = st.lists(st.lists(st.integers(0, len(LEAVES.names) - 1), min_size=1, max_size=12))

PINNED = {
    "7": "dbce00694b9a0536c85a188fae8317fb",
    "(+ 2 3)": "ca56dd9beaead73868dd860fc80458f6",
    "(- 2 3)": "c147b2e360edb92c74396ebe2690d034",
    "(* (+ 2 3) (- 4 9))": "837020da00158247e6e2cb37d393c4bc",
    "(- (* (* 9 9) (+ 9 9)) (/ (- 8 (* 6 7)) 4))": "66a1ec161f1f47bdc56c6dbdf002aec3",
    "(a x (d 3 y))": "ca55268b6473256846abf758468a2459",
    "(c (b 7 2) 9)": "7e538d9071aa107b65a47e1d9dbd8490",
}


def word(person: bytes, content: bytes) -> int:
    digest = hashlib.blake2b(content, digest_size=8, person=person).digest()
    return int.from_bytes(digest, "little")


def split_mix(value: int) -> int:
    value %= 2**64
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) % 2**64
    return value ^ (value >> 31)


def murmur(value: int) -> int:
    value %= 2**64
    value = ((value ^ (value >> 33)) * 0xFF51AFD7ED558CCD) % 2**64
    value = ((value ^ (value >> 33)) * 0xC4CEB9FE1A85EC53) % 2**64
    return value ^ (value >> 33)


def folded(words: list[int], domain: str) -> list[int]:
    """Fold words into the two lanes, in unbounded integers."""
    digest = hashlib.blake2b(domain.encode(), digest_size=16, person=b"synthgen-domain").digest()
    high, low = (int.from_bytes(digest[i : i + 8], "little") for i in (0, 8))
    for symbol in words:
        high = split_mix(high ^ symbol)
        low = murmur(low + symbol * 0xD6E8FEB86659FD93)
    return [split_mix(high + len(words)), murmur(low ^ len(words))]


def derivation_words(codes: list[int], signature: Signature) -> list[int]:
    return [
        word(b"synthgen-symbol", f"{signature.names[c]}/{signature.arities[c]}".encode())
        for c in codes
    ]


@given(ROWS, st.text(max_size=8))
def test_keys_equal_the_reference(rows: list[list[int]], domain: str) -> None:
    keys = derivation_keys(ragged(rows), LEAVES, domain)
    assert keys.dtype == np.uint64
    assert keys.shape == (len(rows), 2)
    assert keys.tolist() == [folded(derivation_words(row, LEAVES), domain) for row in rows]


@given(st.lists(st.text(max_size=10), max_size=8), st.integers(0, 3))
def test_text_keys_equal_the_reference_also_for_slices(texts: list[str], start: int) -> None:
    column = pa.array(texts, pa.string()).slice(min(start, len(texts)))
    expected = [
        folded([word(b"synthgen-byte", bytes([b])) for b in text.encode()], "text/hint")
        for text in texts[start:]
    ]
    assert text_keys(column, "hint").tolist() == expected


@given(ROWS, st.randoms(use_true_random=False))
def test_keys_do_not_depend_on_the_order_of_codes(rows: list[list[int]], random: object) -> None:
    order = list(range(len(LEAVES.names)))
    random.shuffle(order)  # type: ignore[attr-defined]
    other = Signature(
        tuple(LEAVES.names[i] for i in order), tuple(LEAVES.arities[i] for i in order)
    )
    renamed = [[other.code[LEAVES.names[code]] for code in row] for row in rows]
    ours = derivation_keys(ragged(rows), LEAVES, "hint")
    assert np.array_equal(derivation_keys(ragged(renamed), other, "hint"), ours)


def test_keys_do_not_depend_on_symbols_that_are_not_used() -> None:
    wider = Signature(("z", *LEAVES.names), (3, *LEAVES.arities))
    ours = derivation_keys(ragged([[0, 1, 2]]), LEAVES, "hint")
    assert np.array_equal(derivation_keys(ragged([[1, 2, 3]]), wider, "hint"), ours)


def test_different_domains_names_arities_and_trees_differ() -> None:
    other_arity = Signature(LEAVES.names, (1, *LEAVES.arities[1:]))
    rows = ragged([[0], [1], [0, 0], [0, 1], [1, 0], [0, 0, 0], [0, 1, 0]])
    keys = [
        tuple(key)
        for signature, domain in ((LEAVES, "hint"), (LEAVES, "scan"), (other_arity, "hint"))
        for key in derivation_keys(rows, signature, domain).tolist()
    ]
    # Row [1] holds no symbol whose arity changed, so it is one problem under both signatures.
    assert len(set(keys)) == len(keys) - 1
    assert domain_seed("hint").tolist() != domain_seed("scan").tolist()


def test_lanes_are_told_apart_on_many_short_rows() -> None:
    rows = [[a, b, c] for a in range(8) for b in range(8) for c in range(8)]
    keys = derivation_keys(ragged(rows), LEAVES, "hint")
    assert len({*keys[:, 0].tolist(), *keys[:, 1].tolist()}) == 2 * len(rows)


def test_keys_of_nothing() -> None:
    assert derivation_keys(ragged([]), LEAVES, "hint").shape == (0, 2)
    assert id_column(np.zeros((0, 2), np.uint64)).to_pylist() == []
    assert keys_of_ids(pa.array([], pa.string())).shape == (0, 2)


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)), max_size=10))
def test_ids_are_hexadecimal_and_go_there_and_back(pairs: list[tuple[int, int]]) -> None:
    keys = np.array(pairs, np.uint64).reshape(-1, 2)
    ids = id_column(keys)
    assert ids.to_pylist() == [f"{high:016x}{low:016x}" for high, low in pairs]
    assert np.array_equal(keys_of_ids(ids), keys)
    assert np.array_equal(keys_of_ids(ids.slice(1)), keys[1:])


@pytest.mark.parametrize(
    "ids",
    [
        ["0" * 31],
        ["0" * 33],
        [""],
        [None],
        ["g" * 32],
        ["é" * 16],
        ["0" * 32, "0" * 31],
        [" " * 16 + "0" * 16],
        [" " * 16 + "0" * 16] * 2,
    ],
    ids=repr,
)
def test_what_is_no_id_is_refused(ids: list[str | None]) -> None:
    assert ID_LENGTH == 32
    with pytest.raises(ValueError, match=r".+"):
        keys_of_ids(pa.array(ids, pa.string()))


@pytest.mark.parametrize(("text", "expected"), PINNED.items())
def test_ids_of_hint_expressions_never_change(text: str, expected: str) -> None:
    codes = parse_derivation(text, HINT)
    assert id_column(derivation_keys(ragged([codes]), HINT, "hint")).to_pylist() == [expected]
    high, low = folded(derivation_words(codes, HINT), "hint")
    assert f"{high:016x}{low:016x}" == expected
