"""Reading a recipe file: bytes to text to a parsed TOML document, with the line of what fails."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from synthgen.core.errors import Fault, RecipeError

MAX_BYTES = 4 * 2**20

_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_PLAIN = {"Cannot overwrite a value": "this key is already set further up"}


def read_text(path: Path) -> str:
    """Return the text of a file of at most `MAX_BYTES`, without a byte-order mark.

    Raises:
        RecipeError: if the file cannot be read, is too big or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RecipeError(str(path), [Fault(f"cannot be read: {error.strerror}")]) from error
    if len(data) > MAX_BYTES:
        raise RecipeError(str(path), [Fault(f"expected a file of at most {MAX_BYTES} bytes")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        msg = f"not UTF-8: byte 0x{error.object[error.start]:02x} has no meaning there"
        raise RecipeError(str(path), [Fault(msg, line=line)]) from error


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return the document of a TOML text.

    Raises:
        RecipeError: with one fault, at the line where the text stops being TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        fault = _syntax_fault(str(error), text)
    except RecursionError:
        fault = Fault("not valid TOML: nested too deeply")
    except ValueError:  # raised for integers of thousands of digits
        fault = Fault("not valid TOML: a number has too many digits")
    raise RecipeError(file, [fault])


def _syntax_fault(message: str, text: str) -> Fault:
    place = _PLACE.search(message)
    if place is None:
        return Fault(f"not valid TOML: {message}")
    reason = message[: place.start()]
    reason = _PLAIN.get(reason, reason)
    if place["line"] is None:
        return Fault(f"not valid TOML: {reason} (at the end)", line=len(text.splitlines()) or 1)
    return Fault(f"not valid TOML: {reason} (column {place['column']})", line=int(place["line"]))
