"""String rewriting: one rule, applied once at its leftmost match (Zhang et al. 2024).

A source takes its rules from a pool that depends only on parameters, so that sources with the same
pool and different numbers of rules never share one. With `rows` it is finite, every rule has its
exact number of rows, and addresses are a keyed permutation of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    CompiledFamily,
    Condition,
    ParamError,
    Problems,
    Render,
    RowDraws,
    Rows,
    Signature,
    Texts,
    Words,
    bounded,
    check_int,
    equal_to,
    levelled,
    one_of,
    params,
    stream_key,
    text_list,
)
from synthgen.authoring.compiled import (
    GOLDEN,
    Columns,
    LazyColumns,
    Ragged,
    constant_text,
    derivation_keys,
    mix_words,
    permutation_table,
    permute,
    worded,
)
from synthgen.families.rewrite import kernels
from synthgen.families.rewrite.kernels import MILLION, NOOP_KINDS, PACK, STRING, Rules
from synthgen.families.rewrite.pools import (
    CLASSES,
    FREE,
    REPEATED,
    Cell,
    PoolSpec,
    hash_sides,
    is_roomy,
    largest_k,
    rule_cells,
    rules_of,
)

WORDS = Words.beside(__file__)
ALLOCATIONS = ("uniform", "power_weights", "power_index", "zipf", "geometric")
_NEGATIVES = NOOP_KINDS[kernels.CHANGED :]
_MAX_LENGTH = 10_000
_MAX_RULES = 10_000_000
_MAX_TABLE = 500_000_000
"""Letters of all rules of a source."""
_MAX_ROWS = 10**12
_MAX_COUNTED = 1_000
_OFFERED = 10
"""Letters that the bound of different problems counts; more would give too long numbers."""
_BINS = 10
_RULE_COLUMNS = (
    *("lhs", "rhs", "lhs_length", "rhs_length", "rule_class", "class_k"),
    *("repeated_k", "periodic_k", "mirrored_k", "rank"),
)
_S11 = np.uint64(11)


@levelled("lhs_length + input_length", 5, 10, 20, 30, 45, 60, 80, 120, 200, 400)
@dataclass(frozen=True)
class Rewrite(CompiledFamily):
    """Rules x > y and strings z, in which the leftmost x becomes y.

    Attributes:
        alphabet: Letters of all strings.
        min_input, max_input: Length of z.
        min_lhs, max_lhs, min_rhs, max_rhs: Lengths of x and y; y may be empty.
        rules: Number of different rules.
        first_rule: Number of the first one in the pool.
        pool: Number of the pool; sources with the same number, alphabet, lengths, classes and
            strict share a pool.
        strict: Whether no x or y of a rule is x or y of another rule in the pool.
        classes: Classes of x and y: any; free (no structure), or repeated, periodic or mirrored
            with one k or a range, such as "repeated 3-12".
        class_weights: Weights of the classes; () for equal ones.
        rows: Rows of all rules together; 0 for an unbounded source with rules equally likely.
        allocation: Allocation of rows to rules: uniform, power_weights, power_index, zipf or
            geometric.
        exponent: Exponent of the allocation.
        min_per_rule: Minimum number of rows of each rule.
        p_noop: Share of inputs without x; with `rows` exact, and for each rule as near as possible.
        hard_negatives: Share of these inputs that contain something like x.
        negatives: Kinds of these: x with a letter changed, a prefix of at least half of it, x
            reversed.
        occurrences: Numbers of occurrences of x in z, not counting overlaps; each equally likely.
        cipher: Number of a permutation of the alphabet applied to all strings; 0 for none.
    """

    alphabet: str = params.characters(ascii_lowercase, ascii_lowercase, fewest=2)
    min_input: int = params.integer(50, 1, _MAX_LENGTH, up_to="max_input")
    max_input: int = params.integer(50, 1, _MAX_LENGTH)
    min_lhs: int = params.integer(20, 1, _MAX_LENGTH, up_to="max_lhs")
    max_lhs: int = params.integer(20, 1, _MAX_LENGTH)
    min_rhs: int = params.integer(20, 0, _MAX_LENGTH, up_to="max_rhs")
    max_rhs: int = params.integer(20, 0, _MAX_LENGTH)
    rules: int = params.integer(1000, 1, _MAX_RULES)
    first_rule: int = params.integer(0, 0, _MAX_RULES)
    pool: int = params.integer(0, 0, 2**63 - 1)
    strict: bool = params.flag(default=True)
    classes: tuple[str, ...] = ("any",)
    class_weights: tuple[float, ...] = ()
    rows: int = params.integer(0, 0, _MAX_ROWS)
    allocation: str = params.choice("uniform", ALLOCATIONS)
    exponent: float = params.number(1.0, 0, 1000, open_at=0)
    min_per_rule: int = params.integer(0, 0, _MAX_ROWS)
    p_noop: float = params.number(0.0, 0, 1)
    hard_negatives: float = params.number(0.0, 0, 1)
    negatives: tuple[str, ...] = params.choices(_NEGATIVES, _NEGATIVES)
    occurrences: tuple[int, ...] = params.integers((1,), 1, _MAX_LENGTH, fewest=1)
    cipher: int = params.integer(0, 0, 2**63 - 1)

    version = 4
    verifier = "rewrite"
    prompts = ("bare", "instruction")
    solutions = ("none", "steps")
    words = WORDS

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("max_lhs", self.max_lhs, 1, self.min_input - (self.min_rhs == 0))
        check_int("first_rule", self.first_rule, 0, _MAX_RULES - self.rules)
        most = _MAX_TABLE // (self.max_lhs + self.max_rhs)
        if self.rules > most:
            wanted = f"at most {most}, as max_lhs={self.max_lhs} and max_rhs={self.max_rhs}"
            raise ParamError("rules", self.rules, wanted)
        fits = self.min_input // self.max_lhs
        if max(self.occurrences) > fits:
            wanted = f"numbers from 1 to {fits}, as many as fit into the shortest input"
            raise ParamError("occurrences", self.occurrences, wanted)
        check_int("min_per_rule", self.min_per_rule, 0, self.rows // self.rules)
        if not self.rows and self.allocation != "uniform":
            raise ParamError("allocation", self.allocation, "uniform, or a number of rows")
        if self.allocation == "geometric" and self.exponent > 1:
            raise ParamError("exponent", self.exponent, "at most 1 for a geometric allocation")
        stop = self.first_rule + self.rules
        if is_roomy(self._pool_spec, stop) or self._rules.made >= stop:
            return
        made = self._rules.made
        wanted = f"at most {max(made - self.first_rule, 0)}: the pool has {made} rules, "
        raise ParamError("rules", self.rules, f"{wanted}and first_rule={self.first_rule}")

    @property
    def signature(self) -> Signature:
        """A symbol for each length of a string, and leaves of one, two and three letters."""
        return _signature(self._longest, self._letters.tobytes().decode())

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        first, longest, side = self.first_rule, self.max_input, self.max_lhs
        last = first + self.rules - 1
        hashed, n = ("int64", 0, 2**63 - 1), "int16"
        inputs = (self.min_input, self.max_input)
        return {
            "rule": Axis("number of the rule in its pool", "int32", first, last, (), False),
            "rank": Axis("rank of the rule by rows, 1 is most", "int32", 1, self.rules, (), False),
            "lhs": Axis("63-bit hash of the left side", *hashed),
            "rhs": Axis("63-bit hash of the right side", *hashed),
            "lhs_length": Axis("letters of the left side", n, self.min_lhs, side),
            "rhs_length": Axis("letters of the right side", n, self.min_rhs, self.max_rhs),
            "rule_class": Axis("class of the largest k of both sides", values=CLASSES),
            "class_k": Axis("largest k of any class", n, 1, side),
            "repeated_k": Axis("largest k with both sides repeated(k)", n, 1, side),
            "periodic_k": Axis("largest k with both sides periodic(k)", n, 1, side),
            "mirrored_k": Axis("largest k with both sides mirrored(k)", n, 1, side),
            "op_type": Axis("whether the left side occurs", values=("no_op", "has_op")),
            "noop_kind": Axis("what is like the left side in a no-op's input", values=NOOP_KINDS),
            "occ_overlap": Axis("occurrences, including overlapping ones", n, 0, longest),
            "occ_nonoverlap": Axis("occurrences without overlaps", n, 0, longest // self.min_lhs),
            "match_position": Axis("letters before the leftmost match, or -1", n, -1, longest),
            "match_bin": Axis("tenth of all possible positions that it is in, or -1", n, -1, 9),
            "input_length": Axis("letters of the input", n, *inputs),
        }

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params can fix."""
        return {
            "rule": Condition(("first_rule",), also={"rules": 1}, only={"rows": (0,)}),
            "lhs_length": bounded("min_lhs", "max_lhs"),
            "rhs_length": bounded("min_rhs", "max_rhs"),
            "input_length": bounded("min_input", "max_input"),
            "op_type": equal_to("p_noop", {"no_op": 1.0, "has_op": 0.0}),
            "occ_nonoverlap": one_of("occurrences", p_noop=(0.0,)),
        }

    @property
    def space(self) -> int | None:
        """Number of rows, if they are allocated."""
        return self.rows or None

    @property
    def fewest_problems(self) -> int:
        """Number of rules with rows; in an unbounded source, times a bound of their inputs.

        Around occurrences at fixed places, any letters but the first letter of x are possible.
        """
        if self.rows:
            return int(np.count_nonzero(self._allocation.counts))
        taken = 0 if self.p_noop == 1 else min(self.occurrences) * self.max_lhs
        inputs: int = (len(self.alphabet) - 1) ** min(self.max_input - taken, _MAX_COUNTED)
        return self.rules * inputs

    def draw(self, rows: Rows) -> Problems:
        """Draw the rules and inputs at these addresses; those beyond `space` are invalid."""
        numbers, absent = self._choose(rows)
        shape = kernels.Shape(
            self.min_input,
            self.max_input,
            len(self.alphabet),
            _millionths(self.hard_negatives),
            np.array(self.occurrences, np.int64),
            np.array([NOOP_KINDS.index(name) for name in self.negatives], np.int64),
        )
        inputs = kernels.draw_inputs(kernels.Wanted(rows.keys, numbers, absent), self._rules, shape)
        first_leaf = STRING + self._longest + 1
        tree = (numbers, self._rules, inputs, shape.n_letters, first_leaf)
        derivations = Ragged(*kernels.write_derivations(*tree))
        valid = np.full(len(rows), True)
        if self.rows:
            valid = rows.addresses < np.uint64(self.rows)
        lengths = np.diff(inputs.offsets).astype(np.int16)
        return Problems(
            rows=rows,
            derivations=derivations,
            keys=derivation_keys(derivations, self.signature, self.domain),
            axes=self._columns(numbers, inputs, lengths),
            difficulty=lengths,
            valid=valid,
            parts={
                "rules": numbers,
                "inputs": Ragged(inputs.letters[: inputs.offsets[-1]], inputs.offsets),
                "positions": inputs.position,
            },
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Render rules with inputs, results and, with style.solution "steps", the replacement."""
        written = self._written(problems)
        prompts = text_list(written.prompts)
        templates = constant_text("bare", len(problems))
        if style.prompt == "instruction":
            note: str = WORDS["empty"] if self.min_rhs == 0 else ""
            texts = WORDS.wordings("instruction")
            wordings = [(f"{text}{note}\n\n`", "`") for text in texts]
            prompts, templates = worded(problems.rows, wordings, prompts)
        return Texts(
            prompts=prompts,
            answers=text_list(written.answers),
            answer_types=constant_text("string", len(problems)),
            templates=templates,
            solutions=text_list(written.steps) if style.solution == "steps" else None,
        )

    def wrong_answers_of(
        self, problems: Problems, places: Sequence[int]
    ) -> Mapping[int, Sequence[str]]:
        """Leave inputs as they are, or replace letters at other places."""
        prompts = self._written(problems).prompts
        rows = Rows(problems.rows.stream, problems.rows.addresses[list(places)])
        made: dict[int, list[str]] = {}
        for place, draws in zip(places, rows.branch("mistakes").each(), strict=True):
            rule, _, z = prompts[place].rpartition(" | ")
            x, _, y = rule.replace("_", "").partition(" > ")
            ends = [draws.integer(0, max(len(z) - len(x), 0) + 1) for _ in range(_OFFERED)]
            placed = [f"{z[:end]}{y}{z[end + len(x) :]}" for end in ends]
            made[place] = draws.shuffled([z, *placed])
        return made

    def _written(self, problems: Problems) -> _Written:
        """Write `x > y | z`, the result, and the place of x with z before and after the step."""
        written = _Written([], [], [])
        rules, inputs = self._spelled_rules, problems.parts["inputs"]
        text = self._letters.take(inputs.values, mode="clip").tobytes().decode()
        sides = 2 * problems.parts["rules"]
        bounds = (rules.offsets[sides + place].tolist() for place in range(3))
        spans = inputs.offsets[:-1].tolist(), inputs.offsets[1:].tolist()
        positions = problems.parts["positions"].tolist()
        for left, right, last, start, end, at in zip(*bounds, *spans, positions, strict=True):
            rule, z = rules.letters[left:last].tobytes().decode(), text[start:end]
            x, y = rule[: right - left], rule[right - left :]
            before, after = z[:at], z[at + len(x) :]
            written.prompts.append(f"{x} > {y or '_'} | {z}")
            written.answers.append(z if at < 0 else f"{before}{y}{after}")
            lines = f"{at}: {before}[{x}]{after}\n{before}[{y}]{after}"
            written.steps.append("none" if at < 0 else lines)
        return written

    @property
    def _longest(self) -> int:
        return max(self.max_input, self.max_lhs, self.max_rhs)

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        lhs, rhs = (self.min_lhs, self.max_lhs), (self.min_rhs, self.max_rhs)
        return rule_cells(self.classes, self.class_weights, lhs, rhs)

    @property
    def _pool_spec(self) -> PoolSpec:
        return PoolSpec(self._cells, len(self.alphabet), self.pool, self.strict)

    @property
    def _rules(self) -> Rules:
        return rules_of(self._pool_spec, self.first_rule, self.rules)

    @cached_property
    def _letters(self) -> NDArray[np.uint8]:
        """The alphabet's characters, in the order of the cipher."""
        order = list(self.alphabet)
        if self.cipher:
            order = RowDraws(stream_key("rewrite cipher", self.cipher)).shuffled(order)
        return np.frombuffer("".join(order).encode(), np.uint8)

    @cached_property
    def _spelled_rules(self) -> Rules:
        """The rules in characters."""
        letters, offsets, made = self._rules
        return Rules(self._letters[letters[: offsets[-1]]], offsets, made)

    @property
    def _allocation(self) -> Allocation:
        weights = (self.allocation, float(self.exponent), self.rules, self.pool)
        return allocate(*weights, self.rows or self.rules, self.min_per_rule)

    def _choose(self, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the rule of each row, counted from the first one, and whether it is a no-op."""
        share = _millionths(self.p_noop)
        if not self.rows:
            draws = rows.draws()
            return draws.integers(0, self.rules), draws.integers(0, MILLION) < share
        counts, ends = self._allocation.counts, self._allocation.ends
        if counts[0] == counts[-1] == counts.max():
            numbers, places = self._in_turns(rows, int(counts[0]))
        else:
            table = permutation_table(rows.stream, self.rows)
            places = permute(rows.addresses % np.uint64(self.rows), table).astype(np.int64)
            numbers = np.searchsorted(ends, places, side="right")
        return numbers, (places + 1) * share // MILLION > places * share // MILLION

    def _in_turns(self, rows: Rows, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rule of each row, and the row's place among all, if rules have equal rows.

        The rules take turns, so that the first rows of a source, too, have each of them equally
        often. Each begins at another place, or the no-ops of all rules would be in the same turns.
        """
        turns, within = np.divmod(rows.addresses % np.uint64(self.rows), np.uint64(self.rules))
        numbers = permute(within, permutation_table(rows.stream, self.rules))
        begins = mix_words(mix_words(np.uint64(rows.stream) + numbers * GOLDEN) + GOLDEN)
        places = numbers * np.uint64(count) + (turns + begins % np.uint64(count)) % np.uint64(count)
        return numbers.astype(np.int64), places.astype(np.int64)

    @cached_property
    def _rule_columns(self) -> Columns:
        """Axes of each rule."""
        letters, offsets, _ = self._spelled_rules
        hashes, lengths = hash_sides(letters, offsets), np.diff(offsets).astype(np.int16)
        largest = largest_k(letters, offsets)
        class_k = largest.max(axis=1)
        first = (largest.argmax(axis=1) + REPEATED).astype(np.int16)
        columns = (
            *(hashes[0::2], hashes[1::2], lengths[0::2], lengths[1::2]),
            *(np.where(class_k == 1, np.int16(FREE), first), class_k),
            *(*largest.T, self._allocation.ranks),
        )
        return dict(zip(_RULE_COLUMNS, columns, strict=True))

    def _columns(
        self, numbers: NDArray[np.int64], inputs: kernels.Inputs, lengths: NDArray[np.int16]
    ) -> Columns:
        """Return the axes; those of the rules are computed on first use."""
        position = inputs.position
        known: dict[str, NDArray[Any]] = {
            "rule": (numbers + self.first_rule).astype(np.int32),
            "op_type": (position >= 0).astype(np.int16),
            "noop_kind": inputs.kind,
            "occ_overlap": inputs.overlapping,
            "occ_nonoverlap": inputs.separate,
            "match_position": position,
            "input_length": lengths,
        }

        def rule_columns() -> Columns:
            columns = {name: column[numbers] for name, column in self._rule_columns.items()}
            places = lengths.astype(np.int64) - columns["lhs_length"] + 1
            bins = np.maximum(_BINS * position.astype(np.int64) // places, -1)
            return columns | {"match_bin": bins.astype(np.int16)}

        return LazyColumns(known, (*_RULE_COLUMNS, "match_bin"), rule_columns)


GENERATORS = {"rewrite": Rewrite}


class _Written(NamedTuple):
    prompts: list[str]
    answers: list[str]
    steps: list[str]


@lru_cache(16)
def _signature(longest: int, letters: str) -> Signature:
    """Return the symbols for strings of up to `longest` letters."""
    names = ["rewrite", "rule", *(f"string{n}" for n in range(longest + 1))]
    arities = [2, 2, *(-(-n // PACK) for n in range(longest + 1))]
    for length in range(1, PACK + 1):
        names += map("".join, product(letters, repeat=length))
    return Signature((*names,), (*arities, *[0] * (len(names) - len(arities))))


def _millionths(share: float) -> int:
    return round(Fraction(str(share)) * MILLION)


@dataclass(frozen=True)
class Allocation:
    """Rows of each of n rules.

    Attributes:
        counts: Rows of each rule, int64 (n,).
        ends: Row number after the last one of each rule, int64 (n,).
        ranks: Rank by number of rows, 1 for the most; of equal ones the lower rule first, int32
            (n,).
    """

    counts: NDArray[np.int64]
    ends: NDArray[np.int64]
    ranks: NDArray[np.int32]


def rule_weights(kind: str, exponent: float, n_rules: int, pool: int) -> NDArray[np.float64]:
    """Return the weight of each rule, positive or zero, float64 (n_rules,).

    Args:
        kind: "uniform"; "power_weights", each rule draws its own weight from the density
            a x^(a-1) on [0, 1]; "power_index", the number of a row's rule is drawn from it, so that
            rule i has (i/n)^a - ((i-1)/n)^a; "zipf", rule i has 1/i^a; "geometric", a^i.
        exponent: Exponent a.
        n_rules: Number of rules, at least 1.
        pool: Number of the pool, for the draws of "power_weights".
    """
    places = np.arange(1, n_rules + 1, dtype=np.float64)
    if kind == "power_weights":
        key = np.uint64(stream_key("rewrite weights", pool))
        counters = np.arange(1, n_rules + 1, dtype=np.uint64)
        bits = mix_words(mix_words(key + counters * GOLDEN) + GOLDEN)
        uniform = ((bits >> _S11).astype(np.float64) + 0.5) * 2.0**-53
        return uniform ** (1.0 / exponent)
    if kind == "power_index":
        return np.diff(np.concatenate([[0.0], places / n_rules]) ** exponent)
    if kind == "zipf":
        return places**-exponent
    if kind == "geometric":
        return exponent ** (places - 1)
    return np.ones(n_rules)


@lru_cache(maxsize=16)
def allocate(
    kind: str, exponent: float, n_rules: int, pool: int, total: int, min_rows: int
) -> Allocation:
    """Divide `total` rows by the rules' weights, each part at least `min_rows`.

    The largest remainders are rounded up; of equal ones, those of the lower rules.
    """
    weights = rule_weights(kind, exponent, n_rules, pool)
    free = total - n_rules * min_rows
    shares = weights / weights.sum() * free
    counts: NDArray[np.int64] = np.floor(shares).astype(np.int64)
    # The floors could exceed `free` only beyond 2^53 / n rows, which params exclude.
    order = np.argsort(counts - shares, kind="stable")
    counts[order[: free - int(counts.sum())]] += 1
    counts += min_rows
    ranks = np.empty(n_rules, np.int32)
    ranks[np.argsort(-counts, kind="stable")] = np.arange(1, n_rules + 1, dtype=np.int32)
    return Allocation(counts, np.cumsum(counts), ranks)
