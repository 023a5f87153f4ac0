"""Seals: a record holds the hash of its own content, so that a changed one is noticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SEAL = "seal"
"""Key of the SHA-256 of all other keys, as JSON with sorted keys and without white space."""


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with its seal."""
    return {**content, SEAL: _digest(content)}


def unsealed(record: object) -> dict[str, Any] | None:
    """Return the content of a record, or None if its seal is missing or does not match."""
    if not isinstance(record, dict):
        return None
    content = {key: value for key, value in record.items() if key != SEAL}
    return content if record.get(SEAL) == _digest(content) else None


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
