"""The recipes of rewriting programs, built small: their rules hold on every row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from synthgen.audit.report import audit
from synthgen.engine.build import build
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from tests.building import plan_of, rows_of
from tests.families.markov import oracle

RECIPES = Path(__file__).parents[3] / "recipes"


def built(name: str, out: Path, rows: int) -> dict[str, list[dict[str, Any]]]:
    plan = plan_of(RECIPES / f"{name}.toml", rows=rows)
    with LocalEngine(1) as engine:
        build(plan, out, engine, Phases())
    assert audit(out).ok
    return {split.name: rows_of(out, split.name) for split in plan.splits}


def assert_answers_vary(rows: list[dict[str, Any]]) -> None:
    """No word, nor the class of those of one repeated letter, has more than a fifth of the rows."""
    answers = [row["answer"].strip("_") for row in rows]
    assert [row["answer_letters"] for row in rows] == [len({*answer}) for answer in answers]
    assert max(Counter(answers).values()) <= len(rows) / 5
    assert sum(len({*answer}) == 1 for answer in answers) <= len(rows) / 5
    assert sum(len({*answer}) >= 3 for answer in answers) >= len(rows) / 2


def test_long_runs_are_only_in_their_test(tmp_path: Path) -> None:
    splits = built("markov", tmp_path / "out", 3_000)
    for name, rows in splits.items():
        assert_answers_vary(rows)
        for row in rows:
            *steps, status = row["solution"].split("\n")
            assert status in ("blocked", "stopped")
            assert (len(steps) > 15) == (name == "test_long")
            assert row["n_steps"] == len(steps) <= 50
    counts = Counter(row["n_steps"] for row in splits["train"])
    assert set(counts) == set(range(2, 16))
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("split", ["train", "test"])
def test_statuses_are_equally_frequent(split: str, tmp_path: Path) -> None:
    rows = built("markov-status", tmp_path / "out", 1_000)[split]
    counts = Counter(row["answer"] for row in rows)
    assert set(counts) == {"blocked", "stopped", "loop", "budget", "overflow"}
    assert max(counts.values()) - min(counts.values()) <= 2
    for row in rows:
        rules = oracle.parse(row["prompt"]).rules
        assert any(rule.stop for rule in rules)
        assert row["feeds_itself"] == any(rule.lhs in rule.rhs for rule in rules)
    fed = Counter(row["answer"] for row in rows if row["feeds_itself"])
    assert all(abs(2 * fed[status] - counts[status]) <= 2 for status in counts)


def test_the_order_of_rules_makes_no_difference(tmp_path: Path) -> None:
    splits = built("markov-any-order", tmp_path / "out", 360)
    for name, rows in splits.items():
        assert_answers_vary(rows)
        for row in rows:
            problem = oracle.parse(row["prompt"])
            assert problem.strategy == "any_order"
            assert (len(problem.rules) > 4) == (name == "test_rules")
            assert (len(problem.word) > 16) == (name == "test_long")
            assert oracle.confluent(problem.rules, oracle.why_halting(problem.rules)) == "yes"
            backwards = problem._replace(rules=problem.rules[::-1])
            assert oracle.accepted(backwards, row["answer"])
            assert row["n_fired"] == row["n_needed"]


def test_longer_lists_of_rules_are_only_in_their_test(tmp_path: Path) -> None:
    splits = built("markov-next-rule", tmp_path / "out", 2_000)
    for name, rows in splits.items():
        for row in rows:
            problem = oracle.parse(row["prompt"])
            assert (len(problem.rules) > 8) == (name == "test_many")
        answers = Counter(row["answer"] for row in rows)
        assert answers["none"] > 0
        assert max(answers.values()) <= len(rows) / 5
