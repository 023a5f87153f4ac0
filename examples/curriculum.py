"""A curriculum from pass rates: the next problems are those a model solves about half the time.

    synthgen build hint --rows 5000 --set source.hint.params.level=true
    python examples/curriculum.py outputs/hint

The model here is simulated: it solves a level more often the more it has practiced that level and
the one below. In your loop, `answer` samples from the model, and a step on the rewards follows.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import synthgen
from synthgen.training.schedulers import Thompson
from synthgen.training.scoring import profile, weights

Row = dict[str, Any]


class Model:
    """A simulated model, whose skill at a level grows with practice."""

    def __init__(self) -> None:
        self.practiced: Counter[int] = Counter()
        self.random = Random(7)  # noqa: S311

    def answer(self, row: Row) -> str:
        """Answer a problem, right or not."""
        level = row["level"]
        practice = self.practiced[level] + self.practiced[level - 1] / 2
        is_right = self.random.random() < practice / (practice + 40 * (level + 1))
        return f"Answer: {row['answer'] if is_right else -1}"


def train(cells: Any, model: Model, steps: int) -> None:
    """Practice the cells that a scheduler chooses, eight attempts at a problem."""
    scheduler = Thompson(cells.names, seed=7)
    chosen: Counter[str] = Counter()
    for step in range(1, steps + 1):
        for name in scheduler.choose(4):
            group = cells.next(name, copies=8)
            texts = [model.answer(row) for row in group]
            rewards = [
                synthgen.reward(text, row["answer"], "integer")
                for text, row in zip(texts, group, strict=True)
            ]
            scheduler.report(name, passed=int(sum(rewards)), n=len(rewards))
            model.practiced[group[0]["level"]] += len(group)
            chosen[name] += 1
        if step % (steps // 4) == 0:
            often = ", ".join(f"{name} ({n})" for name, n in chosen.most_common(3))
            print(f"after step {step}: most practiced {often}")
            chosen.clear()


def main() -> None:
    """Train, then weigh the levels of the next dataset by the pass rates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of a dataset with the axis level")
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()

    rows = synthgen.open(options.folder)["train"]
    cells = synthgen.cells(rows.select("id", "prompt", "answer", "level"), by=["level"], seed=7)
    model = Model()
    train(cells, model, options.steps)

    held = [row for name in cells.names for row in cells.held(name)]
    rates = profile(options.folder, {row["id"]: model.answer(row) for row in held}, ["level"])
    weighted = weights(rates)
    for (level,), rate in sorted(rates.items()):
        weight = weighted.get((level,), 0)
        print(
            f"level {level}: {rate.mean:.2f} of {rate.rows} held-out problems, weight {weight:.2f}"
        )


if __name__ == "__main__":
    main()
