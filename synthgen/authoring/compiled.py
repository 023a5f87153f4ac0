"""What families that draw or render columns at once need: kernels, bytes, columns, keyed orders."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

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
    Rows,
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
    "worded",
    "write_integer",
]


def worded(
    rows: Rows,
    wordings: Sequence[tuple[str, str]],
    problems: pa.StringArray,
    name: str = "instruction",
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Insert each problem into a wording drawn for its row.

    Args:
        rows: Rows of the problems.
        wordings: Text before and after the problem of each wording.
        problems: Bare problems.
        name: Start of the names of the wordings, which are numbered from 1.

    Returns:
        The prompts, and the name of each prompt's wording.
    """
    choice = rows.branch("template").draws().integers(0, len(wordings))
    before, after = (
        choice_text(choice, texts).dictionary_decode() for texts in zip(*wordings, strict=True)
    )
    prompts = pc.binary_join_element_wise(before, problems, after, "")
    return prompts, choice_text(choice, [f"{name}_{i + 1}" for i in range(len(wordings))])
