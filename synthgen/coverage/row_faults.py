"""Faults of single rows: repeats, contradictions, missing and cut texts, groups on both sides.

Keys of prompts are those of L1. Answers are compared by their final part, in any case and without a
full stop; longer ones than `MAX_ANSWER` characters are not, as several texts may be right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import distinct_values, integer_values
from synthgen.coverage.inputs import ANSWER, GROUP, PROMPT, Side, text_of
from synthgen.coverage.loose_texts import loose_texts
from synthgen.coverage.matches import are_among
from synthgen.draws.randomness import GOLDEN, U64
from synthgen.trees.content_keys import text_keys

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

MAX_ANSWER = 200
MIN_CUT, MIN_LENGTH = 5, 30
"""Fewest rows of the greatest length, and the smallest such length, that can be a limit."""
_MAX_ENDS, _MOST_END = 3, 0.9
_OPEN_END = r"[\pL\pN,]$"
_FINAL = {
    "####": r"(?s).*####\s*(?P<final>[^\n]+)",
    "\\boxed{": r"(?s).*\\boxed\{(?P<final>[^{}]*)\}",
}
"""Final answers of solutions, as in GSM8K and in LaTeX."""
_NONE = np.uint64(0)


@dataclass(frozen=True)
class Endings:
    """Lengths and ends of texts (n,).

    Attributes:
        characters, words: Lengths.
        first: A number for the first word.
        last: A number for the last character.
        is_open: Whether the last character is a letter, digit or comma.
    """

    characters: NDArray[np.int32]
    words: NDArray[np.int32]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    is_open: Flags


@dataclass(frozen=True)
class FileRows:
    """What is needed of the rows of a side (n,), in order.

    Attributes:
        answers: Key of each answer, 0 without one or if it is long; empty without a column.
        texts: The same, with a key of the whole text if it is long.
        no_prompt, no_answer: Rows in which the text is empty or null.
        prompt_ends, answer_ends: Lengths and ends of the texts.
        groups: Key of each value of a column of groups, 0 without one, by name of the column.
    """

    answers: U64
    texts: U64
    no_prompt: Flags
    no_answer: Flags
    prompt_ends: Endings
    answer_ends: Endings
    groups: Mapping[str, U64]


def read_file_rows(side: Side) -> FileRows:
    """Read a side once; memory is 56 bytes a row, and 8 for each column of groups."""
    names = sorted(name for name in side.columns if name.startswith(GROUP))
    columns = [PROMPT, *[ANSWER] * (ANSWER in side.columns), *names]
    answers, whole = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)]
    groups = {name: [np.zeros(0, np.uint64)] for name in names}
    texts: dict[str, list[Endings]] = {PROMPT: [], ANSWER: []}
    for batch in side.batches(columns):
        for name in columns[: len(columns) - len(names)]:
            texts[name].append(_endings(text_of(batch, name)))
        if ANSWER in columns:
            answers.append(_answer_keys(text_of(batch, ANSWER)))
            long_ones = _keys(text_of(batch, ANSWER))
            whole.append(np.where(answers[-1] == _NONE, long_ones, answers[-1]))
        for name in names:
            groups[name].append(_keys(text_of(batch, name)))
    prompts, replies = (_stacked(texts[name]) for name in (PROMPT, ANSWER))
    return FileRows(
        np.concatenate(answers),
        np.concatenate(whole),
        prompts.characters == 0,
        replies.characters == 0,
        prompts,
        replies,
        {name.removeprefix(GROUP): np.concatenate(parts) for name, parts in groups.items()},
    )


def _stacked(parts: Sequence[Endings]) -> Endings:
    parts = parts or [_endings(pa.array([], pa.string()))]
    names = [each.name for each in fields(Endings)]
    return Endings(**{name: np.concatenate([getattr(p, name) for p in parts]) for name in names})


def _endings(texts: pa.StringArray) -> Endings:
    whole = pc.fill_null(pc.utf8_trim_whitespace(texts), "")
    first = pc.replace_substring_regex(whole, r"(?s)\s.*", "")
    is_open = pc.match_substring_regex(whole, _OPEN_END)
    return Endings(
        integer_values(pc.utf8_length(whole)).astype(np.int32),
        _words(whole).astype(np.int32),
        _numbers(first),
        _numbers(pc.utf8_slice_codeunits(whole, -1)),
        integer_values(is_open.cast(pa.uint8())) > 0,
    )


def _numbers(texts: pa.StringArray) -> NDArray[np.int32]:
    return (text_keys(texts, "end")[:, 0] >> np.uint64(33)).astype(np.int32)


def _words(texts: pa.StringArray) -> Ints:
    return integer_values(pc.count_substring_regex(texts, r"\S+"))


def _keys(texts: pa.StringArray) -> U64:
    """Return a key of each text, 0 for an empty one or null, uint64 (n,)."""
    keys = text_keys(texts, "row")[:, 0].copy()
    lengths = pc.utf8_length(pc.fill_null(pc.utf8_trim_whitespace(texts), ""))
    keys[integer_values(lengths) == 0] = _NONE
    return keys


def _answer_keys(texts: pa.StringArray) -> U64:
    """Return a key of each final answer, 0 without one or if it is long, uint64 (n,)."""
    for mark, pattern in _FINAL.items():
        if pc.any(pc.match_substring(texts, mark)).as_py():
            texts = pc.coalesce(pc.struct_field(pc.extract_regex(texts, pattern), [0]), texts)
    plain = loose_texts(pc.fill_null(texts, ""), fold_case=True)
    keys = _keys(pc.utf8_rtrim(plain, "."))
    keys[integer_values(pc.utf8_length(plain)) > MAX_ANSWER] = _NONE
    return keys


def pairs_of(prompts: U64, answers: U64) -> U64:
    """Return a key of each prompt with its answer, uint64 (n,); of the prompt without answers."""
    return prompts * GOLDEN ^ answers if len(answers) else prompts


def repeated(words: U64) -> tuple[Ints, Ints]:
    """Return the rows whose key occurred before, and for each the first row that has it."""
    rows = np.flatnonzero(are_among(words, _repeated_values(words)))
    _, first, which = np.unique(words[rows], return_index=True, return_inverse=True)
    firsts = rows[first][which]
    return rows[rows != firsts], firsts[rows != firsts]


def contradicting(prompts: U64, answers: U64) -> Flags:
    """Return the rows whose prompt has several answers, bool (n,)."""
    has_answer = answers != _NONE
    several = np.flatnonzero(has_answer & are_among(prompts, _repeated_values(prompts)))
    words = pairs_of(prompts[several], answers[several])
    _, first = np.unique(words, return_index=True)
    names = _repeated_values(prompts[several][first])
    return np.asarray(has_answer & are_among(prompts, names), np.bool_)


def _repeated_values(words: U64) -> U64:
    """Return the values that occur more than once, rising."""
    ordered = np.sort(words)
    return distinct_values(ordered[1:][ordered[1:] == ordered[:-1]])


def otherwise_in_train(train: tuple[U64, U64], test: tuple[U64, U64]) -> Flags:
    """Return the test rows whose prompt has only other answers in train, bool (n,).

    Args:
        train: Keys of prompts and of answers of each row of train.
        test: The same for the test.
    """
    (prompts, answers), of_test = train, test[1] != _NONE
    some = answers != _NONE
    known = distinct_values(prompts[some])
    pairs = distinct_values(pairs_of(prompts, answers)[some])
    is_known = are_among(test[0], known) & ~are_among(pairs_of(*test), pairs)
    return np.asarray(of_test & is_known, np.bool_)


def cut_rows(ends: Endings, prompts: U64) -> Ints:
    """Return the rows whose texts were probably cut at a limit, rising.

    Nearly all shorter texts end in a few characters. Most of those of the greatest length of all
    end inside of a sentence, in another character, though they begin with the word of a shorter
    one: a wording of its own would not. There are at least `MIN_CUT` different ones.

    Args:
        ends: Lengths and ends of the texts.
        prompts: Keys of the prompts of the same rows.
    """
    for lengths in (ends.characters, ends.words):
        if not len(lengths) or int(ends.characters.max()) < MIN_LENGTH:
            break
        longest = lengths == lengths.max()
        shorter = ~longest & (lengths > 0)
        names, counts = np.unique(ends.last[shorter], return_counts=True)
        order = np.argsort(-counts, kind="stable")[:_MAX_ENDS]
        if not len(names) or counts[order].sum() < _MOST_END * counts.sum():
            continue
        ends_as_usual = np.isin(ends.last, names[order])
        begins_as_usual = np.isin(ends.first, ends.first[shorter & ends_as_usual])
        cut = longest & ends.is_open & ~ends_as_usual & begins_as_usual
        is_most = 2 * np.count_nonzero(cut) >= np.count_nonzero(longest)
        if is_most and len(distinct_values(prompts[cut])) >= MIN_CUT:
            return np.flatnonzero(cut)
    return np.zeros(0, np.int64)


def in_groups_of(test: U64, train: U64) -> Flags:
    """Return the test rows whose group train has, too, bool (n,)."""
    return np.asarray(are_among(test, distinct_values(train)) & (test != _NONE), np.bool_)
