"""Shares that each predictor gets right, worked out by hand."""

from __future__ import annotations

import polars as pl
import pytest

from synthgen.core.errors import ParamError
from synthgen.coverage.predictors import (
    COPY,
    MOST_FREQUENT,
    NEAREST,
    WORDS,
    given,
    measure_shortcuts,
)


def frame(*rows: tuple[str, str], task: str = "", **columns: list[object]) -> pl.DataFrame:
    prompts, answers = zip(*rows, strict=True)
    return pl.DataFrame({"prompt": prompts, "answer": answers, **columns}).with_columns(
        task=pl.lit(task)
    )


def hits(train: pl.DataFrame, test: pl.DataFrame, predictor: str, *axes: str) -> list[int]:
    return measure_shortcuts(train, {"test": test}, axes)["test"][predictor].tolist()


def test_the_most_frequent_answer_of_train_and_of_each_cell() -> None:
    train = frame(
        *(("p", answer) for answer in "aaabbbbcb"),
        template=["u", "u", "u", "v", "v", "v", "v", "w", "w"],
        n=[1, 1, 2, 2, 2, 3, 3, 3, 3],
    )
    test = frame(("p", "a"), ("p", "b"), ("p", "b"), ("p", "c"), template=[*"uvx", "w"], n=[9] * 4)
    assert hits(train, test, MOST_FREQUENT) == [0, 1, 1, 0]
    # The wording x is not in train, and w has one b and one c: the first of them is b.
    assert hits(train, test, given("template")) == [1, 1, 1, 0]
    assert hits(train, test, given("n"), "n") == [0, 1, 1, 0]
    found = measure_shortcuts(train, {"one": test[:1], "other": test[1:]}, ["n"])
    assert [of[given("template")].tolist() for of in found.values()] == [[1], [1, 1, 0]]
    with pytest.raises(ParamError):
        measure_shortcuts(train[:0], {"test": test})


def test_a_position_is_chosen_for_each_wording() -> None:
    train = frame(
        ("Add 3 to -7.", "-7"),
        ("Add 1 to 5.", "5"),
        ("Add 5 to 8.", "5"),
        ("Which comes first: cat or dog?", "cat"),
        ("Which comes first: ape or bee?", "ape"),
        template=["add", "add", "add", "which", "which"],
    )
    test = frame(
        ("Add 2 to 1/2.", "1/2"),
        ("Add 9 to 4.", "13"),
        ("Which comes first: eel or fox?", "eel"),
        ("Which comes first, a fly or a gnu?", "fly"),
        ("Give 6 and 8.", "8"),
        template=["add", "add", "which", "which", "other"],
    )
    # The last number; the third word from the end. Of all of train the last number is the best.
    assert hits(train, test, COPY) == [1, 0, 1, 0, 1]


def test_the_answer_is_the_input() -> None:
    train = frame(("a > b ; b > c | a b =", "a b"), ("c > a | c c a =", "c c a"))
    test = frame(("b > a ; c > a | b b =", "b b"), ("b > a | a b =", "a a"))
    assert hits(train, test, COPY) == [1, 0]


def test_the_nearest_prompt_gives_its_answer() -> None:
    texts = ("red kite over hills", "blue whale in water", "grey wolf at night")
    train = frame(*((f"What is this: {text}?", str(i)) for i, text in enumerate(texts)))
    test = frame(
        ("What is this: grey wolves at night?", "2"),
        ("What is this: a red kite?", "0"),
        ("What is this: a whale?", "0"),
    )
    assert hits(train, test, NEAREST) == [1, 1, 0]
    many = measure_shortcuts(train, {"test": pl.concat([test] * 400)})["test"][NEAREST]
    assert (many >= 0).sum() == 500
    assert {*many[2::3].tolist()} == {-1, 0}


def test_a_word_and_the_number_of_words_give_the_answer_away() -> None:
    def asked(i: int) -> tuple[str, str]:
        colour = "red" if i % 3 == 0 else "blue"
        return f"Is number {i * 7 % 40} {colour}?", "yes" if i % 3 == 0 else "no"

    def counted(i: int) -> tuple[str, str]:
        return " ".join(["x"] * (i % 4 + 1) + [f"u{i % 5}", f"v{i % 7}"]), str(i % 4)

    test = [asked(i) for i in range(40, 60)]
    found = hits(frame(*map(asked, range(40))), frame(*test, ("Is it red?", "no")), WORDS)
    assert found == [1] * 20 + [0]
    assert hits(frame(*map(counted, range(80))), frame(*map(counted, range(9))), WORDS) == [1] * 9
    different = frame(*((f"Add {i} and {i}.", str(2 * i)) for i in range(40)))
    assert WORDS not in measure_shortcuts(different, {"test": different})["test"]


def test_every_family_is_fitted_separately() -> None:
    train = pl.concat(
        [
            frame(*[("x 1", "1")] * 6, *[("y 2", "2")] * 5, task="one"),
            frame(*[("x 1", "3")] * 6, *[("y 2", "4")] * 5, task="two"),
        ]
    )
    test = pl.concat([frame(("y 2", "2"), task="one"), frame(("y 2", "4"), task="two")])
    assert hits(train, test, NEAREST) == hits(train, test, WORDS) == [1, 1]
    assert hits(train, test, COPY) == [1, 0]
    assert hits(train, frame(("z", "1"), task="new"), MOST_FREQUENT) == [1]
