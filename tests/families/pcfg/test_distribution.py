"""The statistics that compare PCFG SET with published rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.pcfg_distribution import (
    chi_squared_tail,
    homogeneity,
    kolmogorov_tail,
    main,
)


@pytest.mark.parametrize(
    ("value", "degrees", "tail"),
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (76.153891, 50, 0.01), (9.341818, 10, 0.5)],
)
def test_tails_of_chi_squared(value: float, degrees: int, tail: float) -> None:
    assert chi_squared_tail(value, degrees) == pytest.approx(tail, abs=1e-6)
    assert chi_squared_tail(0, degrees) == 1


@pytest.mark.parametrize(("value", "tail"), [(1.3581, 0.05), (1.6276, 0.01), (0.8276, 0.5)])
def test_tails_of_kolmogorov(value: float, tail: float) -> None:
    assert kolmogorov_tail(value) == pytest.approx(tail, abs=1e-4)


def test_homogeneity_joins_rare_values() -> None:
    chi, degrees = homogeneity(np.array([20, 30, 1, 0]), np.array([30, 20, 0, 1]))
    assert degrees == 2
    assert chi == pytest.approx(4.0)


def test_two_published_sets_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "systematicity").mkdir()
    for name in ("dev", "systematicity/test"):
        (tmp_path / f"{name}.src").write_text("append repeat A1 B2 , C3 D4\n" * 9)
        (tmp_path / f"{name}.tgt").write_text("A1 B2 A1 B2 C3 D4\n" * 9)
    assert main([str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "against 9 rows of dev" in printed
    assert "n_tokens" in printed
    assert main([]) == 2
