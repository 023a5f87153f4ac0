"""Wrong trees that were planted in families: `check_family` finds each of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen import testing
from synthgen.authoring import ListedFamily, Problem
from synthgen.authoring.compiled import Ragged, derivation_keys
from synthgen.contract import registry
from synthgen.contract.registry import generator_class, generator_names
from synthgen.core.errors import AuthorError
from synthgen.testing import check_family, check_trees
from tests.building import build_small, recipe_of, source_of, split_of

Spoil = Callable[[Any, Any], Any]


def without_unit(_: Any, problem: Any) -> Any:
    kind, n, _, to = problem.tree
    return kind, n, "m", to


def swapped(_: Any, problem: Any) -> Any:
    *rest, one, other = problem.tree
    return *rest, *sorted([one, other])


def sorted_words(_: Any, problem: Any) -> Any:
    *rest, (name, *words) = problem.tree
    return *rest, (name, *sorted(words))


def one_kind(family: Any, problem: Any) -> Any:
    return [family.signature.code["even_pairs"], *problem.tree[1:]]


def without_repeats(_: Any, problem: Any) -> Any:
    kind, *rest, items = problem.tree
    return kind, *rest, tuple(dict.fromkeys(items)) if isinstance(items, tuple) else items


def unsigned(_: Any, problem: Any) -> Any:
    kind, *rest, (name, *terms) = problem.tree
    return kind, *map(abs, rest), (name, *terms)


def cut(_: Any, problem: Any) -> Any:
    return problem.tree[:4]


def rounded(_: Any, problem: Any) -> Any:
    return problem.tree[0], *(n // 10 * 10 for n in problem.tree[1:])


def as_drawn(_: Any, problem: Any) -> Any:
    """Sort the numbers in the prompt, and keep the order of the draws in the tree."""
    a, b = problem.data.a, problem.data.b
    problem.data = problem.data._replace(a=min(a, b, key=int), b=max(a, b, key=int))
    return "add", int(a), int(b)


def modulus_2(_: Any, problem: Any) -> Any:
    return problem.tree[0], 2, *problem.tree[2:]


def first_rule_only(_: Any, problem: Any) -> Any:
    system, *programs, text = problem.tree
    return system, *((name, *rules[:1] * len(rules)) for name, *rules in programs), text


def counted(_: Any, problem: Any) -> Any:
    return problem.tree[0], *sorted(problem.tree[1:])


ANSWER = "leaves out something that the answer depends on"
PROMPT = "leaves out something that the prompt shows"
PLANTED: dict[str, tuple[str, Spoil, str]] = {
    "unit": ("lengths", without_unit, ANSWER),
    "roles": ("lengths", swapped, ANSWER),
    "order": ("word_letters", sorted_words, ANSWER),
    "kind": ("chomsky", one_kind, "leaves out the kind, '"),
    "repeats": ("sequences", without_repeats, ANSWER),
    "sign": ("polynomial_evaluation", unsigned, ANSWER),
    "end of a list": ("longest_increasing", cut, ANSWER),
    "last digit": ("multiplication", rounded, ANSWER),
    "order that the prompt has not": ("addition", as_drawn, "one prompt has two trees"),
    "modulus": ("grokking", modulus_2, PROMPT),
    "which coordinate": ("board_shapes", swapped, PROMPT),
    "all rules but the first": ("string_systems", first_rule_only, PROMPT),
    "places": ("path_counting", counted, ANSWER),
    "operator": ("hint", without_unit, ANSWER),
}
"""What is lost -> (family, what becomes of the tree of a problem, what the message says)."""


def planted(base: Any, spoil: Spoil) -> Any:
    class Planted(base):  # type: ignore[misc]
        """A family whose trees are spoiled."""

        def make(self, *args: Any) -> Problem | None:
            problem: Problem | None = super().make(*args)
            if problem is not None:
                problem.tree = spoil(self, problem)
            return problem

        def problems(self) -> Iterator[Problem]:
            for problem in super().problems():
                problem.tree = spoil(self, problem)
                yield problem

    class PlantedInColumns(base):  # type: ignore[misc]
        """Expressions in whose trees a difference is a sum."""

        def draw(self, rows: Any) -> Any:
            problems = super().draw(rows)
            code, trees = self.signature.code, problems.derivations
            codes = np.where(trees.values == code["-"], code["+"], trees.values)
            trees = Ragged(codes.astype(trees.values.dtype), trees.offsets)
            keys = derivation_keys(trees, self.signature, self.domain)
            return replace(problems, derivations=trees, keys=keys)

    in_columns = not (hasattr(base, "make") or issubclass(base, ListedFamily))
    return PlantedInColumns if in_columns else Planted


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A small family of this folder, as an installed package would declare it."""
    point = EntryPoint("lengths", "tests.authoring.lengths", "synthgen.families")
    caches = registry._entry_points, registry._folders, registry._load
    for cache in caches:
        cache.cache_clear()
    known = lambda group: [point] if group == point.group else []  # noqa: E731
    monkeypatch.setattr(registry, "entry_points", known)
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("lengths")
def test_a_right_tree_passes() -> None:
    check_family("lengths")


@pytest.mark.usefixtures("lengths")
@pytest.mark.parametrize("lost", PLANTED)
def test_a_wrong_tree_is_named(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, spoil, wrong = PLANTED[lost]
    kind = planted(generator_class(name), spoil)
    monkeypatch.setattr(testing, "generator_class", lambda _: kind)
    check = partial(check_family, name)
    if name == "grokking":
        check = partial(check_trees, name, {"operation": "add"})  # the fewest tables
    with pytest.raises(AuthorError) as caught:
        check()
    first, *prompts, tree, _ = str(caught.value).splitlines()
    assert first.startswith(f"family {name!r}: ")
    assert wrong in first
    assert len(prompts) >= 2
    assert " -> " in prompts[0]
    assert tree


SUMS = [
    source_of("grokking", f'modulus = {p}, operation = "add"', f'name = "of_{p}"') for p in (5, 7)
]
BUILDS = {
    "unit": ([source_of("lengths")], "How many whole"),
    "modulus": (SUMS, "modulus=5: "),
    "operator": ([source_of("hint", "max_operators = 1")], "\\+"),
}


@pytest.mark.usefixtures("lengths")
@pytest.mark.parametrize("lost", BUILDS)
def test_a_build_stops_before_it_writes(
    lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, spoil, _ = PLANTED[lost]
    sources, shown = BUILDS[lost]
    kind = planted(generator_class(name), spoil)
    monkeypatch.setattr("synthgen.engine.plan.sources.generator_class", lambda _: kind)
    with pytest.raises(AuthorError, match=f"^family '{name}': (?s:.)*one tree(?s:.)*{shown}"):
        build_small(tmp_path, text=recipe_of(*sources, split_of("train", 20)))
    assert not (tmp_path / "out" / "manifest.json").exists()


PARAMS = {"hint_paper": {"concept": "x"}}
"""Params of families whose usual problems take long to list."""


@pytest.mark.slow
@pytest.mark.parametrize("name", generator_names())
def test_bundled_trees_are_right(name: str) -> None:
    check_trees(name, PARAMS.get(name), rows=1_024)
