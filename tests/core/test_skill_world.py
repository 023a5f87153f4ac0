"""Knowledge bases of skill mixes: they are read, listed, and read-only."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest

from synthgen.core.skill_world import listed, records

TABLES = [
    ("physics", "kind"),
    ("physics", "event"),
    ("physics", "effect"),
    ("physics", "rule"),
    ("kinds", "rule"),
    ("units", "unit"),
    ("senses", "homonym"),
    ("people", "outcome"),
    ("people", "cause"),
    ("people", "stage"),
    ("people", "flaw"),
    ("people", "misdeed"),
    ("people", "omen"),
    ("people", "mishap"),
]


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_records_are_plain_phrases(name: str, table: str) -> None:
    found = records(name, table)
    assert found
    for record in found:
        assert set(record) == set(found[0]) or table in ("cause", "stage")
        for text in record.values():
            assert re.fullmatch(r"[a-z0-9' ,{}]+", text), text
            assert all(listed(text))


def test_records_cannot_be_changed() -> None:
    record = cast("dict[str, Any]", records("units", "unit")[0])
    with pytest.raises(TypeError):
        record["size"] = "2"


def test_what_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        records("nowhere", "rule")
    with pytest.raises(KeyError):
        records("units", "rule")


def test_lists_are_split_at_commas() -> None:
    assert listed("bad luck,  late rain ,") == ("bad luck", "late rain")


def test_rules_name_what_is_defined() -> None:
    names = {table: {r["name"] for r in records("physics", table)} for table in ("kind", "event")}
    effects = {r["name"] for r in records("physics", "effect")}
    for rule in records("physics", "rule"):
        assert rule["kind"] in names["kind"]
        assert rule["event"] in names["event"]
        assert {rule["effect"], *listed(rule["wrong"])} <= effects
