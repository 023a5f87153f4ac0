"""Numbered lines of a text file of anybody's: UTF-8, bounded, plain or gzip."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Generator
from itertools import count
from pathlib import Path
from typing import IO, cast

from synthgen.core.errors import DatasetError

MAX_LINE_BYTES = 16 * 2**20

Line = tuple[int, str]
"""Number from 1, and text without its end."""

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def numbered_lines(path: Path) -> Generator[Line]:
    r"""Yield the lines of a file one at a time; a name that ends in .gz is unpacked.

    Lines end in \n or \r\n; the last may lack its end. A byte-order mark is skipped.

    Raises:
        DatasetError: if the file cannot be read, is not UTF-8 or has a line of more than
            `MAX_LINE_BYTES`; the message names the line.
    """
    try:
        with _opened(path) as file:
            for number in count(1):
                raw = file.readline(MAX_LINE_BYTES + 1)
                if not raw:
                    return
                yield number, _text(path, number, raw)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        msg = f"{path}: cannot be read: {reason}"
        raise DatasetError(msg) from None


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def _text(path: Path, number: int, raw: bytes) -> str:
    if raw.endswith(b"\n"):
        raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
    elif len(raw) > MAX_LINE_BYTES:
        msg = f"{path}:{number}: expected a line of at most {MAX_LINE_BYTES:,} bytes"
        raise DatasetError(msg)
    elif raw.endswith(b"\r"):
        raw = raw[:-1]
    if number == 1:
        raw = raw.removeprefix(_UTF8_MARK)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        is_wide = number == 1 and raw.startswith(_UTF16_MARKS)
        byte = f"byte 0x{raw[error.start]:02x}, number {error.start + 1} of the line, is none"
        msg = f"{path}:{number}: expected UTF-8: {'this looks like UTF-16' if is_wide else byte}"
        raise DatasetError(msg) from None
