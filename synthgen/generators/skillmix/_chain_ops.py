"""The kernel of an atom: one value in, one value out."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators.skillmix import _chain_opcodes as op
from synthgen.generators.skillmix._chain_opcodes import Value
from synthgen.generators.skillmix._chain_ops_letters import letter_op
from synthgen.generators.skillmix._chain_ops_numbers import list_op, measure_op, number_op
from synthgen.generators.skillmix._chain_ops_places import place_op
from synthgen.generators.skillmix._chain_ops_words import words_op


@lent
def apply(
    code: Int, a: Int, b: Int, source: Value, n: Int, out: Value, bounds: tuple[int, int]
) -> Int:
    """Write what an operation makes of source[:n] to the beginning of `out`.

    Args:
        code: of the operation.
        a: its first argument.
        b: its second one.
        source: the value.
        n: its length, at least 1.
        out: room for ROOM integers.
        bounds: longest string or list and largest number, either sign, that may come out.

    Returns:
        The length, or FAILED for what the operation does not take or what leaves the bounds.
    """
    if code < op.COPY:
        m = place_op(code, a, source, n, out)
    elif code < op.LETTERS:
        m = letter_op(code, a, b, source, n, out)
    elif code >= op.FIRSTS:
        m = words_op(code, a, source, n, out)
        return m if m > 0 else np.int64(op.FAILED)
    else:
        if code < op.LENGTH:
            m = list_op(code, a, source, n, out)
        elif code < op.DIGIT_SUM:
            out[0] = measure_op(code, a, source, n)
            m = np.int64(1)
        else:
            m = np.int64(number_op(code, a, source[0], out))
        for k in range(m):
            if not -bounds[1] <= out[k] <= bounds[1]:
                return np.int64(op.FAILED)
    return m if 0 < m <= bounds[0] else np.int64(op.FAILED)
