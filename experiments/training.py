"""Train a model on a dataset, with exact resume, and score it on every split."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

import synthgen
from experiments.model import EQUALS, PAD, STOP, Transformer, Vocabulary

_SORTED = 8
"""Batches that are drawn together and cut by length, so that little of them is padding."""
_WARM_UP, _EVERY = 100, 100


@dataclass(frozen=True)
class Model:
    """A model and how it is trained.

    Attributes:
        tokens: "words" or "chars".
        width: Numbers of a token.
        layers: Layers.
        positions: "rotary" or "none".
        batch: Rows of a batch.
        rate: Highest learning rate; it grows for 100 steps and falls to a tenth, linearly.
        weight_decay: Weight decay of AdamW.
    """

    tokens: str = "words"
    width: int = 128
    layers: int = 2
    positions: str = "rotary"
    batch: int = 128
    rate: float = 1e-3
    weight_decay: float = 0.01


class Trainer:
    """A model in training.

    Args:
        data: Folder of the dataset.
        folder: Folder of the checkpoint.
        model: Model and how it is trained.
        seed: Seed of the weights and the order.
    """

    def __init__(self, data: Path, folder: Path, model: Model, seed: int) -> None:
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.data, self.options = data, model
        self.checkpoint, self.seed = folder / "checkpoint.pt", seed
        rows = synthgen.open(data)["train"].select("prompt", "answer")
        table = rows.to_arrow()
        texts = [*table["prompt"].to_pylist(), *table["answer"].to_pylist()]
        self.vocabulary = Vocabulary(texts, model.tokens)
        torch.manual_seed(seed)
        rotary = model.positions == "rotary"
        self.model = Transformer(
            len(self.vocabulary.names), model.width, model.layers, rotary=rotary
        ).to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=model.rate, weight_decay=model.weight_decay
        )
        self.order = synthgen.stream(
            rows, batch=model.batch * _SORTED, seed=seed, form="dicts", endless=True
        )
        self.step, self.minutes = 0, 0.0

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return sum(weights.numel() for weights in self.model.parameters())

    def train(self, steps: int, stop: int | None = None) -> None:
        """Train from the last checkpoint, or from the start.

        Args:
            steps: Steps of the whole run, over which the learning rate falls.
            stop: Step after which to save a checkpoint and stop, if before the end.
        """
        end = min(steps, stop or steps)
        if self.checkpoint.exists():
            self._load()
        began, spent = time.process_time(), self.minutes
        for rows in self.order if self.step < end else ():
            batches = self._batches(rows)
            for batch in batches:
                self._learn(batch, steps)
            self.step += len(batches)
            self.minutes = spent + (time.process_time() - began) / 60
            if self.step // _EVERY != (self.step - len(batches)) // _EVERY or self.step >= end:
                self._save()
            if self.step >= end:
                return

    def _batches(self, rows: list[dict[str, str]]) -> list[list[tuple[list[int], list[int]]]]:
        """Return questions and answers in batches of similar length, in a drawn order."""
        encode = self.vocabulary.encode
        pairs = [([*encode(r["prompt"]), EQUALS], [*encode(r["answer"]), STOP]) for r in rows]
        pairs.sort(key=lambda pair: (len(pair[0]) + len(pair[1]), pair))
        size = self.options.batch
        batches = [pairs[start : start + size] for start in range(0, len(pairs), size)]
        random.Random(f"{self.seed}/{self.step}").shuffle(batches)  # noqa: S311
        return batches

    def _learn(self, batch: list[tuple[list[int], list[int]]], steps: int) -> None:
        """Take one step."""
        done = self.step / steps
        rate = self.options.rate * min(1.0, (self.step + 1) / _WARM_UP) * max(0.1, 1 - done)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        codes = self._padded([question + answer for question, answer in batch])
        targets = self._padded([[PAD] * len(question) + answer for question, answer in batch])
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            scores = self.model(codes[:, :-1])
        loss = functional.cross_entropy(
            scores.float().flatten(0, 1), targets[:, 1:].flatten(), ignore_index=PAD
        )
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def _padded(self, rows: list[list[int]]) -> Tensor:
        longest = max(map(len, rows))
        table = [row + [PAD] * (longest - len(row)) for row in rows]
        return torch.tensor(table, device=self.device)

    def _save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "order": self.order.state_dict(),
            "step": self.step,
            "minutes": self.minutes,
        }
        partial = self.checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.checkpoint)

    def _load(self) -> None:
        state = torch.load(self.checkpoint, weights_only=True, map_location=self.device)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.order.load_state_dict(state["order"])
        self.step, self.minutes = state["step"], state["minutes"]

    def score(self, count: int, by: list[str]) -> dict[str, Any]:
        """Answer the first rows of every split, and return the scores by split."""
        self.model.eval()
        dataset = synthgen.open(self.data)
        predictions: dict[str, str] = {}
        for split in dataset:
            rows = dataset[split].select("id", "prompt", "answer")[:count]
            predictions.update(self._answered(rows))
        return synthgen.score(self.data, predictions, by=by).splits

    def _answered(self, rows: list[dict[str, str]]) -> Iterator[tuple[str, str]]:
        """Yield id and answer of every row; those of one length are answered together."""
        longest = 2 + max(len(self.vocabulary.split(row["answer"])) for row in rows)
        questions = [[*self.vocabulary.encode(row["prompt"]), EQUALS] for row in rows]
        for length in sorted({len(question) for question in questions}):
            places = [place for place, codes in enumerate(questions) if len(codes) == length]
            codes = torch.tensor([questions[place] for place in places], device=self.device)
            for place, answer in zip(places, self.model.answers(codes, longest), strict=True):
                yield rows[place]["id"], self.vocabulary.decode(answer)
