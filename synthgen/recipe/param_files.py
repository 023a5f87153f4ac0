"""Params that are the text of a file beside the recipe: `files = { inventory = "skills.csv" }`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from synthgen.core.errors import ParamError
from synthgen.recipe.combinations import stays_below
from synthgen.recipe.lines import Key
from synthgen.recipe.sources import Source

MAX_BYTES = 4 * 2**20
_Places = tuple[tuple[int, Source], ...]


def with_files(
    folder: Path, sources: _Places, found: list[tuple[Key, str]]
) -> Iterator[tuple[int, Source]]:
    """Yield the sources with the texts of their files, and note path and message of each fault.

    Args:
        folder: of the recipe, which the files must not be outside of.
        sources: with their index.
        found: to which faults are added; a source with one is left as it is.
    """
    for place, source in sources:
        texts: dict[str, str] = {}
        for name, file in source.files.items():
            try:
                texts[name] = read_beside(folder, name, file)
            except ParamError as error:
                found.append((("source", str(place), "files", name), str(error)))
        yield place, source.with_texts(texts)


def read_beside(folder: Path, name: str, file: str) -> str:
    """Return the text of a file; ends of lines and a byte-order mark do not matter.

    Args:
        folder: which the file must not be outside of.
        name: of the key that asks for it.
        file: its path relative to the folder.

    Raises:
        ParamError: if the file is outside the folder or cannot be read as text.
    """
    path = folder / file
    try:
        if not stays_below(file) or not path.resolve().is_relative_to(folder.resolve()):
            raise ParamError(name, file, "a file below the recipe's folder")
        if not path.is_file():
            raise ParamError(name, file, "a file beside the recipe; there is none")
        with path.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise ParamError(name, file, f"a file that can be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise ParamError(name, file, f"a file of at most {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParamError(name, file, f"UTF-8 text; line {line} is not") from error
    return text.replace("\r\n", "\n")


def file_faults(sources: Iterable[tuple[int, dict[str, object]]]) -> Iterator[tuple[Key, str]]:
    """Yield path and message of each param that is given twice, by value and by file."""
    for place, source in sources:
        files, params = source.get("files"), source.get("params")
        if not isinstance(files, dict) or not isinstance(params, dict):
            continue
        for name in files:
            if name in params:
                message = f"{name}: expected it in params or in files, not in both"
                yield ("source", str(place), "files", str(name)), message
