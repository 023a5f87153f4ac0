"""Rows that are wrong on purpose: each row of a split with the same probability.

A draw of its own decides for each row, so which rows they are depends on their addresses only, and
not on the size of the split. The verifier must refuse each of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.interfaces import Verifier
from synthgen.contract.registry import load_verifier
from synthgen.core.columns import integer_values, table_column
from synthgen.core.errors import VerificationError
from synthgen.core.images import statements
from synthgen.dataset.membership import Membership
from synthgen.dataset.records import NoiseRecord
from synthgen.dataset.row_schema import CORRUPTED
from synthgen.draws.randomness import RowDraws, Rows
from synthgen.engine.plan.sources import PlannedSource
from synthgen.formats.formatted import Formatted
from synthgen.formats.read_back import other_choices
from synthgen.formats.wrong import Wanted, wrong_answers

_TRIES, _OFFERED = 24, 6
"""Changes of a solution to try, and wrong answers or solutions to choose from."""
_TOKEN = re.compile(r"([0-9]+|[^\W\d_]+)")
_MAX_CHANGE = 4


def is_corrupted(
    noise: NoiseRecord, stream: int, addresses: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Return the mask of the rows of a source that are wrong, by their addresses."""
    draws = Rows(stream, addresses).branch("noise").draws().bits()
    chosen: NDArray[np.bool_] = draws < np.uint64(min(int(noise.share * 2**64), 2**64 - 1))
    return chosen


def counted(
    noise: NoiseRecord, members: Membership, sources: Sequence[PlannedSource]
) -> NoiseRecord:
    """Return the noise of a split with the number of its wrong rows."""
    rows = 0
    for index in np.unique(members.sources):
        addresses = members.addresses[members.sources == index]
        rows += int(is_corrupted(noise, sources[index].stream, addresses).sum())
    return replace(noise, rows=rows)


def with_noise(table: pa.Table, source: PlannedSource, noise: NoiseRecord) -> pa.Table:
    """Return right rows of a source with the column `corrupted`, some of them made wrong.

    Raises:
        VerificationError: with a row that has no answer, or no step, that the verifier refuses.
    """
    addresses = integer_values(table_column(table, "address"))
    mask = is_corrupted(noise, source.stream, addresses)
    if mask.any():
        rows = Rows(source.stream, addresses[mask])
        column = "answer" if noise.kind == "labels" else "solution"
        right = table.filter(pa.array(mask))
        wrong = _wrong_labels(source, rows) if column == "answer" else _wrong_steps(rows, right)
        chosen = _first_refused(source, right, column, wrong)
        new = table[column].to_pylist()
        for place, text in zip(np.flatnonzero(mask).tolist(), chosen, strict=True):
            new[place] = text
        place = table.schema.get_field_index(column)
        table = table.set_column(place, column, pa.array(new, pa.string()))
    return table.append_column(CORRUPTED, pa.array(mask))


def _first_refused(
    source: PlannedSource, table: pa.Table, column: str, wrong: Sequence[Sequence[str]]
) -> list[str]:
    """Return the first of the texts offered for each row that the verifier refuses."""
    verifier = load_verifier(source.generator.verifier)
    rows = [(i, text) for i, texts in enumerate(wrong) for text in texts]
    chosen: dict[int, str] = {}
    if rows:
        offered = table.take([i for i, _ in rows])
        place = offered.schema.get_field_index(column)
        offered = offered.set_column(place, column, pa.array([t for _, t in rows], pa.string()))
        for (i, text), right in zip(rows, _right(verifier, offered, column), strict=True):
            if not right:
                chosen.setdefault(i, text)
    for i, row in enumerate(table.to_pylist()):
        if i not in chosen:
            msg = f"source {source.name!r}: noise: no wrong {column} was found for the row\n"
            msg += "\n".join(f"  {key}: {row[key]!r}" for key in ("prompt", "answer", "solution"))
            raise VerificationError(msg)
    return [chosen[i] for i in range(table.num_rows)]


def _right(verifier: Verifier, table: pa.Table, column: str) -> list[bool]:
    prompts, answers = statements(table), table_column(table, "answer")
    solutions = table_column(table, "solution") if column == "solution" else None
    right: list[bool] = verifier.check(prompts, answers, solutions).tolist()
    return right


def _wrong_labels(source: PlannedSource, rows: Rows) -> list[list[str]]:
    """Return wrong answers to some problems: other options where a prompt shows them."""
    problems = source.generator.draw(rows)
    texts = source.generator.render(problems, source.style)
    draws = [*rows.branch("wrong").each()]
    wrong: dict[int, list[str]] = {}
    if isinstance(source.generator, Formatted):
        shown = zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
        wrong = {i: other for i, row in enumerate(shown) if (other := other_choices(*row))}
    wanted = {i: Wanted(_OFFERED, each) for i, each in enumerate(draws) if i not in wrong}
    if wanted:
        wrong |= wrong_answers(source.generator, problems, source.style, texts, wanted)
    return [each.shuffled(wrong[i]) for i, each in enumerate(draws)]


def _wrong_steps(rows: Rows, table: pa.Table) -> list[list[str]]:
    """Return solutions with a slip in one step."""
    draws = rows.branch("wrong").each()
    solutions = table["solution"].to_pylist()
    return [_slips(text or "", each) for text, each in zip(solutions, draws, strict=True)]


def _slips(solution: str, draws: RowDraws) -> list[str]:
    """Return solutions that differ from a right one in a number or word of one line.

    Conclusions, the last lines, are left as they are where there are others. What a line ends with
    is its result, and is changed first. Where nothing can be changed, a line is missing.
    """
    lines = [_TOKEN.split(line) for line in solution.split("\n")]  # tokens are at odd places
    slips: dict[str, None] = {}
    for turn in range(_TRIES):
        if len(slips) == _OFFERED:
            break
        at = draws.integer(0, max(1, len(lines) - 1))
        parts = lines[at]
        if len(parts) == 1:
            continue
        place = len(parts) - 2 if turn < _OFFERED else 2 * draws.integer(0, len(parts) // 2) + 1
        others = _others(lines, at, place)
        if others:
            changed = [*parts[:place], draws.choice(others), *parts[place + 1 :]]
            whole = [*lines[:at], changed, *lines[at + 1 :]]
            slips["\n".join(map("".join, whole))] = None
    at = draws.integer(0, max(1, len(lines) - 1))
    return [*slips, "\n".join(map("".join, [*lines[:at], *lines[at + 1 :]]))]


def _others(lines: Sequence[Sequence[str]], at: int, place: int) -> list[str]:
    """Return other tokens that may be at a place of a line: near numbers, or words like it.

    Words are those at the same place of lines of equal length, else all of a kind.
    """
    token = lines[at][place]
    if token.isdigit():
        value = int(token)
        near = range(max(0, value - _MAX_CHANGE), value + _MAX_CHANGE + 1)
        return [str(number) for number in near if number != value]
    alike = [line[place] for line in lines if len(line) == len(lines[at])]
    every = [word for line in lines for word in line[1::2]]
    for words in (alike, every):
        others = sorted({word for word in words if word != token and _kind(word) == _kind(token)})
        if others:
            return others
    return []


def _kind(word: str) -> tuple[bool, bool, bool]:
    return word.isdigit(), word[:1].isupper(), len(word) == 1
