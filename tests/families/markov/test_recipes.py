"""The recipes of rewriting programs, built small: their rules hold on every row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tests.building import build_bundled
from tests.families.markov import oracle


def assert_answers_vary(rows: list[dict[str, Any]]) -> None:
    """No word, nor the class of those of one repeated letter, has more than a fifth of the rows."""
    answers = [row["answer"].strip("_") for row in rows]
    assert [row["answer_letters"] for row in rows] == [len({*answer}) for answer in answers]
    assert max(Counter(answers).values()) <= len(rows) / 5
    assert sum(len({*answer}) == 1 for answer in answers) <= len(rows) / 5
    assert sum(len({*answer}) >= 3 for answer in answers) >= len(rows) / 2


def test_long_runs_are_only_in_their_test(tmp_path: Path) -> None:
    splits = build_bundled("markov", tmp_path / "out", rows=3_000)
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


def test_statuses_are_equally_frequent(tmp_path: Path) -> None:
    for rows in build_bundled("markov-status", tmp_path / "out", rows=1_000).values():
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
    splits = build_bundled("markov-any-order", tmp_path / "out", rows=360)
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
    splits = build_bundled("markov-next-rule", tmp_path / "out", rows=2_000)
    for name, rows in splits.items():
        for row in rows:
            problem = oracle.parse(row["prompt"])
            assert (len(problem.rules) > 8) == (name == "test_many")
        answers = Counter(row["answer"] for row in rows)
        assert answers["none"] > 0
        assert max(answers.values()) <= len(rows) / 5
