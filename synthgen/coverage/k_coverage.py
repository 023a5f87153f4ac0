"""k-coverage of table tasks: which inputs follow from train by exchanging equivalent fragments.

For a task f: X^l -> X and a proper subset I of the input's places, a fragment is the values at I
and its context those at the other places. Two fragments are k-equivalent in train iff they share at
least k contexts there and have the same label in every context they share. Inputs that differ by
k-equivalent fragments in the same context are joined; an input is covered iff it is connected to a
train input (Chang et al. 2025, arXiv:2505.20278). The k-cutoff of an input is the largest k that
still covers it, 0 if none does: coverage is nested, as fewer fragments are equivalent for a
larger k.

Equivalence is closed by union-find, and so are the joins. Inputs are joined inside one subset I
only: fragments of different subsets may have the same values and yet mean different things.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import integer_values
from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, jit, kernel
from synthgen.coverage.inputs import ANSWER, STRUCTURE, Side, text_of
from synthgen.coverage.structure_reader import StructureReader

Ints = NDArray[np.int64]

MAX_K, MAX_PLACES = 64, 12
_MAX_PAIRS = 4_000_000_000
_MAX_PARENTS = 1 << 28


def k_cutoffs(
    inputs: ArrayLike,
    labels: ArrayLike,
    is_train: ArrayLike,
    *,
    subsets: Sequence[Sequence[int]] | None = None,
    most_k: int = 20,
    use_labels: bool = True,
) -> Ints:
    """Return the k-cutoff of every input.

    Args:
        inputs: Values at each of l places, integers (n, l); all inputs that paths may use: train
            and test, or the whole domain.
        labels: Output of the task for each input, integers (n,).
        is_train: Flags of the inputs that are train data, bool (n,).
        subsets: Places whose values are fragments, such as [(0, 1)] if the task is known to read
            those two first. All non-empty proper subsets if None.
        most_k: Largest k to try, 1 to 64.
        use_labels: Whether to join only inputs with equal labels, which reads the labels of test
            inputs.

    Returns:
        int64 (n,), from 0 (not covered) to `most_k`, which train inputs have.

    Raises:
        ParamError: for shapes or numbers out of range, train inputs with two labels, invalid
            subsets, or too many fragments in a context to finish within hours.
    """
    values, codes, train = _checked(inputs, labels, is_train)
    check_int("most_k", most_k, 1, MAX_K)
    chosen = _subsets(values.shape[1], subsets)
    parents = np.tile(np.arange(len(values)), (most_k, 1))
    for places in chosen:
        others = [j for j in range(values.shape[1]) if j not in places]
        fragments, contexts = _numbered(values[:, list(places)]), _numbered(values[:, others])
        classes = _classes(fragments, contexts, codes, train, most_k)
        for k in range(most_k):
            keys = [classes[k][fragments], contexts, codes if use_labels else np.zeros_like(codes)]
            order = np.lexsort(keys)
            _join_runs(parents[k], order, *keys)
    return _largest(parents, train)


def cutoff_counts(cutoffs: Ints, most_k: int = 20) -> Ints:
    """Return the number of inputs with each cutoff from 0 to `most_k`, int64 (most_k + 1,)."""
    return np.bincount(cutoffs, minlength=check_int("most_k", most_k, 1, MAX_K) + 1)


def _checked(
    inputs: ArrayLike, labels: ArrayLike, is_train: ArrayLike
) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Return arrays of equal length, with labels as codes."""
    values = np.asarray(inputs, np.int64)
    names, train = np.asarray(labels, np.int64), np.asarray(is_train, np.bool_)
    if values.ndim != 2 or not 2 <= values.shape[1] <= MAX_PLACES:
        expected = f"(n, l) with l from 2 to {MAX_PLACES}"
        raise ParamError("shape of inputs", values.shape, expected)
    if not len(values) == len(names) == len(train):
        lengths = (len(values), len(names), len(train))
        raise ParamError("inputs, labels, is_train", lengths, "equal lengths")
    known = np.column_stack([_numbered(values), names])[train]
    pairs = np.unique(known, axis=0)
    twice = pairs[1:][np.diff(pairs[:, 0]) == 0]
    if len(twice):
        row = int(np.flatnonzero(_numbered(values) == twice[0, 0])[0])
        raise ParamError("train input", values[row].tolist(), "one label only")
    return values, np.unique(names, return_inverse=True)[1].astype(np.int64), train


def _subsets(places: int, subsets: Sequence[Sequence[int]] | None) -> list[tuple[int, ...]]:
    if subsets is None:
        return [chosen for t in range(1, places) for chosen in combinations(range(places), t)]
    sorted_places = [tuple(sorted(set(chosen))) for chosen in subsets]
    for chosen in sorted_places:
        if not 0 < len(chosen) < places or not set(chosen) <= set(range(places)):
            raise ParamError("subset", chosen, f"some, but not all, of the places below {places}")
    return list(dict.fromkeys(sorted_places))


def _numbered(columns: Ints) -> Ints:
    """Number the distinct rows from 0 in order, int64 (n,)."""
    numbers = np.zeros(len(columns), np.int64)
    for column in columns.T:
        values, codes = np.unique(column, return_inverse=True)
        numbers = np.unique(numbers * max(len(values), 1) + codes, return_inverse=True)[1]
    return numbers.astype(np.int64)


def _classes(
    fragments: Ints, contexts: Ints, labels: Ints, train: NDArray[np.bool_], most_k: int
) -> Ints:
    """Return the class of each fragment for each k from 1, int64 (most_k, fragments)."""
    n_fragments, n_contexts = (int(x.max(initial=-1)) + 1 for x in (fragments, contexts))
    check_int("fragments of every k", n_fragments * most_k, 0, _MAX_PARENTS)
    seen = np.unique(np.column_stack([fragments, contexts, labels])[train], axis=0)
    by_fragment = np.searchsorted(seen[:, 0], np.arange(n_fragments + 1))
    order = np.argsort(seen[:, 1], kind="stable")
    by_context = np.searchsorted(seen[order, 1], np.arange(n_contexts + 1))
    check_int("pairs of fragments", int((np.diff(by_context) ** 2).sum()), 0, _MAX_PAIRS)
    parents = np.tile(np.arange(n_fragments), (most_k, 1))
    held, places, names = (np.ascontiguousarray(column) for column in seen.T)
    _join_fragments(parents, (places, names), by_fragment, held[order], by_context, order)
    return np.stack([_roots(row) for row in parents])


@jit
def _join_fragments(
    parents: Ints,
    columns: tuple[Ints, Ints],
    by_fragment: Ints,
    others: Ints,
    by_context: Ints,
    order: Ints,
) -> None:
    """Join the k-equivalent fragments for every k.

    Rows of train are sorted by fragment; `columns` are their contexts and labels. `others` are
    their fragments sorted by context, and `order` the position of each of these among the first.
    """
    contexts, labels = columns
    agreed = np.zeros(parents.shape[1], np.int64)  # -1 once two labels differ
    seen = np.empty(parents.shape[1], np.int64)
    for fragment in range(parents.shape[1]):
        n_seen = 0
        for i in range(by_fragment[fragment], by_fragment[fragment + 1]):
            for j in range(by_context[contexts[i]], by_context[contexts[i] + 1]):
                other = others[j]
                if other >= fragment:
                    break  # fragments rise within a context, so each pair is seen once
                if agreed[other] == 0:
                    seen[n_seen] = other
                    n_seen += 1
                if labels[order[j]] != labels[i]:
                    agreed[other] = -1
                elif agreed[other] >= 0:
                    agreed[other] += 1
        for m in range(n_seen):
            for k in range(min(agreed[seen[m]], len(parents))):
                _join(parents[k], fragment, seen[m])
            agreed[seen[m]] = 0


@kernel
def _find(parent: Ints, item: Int) -> Int:
    """Return the first of a class, halving the path to it."""
    while parent[item] != item:
        parent[item] = parent[parent[item]]
        item = parent[item]
    return item


@kernel
def _join(parent: Ints, one: Int, other: Int) -> None:
    """Join two classes under the lower root."""
    one, other = _find(parent, one), _find(parent, other)
    if one < other:
        parent[other] = one
    else:
        parent[one] = other


@jit
def _roots(parent: Ints) -> Ints:
    out = np.empty(len(parent), np.int64)
    for item in range(len(parent)):
        out[item] = _find(parent, item)
    return out


@kernel
def _join_runs(parent: Ints, order: Ints, classes: Ints, contexts: Ints, labels: Ints) -> None:
    """Join the inputs that agree in all three; these are adjacent in `order`."""
    for place in range(1, len(order)):
        one, other = order[place - 1], order[place]
        if (
            classes[one] == classes[other]
            and contexts[one] == contexts[other]
            and labels[one] == labels[other]
        ):
            _join(parent, one, other)


@jit
def _largest(parents: Ints, train: NDArray[np.bool_]) -> Ints:
    """Return the largest k that joins each input to one of train."""
    n = parents.shape[1]
    out = np.zeros(n, np.int64)
    for k in range(len(parents)):
        known = np.zeros(n, np.bool_)
        for item in range(n):
            if train[item]:
                known[_find(parents[k], item)] = True
        for item in range(n):
            if known[_find(parents[k], item)]:
                out[item] = k + 1
    return out


def monolithic_bits(unseen: int, answers: int) -> float:
    """Return log2 of answers^unseen: the bits of a table of answers to the unseen test inputs."""
    return unseen * math.log2(answers)


def table_entries(sides: Sequence[Side], most_places: int) -> tuple[Ints | None, Ints, Ints]:
    """Return the values, answer and side of every row; None if they do not form a table.

    A table has rows such as `(f a b)`, with 2 to `most_places` values.
    """
    nothing = np.zeros(0, np.int64)
    reader = StructureReader()
    values: list[Ints] = []
    whose: list[Ints] = []
    answers: list[pa.StringArray] = []
    for number, side in enumerate(sides):
        for batch in side.batches([STRUCTURE, ANSWER]):
            trees = reader.read(text_of(batch, STRUCTURE))
            lengths = np.unique(trees.lengths)
            places = int(lengths[0]) - 1 if len(lengths) == 1 else 0
            if not 2 <= places <= most_places or (values and values[0].shape[1] != places + 1):
                return None, nothing, nothing
            values.append(trees.values.reshape(-1, places + 1).astype(np.int64))
            whose.append(np.full(len(trees), number))
            answers.append(text_of(batch, ANSWER))
    codes = np.concatenate(values) if values else np.zeros((0, 1), np.int64)
    arities = reader.signature.arity_array
    if not len(codes) or len(np.unique(codes[:, 0])) > 1 or arities[codes[:, 1:]].any():
        return None, nothing, nothing
    labels = integer_values(pa.concat_arrays(answers).dictionary_encode().indices)
    return codes[:, 1:], labels.astype(np.int64), np.concatenate(whose)
