"""Reading blocks of a report in tests."""

from __future__ import annotations

from typing import Any

from synthgen.auditing.blocks import Block
from synthgen.auditing.findings import Report


def block(report: Report, key: str) -> Block:
    """Return the one block of a key."""
    (found,) = [each for each in report.blocks if each.key == key]
    return found


def table(report: Report, key: str, number: int = 0) -> list[dict[str, Any]]:
    """Return a table of a block, a dictionary for each row."""
    found = block(report, key).tables[number]
    assert all(len(row) == len(found.columns) for row in found.rows)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]
