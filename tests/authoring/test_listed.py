"""Finite families, which list their problems."""

import pytest

from synthgen.families.grokking.family import Grokking


def test_many_families_are_listed_once_for_their_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = []
    problems = Grokking.problems
    monkeypatch.setattr(Grokking, "problems", lambda one: listed.append(one) or problems(one))
    families = [Grokking(operation="add", modulus=modulus) for modulus in range(2, 82)]
    for _ in range(3):
        assert [family.space for family in families] == [m * m for m in range(2, 82)]
        assert [family.fewest_problems for family in families] == [m * m for m in range(2, 82)]
    assert listed == families
