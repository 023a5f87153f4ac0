"""Identity keys, lengths, answers and wordings of a side, read in one pass."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, integer_column, integer_values
from synthgen.coverage.answer_priors import answer_ids
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.inputs import (
    ANSWER,
    ID,
    PROMPT,
    STRUCTURE,
    TOKENS,
    WORDING,
    Side,
    inside,
    text_of,
    value_counts,
)
from synthgen.coverage.loose_texts import loose_keys
from synthgen.coverage.structure_measures import stacked
from synthgen.coverage.templates import Level, exact_keys
from synthgen.coverage.text_words import fast_normalised_keys
from synthgen.coverage.value_ranges import Beyond, Range
from synthgen.draws.randomness import U64
from synthgen.trees.ngrams import token_ids

Ints = NDArray[np.int64]

MAX_SAMPLED = 2_000
"""Prompts kept for metrics that use a sample."""
MAX_ANSWERS = 50_000
"""Answers whose tokens are kept."""
PROMPT_LENGTH, ANSWER_LENGTH = "characters of the prompt", "characters of the answer"
ANSWER_TOKENS, ANSWER_VALUE = "tokens of the answer", "value of the answer"
_MAX_WORDINGS = 10_000
_WHOLE = r"^[+-]?[0-9]{1,18}$"


@dataclass
class TextMeasures:
    """Texts of one side.

    Attributes:
        keys: Keys of 64 bits in row order, uint64 (n,), by level.
        lengths: Lengths of prompts and answers, and values of answers that are integers, by name.
        answers: Counts of answers by id.
        tokens: Tokens of sampled answers.
        wordings: Counts of wordings.
        sample: Prompts of the sampled rows.
    """

    keys: dict[Level, U64] = field(default_factory=dict)
    lengths: dict[str, Beyond] = field(default_factory=dict)
    answers: IdCounts = field(default_factory=IdCounts)
    tokens: Ragged = field(default_factory=lambda: Ragged(np.zeros(0, np.uint64), np.zeros(1, int)))
    wordings: Counter[str] = field(default_factory=Counter)
    sample: pa.StringArray = field(default_factory=lambda: pa.array([], pa.string()))

    def add_lengths(self, name: str, values: Ints, train: TextMeasures | None) -> None:
        """Add lengths or values of some rows."""
        if name not in self.lengths:
            known = train.lengths.get(name) if train else None
            self.lengths[name] = Beyond(known.test if known else Range())
        self.lengths[name].add(values)


def read_texts(
    side: Side, train: TextMeasures | None, *, fold_case: bool = False, sampled: int = MAX_SAMPLED
) -> TextMeasures:
    """Read the texts of a side once; memory is 24 bytes a row.

    Args:
        side: Side with at least a prompt column.
        train: Measures of train, or None if this is train.
        fold_case: Whether texts that differ only in case are equal at L1.
        sampled: Number of prompts to keep.
    """
    whole = next((name for name in (ID, STRUCTURE, TOKENS) if name in side.columns), "")
    columns = [name for name in (PROMPT, ANSWER, whole, WORDING) if name in side.columns]
    measures = TextMeasures()
    keys: dict[Level, list[U64]] = {}
    positions, start = side.sampled(sampled), 0
    places = side.sampled(MAX_ANSWERS)
    samples, tokens = [measures.sample], [measures.tokens]
    for batch in side.batches(columns):
        prompts = text_of(batch, PROMPT)
        rows = len(prompts)
        samples.append(prompts.take(integer_column(inside(positions, start, rows))))
        row_keys = {
            Level.EXACT: exact_keys(prompts),
            Level.NORMALISED: loose_keys(prompts, fold_case=fold_case),
        }
        if whole:
            # Spaces between tokens do not matter; ids and trees have one spelling.
            texts, spaced = text_of(batch, whole), whole == TOKENS
            row_keys[Level.CANONICAL] = (
                fast_normalised_keys(texts, fold_case=False) if spaced else exact_keys(texts)
            )
        for level, words in row_keys.items():
            keys.setdefault(level, []).append(words[:, 0].copy())
        measures.add_lengths(PROMPT_LENGTH, _characters(prompts), train)
        if ANSWER in columns:
            ids = _read_answers(measures, text_of(batch, ANSWER), train)
            tokens.append(ids.take(inside(places, start, rows)))
        if WORDING in columns and len(measures.wordings) < _MAX_WORDINGS:
            measures.wordings.update(value_counts(pc.fill_null(text_of(batch, WORDING), "")))
        start += rows
    measures.sample, measures.tokens = pa.concat_arrays(samples), stacked(tokens)
    measures.keys = {level: np.concatenate(parts) for level, parts in keys.items()}
    return measures


def _read_answers(
    measures: TextMeasures, answers: pa.StringArray, train: TextMeasures | None
) -> Ragged:
    """Count answers and their lengths, and return their tokens."""
    ids = token_ids(answers)
    whole = answers.filter(pc.fill_null(pc.match_substring_regex(answers, _WHOLE), False))
    values = integer_values(pc.ascii_ltrim(whole, "+").cast(pa.int64()))
    measures.answers.add(answer_ids(answers.drop_null()))
    measures.add_lengths(ANSWER_LENGTH, _characters(answers), train)
    measures.add_lengths(ANSWER_TOKENS, ids.lengths, train)
    measures.add_lengths(ANSWER_VALUE, values, train)
    return ids


def _characters(texts: pa.StringArray) -> Ints:
    return integer_values(pc.fill_null(pc.utf8_length(texts), 0))
