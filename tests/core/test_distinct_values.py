"""Different values against numpy's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from synthgen.core.columns import distinct_values


@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.uint64])
@given(st.data())
def test_as_numpy_has_it(dtype: type[np.integer], data: st.DataObject) -> None:
    values = data.draw(arrays(dtype, array_shapes(max_dims=2, min_side=0)))
    found = distinct_values(values)
    assert found.dtype == values.dtype
    assert found.tolist() == np.unique(values).tolist()
