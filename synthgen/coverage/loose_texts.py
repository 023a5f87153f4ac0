"""L1 of audits: texts are equal but for differences that nobody sees or means.

These are spaces, Unicode form, characters without width, soft hyphens, full-width characters, the
sign that is used for a minus, and spaces in formulas: `3+4` and `3 + 4`.

Only a space is dropped from a formula, and only if it is
- beside an operator that has an operand on both sides; a plus or minus with a space on one side
  only may be a sign, and keeps it;
- inside of a bracket, beside an operand;
- between an operand and a comma, question mark or full stop.

An operand is a number, a single letter, a question mark, a bracket, or a call such as `gcd(`. Words
are not, so running text keeps its spaces. A text with a mark of code or of a quotation keeps all of
them: a quote, backtick, brace, backslash, underscore or indented line.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes, text_column
from synthgen.core.kernels import Int, inner, jit
from synthgen.coverage.templates import Level
from synthgen.coverage.text_words import fast_normalised_texts
from synthgen.trees.content_keys import Keys, text_keys

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_INVISIBLE = (0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF)
_FULL_WIDTH = range(0xFF01, 0xFF5F)
_TO_ASCII = 0xFEE0
_MINUS = 0x2212
_SIGNS = {
    **dict.fromkeys(_INVISIBLE),
    **{code: chr(code - _TO_ASCII) for code in _FULL_WIDTH},
    _MINUS: "-",
}
_HAS_SIGN = f"[{''.join(map(chr, _SIGNS))}]"


def loose_keys(texts: pa.StringArray, *, fold_case: bool = False) -> Keys:
    """Return the L1 key of each text, uint64 (n, 2)."""
    return text_keys(loose_texts(texts, fold_case=fold_case), Level.NORMALISED.label)


def loose_texts(texts: pa.StringArray, *, fold_case: bool = False) -> pa.StringArray:
    """Return texts without the differences that L1 ignores.

    Args:
        texts: Text column; nulls may become empty.
        fold_case: Whether texts that differ only in case become equal.
    """
    plain = _with_plain_signs(texts)
    is_code = _marked_as_code(*text_bytes(plain))
    spaced = fast_normalised_texts(plain, fold_case=fold_case)
    return text_column(*_without_spaces(*text_bytes(spaced), is_code))


def _with_plain_signs(texts: pa.StringArray) -> pa.StringArray:
    if pc.all(pc.string_is_ascii(texts)).as_py():
        return texts
    mask = pc.fill_null(pc.match_substring_regex(texts, _HAS_SIGN), False)
    if not pc.any(mask).as_py():
        return texts
    plain = [text.translate(_SIGNS) for text in texts.filter(mask).to_pylist()]
    return pc.replace_with_mask(texts, mask, pa.array(plain, pa.string()))


@inner
def _is_letter(byte: np.uint8) -> bool:
    return bool(65 <= byte <= 90 or 97 <= byte <= 122 or byte >= 128)


@inner
def _is_digit(byte: np.uint8) -> bool:
    return bool(48 <= byte <= 57)


@jit
def _marked_as_code(data: Bytes, offsets: Ints) -> Flags:
    """Return which texts have a mark of code or of a quotation, bool (n,)."""
    marked = np.zeros(len(offsets) - 1, np.bool_)
    for i in range(len(marked)):
        start, end = offsets[i], offsets[i + 1]
        for at in range(start, end):
            byte = data[at]
            if byte == 34 or byte == 92 or byte == 95 or byte == 96 or byte == 123 or byte == 125:
                marked[i] = True  # " \ _ ` { }
            elif byte == 39:  # an apostrophe is between letters
                inside = at > start and at + 1 < end
                if not (inside and _is_letter(data[at - 1]) and _is_letter(data[at + 1])):
                    marked[i] = True
            elif byte == 10 and at + 1 < end and (data[at + 1] == 32 or data[at + 1] == 9):
                marked[i] = True
            elif byte == 0xE2 and at + 2 < end and data[at + 1] == 0x80:  # “ ”
                marked[i] = data[at + 2] == 0x9C or data[at + 2] == 0x9D
            if marked[i]:
                break
    return marked


@inner
def _operator(data: Bytes, at: Int, end: Int) -> Int:
    """Return the number of bytes of the operator that begins here, 0 for none."""
    if at >= end:
        return np.int64(0)
    byte = data[at]
    if byte == 42 or byte == 43 or byte == 45 or byte == 47 or byte == 94 or byte == 37:
        return np.int64(1)  # * + - / ^ %
    if byte == 33 or 60 <= byte <= 62:  # ! < = >
        return np.int64(1)
    if at + 1 < end and (byte == 0xC3 or byte == 0xC2):  # × ÷ ·
        second = data[at + 1]
        is_sign = (byte == 0xC3 and (second == 0x97 or second == 0xB7)) or (
            byte == 0xC2 and second == 0xB7
        )
        return np.int64(2 if is_sign else 0)
    if at + 2 < end and byte == 0xE2 and data[at + 1] == 0x89:  # ≠ ≤ ≥
        third = data[at + 2]
        return np.int64(3 if third == 0xA0 or third == 0xA4 or third == 0xA5 else 0)
    return np.int64(0)


@inner
def _first_byte(data: Bytes, at: Int, start: Int) -> Int:
    """Return the first byte of the character that has this one."""
    while at > start and 128 <= data[at] < 192:
        at -= 1
    return at


@inner
def _ends_operand(data: Bytes, at: Int, start: Int, end: Int) -> bool:
    if at < start:
        return False
    byte = data[at]
    if _is_digit(byte) or byte == 41 or byte == 93 or byte == 63:  # ) ] ?
        return True
    if not _is_letter(byte):
        return False
    first = _first_byte(data, at, start)
    is_alone = first == start or not _is_letter(data[first - 1])
    return bool(is_alone and not _operator(data, first, end))


@inner
def _begins_operand(data: Bytes, at: Int, end: Int) -> bool:
    if at < end and (data[at] == 43 or data[at] == 45):
        at += 1  # a sign
    if at >= end:
        return False
    byte = data[at]
    if _is_digit(byte) or byte == 40 or byte == 91 or byte == 63:  # ( [ ?
        return True
    if byte == 46:
        return bool(at + 1 < end and _is_digit(data[at + 1]))
    if not _is_letter(byte) or _operator(data, at, end):
        return False
    at += 1
    while at < end and 128 <= data[at] < 192:
        at += 1
    if at == end or not _is_letter(data[at]):
        return True
    while at < end and (_is_letter(data[at]) or _is_digit(data[at])):
        at += 1
    return bool(at < end and data[at] == 40)


@inner
def _is_sum(data: Bytes, first: Int, stop: Int) -> bool:
    return bool(stop - first == 1 and (data[first] == 43 or data[first] == 45))


@inner
def _after_operators(data: Bytes, at: Int, end: Int) -> Int:
    """Return the first byte after the operators that begin here."""
    length = _operator(data, at, end)
    while length > 0:
        at += length
        length = _operator(data, at, end)
    return at


@inner
def _before_operators(data: Bytes, at: Int, start: Int, end: Int) -> Int:
    """Return the first byte of the operators that end before this byte."""
    while at > start:
        first = _first_byte(data, at - 1, start)
        if not _operator(data, first, end):
            break
        at = first
    return at


@inner
def _is_idle(data: Bytes, at: Int, start: Int, end: Int) -> bool:
    """Return whether a space, with other characters on both sides, belongs to a formula."""
    before, after = data[at - 1], data[at + 1]
    if before == 40 or before == 91:  # ( [
        return _begins_operand(data, at + 1, end)
    follows = _ends_operand(data, at - 1, start, end)
    if follows and (after == 41 or after == 93 or after == 44 or after == 63):  # ) ] , ?
        return True
    if follows and after == 46:
        return bool(at + 2 == end or data[at + 2] == 32)
    first = _before_operators(data, at, start, end)
    if first < at:
        gap = 1 if first > start and data[first - 1] == 32 else 0
        if _is_sum(data, first, at) and not gap:
            return False
        if not _ends_operand(data, first - 1 - gap, start, end):
            return False
        return _begins_operand(data, at + 1, end)
    stop = _after_operators(data, at + 1, end)
    if stop == at + 1 or not follows:
        return False
    gap = 1 if stop < end and data[stop] == 32 else 0
    if _is_sum(data, at + 1, stop) and not gap:
        return False
    return _begins_operand(data, stop + gap, end)


@jit
def _without_spaces(data: Bytes, offsets: Ints, is_code: Flags) -> tuple[Bytes, Ints]:
    """Write texts with single spaces without those of formulas, unless they are code."""
    n = len(offsets) - 1
    out = np.empty(offsets[n] - offsets[0], np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    size = 0
    for i in range(n):
        start, end = offsets[i], offsets[i + 1]
        for at in range(start, end):
            may_go = data[at] == 32 and not is_code[i] and start < at < end - 1
            if may_go and _is_idle(data, at, start, end):
                continue
            out[size] = data[at]
            size += 1
        out_offsets[i + 1] = size
    return out, out_offsets
