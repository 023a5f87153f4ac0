"""The table of docs/reliability.md, which a full run rewrites."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

from benchmarks.faults.common import Tally

_HEAD = "| campaign | done | wrong |\n|---|---|---|\n"
_ROWS = re.compile(rf"{re.escape(_HEAD)}((?:\|.*\n)*)")


def write_row(page: Path, name: str, run: str, tally: Tally) -> None:
    """Replace or add the row of a campaign in the table of a page.

    Args:
        page: the page.
        name: of the campaign.
        run: its size, seed and time.
        tally: what it did, and what was wrong.

    Raises:
        ValueError: if the page has no such table.
    """
    text = page.read_text(encoding="utf-8")
    found = _ROWS.search(text)
    if found is None:
        msg = f"{page}: no table of campaigns"
        raise ValueError(msg)
    rows = {row.split("`")[1]: row for row in found[1].splitlines(keepends=True)}
    rows[name] = _row(name, run, tally)
    page.write_text(text.replace(found[0], f"{_HEAD}{''.join(rows.values())}"), encoding="utf-8")


def _row(name: str, run: str, tally: Tally) -> str:
    done = ", ".join(f"{number:,} {what}" for what, number in tally.did.items() if number)
    wrong = ", ".join(f"{number:,} {what}" for what, number in tally.wrong.items() if number)
    day = dt.datetime.now(dt.UTC).date()
    return f"| `{name}` | {done} ({day}: {run}) | {wrong or '0'} |\n"
