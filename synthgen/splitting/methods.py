"""Methods to divide rows into train and test.

Rows with the same prompt are on one side, except by the length of answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.checks import check_choice, check_int, check_share
from synthgen.core.columns import Ragged, integer_values
from synthgen.core.errors import DatasetError, ParamError
from synthgen.coverage.inputs import ANSWER, PLACE, PROMPT, Side, Sides, text_of
from synthgen.coverage.structure_kinds import (
    ALPHABETS,
    CHARS,
    WORDS,
    Kind,
    Parsed,
    kinds_of,
    sequences_of,
)
from synthgen.coverage.structure_measures import stacked
from synthgen.coverage.templates import exact_keys
from synthgen.coverage.text_words import fast_normalised_keys
from synthgen.draws.randomness import U64, mix_words, stream_key
from synthgen.draws.shuffles import word_order
from synthgen.engine.steer.mcd import TEST, TRAIN, Pool, mcd_split
from synthgen.recipe.schema import Divergence
from synthgen.trees.content_keys import Keys
from synthgen.trees.ngrams import token_ids

LENGTH, RANDOM, GROUP, TEMPLATE, MCD, UNSEEN_PAIRS = METHODS = (
    *("length", "random", "group", "template", "mcd", "unseen-pairs"),
)
STRUCTURES = "structure"
MEASURED = (PROMPT, ANSWER, STRUCTURES)
"""What a length split can measure."""
TOKENS = "tokens"
UNITS = (TOKENS, WORDS, CHARS)
"""Units of the length of a text; tokens are separated by white space."""
GROUPS = "split"
"""Column of a side that holds the group of each row."""
_MAX_PARTS = 2**27
_FEWEST_PAIRS = 20
"""Held-out pairs that a test has at least, if there are enough of them."""
_ROUNDING = 1e-9

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """Options of a split.

    Attributes:
        by: Method, one of `METHODS`.
        test_share: Share of the rows that test has; of distinct prompts for "mcd".
        test_rows: Number of rows instead of a share.
        train_rows: Rows of train, only for "mcd"; default: all rows that are not in test.
        seed: Seed of the choices.
        length_of: What is measured for "length", one of `MEASURED`.
        length_in: Unit of the length of a text, one of `UNITS`.
        max_train_length: Greatest length in train; default: by the share of test.
        tokens: Units of prompts without structures, one of `ALPHABETS`.
        atom_bound: Greatest divergence of atoms for "mcd".
    """

    by: str
    test_share: float = 0.2
    test_rows: int | None = None
    train_rows: int | None = None
    seed: int = 0
    length_of: str = PROMPT
    length_in: str = TOKENS
    max_train_length: int | None = None
    tokens: str = WORDS
    atom_bound: float = 0.02

    def __post_init__(self) -> None:
        check_choice("by", self.by, METHODS)
        check_share("test_share", self.test_share)
        check_share("atom_bound", self.atom_bound)
        check_choice("length_of", self.length_of, MEASURED)
        check_choice("length_in", self.length_in, UNITS)
        check_choice("tokens", self.tokens, ALPHABETS)
        for name, method in (("max_train_length", LENGTH), ("train_rows", MCD)):
            if getattr(self, name) is not None and self.by != method:
                raise ParamError(name, getattr(self, name), f"none, or by={method!r}")

    def wanted(self, rows: int) -> int:
        """Return the number of test rows out of all rows."""
        if self.test_rows is None:
            return int(self.test_share * rows + _ROUNDING)
        return check_int("test_rows", self.test_rows, 1, max(rows - 1, 1))

    def salt(self) -> np.uint64:
        """Return the key of the choices."""
        return np.uint64(stream_key(self.seed, "split", self.by))


@dataclass(frozen=True)
class DividedRows:
    """The side of each row, and what is known of the sides.

    Attributes:
        sides: TRAIN, TEST or NO_SPLIT of each row, int8 (n,).
        rule: Description of the sides.
        facts: Measured numbers by name.
    """

    sides: NDArray[np.int8]
    rule: str
    facts: Mapping[str, float] = field(default_factory=dict)


def divide_rows(side: Side, options: SplitOptions) -> DividedRows:
    """Divide the rows of a side into train and test.

    Raises:
        ParamError: if the method needs a column that is missing, or one of the sides would be
            empty; if atoms diverge more than allowed.
        DatasetError: for a row without a group.
    """
    methods = {LENGTH: _by_length, MCD: _by_divergence, UNSEEN_PAIRS: _by_pairs}
    divided = methods.get(options.by, _by_units)(side, options)
    for number, name in ((TRAIN, "train"), (TEST, "test")):
        if not (divided.sides == number).any():
            rows = f"{side.rows:,} rows divided by {options.by}"
            raise ParamError(name, "no rows", f"at least one of {rows}; {divided.rule}")
    return divided


def _by_units(side: Side, options: SplitOptions) -> DividedRows:
    """Choose units at random while they fit into test."""
    units, what = _units(side, options)
    ids, unit_of, sizes = np.unique(units, return_inverse=True, return_counts=True)
    chosen = np.zeros(len(ids), np.bool_)
    room = options.wanted(side.rows)
    order = word_order(mix_words(ids ^ options.salt()))
    for unit, size in zip(order.tolist(), sizes[order].tolist(), strict=True):
        if size <= room:
            chosen[unit] = True
            room -= size
            if not room:
                break
    facts = {"units": len(ids), "test_units": int(chosen.sum()), "largest_unit": int(sizes.max())}
    rule = f"rows with {what} are on the same side, which is chosen at random"
    return DividedRows(_two_sides(chosen[unit_of]), rule, facts)


def _units(side: Side, options: SplitOptions) -> tuple[U64, str]:
    """Return the unit of each row, and what its rows have in common."""
    if options.by == GROUP:
        keys = [_group_keys(batch) for batch in side.batches([GROUPS, PLACE])]
        return np.concatenate(keys), "the same group"
    if options.by == TEMPLATE:
        kind = kinds_of(Sides(side), options.tokens)[0]
        words = [kind.parse(batch).templates for batch in side.batches([kind.column])]
        what = f"the same {kind.column if kind.column == PROMPT else STRUCTURES}"
        return np.concatenate(words), f"{what} except for numbers"
    return _prompt_keys(side)[:, 0].copy(), "the same prompt"


def _group_keys(batch: pa.RecordBatch) -> U64:
    groups = text_of(batch, GROUPS)
    if groups.null_count:
        row = pc.index(pc.is_null(groups), True).as_py()
        msg = f"{batch.column(PLACE)[row]}: the group is null: expected text (--skip-nulls)"
        raise DatasetError(msg)
    return exact_keys(groups)[:, 0].copy()


def _prompt_keys(side: Side) -> Keys:
    batches = side.batches([PROMPT])
    return np.concatenate(
        [fast_normalised_keys(text_of(b, PROMPT), fold_case=False) for b in batches]
    )


def _by_length(side: Side, options: SplitOptions) -> DividedRows:
    """Put all rows above a length into test."""
    lengths = _lengths(side, options)
    longest = options.max_train_length
    if longest is None:
        above = len(lengths) - np.cumsum(np.bincount(lengths))
        longest = int(np.argmax(above <= options.wanted(len(lengths))))
    is_test = lengths > longest
    unit = "symbols" if options.length_of == STRUCTURES else options.length_in
    what = f"{options.length_of}s of at most {longest:,} {unit}"
    facts = {"max_train_length": int(longest), "max_test_length": int(lengths.max())}
    if is_test.any():
        facts["min_test_length"] = int(lengths[is_test].min())
    return DividedRows(_two_sides(is_test), f"train has {what}, test longer ones", facts)


def _lengths(side: Side, options: SplitOptions) -> Ints:
    if options.length_of == STRUCTURES:
        kind = _kind(side, options)
        if kind.column == PROMPT:
            raise ParamError("length_of", STRUCTURES, "prompt or answer, or a structure column")
        parsed = (kind.parse(batch) for batch in side.batches([kind.column]))
        return np.concatenate([each.sizes[kind.size] for each in parsed])
    if options.length_of not in side.columns:
        raise ParamError("length_of", options.length_of, "prompt, as there is no answer column")
    columns = (text_of(each, options.length_of) for each in side.batches([options.length_of]))
    if options.length_in == CHARS:
        return np.concatenate(
            [integer_values(pc.fill_null(pc.utf8_length(each), 0)) for each in columns]
        ).astype(np.int64)
    read = _tokens if options.length_in == TOKENS else sequences_of(WORDS).tokens
    return np.concatenate([read(each).lengths for each in columns])


def _tokens(texts: pa.StringArray) -> Ragged:
    return token_ids(pc.replace_substring_regex(texts, r"\s+", " "))


def _by_divergence(side: Side, options: SplitOptions) -> DividedRows:
    """Divide distinct prompts by maximum compound divergence; repeats follow the first."""
    keys = _prompt_keys(side)
    _, first, unit_of = np.unique(keys[:, 0], return_index=True, return_inverse=True)
    kind = _kind(side, options)
    codes = stacked([each.codes for each in _parsed(side, kind)]).take(first)
    (atom, atoms), _, (compound, compounds) = kind.bags(codes).items()
    rule = Divergence.model_validate(
        {"train": ["train"], "test": ["test"], "atom_bound": options.atom_bound}
    )
    test = options.wanted(len(first))
    train = options.train_rows or len(first) - test
    if not 0 < train <= len(first) - test:
        raise ParamError("train_rows", train, f"from 1 to {len(first) - test:,}, the other prompts")
    if not test:
        raise ParamError("test", "no rows", f"at least one of {len(first):,} distinct prompts")
    pool = Pool(keys[first], atoms, compounds, np.zeros((len(first), 0), np.int64))
    split = mcd_split(pool, (train, test), rule, int(options.salt()))
    if split.atoms > options.atom_bound + _ROUNDING:
        best = f"at least {split.atoms:.4f}, the divergence of the best split; or a smaller test"
        raise ParamError("atom_bound", options.atom_bound, best)
    facts = {
        "prompts": len(first),
        "compound_divergence": split.compounds,
        "atom_divergence": split.atoms,
        "random_compound_divergence": split.random_compounds.mean,
        "random_atom_divergence": split.random_atoms.mean,
        "unseen_atoms": split.unseen_atoms,
    }
    what = f"{compound} of the sides differ as far as the search could make them, {atom} at most by"
    return DividedRows(split.sides[unit_of], f"{what} {options.atom_bound}", facts)


def _by_pairs(side: Side, options: SplitOptions) -> DividedRows:
    """Hold out pairs of symbols: test has all rows with one of them, train knows all symbols."""
    kind = _kind(side, options)
    parsed = list(_parsed(side, kind))
    pairs, symbols = (
        _numbered(stacked(parts))
        for parts in ([each.pairs for each in parsed], [each.symbols for each in parsed])
    )
    wanted = options.wanted(side.rows)
    is_test, held = _hold_out(pairs, symbols, wanted, _prompt_keys(side)[:, 0] ^ options.salt())
    names = f"{kind.symbol}s", f"{kind.parts[0]}s"
    facts = {
        "pairs": int(pairs.values.max(initial=-1)) + 1,
        "held_out_pairs": held,
    }
    rule = (
        f"every row of test has one of {held:,} {names[1]} that train lacks, but only {names[0]} "
    )
    return DividedRows(_two_sides(is_test), f"{rule}of train", facts)


def _hold_out(pairs: Ragged, symbols: Ragged, room: int, words: U64) -> tuple[Flags, int]:
    """Return the rows of test, and the number of held-out pairs.

    Pairs are drawn at random with their numbers of rows as weights: each row with each of its pairs
    has a random word, and pairs are in the order of their least words; those with more than a
    twentieth of the rows of test come last, the smallest first. A pair is held out if its rows fit
    into test, and leave each symbol to a row of train.
    """
    rows_of = _inverted(pairs)
    draws = mix_words(words[rows_of.values] + np.repeat(_counter(len(rows_of)), rows_of.lengths))
    order = np.argsort(np.minimum.reduceat(draws, rows_of.offsets[:-1]), kind="stable")
    sizes = rows_of.lengths[order]
    order = order[np.argsort(np.where(sizes > room // _FEWEST_PAIRS, sizes, 0), kind="stable")]
    in_train = np.bincount(symbols.values, minlength=1)
    is_test = np.zeros(len(pairs), np.bool_)
    held = 0
    for pair in order.tolist():
        rows = rows_of.values[rows_of.offsets[pair] : rows_of.offsets[pair + 1]]
        new = rows[~is_test[rows]]
        if len(new) > room:
            continue
        lost, times = np.unique(symbols.take(new).values, return_counts=True)
        if (in_train[lost] > times).all():
            in_train[lost] -= times
            is_test[new] = True
            room -= len(new)
            held += 1
            if not room:
                break
    return is_test, held


def _counter(n: int) -> U64:
    return mix_words(np.arange(n, dtype=np.uint64))


def _numbered(rows: Ragged) -> Ragged:
    """Number the ids of ragged rows from 0, and drop the repeats of each row."""
    ids, numbers = np.unique(rows.values, return_inverse=True)
    row_of = np.repeat(np.arange(len(rows)), rows.lengths)
    row_of, numbers = np.divmod(np.unique(row_of * len(ids) + numbers), max(len(ids), 1))
    return Ragged(numbers, np.searchsorted(row_of, np.arange(len(rows) + 1)))


def _inverted(rows: Ragged) -> Ragged:
    """Return for each number the rows that have it."""
    row_of = np.repeat(np.arange(len(rows)), rows.lengths)
    order = np.argsort(rows.values, kind="stable")
    most = int(rows.values.max(initial=-1)) + 1
    return Ragged(row_of[order], np.searchsorted(rows.values[order], np.arange(most + 1)))


def _kind(side: Side, options: SplitOptions) -> Kind:
    return kinds_of(Sides(side), options.tokens)[0]


def _parsed(side: Side, kind: Kind) -> list[Parsed]:
    """Take all rows apart.

    Raises:
        ParamError: for more symbols in total than fit into memory.
    """
    parsed: list[Parsed] = []
    total = 0
    for batch in side.batches([kind.column]):
        parsed.append(kind.parse(batch))
        total += len(parsed[-1].codes.values)
        if total > _MAX_PARTS:
            expected = f"at most {_MAX_PARTS:,} {kind.symbol}s; split a sample of the rows"
            raise ParamError("FILE", total, expected)
    return parsed


def _two_sides(is_test: Flags) -> NDArray[np.int8]:
    return np.where(is_test, TEST, TRAIN).astype(np.int8)
