"""First pass over a side: rows, keys at each level, counts of ids, and ranges of lengths."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.audit.foreign_readers import Reader
from synthgen.audit.foreign_sides import Part, Side
from synthgen.audit.foreign_structures import Structures
from synthgen.core.columns import Ragged, integer_values
from synthgen.core.content import Keys, keys_of_ids
from synthgen.core.errors import DatasetError
from synthgen.core.ngrams import ngrams, token_ids
from synthgen.core.randomness import U64
from synthgen.coverage.answer_priors import answer_ids
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.ranges import Range
from synthgen.coverage.templates import Level, exact_keys, normalised_keys

SYMBOLS = "symbols"
ANSWER_TOKENS, ANSWER_PAIRS = "answer tokens", "answer 2-grams"
_PAIRS, _TRIPLES = "pairs", "triples"
_WHOLE = r"^[+-]?[0-9]{1,18}$"


@dataclass
class SideCounts:
    """Counts of one side.

    Attributes:
        keys: keys of every row at each level, uint64 (n, 2).
        ids: occurrences of each id, by kind.
        pairs, triples: parts of two and of three symbols.
        ranges: ranges of lengths and values.
        answers: occurrences of each answer.
    """

    name: str
    rows: int = 0
    keys: dict[Level, Keys] = field(default_factory=dict)
    ids: dict[str, IdCounts] = field(default_factory=dict)
    pairs: IdCounts = field(default_factory=IdCounts)
    triples: IdCounts = field(default_factory=IdCounts)
    ranges: dict[str, Range] = field(default_factory=dict)
    answers: IdCounts = field(default_factory=IdCounts)


def count_side(side: Side, reader: Reader, *, fold_case: bool) -> SideCounts:
    """Read a side once; memory is 16 bytes for each row and level, and 16 for each id.

    Raises:
        DatasetError: for unreadable files or invalid structures.
    """
    found = SideCounts(side.name)
    keys: dict[Level, list[Keys]] = {}
    for part in side.parts():
        structures = reader.read(part)
        found.rows += len(part)
        for level, of_part in part_keys(part, structures, fold_case=fold_case).items():
            keys.setdefault(level, []).append(of_part)
        for name, bag in part_bags(part, structures).items():
            found.ids.setdefault(name, IdCounts()).add(bag.values)
        found.pairs.add(structures.pairs.values)
        found.triples.add(structures.triples.values)
        for name, values in part_lengths(part, structures, reader.symbol).items():
            found.ranges.setdefault(name, Range()).add(values)
        if part.answers is not None:
            found.answers.add(part_answers(part.answers))
    found.keys = {level: np.concatenate(of_parts) for level, of_parts in keys.items()}
    return found


def part_keys(part: Part, structures: Structures, *, fold_case: bool) -> dict[Level, Keys]:
    """Return the keys of some rows at each available level."""
    found = {
        Level.EXACT: exact_keys(part.prompts),
        Level.NORMALISED: normalised_keys(part.prompts, fold_case=fold_case),
    }
    if part.ids is not None:
        found[Level.CANONICAL] = _id_keys(part, part.ids)
    elif (keys := structures.keys) is not None:
        found[Level.CANONICAL] = keys
    return found | {Level.TEMPLATE: structures.templates}


def part_bags(part: Part, structures: Structures) -> dict[str, Ragged]:
    """Return the bags for measuring divergence, by name."""
    bags = {SYMBOLS: structures.symbols, **structures.bags}
    if part.answers is not None:
        tokens = token_ids(part.answers)
        bags |= {ANSWER_TOKENS: tokens, ANSWER_PAIRS: ngrams(tokens, 2)}
    return bags


def part_lengths(part: Part, structures: Structures, symbol: str) -> dict[str, np.ndarray]:
    """Return lengths, depths and values of some rows, by name; values only of whole numbers."""
    found = {"prompt characters": _lengths(part.prompts)}
    if symbol != "character":
        found[f"{symbol}s"] = structures.symbols.lengths
    if structures.trees is not None:
        found["depth"] = structures.trees.depths
    if part.answers is not None:
        found["answer tokens"] = token_ids(part.answers).lengths
        whole = pc.filter(part.answers, pc.match_substring_regex(part.answers, _WHOLE))
        found["answer value"] = integer_values(pc.cast(pc.ascii_ltrim(whole, "+"), pa.int64()))
    return found


def part_answers(answers: pa.StringArray) -> U64:
    """Return the ids of the non-null answers."""
    return answer_ids(answers.drop_null())


def _id_keys(part: Part, ids: pa.StringArray) -> Keys:
    try:
        return keys_of_ids(ids)
    except ValueError as error:
        msg = f"{part.file}: column 'id': {error}"
        raise DatasetError(msg) from None


def _lengths(texts: pa.StringArray) -> np.ndarray:
    return integer_values(pc.utf8_length(texts)).astype(np.int64)
