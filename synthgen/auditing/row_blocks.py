"""Blocks on single rows of third-party files: what people look for first in data of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from synthgen.auditing.blocks import (
    FLAG,
    INFO,
    OK,
    Block,
    BlockTable,
    Cell,
    not_measured,
    titled,
)
from synthgen.auditing.wording import interval, percent, plural, share, share_text
from synthgen.core.printing import listed
from synthgen.coverage.inputs import ANSWER, GROUP, PLACE, PROMPT, Side, read_rows
from synthgen.coverage.matches import IDENTICAL, are_among
from synthgen.coverage.measurements import Measures
from synthgen.coverage.row_faults import (
    MAX_ANSWER,
    FileRows,
    contradicting,
    cut_rows,
    in_groups_of,
    otherwise_in_train,
    pairs_of,
    read_file_rows,
    repeated,
)
from synthgen.coverage.templates import Level
from synthgen.coverage.text_measures import PROMPT_LENGTH
from synthgen.draws.randomness import U64

Ints = NDArray[np.int64]

MAX_SHOWN = 5
"""Rows or pairs of rows that are shown for each finding of a split."""
_LEVELS = (*IDENTICAL, Level.TEMPLATE)
_MAX_TEXT, _HALF = 120, 58


@dataclass(frozen=True)
class CheckedSide:
    """A side with the keys of its prompts (L1) and what is needed of its rows."""

    side: Side
    prompts: U64
    rows: FileRows

    @property
    def name(self) -> str:
        """Name of the side."""
        return self.side.name

    @property
    def keys(self) -> tuple[U64, U64]:
        """Keys of prompts and of answers."""
        return self.prompts, self.rows.answers

    def shown(self, positions: Iterable[int], *columns: str) -> dict[int, tuple[str, ...]]:
        """Return the place and the texts of some columns of rows, by row number."""
        numbers = np.unique(np.fromiter(positions, np.int64))
        rows = read_rows(self.side, [PLACE, *columns], numbers)
        texts = [[_brief(text or "") for text in rows[name].to_pylist()] for name in columns]
        places = rows[PLACE].to_pylist()
        return dict(zip(numbers.tolist(), zip(places, *texts, strict=True), strict=True))


def checked_sides(measures: Measures) -> list[CheckedSide]:
    """Read what is needed of the rows of all sides."""
    return [
        CheckedSide(side, measures.texts[side.name].keys[Level.NORMALISED], read_file_rows(side))
        for side in measures.sides.all
    ]


def row_blocks(sides: Sequence[CheckedSide]) -> tuple[Block, ...]:
    """Return the blocks on single rows of the sides of files, train first."""
    groups = sorted({name for each in sides for name in each.rows.groups})
    return (
        contradictions_block(sides),
        repeats_block(sides),
        unanswerable_block(sides),
        *([groups_block(sides, groups)] if groups else []),
    )


def contradictions_block(sides: Sequence[CheckedSide]) -> Block:
    """Report prompts with different answers within each side, and in a test and train."""
    key = "contradictions"
    train = sides[0]
    if not all(ANSWER in each.side.columns for each in sides):
        return not_measured(key, "there is no column of answers")
    counts: list[tuple[Cell, ...]] = []
    pairs: list[tuple[Cell, ...]] = []
    faults, figures = [], {}
    for each in sides:
        within = np.flatnonzero(contradicting(*each.keys))
        prompts = len(np.unique(each.prompts[within]))
        others = np.zeros(0, np.int64)
        if each is not train:
            others = np.flatnonzero(otherwise_in_train(train.keys, each.keys))
        if prompts:
            faults.append(
                f"{plural(prompts, 'prompt')} in {plural(len(within), 'row')} of {each.name}"
            )
        if len(others):
            faults.append(f"{plural(len(others), 'row')} of {each.name} against {train.name}")
        across = None if each is train else len(others)
        counts.append((each.name, each.side.rows, prompts, len(within), across))
        pairs += _shown_pairs(each, within, each)
        pairs += _shown_pairs(each, others, train)
        of_side = {"prompts": prompts, "rows": len(within), "against_train": across}
        figures[each.name] = {key: of_side}
    text = f"No prompt has different answers, within a split or in {train.name} and a test."
    if faults:
        text = f"Prompts with different answers: {listed(faults)}."
    long = sum(int(np.count_nonzero((e.rows.answers == 0) & ~e.rows.no_answer)) for e in sides)
    if long:
        text += f" {plural(long, 'answer')} of more than {MAX_ANSWER} characters not compared."
    columns = ("split", "rows", "prompts with several answers", "their rows")
    tables = (
        BlockTable(
            "Prompts with different answers",
            (*columns, f"rows against {train.name}"),
            tuple(counts),
        ),
        BlockTable(
            "First pairs of rows",
            ("split", "row", "answer", "other row", "its answer", "prompt"),
            tuple(pairs),
        ),
    )
    return titled(key, FLAG if faults else OK, text, tables, figures=figures)


def _shown_pairs(each: CheckedSide, rows: Ints, other: CheckedSide) -> list[tuple[Cell, ...]]:
    """Return the first contradicting rows, each with one of the other side."""
    _, first = np.unique(each.prompts[rows], return_index=True)
    chosen = rows[np.sort(first)[:MAX_SHOWN]].tolist()
    partners = {}
    if chosen:
        candidates = np.flatnonzero(are_among(other.prompts, np.sort(each.prompts[chosen])))
        for row in chosen:
            same = candidates[other.prompts[candidates] == each.prompts[row]]
            answers = other.rows.answers[same]
            differs = (answers != 0) & (answers != each.rows.answers[row])
            partners[row] = int(same[differs][0])
    mine = each.shown(chosen, ANSWER, PROMPT)
    theirs = other.shown(partners.values(), ANSWER)
    return [
        (each.name, place, answer, *theirs[partners[row]], prompt)
        for row, (place, answer, prompt) in mine.items()
    ]


def repeats_block(sides: Sequence[CheckedSide]) -> Block:
    """Report rows whose prompt and answer an earlier row of the same side has."""
    counts: list[tuple[Cell, ...]] = []
    shown: list[tuple[Cell, ...]] = []
    faults, figures = [], {}
    for each in sides:
        rows, firsts = repeated(pairs_of(each.prompts, each.rows.texts))
        n, hits = each.side.rows, len(rows)
        counts.append((each.name, n, hits, percent(hits, n), interval(hits, n)))
        figures[each.name] = {"repeated": {"rows": hits, "share": share(hits, n)}}
        if hits:
            faults.append(f"{share_text(hits, n)} of {each.name}")
        chosen = rows[:MAX_SHOWN].tolist()
        of = dict(zip(chosen, firsts[:MAX_SHOWN].tolist(), strict=True))
        earlier = each.shown(of.values())
        shown += [
            (each.name, place, *earlier[of[row]], prompt)
            for row, (place, prompt) in each.shown(chosen, PROMPT).items()
        ]
    text = "No row repeats the prompt and answer of an earlier row of its split."
    if faults:
        text = f"Rows that repeat an earlier row of their split: {listed(faults)}."
    columns = ("split", "rows", "repeated rows", "share, %", "95% interval, %")
    tables = (
        BlockTable("Repeated rows", columns, tuple(counts)),
        BlockTable("First repeated rows", ("split", "row", "repeats", "prompt"), tuple(shown)),
    )
    return titled("repeats", FLAG if faults else OK, text, tables, figures=figures)


def unanswerable_block(sides: Sequence[CheckedSide]) -> Block:
    """Report rows without a prompt or an answer, and texts that were probably cut."""
    counts: list[tuple[Cell, ...]] = []
    shown: list[tuple[Cell, ...]] = []
    faults, figures = [], {}
    for each in sides:
        rows = each.rows
        kinds = {
            "empty prompts": np.flatnonzero(rows.no_prompt),
            "empty answers": np.flatnonzero(rows.no_answer),
            "cut prompts": cut_rows(rows.prompt_ends, each.prompts),
            "cut answers": cut_rows(rows.answer_ends, each.prompts),
        }
        counts.append((each.name, each.side.rows, *map(len, kinds.values())))
        figures[each.name] = {
            "unanswerable": {name.replace(" ", "_"): len(of) for name, of in kinds.items()}
        }
        faults += [
            f"{plural(len(of), name.removesuffix('s'))} in {each.name}"
            for name, of in kinds.items()
            if len(of)
        ]
        for name, of in kinds.items():
            column = ANSWER if name == "cut answers" else PROMPT
            first = each.shown(of[:MAX_SHOWN].tolist(), column)
            shown += [(each.name, name, *row) for row in first.values()]
    text = "No prompt or answer is empty, and none seems cut at a limit of length."
    if faults:
        text = f"{listed(faults)}."
    columns = ("split", "rows", "empty prompts", "empty answers", "cut prompts", "cut answers")
    tables = (
        BlockTable("Rows that cannot be answered or graded", columns, tuple(counts)),
        BlockTable("First such rows", ("split", "fault", "row", "text"), tuple(shown)),
    )
    return titled("unanswerable", FLAG if faults else OK, text, tables, figures=figures)


def groups_block(sides: Sequence[CheckedSide], names: Sequence[str]) -> Block:
    """Report the values of columns of groups, such as users, that train and a test have."""
    train, *tests = sides
    counts: list[tuple[Cell, ...]] = []
    shown: list[tuple[Cell, ...]] = []
    faults = []
    figures: dict[str, dict[str, dict[str, object]]] = {each.name: {"groups": {}} for each in sides}
    for name in names:
        known = train.rows.groups[name]
        figures[train.name]["groups"][name] = {"distinct": _distinct(known)}
        for each in tests:
            groups = each.rows.groups[name]
            rows = np.flatnonzero(in_groups_of(groups, known))
            hits, values, n = len(rows), _distinct(groups[rows]), each.side.rows
            distinct = _distinct(groups)
            counts.append((each.name, name, distinct, values, hits, percent(hits, n)))
            numbers = {
                "distinct": distinct,
                "in_train": values,
                "rows": hits,
                "share": share(hits, n),
            }
            figures[each.name]["groups"][name] = numbers
            if hits:
                of = f"{plural(hits, 'row')} of {each.name}"
                faults.append(f"{plural(values, 'value')} of {name} ({of})")
            _, first = np.unique(groups[rows], return_index=True)
            chosen = rows[np.sort(first)[:MAX_SHOWN]].tolist()
            partners = {row: int(np.argmax(known == groups[row])) for row in chosen}
            theirs = train.shown(partners.values())
            shown += [
                (each.name, name, value, place, *theirs[partners[row]])
                for row, (place, value) in each.shown(chosen, f"{GROUP}{name}").items()
            ]
    text = f"No value of {listed(names)} is in {train.name} and in a test."
    if faults:
        text = f"Groups in {train.name} and in a test: {listed(faults)}."
    columns = ("split", "column", "values", f"also in {train.name}", "their rows", "share, %")
    more = ("split", "column", "value", "row", f"row of {train.name}")
    tables = (
        BlockTable("Groups on both sides", columns, tuple(counts)),
        BlockTable("First rows", more, tuple(shown)),
    )
    verdict = FLAG if faults else OK if tests else INFO
    return titled("groups", verdict, text, tables, figures=figures)


def _distinct(keys: U64) -> int:
    """Return the number of groups, 0 being none."""
    return len(np.unique(keys[keys != 0]))


def _brief(text: str) -> str:
    """Return the beginning and the end of a text."""
    return text if len(text) <= _MAX_TEXT else f"{text[:_HALF]} … {text[-_HALF:]}"


def with_first_rows(
    blocks: Iterable[Block], sides: Sequence[CheckedSide], measures: Measures
) -> Iterator[Block]:
    """Yield blocks; add first rows to those on shared rows and lengths."""
    makers = {"identity": _shared_rows, "ranges": _longest_rows}
    for block in blocks:
        is_wanted = block.key in makers and (block.key != "ranges" or block.verdict == FLAG)
        table = makers[block.key](sides, measures) if is_wanted else None
        yield replace(block, tables=(*block.tables, table)) if table and table.rows else block


def _shared_rows(sides: Sequence[CheckedSide], measures: Measures) -> BlockTable:
    train, *tests = sides
    rows: list[tuple[Cell, ...]] = []
    for each in tests:
        seen = np.zeros(each.side.rows, np.bool_)
        for level in _LEVELS:
            flags = measures.matches.shared.get((each.name, level))
            if flags is None:
                continue
            chosen = np.flatnonzero(flags & ~seen)[:MAX_SHOWN].tolist()
            seen |= flags
            of_test, of_train = (_keys_of(measures, side.name, level) for side in (each, train))
            partners = {row: int(np.argmax(of_train == of_test[row])) for row in chosen}
            theirs = train.shown(partners.values(), PROMPT)
            rows += [
                (each.name, level.label, place, prompt, *theirs[partners[row]])
                for row, (place, prompt) in each.shown(chosen, PROMPT).items()
            ]
    columns = ("split", "level", "row", "prompt", f"row of {train.name}", "its prompt")
    return BlockTable("First rows by the lowest level at which they match", columns, tuple(rows))


def _keys_of(measures: Measures, side: str, level: Level) -> U64:
    if level is Level.TEMPLATE:
        return measures.structures[0].measures[side].templates
    return measures.texts[side].keys[level]


def _longest_rows(sides: Sequence[CheckedSide], measures: Measures) -> BlockTable:
    """Return the longest prompts of each test, or the shortest ones if its mean is lower."""
    rows: list[tuple[Cell, ...]] = []
    for each in sides[1:]:
        shift = measures.texts[each.name].lengths[PROMPT_LENGTH].shift
        lengths = each.rows.prompt_ends.characters
        order = np.argsort(-lengths if shift.relative > 0 else lengths, kind="stable")[:MAX_SHOWN]
        first = each.shown(order.tolist(), PROMPT)
        rows += [(each.name, int(lengths[row]), *of) for row, of in first.items()]
    columns = ("split", "characters", "row", "prompt")
    return BlockTable("Rows farthest from the lengths of train", columns, tuple(rows))
