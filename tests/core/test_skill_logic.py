from __future__ import annotations

from itertools import combinations

import pytest

from synthgen.core.skill_logic import Kind, logic_knowledge

KINDS = (logic_knowledge().persons, logic_knowledge().things)


@pytest.mark.parametrize("kind", KINDS, ids=("persons", "things"))
def test_what_carries_over_is_told_apart_from_what_does_not(kind: Kind) -> None:
    assert not set(kind.shared) & {*kind.small, *kind.large}
    assert not set(kind.small) & set(kind.large)
    assert min(map(len, (kind.wholes, kind.small, kind.large, kind.shared))) >= 5


def test_groups_of_one_meaning_have_no_word_in_common() -> None:
    groups = [set(group) for kind in KINDS for group in kind.same]
    assert all(len(group) > 1 for group in groups)
    assert [one & other for one, other in combinations(groups, 2) if one & other] == []


def test_opposites_are_two_of_a_sort() -> None:
    known = logic_knowledge()
    for one, other in (*KINDS[0].opposites, *KINDS[1].opposites, *known.opposites):
        assert one != other
    assert len({frozenset(pair) for kind in KINDS for pair in kind.opposites}) >= 25
