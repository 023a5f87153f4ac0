"""Files of JSON Lines that commands read and write."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from synthgen.auditing.wording import plural
from synthgen.cli.common import plain_console, say
from synthgen.core.errors import ParamError

_KINDS = {str: "a string", int: "an integer", list: "a list"}


def read_jsonl(path: Path, columns: dict[str, type]) -> list[dict[str, Any]]:
    """Read JSON Lines, and check that each object has some keys.

    Raises:
        ParamError: with the line of the first fault.
    """
    records = []
    with path.open("rb") as file:
        for number, content in enumerate(file, 1):
            place = f"{path}:{number}"
            line = content.decode(errors="replace")
            try:
                record = json.loads(content.decode())
            except (ValueError, RecursionError):
                raise ParamError(place, line[:60], "a JSON object") from None
            for name, kind in columns.items():
                if not isinstance(record, dict) or not isinstance(record.get(name), kind):
                    raise ParamError(place, line[:60], f"{_KINDS[kind]} with the key {name!r}")
            records.append(record)
    return records


def write_jsonl(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write JSON Lines; the file appears when it is complete."""
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    unfinished = path.with_name(f"{path.name}.tmp")
    unfinished.write_text("".join(lines), encoding="utf-8")
    unfinished.replace(path)
    say(plain_console(), f"{path}: {plural(len(lines), 'row')}")
