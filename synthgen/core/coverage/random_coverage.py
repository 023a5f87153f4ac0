"""What uniform random rows cover: expected coverage, and the rows that full coverage takes.

Each of n rows falls into one of m equally likely cells. The expected share of cells hit is
1 - (1 - 1/m)^n; the rows until all are hit are m H_m on average (the coupon collector), and by the
union bound all are hit with probability p once m (1 - 1/m)^n <= 1 - p.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError

_EULER = 0.5772156649015329
_SUMMED = 1 << 20
_MOST = 2**63 - 1


def expected_coverage(rows: int, cells: int) -> float:
    """Return the expected share of `cells` equally likely cells that `rows` rows hit."""
    check_int("rows", rows, 0, _MOST)
    check_int("cells", cells, 1, _MOST)
    if cells == 1:
        return float(rows > 0)
    return -math.expm1(rows * math.log1p(-1 / cells))


def expected_total_coverage(rows: int, cells: Sequence[int]) -> float:
    """Return the expected total coverage of combinations with these numbers of cells.

    Raises:
        ParamError: if there are none.
    """
    if not cells:
        raise ParamError("cells", tuple(cells), "one number at least")
    hits = math.fsum(m * expected_coverage(rows, m) for m in cells)
    return hits / sum(cells)


def rows_for_all(cells: int, probability: float = 0.99) -> int:
    """Return rows that hit all cells with at least this probability, by the union bound."""
    check_int("cells", cells, 1, _MOST)
    _check_share("probability", probability)
    return _rows_until(cells, (1 - probability) / cells)


def rows_for_share(cells: int, share: float = 0.99) -> int:
    """Return the fewest rows whose expected coverage of the cells is at least this share."""
    check_int("cells", cells, 1, _MOST)
    _check_share("share", share)
    return _rows_until(cells, 1 - share)


def mean_rows_for_all(cells: int) -> float:
    """Return the mean number of rows until all cells are hit, m H_m."""
    check_int("cells", cells, 1, _MOST)
    if cells <= _SUMMED:
        return cells * math.fsum(1 / j for j in range(1, cells + 1))
    return cells * (math.log(cells) + _EULER + 0.5 / cells)


def _rows_until(cells: int, left: float) -> int:
    """Return the fewest rows that miss a cell with no more than this probability."""
    if cells == 1:
        return 1
    return math.ceil(math.log(left) / math.log1p(-1 / cells))


def _check_share(name: str, value: float) -> None:
    if not 0.0 < value < 1.0:
        raise ParamError(name, value, "a number above 0 and below 1")
