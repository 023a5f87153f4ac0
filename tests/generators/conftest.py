"""In which order tests of all generators run."""

from __future__ import annotations

import pytest

_CONTRACT = "test_contract.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the contract's tests of one generator beside each other.

    They read the same draws and texts, of which a process keeps only those of a few generators.
    """
    places = [i for i, item in enumerate(items) if item.path.name == _CONTRACT]
    ordered = sorted((items[i] for i in places), key=_generator_of)
    for place, item in zip(places, ordered, strict=True):
        items[place] = item


def _generator_of(item: pytest.Item) -> str:
    return str(item.callspec.params["name"]) if isinstance(item, pytest.Function) else ""
