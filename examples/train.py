"""Train a small transformer from scratch on a dataset, and score it on every split.

    synthgen build hint && python examples/train.py outputs/hint
    synthgen build scan-length && python examples/train.py outputs/scan-length --tokens words

It needs `pip install 'synthgen[torch]'`. Ten minutes on two cores show how accuracy falls from
split to split; a GPU shows more:

    python examples/train.py outputs/hint --device cuda --steps 8000 --batch 256 --rate 0.0003
        --width 256 --layers 6

After an interruption, the same command resumes at the last checkpoint, with the next batch.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

import synthgen

PAD, STOP = 0, 1
EQUALS = "\x02"


class Tokens:
    """Characters or words as numbers, and back."""

    def __init__(self, texts: list[str], unit: str) -> None:
        self.unit = unit
        known = sorted({token for text in texts for token in self.split(text)})
        self.names = ["<pad>", "<stop>", EQUALS, *known]
        self.codes = {name: code for code, name in enumerate(self.names)}

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return list(text) if self.unit == "chars" else text.split()

    def encode(self, text: str) -> list[int]:
        """Return the codes of a text; a token that training never has is padding."""
        return [self.codes.get(token, PAD) for token in self.split(text)]

    def decode(self, codes: list[int]) -> str:
        """Return the text of some codes."""
        return ("" if self.unit == "chars" else " ").join(self.names[code] for code in codes)


class Transformer(nn.Module):
    """A causal transformer with rotary positions."""

    def __init__(self, tokens: int, width: int, layers: int, heads: int = 4) -> None:
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        nn.init.normal_(self.embed.weight, std=width**-0.5)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, codes: Tensor) -> Tensor:
        """Return a score of every token after each of the codes."""
        x = self.embed(codes)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x) @ self.embed.weight.T


class Layer(nn.Module):
    """Attention and a feed-forward network, each behind a norm."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.inputs, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Let every place see those before it."""
        rows, length, width = x.shape
        shape = (rows, length, 3, self.heads, width // self.heads)
        q, k, v = self.inputs(self.norms[0](x)).view(shape).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(rotated(q), rotated(k), v, is_causal=True)
        x = x + self.output(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.feed(self.norms[1](x))


def rotated(x: Tensor) -> Tensor:
    """Rotate pairs of numbers by angles that grow with the position."""
    length, size = x.shape[-2:]
    speeds = 10_000 ** (-torch.arange(0, size, 2, device=x.device) / size)
    angles = torch.arange(length, device=x.device)[:, None] * speeds
    one, other = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([one * cos - other * sin, one * sin + other * cos], dim=-1)


def padded(rows: list[list[int]], device: str) -> Tensor:
    """Return rows of codes as a table, padded at the end."""
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows], device=device)


def loss_of(model: Transformer, batch: list[dict[str, str]], tokens: Tokens, device: str) -> Tensor:
    """Return the mean loss of the tokens of the answers."""
    questions = [[*tokens.encode(row["prompt"]), tokens.codes[EQUALS]] for row in batch]
    answers = [[*tokens.encode(row["answer"]), STOP] for row in batch]
    pairs = list(zip(questions, answers, strict=True))
    codes = padded([question + answer for question, answer in pairs], device)
    targets = padded([[PAD] * len(question) + answer for question, answer in pairs], device)
    found = model(codes[:, :-1])
    return functional.cross_entropy(found.flatten(0, 1), targets[:, 1:].flatten(), ignore_index=PAD)


@torch.no_grad()
def answers_of(
    model: Transformer, prompts: list[str], tokens: Tokens, longest: int, device: str
) -> list[str]:
    """Answer prompts greedily; those of one length together."""
    answers = [""] * len(prompts)
    questions = [[*tokens.encode(prompt), tokens.codes[EQUALS]] for prompt in prompts]
    for length in sorted({len(question) for question in questions}):
        places = [i for i, question in enumerate(questions) if len(question) == length]
        codes = padded([questions[i] for i in places], device)
        for _ in range(longest):
            codes = torch.cat([codes, model(codes)[:, -1:].argmax(-1)], dim=1)
            if (codes[:, length:] == STOP).any(dim=1).all():
                break
        for i, row in zip(places, codes[:, length:].tolist(), strict=True):
            answers[i] = tokens.decode(row[: row.index(STOP)] if STOP in row else row)
    return answers


def save(path: Path, state: dict[str, object]) -> None:
    """Replace the checkpoint in one step."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def train(options: argparse.Namespace) -> tuple[Transformer, Tokens]:
    """Train from the last checkpoint, or from the start."""
    torch.manual_seed(options.seed)
    rows = synthgen.open(options.folder)["train"].select("prompt", "answer")
    table = rows.to_arrow()
    tokens = Tokens([*table["prompt"].to_pylist(), *table["answer"].to_pylist()], options.tokens)
    model = Transformer(len(tokens.names), options.width, options.layers).to(options.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate)
    order = synthgen.stream(
        rows, batch=options.batch, seed=options.seed, form="dicts", endless=True
    )
    path, step = options.out / "checkpoint.pt", 0
    if path.exists():
        state = torch.load(path, weights_only=True, map_location=options.device)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        order.load_state_dict(state["order"])
        step = state["step"]
        print(f"resumed after step {step:,}")
    for batch in order:
        if step == options.steps:
            break
        step += 1
        loss = loss_of(model, batch, tokens, options.device)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % options.every == 0 or step == options.steps:
            print(f"step {step:,}: loss {loss.item():.4f}", flush=True)
            states = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            save(path, {**states, "order": order.state_dict(), "step": step})
    return model, tokens


def evaluate(options: argparse.Namespace, model: Transformer, tokens: Tokens) -> None:
    """Answer the first rows of every split, and score the answers."""
    dataset = synthgen.open(options.folder)
    file = options.out / "predictions.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for split in dataset:
            rows = dataset[split].select("id", "prompt", "answer")[: options.rows]
            longest = 2 + max(len(tokens.split(row["answer"])) for row in rows)
            prompts = [row["prompt"] for row in rows]
            found = answers_of(model.eval(), prompts, tokens, longest, options.device)
            for row, answer in zip(rows, found, strict=True):
                print(json.dumps({"id": row["id"], "prediction": answer}), file=lines)
    for split, score in synthgen.score(options.folder, file).splits.items():
        if right := score.accuracy:
            print(f"{split:12} {right.mean:.3f} of {right.rows:,} rows")


def main() -> None:
    """Read the options, train and evaluate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of a dataset")
    parser.add_argument("--out", type=Path, default=Path("outputs/trained"), help="checkpoints")
    parser.add_argument("--tokens", choices=("chars", "words"), default="chars")
    parser.add_argument("--steps", type=int, default=2_000)
    parser.add_argument("--batch", type=int, default=128, help="rows of a batch")
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--rows", type=int, default=1_000, help="rows of each split to score")
    parser.add_argument("--every", type=int, default=100, help="steps between checkpoints")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    evaluate(options, *train(options))


if __name__ == "__main__":
    main()
