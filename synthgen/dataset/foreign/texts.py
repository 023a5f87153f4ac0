"""Rows of plain text: the file form of SCAN, and pairs of files with one text a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.lines import Line
from synthgen.dataset.foreign.rows import Row

_IN, _OUT = "IN: ", " OUT:"


def scan_rows(path: Path, lines: Iterator[Line]) -> Iterator[Row]:
    """Yield the rows of lines `IN: <command> OUT: <actions>`; blank lines are skipped.

    Raises:
        DatasetError: for a line of another form.
    """
    for number, text in lines:
        if not text:
            continue
        halves = text.removeprefix(_IN).split(_OUT)
        if not text.startswith(_IN) or len(halves) != 2:
            msg = f"{path}:{number}: expected 'IN: <command> OUT: <actions>'"
            raise DatasetError(msg)
        yield number, halves[0], halves[1].removeprefix(" "), None


def line_rows(lines: Iterator[Line]) -> Iterator[Row]:
    """Yield one row for each line, a prompt without an answer; blank lines are skipped."""
    for number, text in lines:
        if text:
            yield number, text, None, None


def pair_rows(
    path: Path, prompts: Iterator[Line], answers_path: Path, answers: Iterator[Line]
) -> Iterator[Row]:
    """Yield one row for each line of both files; a blank line is an empty text.

    Raises:
        DatasetError: if one file has fewer lines than the other.
    """
    for prompt, answer in zip_longest(prompts, answers):
        if prompt is None:
            raise _too_few(path, answer[0] - 1, answers_path)
        if answer is None:
            raise _too_few(answers_path, prompt[0] - 1, path)
        yield prompt[0], prompt[1], answer[1], None


def _too_few(path: Path, lines: int, other: Path) -> DatasetError:
    msg = f"{path}: lines={lines:,}: expected as many as {other} has, which has more"
    return DatasetError(msg)
