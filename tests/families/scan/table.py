"""Divergences of SCAN's published splits: the reference table, to the digits that it has."""

from typing import NamedTuple


class Line(NamedTuple):
    """Rows and different rows of train, rows of test, divergences, shares of unseen n-grams."""

    n_train: int
    unique: int
    n_test: int
    atoms: float
    bi: float
    tri: float
    output_atoms: float
    output_bi: float
    unseen_bi: float
    unseen_tri: float


TABLE = {
    "simple": Line(16728, 16728, 4182, 0.0001, 0.0001, 0.0006, 0.0001, 0.0001, 0, 0.0002),
    "length": Line(16990, 16990, 3920, 0.0295, 0.0261, 0.0528, 0.0033, 0.0173, 0, 0),
    "addprim-jump": Line(14670, 13204, 7706, 0.0510, 0.1932, 0.3564, 0.1220, 0.5044, 1, 1),
    "addprim-turn-left": Line(21890, 19702, 1208, 0.0391, 0.0314, 0.2031, 0.0127, 0.0130, 0, 1),
    "template-around-right": Line(15225, 15225, 4476, 0.0397, 0.1290, 0.2736, 0.0795, 0.0824, 1, 1),
    "template-opposite-right": Line(
        15225, 15225, 4476, 0.0397, 0.1290, 0.2736, 0.0300, 0.0217, 1, 1
    ),
    "template-right": Line(15225, 15225, 4476, 0.0273, 0.1341, 0.2958, 0.0098, 0.0095, 1, 1),
    "template-jump-around-right": Line(
        18528, 18528, 1173, 0.0510, 0.0448, 0.1683, 0.1367, 0.1493, 0, 1
    ),
}
