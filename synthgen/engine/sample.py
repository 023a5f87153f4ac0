"""Which rows get the slow check: a fixed share of every template at every difficulty."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.controllers.cap import ranks_among_equals
from synthgen.core.content import Keys


def stratified_sample(
    templates: pa.Array, difficulty: NDArray[np.int16], keys: Keys, share: float
) -> NDArray[np.int64]:
    """Choose the share of each stratum, rounded up, with the lowest keys.

    Args:
        templates: wording of each row, (n,).
        difficulty: (n,).
        keys: content keys, (n, 2), which make the choice independent of the rows' order.
        share: from 0 to 1.

    Returns:
        Positions in rising order.
    """
    if share == 0 or not len(keys):
        return np.zeros(0, np.int64)
    names = templates if pa.types.is_dictionary(templates.type) else templates.dictionary_encode()
    codes = names.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    strata = codes * (1 << 16) + difficulty
    order = np.lexsort((keys[:, 1], keys[:, 0], strata))
    _, place, sizes = np.unique(strata[order], return_inverse=True, return_counts=True)
    wanted = np.ceil(share * sizes).astype(np.int64)[place]
    return np.sort(order[ranks_among_equals(strata[order]) < wanted])
