"""What every generator promises, whoever wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from synthgen.core.columns import ragged
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Generator, Problems, Render, Texts
from synthgen.core.derivation import derivation_text, parse_derivation
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.registry import generator_class, generator_names, load_verifier
from synthgen.dataset.schema import BASE_COLUMNS
from synthgen.engine.kept import valid_ones
from synthgen.engine.measured import is_measured, measure
from synthgen.engine.propose import BLOCK, block_of
from synthgen.verifiers.answers import EQUALITIES

PARAMS: Mapping[str, dict[str, Any]] = {"hint_paper": {"concept": "x"}}
"""Params for the tests where the defaults are slow to make."""
STREAM = stream_key(7, "source", "contract")
N_ROWS, N_SLOW_ROWS, N_SYMBOLIC = 2_000, 80, 160
NAMES = generator_names()
STYLES = [
    (name, Render(prompt, solution))
    for name in NAMES
    for prompt in generator_class(name).prompts
    for solution in generator_class(name).solutions
]
PLAIN_STYLES = [(name, style) for name, style in STYLES if style.solution == "none"]
"""For checks that see prompts and answers alone, which are the same with every solution."""
every_generator = pytest.mark.parametrize("name", NAMES)
every_style = pytest.mark.parametrize(
    ("name", "style"), STYLES, ids=[f"{name}-{s.prompt}-{s.solution}" for name, s in STYLES]
)
every_prompt = pytest.mark.parametrize(
    ("name", "style"), PLAIN_STYLES, ids=[f"{name}-{s.prompt}" for name, s in PLAIN_STYLES]
)


@lru_cache
def made(name: str) -> Generator:
    return generator_class(name)(**PARAMS.get(name, {}))


def rows_of(name: str) -> Rows:
    """Addresses over the whole space where it is finite, else the first ones."""
    n = N_ROWS if block_of(made(name)) == BLOCK else N_SLOW_ROWS
    space = made(name).space
    if space is None:
        return Rows.span(STREAM, 0, n)
    return Rows(STREAM, np.linspace(0, space - 1, n).astype(np.uint64))


def measured(name: str, problems: Problems) -> Problems:
    """The same problems with the axes that the verifier measures, if there are any."""
    generator = made(name)
    if not is_measured(generator):
        return problems
    problems = valid_ones(problems)
    texts = generator.render(problems, Render(generator.prompts[0], generator.solutions[-1]))
    return measure(generator, problems, texts)


@lru_cache
def drawn(name: str) -> Problems:
    return made(name).draw(rows_of(name))


@lru_cache
def all_measured(name: str) -> Problems:
    return measured(name, drawn(name))


@lru_cache
def valid_problems(name: str) -> Problems:
    """Problems at the valid ones of some addresses, as the engine draws them for a shard."""
    rows, found = rows_of(name), all_measured(name)
    addresses = found.rows.addresses[found.valid]
    return made(name).draw(Rows(rows.stream, addresses))


@lru_cache
def rendered(name: str, style: Render) -> Texts:
    return made(name).render(valid_problems(name), style)


def taken(problems: Problems, i: int) -> dict[str, Any]:
    """Everything a row is, as plain values."""
    return {
        "derivation": problems.derivations.row(i).tolist(),
        "key": problems.keys[i].tolist(),
        "difficulty": int(problems.difficulty[i]),
        "valid": bool(problems.valid[i]),
        "axes": {axis: int(column[i]) for axis, column in problems.axes.items()},
    }


@every_generator
def test_class_and_defaults(name: str) -> None:
    kind, generator = generator_class(name), made(name)
    assert isinstance(generator, Generator)
    assert kind.version >= 1
    assert kind.domain
    assert kind.prompts
    assert kind.solutions[0] == "none"
    assert len(set(kind.prompts)) == len(kind.prompts)
    assert kind() == kind()
    assert hash(kind()) == hash(kind())
    assert (kind.__doc__ or "").strip()
    for field in fields(kind):  # type: ignore[arg-type]
        assert getattr(kind(), field.name) == field.default
        with pytest.raises(FrozenInstanceError):
            setattr(generator, field.name, field.default)


@every_generator
def test_columns_are_as_declared(name: str) -> None:
    generator = made(name)
    assert len(drawn(name)) == len(rows_of(name))
    problems = all_measured(name)
    n = len(problems)
    assert len(problems.derivations) == n
    assert problems.keys.shape == (n, 2)
    assert problems.keys.dtype == np.uint64
    assert problems.difficulty.dtype == np.int16
    assert problems.valid.dtype == np.bool_
    assert problems.valid.mean() > 0.5
    assert set(problems.axes) == set(generator.axes)
    assert not set(generator.axes) & set(BASE_COLUMNS)
    for axis, spec in generator.axes.items():
        column = problems.axes[axis][problems.valid]
        assert column.shape == (problems.valid.sum(),)
        assert spec.dtype in ("int16", "int32", "int64")
        assert column.dtype == np.dtype(spec.dtype), axis
        assert spec.meaning
        low = 0 if spec.values else spec.low
        high = len(spec.values) - 1 if spec.values else spec.high
        assert low is None or column.min() >= low, axis
        assert high is None or column.max() <= high, axis


@every_generator
def test_the_bound_of_problems_is_one(name: str) -> None:
    generator = made(name)
    fewest, space = generator.fewest_problems, generator.space
    assert fewest is None or fewest >= len(np.unique(valid_problems(name).keys, axis=0))
    assert fewest is None or space is None or fewest <= space


@every_generator
def test_derivations_are_whole_and_keys_are_theirs(name: str) -> None:
    generator, problems = made(name), valid_problems(name)
    texts = derivation_text(problems.derivations, generator.signature).to_pylist()
    again = [parse_derivation(text, generator.signature) for text in texts]
    assert again == [problems.derivations.row(i).tolist() for i in range(len(problems))]
    keys = derivation_keys(ragged(again), generator.signature, generator.domain)
    assert np.array_equal(problems.keys, keys)
    by_key = dict(zip(map(tuple, keys.tolist()), texts, strict=True))
    assert len(by_key) == len(set(texts))


@every_generator
def test_equal_problems_have_equal_canonical_axes(name: str) -> None:
    generator, problems = made(name), valid_problems(name)
    canonical = [axis for axis, spec in generator.axes.items() if spec.canonical]
    seen: dict[tuple[int, ...], tuple[int, ...]] = {}
    columns = np.stack([problems.axes[axis] for axis in canonical], axis=1).tolist()
    for key, values in zip(problems.keys.tolist(), columns, strict=True):
        assert seen.setdefault(tuple(key), values) == values


@every_generator
def test_a_row_is_the_same_alone_in_a_batch_and_reversed(name: str) -> None:
    generator, rows = made(name), rows_of(name)
    together = drawn(name)
    backwards = generator.draw(Rows(rows.stream, rows.addresses[::-1].copy()))
    halves = [Rows(rows.stream, part) for part in np.split(rows.addresses, [70])]
    first, second = (generator.draw(part) for part in halves)
    for i in range(0, len(rows), len(rows) // 40 + 1):
        row = taken(together, i)
        assert taken(generator.draw(Rows(rows.stream, rows.addresses[[i]])), 0) == row
        assert taken(backwards, len(rows) - 1 - i) == row
        assert (taken(first, i) if i < 70 else taken(second, i - 70)) == row


@every_style
def test_a_text_is_the_same_alone_and_in_a_batch(name: str, style: Render) -> None:
    generator, problems, texts = made(name), valid_problems(name), rendered(name, style)
    columns = (texts.prompts, texts.answers, texts.answer_types, texts.templates, texts.solutions)
    for i in range(0, len(problems), len(problems) // 20 + 1):
        address = problems.rows.addresses[[i]]
        own = generator.render(generator.draw(Rows(STREAM, address)), style)
        others = (own.prompts, own.answers, own.answer_types, own.templates, own.solutions)
        for column, other in zip(columns, others, strict=True):
            assert (column is None) == (other is None)
            assert column is None or column[i].as_py() == other[0].as_py()


@every_generator
def test_another_seed_gives_other_rows(name: str) -> None:
    generator = made(name)
    if generator.space is not None:
        pytest.skip("a finite list has the same rows whatever the seed")
    problems = drawn(name)
    other = generator.draw(Rows(stream_key(8, "source", "contract"), problems.rows.addresses))
    assert np.mean(np.all(problems.keys == other.keys, axis=1)) < 0.2


@every_generator
def test_a_finite_space_can_be_drawn_to_its_last_address(name: str) -> None:
    generator = made(name)
    if generator.space is None:
        rows = Rows(STREAM, np.array([2**40, 2**63, 2**64 - 1], np.uint64))
    else:
        assert generator.space > 0
        rows = Rows(STREAM, np.array([0, generator.space - 1], np.uint64))
    assert len(generator.draw(rows)) == len(rows)
    nothing = generator.draw(Rows(STREAM, np.zeros(0, np.uint64)))
    assert len(nothing.derivations) == len(nothing.keys) == len(nothing.valid) == 0


@every_style
def test_texts_are_whole_columns(name: str, style: Render) -> None:
    problems, texts = valid_problems(name), rendered(name, style)
    for column in (texts.prompts, texts.answers, texts.answer_types, texts.templates):
        assert len(column) == len(problems)
        assert column.null_count == 0
    assert texts.prompts.type == texts.answers.type == pa.string()
    assert pc.min(pc.binary_length(texts.prompts)).as_py() > 0
    assert set(texts.answer_types.to_pylist()) <= set(EQUALITIES)
    assert (texts.solutions is None) == (style.solution == "none")
    assert texts.solutions is None or len(texts.solutions) == len(problems)


@every_style
def test_solutions_change_neither_prompts_nor_answers(name: str, style: Render) -> None:
    texts, plain = rendered(name, style), rendered(name, Render(style.prompt, "none"))
    assert texts.prompts.equals(plain.prompts)
    assert texts.answers.equals(plain.answers)
    assert texts.answer_types.equals(plain.answer_types)
    assert texts.templates.equals(plain.templates)


@every_style
def test_gold_is_accepted(name: str, style: Render) -> None:
    verifier, texts = load_verifier(made(name).verifier), rendered(name, style)
    assert verifier.check(texts.prompts, texts.answers, texts.solutions).all()


@every_prompt
def test_gold_is_accepted_by_the_symbolic_check_and_by_grading(name: str, style: Render) -> None:
    verifier, texts = load_verifier(made(name).verifier), rendered(name, style)
    few = slice(0, N_SYMBOLIC)
    assert verifier.symbolic(texts.prompts[few], texts.answers[few]).all()
    assert all(verifier.grade(answer, answer) == 1.0 for answer in texts.answers[few].to_pylist())


def wrong_answers(answer: str, answer_type: str) -> list[str]:
    """Answers near the right one that are not it."""
    wrong = ["", " ", answer[:-1], answer + answer[-1:], "1" + answer, f" {answer}", f"{answer}\n"]
    if answer_type == "integer":
        value = int(answer)
        wrong += [str(value + 1), str(value - 1), "0" + answer, "+" + answer, answer + ".0"]
    return [text for text in wrong if text != answer]


@every_prompt
def test_answers_that_are_nearly_right_are_rejected(name: str, style: Render) -> None:
    verifier, texts = load_verifier(made(name).verifier), rendered(name, style)
    gold = zip(texts.answers.to_pylist(), texts.answer_types.to_pylist(), strict=True)
    most = N_ROWS if block_of(made(name)) == BLOCK else N_SLOW_ROWS // 2
    # Each row has every third of its wrong answers, in turn: all rows and all kinds are there.
    wrong = [
        wrong_answers(answer, kind)[i % 3 :: 3]
        for i, (answer, kind) in islice(enumerate(gold), most)
    ]
    prompts = texts.prompts.take(pa.array(np.repeat(np.arange(len(wrong)), list(map(len, wrong)))))
    answers = pa.array([text for texts_ in wrong for text in texts_], pa.string())
    assert not verifier.check(prompts, answers, None).any()
    few = slice(0, N_SYMBOLIC)
    assert not verifier.symbolic(prompts[few], answers[few]).any()


@every_prompt
def test_the_answer_of_another_row_is_rejected(name: str, style: Render) -> None:
    verifier, texts = load_verifier(made(name).verifier), rendered(name, style)
    order = np.roll(np.arange(len(texts.answers)), 1)
    shifted = texts.answers.take(pa.array(order))
    same = pc.equal(shifted, texts.answers).to_numpy(zero_copy_only=False)
    assert np.array_equal(verifier.check(texts.prompts, shifted, None), same)


def wrong_solutions(gold: str) -> dict[str, str]:
    return {
        "empty": "",
        "last character gone": gold[:-1],
        "last character doubled": gold + gold[-1],
        "last line twice": f"{gold}\n{gold.splitlines()[-1]}",
        "line break at the end": gold + "\n",
    }


@every_style
def test_wrong_solutions_are_rejected(name: str, style: Render) -> None:
    verifier, texts = load_verifier(made(name).verifier), rendered(name, style)
    if texts.solutions is None:
        pytest.skip("a style without solutions")
    # Each row has one of the changes, in turn.
    changed = [
        list(wrong_solutions(gold).items())[i % 5]
        for i, gold in enumerate(texts.solutions.to_pylist())
    ]
    wrong = pa.array([text for _, text in changed], pa.string())
    accepted = verifier.check(texts.prompts, texts.answers, wrong)
    assert not accepted.any(), changed[int(accepted.argmax())][0]
    few = slice(0, 20)
    nothing = pa.nulls(len(texts.prompts[few]), pa.string())
    assert verifier.check(texts.prompts[few], texts.answers[few], nothing).all()
