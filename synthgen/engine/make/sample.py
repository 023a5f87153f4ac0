"""Sample of rows for the slow check: a share, and at least one of each template and difficulty."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_values
from synthgen.core.content import Keys

_UNIT = 2.0**64


def stratified_sample(
    templates: pa.Array, difficulty: NDArray[np.int16], keys: Keys, share: float
) -> NDArray[np.int64]:
    """Choose a share of the rows by their keys, and the lowest key of every stratum.

    The choice depends on a row's content, not on its position.

    Args:
        templates: wording of each row, (n,).
        difficulty: (n,).
        keys: content keys, (n, 2).
        share: from 0 to 1.

    Returns:
        Positions in ascending order.
    """
    if share == 0 or not len(keys):
        return np.zeros(0, np.int64)
    chosen = keys[:, 0] < share * _UNIT if share < 1 else np.ones(len(keys), bool)
    names = templates if pa.types.is_dictionary(templates.type) else templates.dictionary_encode()
    codes = integer_values(names.indices).astype(np.int64)
    levels = difficulty.astype(np.int64) - difficulty.min()
    strata = codes * (levels.max() + 1) + levels
    missing = np.bincount(strata) > 0
    missing[strata[chosen]] = False
    for stratum in np.flatnonzero(missing):
        inside = np.flatnonzero(strata == stratum)
        chosen[inside[np.argmin(keys[inside, 0])]] = True
    return np.flatnonzero(chosen)
