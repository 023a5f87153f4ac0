"""The conformance helper: check the promises of a family on its rows.

from synthgen.testing import check_family

def test_contract() -> None:
    check_family("last_letters")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from functools import cached_property
from itertools import cycle, islice
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.authoring import LevelledFamily, PlainFamily, PlainVerifier, Problem
from synthgen.authoring.narrow import narrowed, neighbors
from synthgen.authoring.slips import check_problem
from synthgen.contract.answers import parser_of
from synthgen.contract.interfaces import Generator, Problems, Render, Texts, Verifier
from synthgen.contract.registry import (
    check_tables,
    generator_class,
    load_verifier,
    verifier_module,
)
from synthgen.contract.sides import check_sides
from synthgen.contract.twins import Twins, twins_among
from synthgen.core.columns import ragged
from synthgen.core.errors import AuthorError, ParamError
from synthgen.core.images import NO_PICTURE, SVG
from synthgen.dataset.row_schema import BASE_COLUMNS
from synthgen.draws.randomness import Rows, stream_key
from synthgen.rules.axes import CHOICES
from synthgen.training.reward import reward
from synthgen.trees.content_keys import derivation_keys
from synthgen.trees.derivations import derivation_text, parse_derivation

_BASES = ("synthgen.authoring.", "synthgen.contract.", "abc", "builtins", "typing")
_STREAM = stream_key(7, "source", "contract")
_ROWS, _FEW_ROWS, _LARGE_BLOCK = 2_000, 200, 1_024
_TREES, _FEW_TREES = 2_048, 64
"""Rows whose trees are compared, with the default params and with others."""
_ROWS_AT_ONCE = 8_192
_MUTATIONS = 200
_FEW = 20
_SHARED = 0.2
"""Share of the rows whose answer may fit the next row, where problems have many answers."""


class ContractError(AssertionError):
    """A broken promise of a family, with a row that shows it."""


def check_family(
    name: str,
    params: Mapping[str, Any] | None = None,
    *,
    rows: int | None = None,
    least_valid: float = 0.5,
) -> None:
    """Check that a registered family keeps its contract for some params.

    It checks declarations (class variables, axes, defaults), every problem against them, purity (a
    row is the same on its own, in any batch and in any order), trees (`check_trees`; with params
    given, only problems of these params), keys (equal derivations, equal canonical axes), texts,
    and the verifier, which must accept every row in every style of prompt and solution, reject at
    least 200 near misses, the answers of other rows and damaged solutions, and neither import the
    family nor be imported by it.

    Args:
        name: Name of the family.
        params: Fields of the family; the others have their defaults.
        rows: Number of addresses; by default 2,000, or 200 for families that draw in plain Python.
        least_valid: Share of the addresses that must yield a problem.

    Raises:
        ContractError: for the first promise that does not hold.
        AuthorError: for the first slip in the code, such as an axis that is not declared.
        UnknownNameError: if no family has this name.
    """
    sample = _Sample.draw(name, dict(params or {}), rows)
    check_tables(name)
    _check_declarations(sample)
    _check_sides(sample)
    _check_problems(sample)
    _check_columns(sample, least_valid)
    if params:
        _check_trees(name, sample.generator, [], _FEW_TREES)
    else:
        check_trees(name)
    _check_keys(sample)
    _check_purity(sample)
    for style in sample.styles:
        _check_texts(sample, style)
    for solution in sample.generator.solutions[1:]:
        _check_solutions(sample, sample.style(sample.generator.styles[0], solution))
    for prompt in sample.generator.styles:
        _check_answers(sample, sample.style(prompt, "none"))
    _check_grades(sample)
    _check_pictures(sample)
    _check_conditions(sample)


def check_trees(name: str, params: Mapping[str, Any] | None = None, *, rows: int = _TREES) -> None:
    """Check that one tree is one problem, as written.

    Equal trees must have equal kinds, answers and, but for wording, prompts; equal prompts must
    have equal trees. It compares rows, rows for params that leave few problems, and problems of
    which one draw differs, or two are exchanged. `check_family` does this, too, for the defaults.

    Args:
        name: Name of the family.
        params: Fields of the family; the others have their defaults.
        rows: Number of addresses; fewer are drawn where that takes long.

    Raises:
        AuthorError: for the first two problems that show a wrong tree.
        UnknownNameError: if no family has this name.
    """
    family = generator_class(name)(**(params or {}))
    _check_trees(name, family, narrowed(family, params or {}), rows)


def _check_trees(name: str, family: Generator, narrow: Sequence[Generator], rows: int) -> None:
    """Compare problems of a family, of the same one with narrow params, and changed problems."""
    cheap = family.block >= _LARGE_BLOCK
    n = rows if cheap else max(_FEW, rows * family.block // _LARGE_BLOCK)
    problems = _problems(family, n // 2)
    batches = [(one, _problems(one, n // 2 // len(narrow))) for one in narrow]
    if isinstance(family, PlainFamily | LevelledFamily) and len(problems):
        changed = range(_FEW if cheap else _FEW // 4)
        batches += [(family, neighbors(family, problems, i)) for i in changed]
    twins = Twins(name)
    for generator, batch in ((family, problems), *batches):
        twins.add(generator, batch)


def _problems(generator: Generator, n: int) -> Problems:
    """Return valid problems of n addresses: those that repeat a tree, and others of all the space.

    Families that draw fast choose among more addresses.
    """
    pool = n * max(1, generator.block // _ROWS_AT_ONCE)
    rows = Rows.span(_STREAM, 0, pool)
    if generator.space is not None:
        places = np.linspace(0, generator.space - 1, min(pool, generator.space))
        rows = Rows(_STREAM, np.unique(places.astype(np.uint64)))
    problems = generator.draw(rows)
    valid = np.flatnonzero(problems.valid)
    some = valid[:: max(1, len(valid) // n)] if n else valid
    chosen = [*valid[twins_among(problems.keys[valid], n // 2)], *some]
    return generator.draw(Rows(_STREAM, rows.addresses[np.unique(chosen[:n]).astype(np.int64)]))


@dataclass(frozen=True)
class _Sample:
    """Rows of a family to check."""

    name: str
    params: dict[str, Any]
    generator: Generator
    verifier: Verifier
    rows: Rows

    @classmethod
    def draw(cls, name: str, params: dict[str, Any], n: int | None) -> _Sample:
        kind = generator_class(name)
        try:
            kind()
        except ParamError as error:
            raise AuthorError(name, f"its defaults do not fit: {error}") from None
        generator = kind(**params)
        n = n or (_ROWS if generator.block > _LARGE_BLOCK else _FEW_ROWS)
        rows = Rows.span(_STREAM, 0, n)
        if generator.space is not None:
            rows = Rows(_STREAM, np.linspace(0, generator.space - 1, n).astype(np.uint64))
        return cls(name, params, generator, load_verifier(generator.verifier), rows)

    @cached_property
    def drawn(self) -> Problems:
        return self.generator.draw(self.rows)

    @cached_property
    def valid(self) -> Problems:
        """The valid problems, drawn without the invalid ones as for a shard."""
        if self.drawn.valid.all():
            return self.drawn
        addresses = self.rows.addresses[self.drawn.valid]
        return self.generator.draw(Rows(self.rows.stream, addresses))

    @cached_property
    def rendered(self) -> dict[Render, Texts]:
        return {style: self.generator.render(self.valid, style) for style in self.styles}

    @property
    def styles(self) -> list[Render]:
        generator = self.generator
        return [self.style(p, s) for p in generator.styles for s in generator.solutions]

    def style(self, prompt: str, solution: str) -> Render:
        """Return a style, with pictures where prompts need them."""
        needed = self.generator.pictured == "needed"
        return Render(prompt, solution, SVG if needed else NO_PICTURE)

    def need(self, holds: object, promise: str, *shown: object) -> None:
        """Raise ContractError unless a promise holds."""
        if not holds:
            row = "".join(f"\n  {text!r}" for text in shown)
            msg = f"{self.name}{self.params or ''}: {promise}{row}"
            raise ContractError(msg)


def _check_declarations(sample: _Sample) -> None:
    kind, generator, need = type(sample.generator), sample.generator, sample.need
    need(isinstance(generator, Generator), "the class must derive from a base of authoring")
    need(kind.version >= 1 and kind.domain, "version and domain must be set")
    need(generator.solutions[0] == "none", "the first solution style must be 'none'")
    need(len(set(kind.prompts)) == len(kind.prompts) > 0, "prompt styles must differ")
    need((kind.__doc__ or "").strip(), "the class must have a docstring")
    need(kind() == kind() and hash(kind()) == hash(kind()), "equal params must be equal values")
    for field in fields(kind):  # type: ignore[arg-type]
        default = vars(kind())[field.name]
        need(default == field.default, f"{field.name} must have a plain default")
        try:
            setattr(generator, field.name, default)
        except FrozenInstanceError:
            continue
        need(False, f"{field.name} must be frozen")
    need(not set(generator.axes) & set(BASE_COLUMNS), "an axis must not have the name of a column")


def _check_sides(sample: _Sample) -> None:
    modules = {base.__module__ for base in type(sample.generator).__mro__}
    family = {module for module in modules if not module.startswith(_BASES)}
    check_sides(sample.name, family, verifier_module(sample.generator.verifier))


def _check_columns(sample: _Sample, least_valid: float) -> None:
    generator, problems, need = sample.generator, sample.drawn, sample.need
    n = len(sample.rows)
    lengths = {len(problems), len(problems.derivations)}
    need(lengths == {n}, "draw must return one problem per address")
    need(problems.keys.shape == (n, 2) and problems.keys.dtype == np.uint64, "keys: uint64 (n, 2)")
    need(problems.difficulty.dtype == np.int16, "difficulty must be int16")
    need(problems.valid.dtype == np.bool_, "valid must be bool")
    share = problems.valid.mean()
    need(share >= least_valid, f"{share:.0%} of the addresses give a problem, the others None")
    need(set(problems.axes) == set(generator.axes), "the drawn axes differ from the declared ones")
    for axis, spec in generator.axes.items():
        column = problems.axes[axis][problems.valid]
        low, high = (0, len(spec.values) - 1) if spec.values else (spec.low, spec.high)
        need(spec.meaning, f"axis {axis} must have a meaning")
        need(column.dtype == np.dtype(spec.dtype), f"axis {axis} must be {spec.dtype}")
        need(low is None or column.min() >= low, f"axis {axis} goes below {low}", column.min())
        need(high is None or column.max() <= high, f"axis {axis} goes above {high}", column.max())
    fewest, space = generator.fewest_problems, generator.space
    distinct = len(np.unique(sample.valid.keys, axis=0))
    if space is not None and space <= n:  # the rows are the whole space, some of them repeated
        need(fewest is None or fewest <= distinct, f"fewer than fewest_problems={fewest} problems")
    need(fewest is None or space is None or fewest <= space, "fewest_problems exceeds space")


def _check_problems(sample: _Sample) -> None:
    """Check problems of plain families one by one."""
    generator = sample.generator
    if hasattr(generator, "level_rule"):
        _ = replace(cast("Any", generator), level=True).axes
    for one in islice(sample.valid.parts.get("made", ()), 2 * _FEW):
        if isinstance(one, Problem):
            check_problem(generator, one)


def _check_keys(sample: _Sample) -> None:
    generator, problems, need = sample.generator, sample.valid, sample.need
    texts = derivation_text(problems.derivations, generator.signature).to_pylist()
    again = [parse_derivation(text, generator.signature) for text in texts]
    for i, codes in enumerate(again):
        need(codes == problems.derivations.row(i).tolist(), "a derivation is incomplete", texts[i])
    keys = derivation_keys(ragged(again), generator.signature, generator.domain)
    need(np.array_equal(problems.keys, keys), "keys must be those of the derivations")
    canonical = [axis for axis, spec in generator.axes.items() if spec.canonical]
    seen: dict[str, dict[str, int]] = {}
    for i, text in enumerate(texts):
        values = {axis: int(problems.axes[axis][i]) for axis in canonical}
        known = seen.setdefault(text, values)
        need(known == values, "one problem has two values of a canonical axis", text, known, values)


def _check_purity(sample: _Sample) -> None:
    generator, rows, need = sample.generator, sample.rows, sample.need
    together = sample.drawn
    places = _some(len(rows))[::-1]
    backwards = generator.draw(Rows(rows.stream, rows.addresses[places]))
    for place, i in enumerate(places):
        single = generator.draw(Rows(rows.stream, rows.addresses[[i]]))
        row = _row(together, i)
        need(_row(single, 0) == row, "a row differs when drawn on its own", row)
        need(_row(backwards, place) == row, "a row depends on the order", row)
    if generator.space is None:
        others = generator.draw(Rows(stream_key(8, "source", "contract"), rows.addresses[places]))
        same = np.all(together.keys[places] == others.keys, axis=1)
        same = same[together.valid[places] & others.valid]
        need(len(same) == 0 or same.mean() < 0.5, "a different seed gives the same rows")
    last = 2**64 - 1 if generator.space is None else generator.space - 1
    generator.draw(Rows(rows.stream, np.array([0, last], np.uint64)))
    nothing = generator.draw(Rows(rows.stream, np.zeros(0, np.uint64)))
    lengths = {len(nothing.derivations), len(nothing.keys)}
    need(lengths == {0}, "an empty draw must return no problems")
    style = sample.styles[-1]
    for i in _some(len(sample.valid)):
        single = generator.draw(Rows(rows.stream, sample.valid.rows.addresses[[i]]))
        texts, single_texts = sample.rendered[style], generator.render(single, style)
        need(_texts(texts, i) == _texts(single_texts, 0), "a text differs when rendered on its own")


def _some(n: int) -> NDArray[np.int64]:
    """Return an eighth of the places up to n, at most 20, spread evenly."""
    return np.arange(0, n, max(8, n // _FEW + 1))


def _row(problems: Problems, i: int) -> dict[str, Any]:
    if not problems.valid[i]:
        return {"valid": False}
    return {
        "derivation": problems.derivations.row(i).tolist(),
        "difficulty": int(problems.difficulty[i]),
        "axes": {axis: int(column[i]) for axis, column in problems.axes.items()},
    }


def _texts(texts: Texts, i: int) -> tuple[str | None, ...]:
    columns = (texts.prompts, texts.answers, texts.answer_types, texts.templates, texts.solutions)
    return tuple(None if column is None else column[i].as_py() for column in columns)


def _check_texts(sample: _Sample, style: Render) -> None:
    need, texts, n = sample.need, sample.rendered[style], len(sample.valid)
    for column in (texts.prompts, texts.answers, texts.answer_types, texts.templates):
        need(len(column) == n and column.null_count == 0, f"{style}: a column is incomplete")
    need(texts.prompts.type == texts.answers.type == pa.string(), "texts must be Arrow strings")
    need(pc.min(pc.binary_length(texts.prompts)).as_py() > 0, "a prompt is empty")
    unknown = {name for name in texts.answer_types.unique().to_pylist() if not parser_of(name)}
    need(not unknown, f"unknown answer types {unknown}")
    none = style.solution == "none"
    need((texts.solutions is None) == none, f"{style}: solutions are missing or not asked for")
    need(none or pc.min(pc.binary_length(texts.solutions)).as_py() > 0, "a solution is empty")
    plain = sample.rendered[sample.style(style.prompt, "none")]
    need(texts.prompts.equals(plain.prompts), "solutions must not change prompts")
    need(texts.answers.equals(plain.answers), "solutions must not change answers")
    accepted = sample.verifier.check(texts.statements, texts.answers, texts.solutions)
    wrong = int(np.argmin(accepted))
    if not accepted.all():
        reading = _reading(sample.verifier, texts.statements[wrong].as_py())
        need(False, f"{style}: the verifier rejects a row{reading}", *_texts(texts, wrong))


def _reading(verifier: Verifier, prompt: str) -> str:
    """Return what a plain verifier makes of a prompt."""
    if not isinstance(verifier, PlainVerifier):
        return ""
    problem = verifier.problem(prompt)
    if problem is None:
        return "; it does not read the prompt"
    return f"; it reads {problem!r} and answers {verifier.answer(prompt)!r}"


def _check_solutions(sample: _Sample, style: Render) -> None:
    texts, n = sample.rendered[style], len(sample.valid)
    if texts.solutions is None:
        return
    solutions = texts.solutions.to_pylist()
    damaged = [damage(text) for damage, text in zip(cycle(_DAMAGES), solutions, strict=False)]
    if sample.verifier.open_ended:
        _check_open_ended(sample, texts)
        damaged = [""] * n
    accepted = sample.verifier.check(
        texts.statements, texts.answers, pa.array(damaged, pa.string())
    )
    first = int(np.argmax(accepted))
    sample.need(not accepted.any(), "the verifier accepts a damaged solution", damaged[first])
    nulls = pa.nulls(min(n, _FEW), pa.string())
    prompts, answers = texts.statements[:_FEW], texts.answers[:_FEW]
    ignored = sample.verifier.check(prompts, answers, nulls).all()
    sample.need(ignored, "the verifier must ignore a null solution")


def _check_open_ended(sample: _Sample, texts: Texts) -> None:
    """Check that solutions are graded as right texts, and answers themselves are not."""
    solutions = texts.solutions.to_pylist() if texts.solutions is not None else []
    rows = [texts.statements.to_pylist(), texts.answers.to_pylist(), solutions]
    for prompt, answer, solution in zip(*rows, strict=True) if solutions else ():
        accepts = sample.verifier.accepts
        sample.need(accepts(prompt, solution), "grading rejects a solution", solution, answer)
        sample.need(not accepts(prompt, ""), "grading accepts an empty text", answer)


_DAMAGES: Sequence[Callable[[str], str]] = (
    lambda text: text[:0],
    lambda text: text[:-1],
    lambda text: text + text[-1],
    lambda text: f"{text}\n{text.splitlines()[-1]}",
    lambda text: text + "\n",
)
_DISAGREE = "the verifier and the reward disagree"


def near_misses(answer: str, answer_type: str) -> list[str]:
    """Return wrong answers that are close to the right one.

    >>> near_misses("7", "integer")[-4:]
    ['6', '07', '+7', '7.0']
    """
    wrong = ["", " ", answer[:-1], answer + answer[-1:], "1" + answer, f" {answer}", f"{answer}\n"]
    if answer_type == "integer":
        value = int(answer)
        wrong += [str(-value), str(value + 1), str(value - 1)]
        wrong += ["0" + answer, "+" + answer, answer + ".0"]
    if answer_type.startswith("list"):
        first, *others = answer.split(", ")
        wrong += [", ".join(others), f"{answer}, {first}", ", ".join([*others[::-1], first])]
    return [text for text in wrong if text != answer]


def _check_answers(sample: _Sample, style: Render) -> None:
    texts, verifier, need = sample.rendered[style], sample.verifier, sample.need
    answers = texts.answers.to_pylist()
    gold = list(zip(answers, texts.answer_types.to_pylist(), strict=True))
    places, wrong = [], []
    for i, text in islice(_mutations(gold), max(_MUTATIONS, len(gold))):
        places.append(i)
        wrong.append(text)
    prompts = texts.statements.take(pa.array(places))
    accepted = verifier.check(prompts, pa.array(wrong, pa.string()), None)
    first = int(np.argmax(accepted))
    shown = (prompts[first].as_py(), answers[places[first]], wrong[first])
    # In a problem with many right answers, some near misses are right.
    may = _SHARED if CHOICES in sample.generator.axes else 0
    need(accepted.mean() <= may, "the verifier accepts a near miss", *shown)
    order = np.roll(np.arange(len(answers)), 1)
    shifted = texts.answers.take(pa.array(order))
    same = pc.equal(shifted, texts.answers).to_numpy(zero_copy_only=False)
    right = verifier.check(texts.statements, shifted, None)
    many = CHOICES in sample.generator.axes or right.mean() < _SHARED
    same |= right & verifier.many_answers & many
    need(np.array_equal(right, same), "the verifier accepts another row's answer")


def _check_pictures(sample: _Sample) -> None:
    """Check that a picture is read, and contradicts the prompts of other rows."""
    if sample.generator.pictured == "no":
        return
    style = Render(sample.generator.styles[0], "none", SVG)
    drawn, plain = sample.generator.render(sample.valid, style), sample.rendered[sample.styles[0]]
    need, check = sample.need, sample.verifier.check
    need(drawn.prompts.equals(plain.prompts), "pictures must not change prompts")
    need(drawn.pictures is not None, "rows have no pictures")
    accepted = check(drawn.statements, drawn.answers, None)
    first = int(np.argmin(accepted))
    if not accepted.all():
        need(False, "the verifier rejects a row with its picture", drawn.statements[first].as_py())
    order = pa.array(np.roll(np.arange(len(accepted)), 1))
    others = replace(drawn, pictures=cast("pa.StringArray", drawn.pictures).take(order))
    rejected = not check(others.statements, drawn.answers, None).all()
    need(rejected or len(accepted) < _FEW, "the verifier does not look at pictures")


def _check_grades(sample: _Sample) -> None:
    """Grade right answers and near misses: the verifier and the reward must agree."""
    need, accepts = sample.need, sample.verifier.accepts
    texts = sample.rendered[sample.styles[0]]
    n = 0 if sample.verifier.open_ended else _MUTATIONS
    columns = [
        column[:n].to_pylist() for column in (texts.statements, texts.answers, texts.answer_types)
    ]
    for prompt, answer, kind in zip(*columns, strict=True):
        need(accepts(prompt, answer), "grading rejects a right answer", answer)
        for text in (answer, *near_misses(answer, kind)):
            same = accepts(prompt, text)
            stated = f"Answer: {text}"
            need(same == reward(stated, answer, kind, prompt=prompt), _DISAGREE, text, answer)


def _mutations(gold: Sequence[tuple[str, str]]) -> Iterator[tuple[int, str]]:
    """Yield (row, wrong answer), one of each row in turn."""
    wrong = [near_misses(*one) for one in gold]
    for turn in range(max(map(len, wrong))):
        for i, texts in enumerate(wrong):
            if turn < len(texts):
                yield i, texts[(turn + i) % len(texts)]


def _check_conditions(sample: _Sample) -> None:
    """Fix each axis that params can fix, at its bounds, and check the problems."""
    for axis, condition in sample.generator.conditions.items():
        spec = sample.generator.axes.get(axis)
        if spec is None:
            continue
        ends = spec.values or [end for end in (spec.low, spec.high) if end is not None]
        for value in (ends[0], ends[-1]) if ends else ():
            if condition.values and value not in condition.values:
                continue
            needed = {param: known[0] for param, known in condition.only.items()}
            params = sample.params | needed | condition.given(value)
            try:
                fixed = type(sample.generator)(**params)
            except ParamError:
                continue  # such a combination is refused where a recipe asks for it
            drawn = fixed.draw(Rows.span(_STREAM, 0, _FEW))
            column = drawn.axes[axis][drawn.valid]
            wanted = spec.values.index(value) if isinstance(value, str) else value
            sample.need((column == wanted).all(), f"params do not fix {axis} at {value}")
