"""Files from anywhere: read only regular ones, replace texts without following links."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from synthgen.core.errors import OutputError, ParamError


def check_name(path: str) -> None:
    """Raise ParamError unless a path is UTF-8, which Arrow and a manifest need."""
    try:
        path.encode()
    except UnicodeEncodeError as error:
        raise ParamError("path", path, expected_name(error)) from None


def expected_name(error: UnicodeEncodeError) -> str:
    """Return what was expected of a name that cannot be encoded, and what may help."""
    here = sys.getfilesystemencoding()
    advice = "" if here == "utf-8" else f"; names are {here} in this locale, set PYTHONUTF8=1"
    return f"a name in {error.encoding.upper()}{advice}"


def check_regular(path: Path) -> None:
    """Raise OSError unless a path is a regular file: a pipe would make its reader wait for ever."""
    check_name(str(path))
    mode = path.stat().st_mode
    if S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def replace_text(path: Path, text: str) -> Path:
    """Write a UTF-8 file atomically, creating its folder if needed, and return its path.

    A symlink in its place is replaced, not followed.

    Raises:
        OutputError: if the file cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        try:
            with temporary.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        msg = f"cannot write {path}: {error.strerror or error}"
        raise OutputError(msg) from error
    return path
