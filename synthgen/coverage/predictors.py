"""Shortcuts: predictors that know nothing of the problem, fitted on train, scored on other rows.

A dataset that such a predictor can answer does not test what it claims. Each predictor is fitted
for every family separately, and on all of train for a family that train lacks:

- the most frequent answer of train, also given the wording, the level or an axis;
- the word, number or part of the prompt at a fixed position, the best one on train;
- the answer of the train prompt with the most similar runs of characters;
- a multinomial logistic regression on word counts, where answers repeat, and one on the counts of
  pairs of words;
- a small tree over parities and sizes of counts;
- the word at a position of a statement that has much in common with the question;
- where prompts have options, a linear model on the form of each option, with and without the words
  of the problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes
from synthgen.core.errors import ParamError
from synthgen.coverage.count_predictors import (
    by_tree,
    count_bits,
    near_question,
    pairs_of,
    telling,
)
from synthgen.coverage.inputs import sample_rows
from synthgen.coverage.options import Question, choose_options, read_question
from synthgen.draws.randomness import GOLDEN, stream_key

Hits = NDArray[np.int8]
Matrix = NDArray[np.float32]

PROMPT, ANSWER, FAMILY = "prompt", "answer", "task"
TEMPLATE, LEVEL = "template", "difficulty"
"""Columns of a frame, named as in datasets; these two are optional."""
MOST_FREQUENT, COPY = "most frequent answer", "copy of one position"
NEAREST, WORDS = "nearest train prompt", "linear on word counts"
PAIRS, TREE = "linear on pairs of words", "tree over counts"
NEAR = "copy from near the question"
OPTIONS = "options alone", "options and words of the problem"
MAX_COMPARED = 2_000, 500
"""Prompts of a family in train, and of all families in a test, for the nearest prompt."""
MAX_FITTED = 4_000
"""Rows of a family that the linear models and the tree are fitted on."""
MAX_COUNTED = 2_000
"""Rows of a test whose pairs of words are counted, and that the tree is applied to."""
MAX_NEAR = 500, 300
"""Rows of a family in train, and of a test, whose statements are read."""
MAX_OPTIONS = 800, 400
"""Rows of a family that the models of options are fitted on, and rows of all families of a test."""

_KINDS = {"word": r"\S+", "number": r"-?[0-9]+(?:[./][0-9]+)?", "part": '[^\n:;|=?"`“”]+'}
_EDGES = " \t.,;:!?()[]{}\"'`$|="
_COLUMN_BITS, _RUNS = 10, (2, 4)
_KEY = stream_key("coverage", "shortcuts")
_TOKENS = r"[\p{L}\p{N}_]+|[^\s]"
_MIN_OF_QUESTIONS = 50
_MAX_CLASSES, _MIN_OF_CLASS, _MAX_WORDS, _MIN_OF_WORD = 32, 5, 256, 3
_MAX_PARITIES = 48
_ALL = 2**40
_STEPS, _RIDGE = 30, 1.0


def measure_shortcuts(
    train: pl.DataFrame, tests: Mapping[str, pl.DataFrame], axes: Sequence[str] = ()
) -> dict[str, dict[str, Hits]]:
    """Fit all predictors on train and apply them to the rows of each test.

    Args:
        train: Rows with prompt, answer and family, and perhaps wording and level.
        tests: Rows with the same columns, by name.
        axes: Further columns that the most frequent answer may depend on.

    Returns:
        test -> predictor -> for each row 1 if it is right, 0 if wrong, -1 if not measured, int8
        (n,). Simple predictors come first; the linear model is absent where no answers repeat.

    Raises:
        ParamError: without rows of train, or without tests.
    """
    if not len(train) or not tests:
        raise ParamError("rows", len(train), "at least one in train, and a test")
    rows = pl.concat(tests.values(), how="vertical_relaxed")
    starts = np.cumsum([0, *map(len, tests.values())])
    known = [name for name in (TEMPLATE, LEVEL) if name in train.columns]
    axes = [name for name in axes if train[name].n_unique() > 1]
    results = {MOST_FREQUENT: _right(_most_frequent(train, rows, ANSWER, [FAMILY]), rows)}
    for name in (*known, *axes):
        results[given(name)] = _right(_most_frequent(train, rows, ANSWER, [FAMILY, name]), rows)
    results[COPY] = _copied(train, rows, [FAMILY, *known[: TEMPLATE in known]])
    results |= _by_family(train, rows, starts.tolist(), results[MOST_FREQUENT])
    if _questions(train[sampled(len(train), _MIN_OF_QUESTIONS)]):
        results |= _by_options(train, rows, _sampled_of_each(starts.tolist(), MAX_OPTIONS[1]))
    return {
        name: {predictor: hits[a:b] for predictor, hits in results.items()}
        for name, (a, b) in zip(tests, pairwise(starts.tolist()), strict=True)
    }


def given(name: str) -> str:
    """Return the name of the predictor that gives the most frequent answer by a column."""
    return f"{MOST_FREQUENT} by {'level' if name == LEVEL else name}"


def sampled(n: int, most: int) -> NDArray[np.int64]:
    """Return at most `most` of the numbers below n, chosen by a hash, rising, int64 (m,)."""
    return sample_rows(n, most, _KEY)


def _right(guess: pl.Series, test: pl.DataFrame) -> Hits:
    right: Hits = (guess == test[ANSWER]).fill_null(value=False).to_numpy().astype(np.int8)
    return right


def _most_frequent(
    train: pl.DataFrame, test: pl.DataFrame, value: str, by: Sequence[str]
) -> pl.Series:
    """Return the most frequent value in the train rows of the cell of each test row.

    A cell without train rows takes that of the columns before the last, and so on. Of equally
    frequent values it is the first.
    """
    guess = pl.Series([None], dtype=pl.String).new_from_index(0, len(test))
    rows = test.select(*by, _all=pl.lit(0))
    for count in range(len(by), -1, -1):
        keys = ["_all", *by[:count]]
        counted = train.with_columns(_all=pl.lit(0)).group_by(*keys, value).agg(_rows=pl.len())
        ranked = counted.sort("_rows", value, descending=[True, False])
        best = ranked.group_by(keys, maintain_order=True).agg(_guess=pl.col(value).first())
        joined = rows.join(best, on=keys, how="left", nulls_equal=True, maintain_order="left")
        guess = guess.zip_with(guess.is_not_null(), joined["_guess"])
    return guess


def _copied(
    train: pl.DataFrame,
    test: pl.DataFrame,
    by: Sequence[str],
    places_of: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
) -> Hits:
    """Copy from the position that has the answer of the most train rows with the same wording."""
    find = places_of or _answer_places
    seen, places = (find(rows.select(PROMPT, ANSWER, *by)) for rows in (train, test))
    chosen = test.select(place=_most_frequent(seen, test, "place", by)).with_row_index("row")
    hits = np.zeros(len(test), np.int8)
    hits[chosen.join(places, on=["row", "place"], how="semi")["row"].to_numpy()] = 1
    return hits


def _answer_places(rows: pl.DataFrame) -> pl.DataFrame:
    """Return every position of a prompt that is its answer, counted from both ends."""
    places, has_answer = [], pl.col(PROMPT).str.contains(pl.col(ANSWER), literal=True)
    rows = rows.with_row_index("row").filter(has_answer)
    for kind, pattern in _KINDS.items():
        listed = rows.with_columns(token=pl.col(PROMPT).str.extract_all(pattern))
        length = pl.col("token").list.len().cast(pl.Int64)
        tokens = (
            listed.drop(PROMPT)  # which would be repeated for each of its tokens
            .with_columns(length=length, first=pl.int_ranges(0, length, dtype=pl.Int64))
            .explode("token", "first")
        )
        texts = pl.col("token").str.strip_chars(_EDGES)
        equal = tokens.filter((texts == pl.col(ANSWER)) | (pl.col("token") == pl.col(ANSWER)))
        for place in (pl.col("first") + 1, pl.col("first") - pl.col("length")):
            name = pl.format("{} {}", pl.lit(kind), place)
            places.append(equal.with_columns(place=name).drop("token", "length", "first"))
    return pl.concat(places)


def _near(known: _FamilyRows, test: _FamilyRows) -> pl.Series | None:
    """Copy from a position of a statement or word near the question."""
    train = known.rows[sampled(len(known.rows), MAX_NEAR[0])]
    answers = {*train[ANSWER]}

    def places_of(rows: pl.DataFrame) -> pl.DataFrame:
        taken = [near_question(prompt, answers) for prompt in rows[PROMPT]]
        at = np.repeat(np.arange(len(rows)), [*map(len, taken)])
        copied = rows[at].with_columns(
            pl.Series(PROMPT, [text for each in taken for text in each.values()], pl.String),
            rule=pl.Series([rule for each in taken for rule in each], dtype=pl.String),
            at=pl.Series(at),
        )
        row = pl.col("at").cast(pl.get_index_type())
        return _answer_places(copied).with_columns(
            row=row, place=pl.format("{} {}", "rule", "place")
        )

    hits = _copied(train, test.rows, [FAMILY], places_of) == 1
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(hits))
    return test.rows[ANSWER].zip_with(pl.Series(hits), nothing) if hits.any() else None


def _sampled_of_each(starts: Sequence[int], most: int) -> NDArray[np.int64]:
    """Return at most `most` rows of each test, int64 (m,)."""
    return np.concatenate([a + sampled(b - a, most) for a, b in pairwise(starts)])


class _FamilyRows:
    """Rows of a family, with what several predictors take from them; each is made once.

    Args:
        rows: Prompts and answers.
    """

    def __init__(self, rows: pl.DataFrame) -> None:
        self.rows = rows

    @cached_property
    def words(self) -> pl.DataFrame:
        """The words of all prompts."""
        return _words(self.rows)

    @cached_property
    def classed(self) -> tuple[_FamilyRows, pl.Series]:
        """Sampled rows with the class of their answer, if it is frequent, and the classes."""
        train = self.rows[sampled(len(self.rows), MAX_FITTED)]
        answers = train.group_by(ANSWER).agg(rows=pl.len())
        repeated = answers.filter(pl.col("rows") >= _MIN_OF_CLASS)
        ranked = repeated.sort("rows", ANSWER, descending=[True, False])
        classes = ranked[ANSWER].head(_MAX_CLASSES)
        coded = pl.DataFrame({ANSWER: classes, "class": range(len(classes))})
        return _FamilyRows(train.join(coded, on=ANSWER, maintain_order="left")), classes

    @cached_property
    def frequent(self) -> pl.Series:
        """The words of enough rows, those of the most rows first."""
        words = self.words.group_by("word").agg(rows=pl.col("row").n_unique())
        often = words.filter(pl.col("rows") >= _MIN_OF_WORD)
        return often.sort("rows", "word", descending=[True, False])["word"]


Guesser = Callable[[_FamilyRows, _FamilyRows], pl.Series | None]


def _by_family(
    train: pl.DataFrame, test: pl.DataFrame, starts: Sequence[int], usual: Hits
) -> dict[str, Hits]:
    """Fit and apply predictors family by family; those without a guess give the usual answer.

    Rows that are not sampled are not measured.
    """
    some = {most: _sampled_of_each(starts, most) for *_, most in _FITTED}
    hits = {name: np.full(len(test), -1, np.int8) for name, *_ in _FITTED}
    numbered = test.select(PROMPT, ANSWER, FAMILY, row=pl.int_range(len(test)))
    for family in numbered.partition_by(FAMILY, maintain_order=True):
        rows = family["row"].to_numpy()
        fit = train.filter(pl.col(FAMILY).eq_missing(family[FAMILY].first()))
        known = _FamilyRows(fit if len(fit) else train)
        parts = {
            most: _FamilyRows(family.filter(np.isin(rows, chosen))) for most, chosen in some.items()
        }
        for name, guesser, most in _FITTED:
            asked = parts[most].rows
            guess = guesser(known, parts[most]) if len(asked) else None
            if guess is not None:
                hits[name][asked["row"].to_numpy()] = _right(guess, asked)
    for name, _, most in _FITTED:
        open_ones = some[most][hits[name][some[most]] < 0]
        if len(open_ones) < len(some[most]):
            hits[name][open_ones] = usual[open_ones]
    return {name: each for name, each in hits.items() if (each >= 0).any()}


def _nearest(known: _FamilyRows, test: _FamilyRows) -> pl.Series:
    """Return the answer of the train prompt with the largest cosine of weighted character runs."""
    train = known.rows[sampled(len(known.rows), MAX_COMPARED[0])]
    counts = np.log1p(_runs(train[PROMPT]))
    weights = np.log((1.0 + len(train)) / (1.0 + np.count_nonzero(counts, axis=0)))
    features, others = (each * weights for each in (counts, np.log1p(_runs(test.rows[PROMPT]))))
    lengths = np.sqrt(np.square(features).sum(axis=1, keepdims=True))
    near = others.astype(np.float32) @ (features / np.maximum(lengths, 1e-9)).astype(np.float32).T
    return train[ANSWER].gather(near.argmax(axis=1))


def _runs(texts: pl.Series) -> Matrix:
    """Count the runs of two and of four bytes of each text in hashed columns."""
    data, offsets = text_bytes(texts.to_arrow().cast("string"))
    data, offsets = data[offsets[0] : offsets[-1]], offsets - offsets[0]
    rows = np.repeat(np.arange(len(texts)), np.diff(offsets))
    counts = np.zeros(len(texts) << _COLUMN_BITS, np.float32)
    for n in _RUNS:
        if len(data) >= n:
            last = len(data) - n + 1
            words = np.full(last, n, np.uint64)
            for i in range(n):
                words = words << np.uint64(8) | data[i : i + last]
            columns = words * GOLDEN >> np.uint64(64 - _COLUMN_BITS)
            whole = rows[:last] == rows[n - 1 :]
            slots = (rows[:last][whole] << _COLUMN_BITS) + columns[whole].astype(np.int64)
            counts += np.bincount(slots, minlength=len(counts)).astype(np.float32)
    return counts.reshape(len(texts), -1)


def _by_words(known: _FamilyRows, test: _FamilyRows) -> pl.Series | None:
    """Classify by word counts into the most frequent answers; None if fewer than two repeat."""
    train, classes = known.classed
    if len(classes) < 2:
        return None
    words = train.frequent.head(_MAX_WORDS)
    counts, others = (_word_counts(each.words, words, len(each.rows)) for each in (train, test))
    return classes.gather(_linear(counts, train.rows["class"].to_numpy(), others))


def _by_pairs(known: _FamilyRows, test: _FamilyRows) -> pl.Series | None:
    """Classify by the counts of pairs of words that tell the answers of train apart."""
    train, classes = known.classed
    if len(classes) < 2:
        return None
    coded = train.rows["class"]
    pairs, others = (pairs_of(each.words) for each in (train, test))
    telling_ones = telling(pairs, coded, _MAX_WORDS, _MIN_OF_WORD)
    counts = _word_counts(pairs, telling_ones, len(train.rows))
    rest = _word_counts(others, telling_ones, len(test.rows))
    return classes.gather(_linear(counts, coded.to_numpy(), rest))


def _by_tree(known: _FamilyRows, test: _FamilyRows) -> pl.Series | None:
    """Classify by a tree over the counts of words, lines and characters."""
    train, classes = known.classed
    if len(classes) < 2:
        return None
    words, text = train.frequent.head(_MAX_PARITIES), pl.col(PROMPT).str
    lines, size = text.count_matches("\n").alias("lines"), text.len_chars().alias("size")
    counts, others = (
        np.column_stack(
            [_word_counts(each.words, words, len(each.rows)), each.rows.select(lines, size)]
        )
        for each in (train, test)
    )
    bits, rest = count_bits(counts, others)
    return classes.gather(by_tree(bits, train.rows["class"].to_numpy(), rest))


def _linear(
    counts: NDArray[np.float64], coded: NDArray[np.int64], others: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Fit a model on counts and classes of train rows, and return the classes of others."""
    mean, deviation = counts.mean(axis=0), counts.std(axis=0)
    used = deviation > 0
    scaled, rest = (
        np.column_stack([np.ones(len(x)), (x - mean)[:, used] / deviation[used]])
        for x in (counts, others)
    )
    weights = _logistic(scaled, np.eye(coded.max() + 1)[coded])
    chosen: NDArray[np.int64] = (rest @ weights).argmax(axis=1)
    return chosen


def _questions(rows: pl.DataFrame) -> dict[int, Question]:
    """Return the questions with options, by row, if one of them is known to be right."""
    pairs = zip(rows[PROMPT].to_list(), rows[ANSWER].to_list(), strict=True)
    read = {row: read_question(prompt, answer) for row, (prompt, answer) in enumerate(pairs)}
    return {row: each for row, each in read.items() if each and each.right is not None}


def _by_options(
    train: pl.DataFrame, test: pl.DataFrame, places: NDArray[np.int64]
) -> dict[str, Hits]:
    """Choose among options, family by family; rows without options are not measured."""
    hits = {name: np.full(len(test), -1, np.int8) for name in OPTIONS}
    for rows in test.with_row_index("row")[places].partition_by(FAMILY, maintain_order=True):
        asked = _questions(rows)
        fit = train.filter(pl.col(FAMILY).eq_missing(rows[FAMILY].first()))
        known = [*_questions(fit[sampled(len(fit), MAX_OPTIONS[0])]).values()] if asked else []
        if len(known) < _MIN_OF_QUESTIONS:
            continue
        at = rows["row"].to_numpy()[[*asked]]
        right = np.array([question.right for question in asked.values()])
        for name, chosen in zip(OPTIONS, choose_options(known, [*asked.values()]), strict=True):
            hits[name][at] = right == chosen
    return {name: each for name, each in hits.items() if (each >= 0).any()}


def _words(rows: pl.DataFrame) -> pl.DataFrame:
    words = rows.select(row=pl.int_range(len(rows)), word=pl.col(PROMPT).str.extract_all(_TOKENS))
    return words.explode("word").drop_nulls()


def _word_counts(words: pl.DataFrame, known: pl.Series, n: int) -> NDArray[np.float64]:
    """Count the known words of each of n prompts, and all of them in the last column."""
    coded = pl.DataFrame({"word": known, "column": range(len(known))})
    words = words.join(coded, on="word", how="left").fill_null(len(known))
    width = len(known) + 1
    slots = words["row"].to_numpy() * width + words["column"].to_numpy()
    counts = np.bincount(slots, minlength=n * width).reshape(-1, width).astype(np.float64)
    counts[:, -1] = counts.sum(axis=1)
    return counts


def _logistic(rows: NDArray[np.float64], classes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fit a multinomial logistic regression, (columns, classes).

    Every step goes to the maximum of a quadratic lower bound of the likelihood (Böhning 1992), so
    a learning rate is not needed.
    """
    ridge = _RIDGE * np.eye(rows.shape[1])
    inverse = np.linalg.inv(rows.T @ rows / 2 + ridge)
    weights = np.zeros((rows.shape[1], classes.shape[1]))
    for _ in range(_STEPS):
        scores = rows @ weights
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        weights += inverse @ (rows.T @ (classes - shares) - _RIDGE * weights)
    return weights


_FITTED: Sequence[tuple[str, Guesser, int]] = (
    (NEAREST, _nearest, MAX_COMPARED[1]),
    (WORDS, _by_words, _ALL),
    (PAIRS, _by_pairs, MAX_COUNTED),
    (TREE, _by_tree, MAX_COUNTED),
    (NEAR, _near, MAX_NEAR[1]),
)
"""Predictors that are fitted on a family, and the most rows of a test that they are applied to."""
