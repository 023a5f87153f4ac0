"""Shortcuts by counting: statements near the question, pairs of words, and parities of counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from math import log
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

Counts: TypeAlias = NDArray[np.float64]
Bits: TypeAlias = NDArray[np.bool_]

_STATEMENT = re.compile(r"(?<=[.;!?])\s+|\n+|(?<=\D),\s+")
_WORD = re.compile(r"\w+(?:['.-]\w+)*")
_LEAST_WEIGHT = 0.4
"""Words of more than two thirds of the statements say nothing about one."""
_MAX_QUESTION = 3
"""Statements of a question, read backwards until one has words of others."""
_ROUNDS, _MIN_OF_LEAF, _MIN_GAIN = 2, 40, 0.01


def near_question(prompt: str, answers: Collection[str]) -> Mapping[str, str]:
    """Return the statement or word that each rule takes from a prompt.

    The rules know no relations: they look at the words that statements share with the question,
    where rare words count more, and at the number of statements that a word occurs in.

    Args:
        prompt: Text with a question: the last statement with a question mark, or else the last one,
            and those before it if it has no words of others.
        answers: Answers of train.
    """
    texts = [text for text in _STATEMENT.split(prompt) if text]
    words = [dict.fromkeys(_WORD.findall(text)) for text in texts]
    asking = [place for place, text in enumerate(texts) if text.endswith("?")] or [len(texts) - 1]
    if len(texts) <= _MAX_QUESTION:
        return {}
    for start in range(asking[-1], max(asking[-1] - _MAX_QUESTION, -1), -1):
        others = [*range(start), *range(asking[-1] + 1, len(texts))]
        question = [*dict.fromkeys(word for own in words[start : asking[-1] + 1] for word in own)]
        degrees = Counter(word for place in others for word in words[place])
        weights = {word: log((len(others) + 1) / n) for word, n in degrees.items()}
        asked = [word for word in question if weights.get(word, 0.0) > _LEAST_WEIGHT]
        if asked:
            break
    texts, words = ([every[place] for place in others] for every in (texts, words))
    busy = {word: n * weights[word] for word, n in degrees.items() if word not in question}
    facts = [max((busy[word] for word in own if word in busy), default=0.0) for own in words]
    places = {word: [n for n, own in enumerate(words) if word in own] for word in asked}
    chosen = {}
    for name, part in (("all words", asked), ("first", asked[:1]), ("last", asked[-1:])):
        near = [0.0] * len(texts)
        for word in part:
            for place in places[word]:
                near[place] += weights[word]
        best = max(range(len(texts)), key=[*zip(near, facts, strict=True)].__getitem__)
        chosen[f"statement with {name} of the question"] = texts[best]
        shared = dict.fromkeys(busy, 0.0)
        for own, share in zip(words, near, strict=True):
            for word in own if share else ():
                if word in shared:
                    shared[word] += share * weights[word]
        chosen[f"word beside {name} of the question"] = _most(shared)
    chosen["word in many statements"] = _most(busy)
    known = {word: n for word, n in degrees.items() if word in answers}
    chosen["answer in most statements"] = _most(known)
    chosen["answer in fewest statements"] = _most({word: -n for word, n in known.items()})
    return chosen


def _most(scores: Mapping[str, float]) -> str:
    return max(scores, key=scores.__getitem__, default="")


def pairs_of(words: pl.DataFrame) -> pl.DataFrame:
    """Return each word with the next one of its row."""
    following = words.with_columns(next=pl.col("word").shift(-1), other=pl.col("row").shift(-1))
    pairs = following.filter(pl.col("row") == pl.col("other"))
    return pairs.select("row", word=pl.concat_str("word", "next", separator=" "))


def telling(words: pl.DataFrame, classes: pl.Series, most: int, fewest: int) -> pl.Series:
    """Return the words whose rows differ most in their classes from others, by chi squared.

    Args:
        words: Words and their rows.
        classes: Class of each row, or null.
        most: Number of words.
        fewest: Least number of rows of a word.
    """
    coded = pl.DataFrame({"row": range(len(classes)), "class": classes}).drop_nulls()
    shares = coded.group_by("class").agg(share=pl.len() / len(coded))
    counted = words.unique().join(coded, on="row").group_by("word", "class").agg(n=pl.len())
    rows = pl.col("n").sum()
    squares = pl.col("n").cast(pl.Float64) ** 2 / pl.col("share")
    by_word = counted.join(shares, on="class").sort("word", "class").group_by("word")
    scored = by_word.agg(rows=rows, score=squares.sum() / rows - rows)
    often = scored.filter(pl.col("rows") >= fewest)
    return often.sort("score", "word", descending=[True, False])["word"].head(most)


def count_bits(train: Counts, test: Counts) -> tuple[Bits, Bits]:
    """Return for both whether each count is odd, and whether it is above the median of train."""
    middle = np.median(train, axis=0)
    both = [np.column_stack([counts % 2 == 1, counts > middle]) for counts in (train, test)]
    varies = both[0].any(axis=0) & ~both[0].all(axis=0)
    return both[0][:, varies], both[1][:, varies]


def by_tree(
    train: Bits, classes: NDArray[np.int64], test: Bits, rounds: int = _ROUNDS
) -> NDArray[np.int64]:
    """Classify by a tree that asks two questions at a time: one alone says nothing of an XOR.

    Args:
        train: Answers of the train rows to each question.
        classes: Class of each train row.
        test: Answers of other rows.
        rounds: Pairs of questions on a path.
    """
    usual = np.bincount(classes).argmax() if len(classes) else 0
    result = np.full(len(test), usual)
    if not rounds or len(classes) < _MIN_OF_LEAF or not train.shape[1]:
        return result
    i, j, right = _best_pair(train, classes)
    if right <= (classes == usual).sum() + _MIN_GAIN * len(classes):
        return result
    cells, others = (2 * bits[:, i] + bits[:, j] for bits in (train, test))
    for cell in range(4):
        inside, at = cells == cell, others == cell
        if inside.any():
            result[at] = by_tree(train[inside], classes[inside], test[at], rounds - 1)
    return result


def _best_pair(bits: Bits, classes: NDArray[np.int64]) -> tuple[int, int, int]:
    """Return the two questions by which the most rows are classified, and how many these are."""
    cells = np.zeros((4, bits.shape[1], bits.shape[1]), np.float32)
    for each in np.unique(classes):
        own = bits[classes == each].astype(np.float32)
        yes, both = own.sum(axis=0), own.T @ own
        counts = both, yes[:, None] - both, yes[None] - both, len(own) - yes[:, None] - yes + both
        np.maximum(cells, counts, out=cells)
    right = cells.sum(axis=0)
    i, j = divmod(int(right.argmax()), bits.shape[1])
    return i, j, int(right[i, j])
