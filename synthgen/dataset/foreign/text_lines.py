"""Open text files, compressed or not, and number their lines."""

from __future__ import annotations

import bz2
import codecs
import gzip
import zlib
from collections.abc import Generator
from io import BufferedReader, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from synthgen.core.errors import DatasetError, ParamError
from synthgen.core.files import check_regular

COMPRESSED = (".gz", ".zst", ".bz2")
"""Endings of compressed files."""
MAX_LINE_BYTES = 16 * 2**20

Line = tuple[int, str]
"""Line number from 1, and text without its line end."""

UTF8 = "utf-8"
UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BROKEN = (OSError, EOFError, zlib.error)


def checked_encoding(name: str | None) -> str:
    """Return the name of a text encoding; UTF-8 if None.

    Raises:
        ParamError: if Python does not know it as an encoding of text.
    """
    try:
        known = codecs.lookup(name or UTF8)
        "a".encode(known.name)
    except (LookupError, UnicodeError, ValueError):
        expected = "an encoding of text, such as utf-8, utf-16, latin-1 or cp1252"
        raise ParamError("--encoding", name, expected) from None
    return known.name


def opened(path: Path) -> IO[bytes]:
    """Open a file for reading, and decompress it if its name says so.

    Raises:
        OSError: if it is not a regular file, or cannot be opened.
    """
    check_regular(path)
    ending = path.suffix.lower()
    if ending == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    if ending == ".bz2":
        return bz2.open(path, "rb")
    if ending == ".zst":
        return BufferedReader(pa.input_stream(str(path), compression="zstd"))
    return path.open("rb")


def numbered_lines(path: Path, encoding: str = UTF8, most: int = MAX_LINE_BYTES) -> Generator[Line]:
    r"""Yield the lines of a file one at a time, decompressed if its name says so.

    Lines end in \n or \r\n; the last one may lack its end. A byte-order mark is skipped.

    Args:
        path: Path of the file.
        encoding: Encoding of the text, as `checked_encoding` returns it.
        most: Most bytes of a line.

    Raises:
        DatasetError: if the file cannot be read, does not have this encoding, or has a longer line;
            the message names the line.
    """
    try:
        with opened(path) as file:
            if encoding == UTF8:
                for number in count(1):
                    raw = file.readline(most + 1)
                    if not raw:
                        return
                    yield number, _text(path, number, raw, most)
            yield from _decoded_lines(path, file, encoding, most)
    except _BROKEN as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: Exception) -> DatasetError:
    """Return the error of a file that cannot be read."""
    reason = getattr(error, "strerror", None) or str(error)
    msg = f"{path}: cannot be read: {reason}"
    return DatasetError(msg)


def _decoded_lines(path: Path, file: IO[bytes], encoding: str, most: int) -> Generator[Line]:
    """Yield the lines of an open file in another encoding than UTF-8."""
    with TextIOWrapper(file, encoding, newline="\n") as reader:
        for number in count(1):
            try:
                text = reader.readline(most)
            except UnicodeError:
                msg = f"{path}:{number}: expected text in {encoding}"
                raise DatasetError(msg) from None
            if not text:
                return
            yield number, _text(path, number, text.encode(errors="surrogatepass"), most)


def _text(path: Path, number: int, raw: bytes, most: int) -> str:
    if raw.endswith(b"\n"):
        raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
    elif len(raw) > most:
        msg = f"{path}:{number}: expected a line of at most {most:,} bytes"
        raise DatasetError(msg)
    elif raw.endswith(b"\r"):
        raw = raw[:-1]
    if number == 1:
        raw = raw.removeprefix(UTF8_MARK)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        is_wide = number == 1 and raw.startswith(_UTF16_MARKS)
        byte = f"byte 0x{raw[error.start]:02x}, number {error.start + 1} of the line, is none"
        wide = "this looks like UTF-16; use --encoding utf-16"
        hint = wide if is_wide else f"{byte}; name another one with --encoding, such as latin-1"
        msg = f"{path}:{number}: expected UTF-8: {hint}"
        raise DatasetError(msg) from None
