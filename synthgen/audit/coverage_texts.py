"""Identity keys, lengths, answers and wordings of a side, read in one pass."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.audit.coverage_sides import ANSWER, ID, PROMPT, WORDING, Side, inside, text_of
from synthgen.core.columns import integer_column, integer_values
from synthgen.core.randomness import U64
from synthgen.coverage.answer_priors import answer_ids
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.ranges import Beyond, Range
from synthgen.coverage.templates import Level, exact_keys
from synthgen.coverage.words import fast_normalised_keys

MOST_SAMPLED = 2_000
"""Prompts kept for metrics that use a sample."""
_MOST_WORDINGS = 10_000


@dataclass
class TextFacts:
    """Texts of one side.

    Attributes:
        keys: level -> 64-bit key of each row, uint64 (n,), in row order.
        lengths: "prompt" and "answer" -> characters of each.
        answers: counts of answers by id.
        wordings: counts of wordings.
        sample: prompts of the sampled rows.
    """

    keys: dict[Level, U64] = field(default_factory=dict)
    lengths: dict[str, Beyond] = field(default_factory=dict)
    answers: IdCounts = field(default_factory=IdCounts)
    wordings: Counter[str] = field(default_factory=Counter)
    sample: pa.StringArray = field(default_factory=lambda: pa.array([], pa.string()))

    def range(self, name: str) -> Range:
        """Return the lengths of "prompt" or "answer"."""
        return self.lengths[name].test


def read_texts(side: Side, train: TextFacts | None, *, fold_case: bool = True) -> TextFacts:
    """Read the texts of a side once; memory is 24 bytes a row.

    Args:
        side: side with at least a prompt column.
        train: facts of train, or None if this is train.
        fold_case: whether texts that differ only in case are equal at L1.
    """
    columns = [name for name in (PROMPT, ANSWER, ID, WORDING) if name in side.columns]
    facts = TextFacts()
    keys: dict[Level, list[U64]] = {}
    for name in (PROMPT, ANSWER):
        if name in columns:
            facts.lengths[name] = Beyond(train.range(name) if train else Range())
    positions, start = side.sampled(MOST_SAMPLED), 0
    samples = [facts.sample]
    for batch in side.batches(columns):
        prompts = text_of(batch, PROMPT)
        samples.append(prompts.take(integer_column(inside(positions, start, len(prompts)))))
        start += len(prompts)
        found = {
            Level.EXACT: exact_keys(prompts),
            Level.NORMALISED: fast_normalised_keys(prompts, fold_case=fold_case),
        }
        if ID in columns:
            found[Level.CANONICAL] = exact_keys(text_of(batch, ID))
        for level, words in found.items():
            keys.setdefault(level, []).append(words[:, 0].copy())
        facts.lengths[PROMPT].add(_characters(prompts))
        if ANSWER in columns:
            answers = text_of(batch, ANSWER)
            facts.lengths[ANSWER].add(_characters(answers))
            facts.answers.add(answer_ids(answers))
        if WORDING in columns and len(facts.wordings) < _MOST_WORDINGS:
            facts.wordings.update(_value_counts(text_of(batch, WORDING)))
    facts.sample = pa.concat_arrays(samples)
    facts.keys = {level: np.concatenate(parts) for level, parts in keys.items()}
    return facts


def _characters(texts: pa.StringArray) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return integer_values(pc.fill_null(pc.utf8_length(texts), 0))


def _value_counts(texts: pa.StringArray) -> dict[str, int]:
    encoded = pc.fill_null(texts, "").dictionary_encode()
    names = encoded.dictionary.to_pylist()
    counts = np.bincount(integer_values(encoded.indices), minlength=len(names))
    return dict(zip(names, counts.tolist(), strict=True))
