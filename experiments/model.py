"""A small decoder-only transformer, with a cache of keys and values for answering."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

PAD, STOP, EQUALS = 0, 1, 2


class Vocabulary:
    """Words or characters as numbers.

    Args:
        texts: Texts whose tokens it has; all others are read as padding.
        unit: "words" or "chars".
    """

    def __init__(self, texts: list[str], unit: str) -> None:
        self.unit = unit
        tokens = sorted({token for text in texts for token in self.split(text)})
        self.names = ["", "", "", *tokens]
        self.codes = {name: code for code, name in enumerate(self.names) if name}

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return list(text) if self.unit == "chars" else text.split()

    def encode(self, text: str) -> list[int]:
        """Return the codes of a text."""
        return [self.codes.get(token, PAD) for token in self.split(text)]

    def decode(self, codes: list[int]) -> str:
        """Return the text of codes up to the stop."""
        codes = codes[: codes.index(STOP)] if STOP in codes else codes
        return ("" if self.unit == "chars" else " ").join(self.names[code] for code in codes)


class Cache:
    """Keys and values of what a layer has read, shape (rows, heads, tokens, size of a head)."""

    def __init__(self) -> None:
        self.keys: Tensor | None = None
        self.values: Tensor | None = None

    def extend(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Append keys and values, and return all of them."""
        if self.keys is not None and self.values is not None:
            keys = torch.cat([self.keys, keys], dim=2)
            values = torch.cat([self.values, values], dim=2)
        self.keys, self.values = keys, values
        return keys, values


class Layer(nn.Module):
    """Attention and a feed-forward network, each behind a norm."""

    def __init__(self, width: int, heads: int, *, rotary: bool) -> None:
        super().__init__()
        self.heads, self.rotary = heads, rotary
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.inputs, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor, start: int, cache: Cache | None) -> Tensor:
        """Let every token see those before it; the first one is at the position `start`."""
        rows, length, width = x.shape
        shape = (rows, length, 3, self.heads, width // self.heads)
        q, k, v = self.inputs(self.norms[0](x)).view(shape).permute(2, 0, 3, 1, 4)
        if self.rotary:
            q, k = _rotated(q, start), _rotated(k, start)
        if cache is not None:
            k, v = cache.extend(k, v)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=length > 1)
        x = x + self.output(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.feed(self.norms[1](x))


def _rotated(x: Tensor, start: int) -> Tensor:
    """Rotate pairs of numbers by angles that grow with the position (arXiv 2104.09864)."""
    length, size = x.shape[-2:]
    speeds = 10_000 ** (-torch.arange(0, size, 2, device=x.device) / size)
    angles = torch.arange(start, start + length, device=x.device)[:, None] * speeds
    one, other = x.chunk(2, dim=-1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([one * cos - other * sin, one * sin + other * cos], dim=-1)


class Transformer(nn.Module):
    """A causal transformer.

    Args:
        tokens: Size of the vocabulary.
        width: Numbers of a token.
        layers: Layers.
        rotary: Whether positions are given by rotations; otherwise only the causal mask tells them.
    """

    def __init__(self, tokens: int, width: int, layers: int, *, rotary: bool) -> None:
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        nn.init.normal_(self.embed.weight, std=width**-0.5)
        heads = max(1, width // 32)
        self.layers = nn.ModuleList(Layer(width, heads, rotary=rotary) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, codes: Tensor, start: int = 0, caches: list[Cache] | None = None) -> Tensor:
        """Return a score of every token after each of the codes, (rows, length, tokens)."""
        x = self.embed(codes)
        for place, layer in enumerate(self.layers):
            x = layer(x, start, caches[place] if caches else None)
        return self.norm(x) @ self.embed.weight.T

    def answers(self, questions: Tensor, longest: int) -> list[list[int]]:
        """Answer questions of one length greedily, with at most `longest` tokens."""
        caches = [Cache() for _ in self.layers]
        codes, start, answers = questions, 0, []
        done = torch.zeros(len(questions), dtype=torch.bool, device=questions.device)
        for _ in range(longest):
            with torch.inference_mode():
                scores = self(codes, start, caches)[:, -1]
            start += codes.shape[1]
            codes = scores.argmax(-1, keepdim=True)
            answers.append(codes)
            done |= codes[:, 0] == STOP
            if done.all():
                break
        rows: list[list[int]] = torch.cat(answers, dim=1).tolist()
        return rows
