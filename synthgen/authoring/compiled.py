"""What families that draw or render columns at once need: kernels, bytes, columns, keyed orders."""

from __future__ import annotations

from synthgen.core.byte_spans import (
    MAX_DIGITS,
    copy_bytes,
    find_byte,
    integer_text,
    same_bytes,
    write_integer,
)
from synthgen.core.columns import (
    Columns,
    LazyColumns,
    Ragged,
    choice_text,
    constant_text,
    longest_row,
    null_mask,
    offsets_of,
    ragged,
    text_bytes,
    text_column,
)
from synthgen.core.kernels import Int, inline, inner, jit, kernel
from synthgen.draws.permutation import MAX_ITEMS, permutation_table, permute, permuted
from synthgen.draws.randomness import (
    GOLDEN,
    U64,
    draw_below,
    draw_bits,
    mix64,
    mix_words,
    row_key,
    scale_words,
)
from synthgen.draws.streams import keyed_order
from synthgen.trees.content_keys import Keys, derivation_keys, text_keys
from synthgen.trees.derivations import Codes

__all__ = [
    "GOLDEN",
    "MAX_DIGITS",
    "MAX_ITEMS",
    "U64",
    "Codes",
    "Columns",
    "Int",
    "Keys",
    "LazyColumns",
    "Ragged",
    "choice_text",
    "constant_text",
    "copy_bytes",
    "derivation_keys",
    "draw_below",
    "draw_bits",
    "find_byte",
    "inline",
    "inner",
    "integer_text",
    "jit",
    "kernel",
    "keyed_order",
    "longest_row",
    "mix64",
    "mix_words",
    "null_mask",
    "offsets_of",
    "permutation_table",
    "permute",
    "permuted",
    "ragged",
    "row_key",
    "same_bytes",
    "scale_words",
    "text_bytes",
    "text_column",
    "text_keys",
    "write_integer",
]
