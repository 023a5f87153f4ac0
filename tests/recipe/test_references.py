from __future__ import annotations

from typing import Any

import pytest

from synthgen.recipe.references import name_of, reference_faults


def faults(*splits: object, source: object = ()) -> list[tuple[str, str]]:
    document = {"split": list(splits), "source": source}
    return [
        (".".join(path), message) for path, message in reference_faults(document, lambda _: None)
    ]


def split(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "rows": 1, **more}


def test_references_forwards_and_backwards() -> None:
    assert faults(split("a", seen_in="b"), split("b", overlap=["c", "a"]), split("c")) == []


def test_sources_without_a_name_have_the_generators() -> None:
    twice = [{"generator": "hint"}, {"generator": "scan", "name": "hint"}]
    assert faults(source=twice) == [
        ("source.1.name", "name='hint': expected a unique name; source.0 has it too")
    ]
    assert faults(source=[{"generator": "hint"}, {"generator": "hint", "name": "other"}]) == []


def test_a_table_with_a_fault_still_lends_its_name() -> None:
    broken = {"name": "test-ood", "rows": "many", "wheer": 3}
    assert faults(broken, split("train", overlap=["test-ood"], seen_in="test-ood")) == []


@pytest.mark.parametrize("odd", [3, "x", None, {"name": 3, "seen_in": 4, "overlap": "a"}, {}])
def test_wrong_types_are_left_to_the_schema(odd: object) -> None:
    assert faults(odd, split("a", overlap=[3, ""], seen_in="")) == []
    assert list(reference_faults({"split": odd, "source": odd}, lambda _: None)) == []


def test_name_of() -> None:
    assert name_of({"generator": "hint"}) == "hint"
    assert name_of({"generator": "hint", "name": "other"}) == "other"
    assert name_of({"generator": "hint", "name": 3}) is None
    assert name_of(3) is None
