"""Write a text about a topic that satisfies k verifiable constraints.

The first two types of each problem run through all compatible pairs, one address after another, so
that a block of as many addresses as pairs is a covering design; other types are drawn among those
that are compatible. The answer is the list of constraints in canonical form, and the
solution is a witness: a text that satisfies them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import Any
from zlib import crc32

from synthgen.authoring import (
    DrawnFamily,
    Problem,
    RowDraws,
    Rows,
    Words,
    axis,
    filled,
    levelled,
    params,
)
from synthgen.families.constraints.phrases import TOPICS, WORDS, Rules
from synthgen.families.constraints.witness import witness

TYPES = Words.beside(__file__, "types.toml")
_MAX = 8
_DRAWS_OF_TYPES = 300
_NAMES: tuple[str, ...] = tuple(
    tomllib.loads(Path(__file__).with_name("types.toml").read_text(encoding="utf-8"))
)
_CONFLICTS = tomllib.loads(Path(__file__).with_name("conflicts.toml").read_text(encoding="utf-8"))
_TOPICS: tuple[str, ...] = tuple(WORDS["topics"])
_NOUNS = {topic: tuple(TOPICS[topic]["acts"]) for topic in _TOPICS}
_ALL_NOUNS: tuple[str, ...] = tuple(sorted({noun for nouns in _NOUNS.values() for noun in nouns}))
_ELSEWHERE = "piccolo"
"""A noun of no topic."""
_RARE, _COMMON = "bfgkmpvwxz", "aeinorst"

Values = dict[str, Any]


def _compatible() -> frozenset[tuple[str, str]]:
    """Return all pairs of compatible types, in both orders."""
    apart = {pair for group in _CONFLICTS["exclusive"] for pair in combinations(group, 2)}
    for sides in _CONFLICTS["between"]:
        apart |= set(product(sides["left"], sides["right"]))
    return frozenset(
        (a, b)
        for a, b in product(_NAMES, _NAMES)
        if a != b and (a, b) not in apart and (b, a) not in apart
    )


COMPATIBLE = _compatible()
_PAIRS = tuple(sorted(pair for pair in COMPATIBLE if pair[0] < pair[1]))
_NUMBERS = {name: i for i, name in enumerate(sorted(_NAMES), 1)}


class _Supply:
    """Draws the values of constraints; no two constraints share a noun of the topic or a mark."""

    def __init__(self, topic: str, draws: RowDraws) -> None:
        self.draws = draws
        self.nouns = draws.shuffled(_NOUNS[topic])
        self.topic = topic
        self.marks: list[str] = []

    def noun(self) -> str:
        return str(self.nouns.pop())

    def some_nouns(self, low: int, high: int) -> list[str]:
        return [self.noun() for _ in range(self.draws.integer(low, high + 1))]

    def others(self, low: int, high: int) -> list[str]:
        """Draw nouns of other topics."""
        nouns = {self.draws.choice(_ALL_NOUNS) for _ in range(self.draws.integer(low, high + 1))}
        return sorted(nouns - set(_NOUNS[self.topic])) or [_ELSEWHERE]

    def mark(self, known: str) -> str:
        self.marks.append(self.draws.choice([mark for mark in known if mark not in self.marks]))
        return self.marks[-1]

    def counted(self, low: int, high: int) -> Values:
        rel = self.draws.choice(("at least", "at most", "exactly"))
        return {"rel": rel, "n": self.draws.integer(low, high + 1)}


def _words(s: _Supply) -> Values:
    n = s.draws.integer(20, 120)
    if s.draws.integer(0, 2):
        return {"rel": "between", "n": n, "n2": n + s.draws.integer(5, 40)}
    return {"rel": s.draws.choice(("at least", "at most", "exactly")), "n": n}


def _letter_count(s: _Supply) -> Values:
    if s.draws.integer(0, 2):
        return {"c": s.draws.choice(_COMMON), "rel": "at least", "n": s.draws.integer(3, 13)}
    return {"c": s.draws.choice(_RARE), "rel": "at most", "n": s.draws.integer(1, 5)}


def _paragraph_first(s: _Supply) -> Values:
    n = s.draws.integer(2, 6)
    return {"n": n, "i": s.draws.integer(1, n + 1), "w": s.draws.choice(WORDS["adverbs"])}


def _word_at(s: _Supply) -> Values:
    i = s.draws.choice((1, 2, 3, 4, -1))
    return {"w": s.draws.choice(WORDS["adverbs" if i in (1, -1) else "people"]), "i": i}


def _vowels(s: _Supply) -> Values:
    return {"listed": sorted(s.draws.shuffled("aeiou")[: s.draws.integer(2, 4)])}


def _n(low: int, high: int) -> Callable[[_Supply], Values]:
    return lambda s: {"n": s.draws.integer(low, high + 1)}


def _one(name: str, options: str) -> Callable[[_Supply], Values]:
    return lambda s: {name: s.draws.choice(WORDS[options])}


_DRAWN: Mapping[str, Callable[[_Supply], Values]] = {
    "words": _words,
    "sentences": lambda s: s.counted(3, 10),
    "sentence_max": lambda s: {"m": s.draws.integer(8, 21)},
    "sentence_words": lambda s: {"m": s.draws.integer(5, 13)},
    "growing": lambda s: {"d": s.draws.integer(1, 5)},
    "paragraphs": _n(2, 5),
    "include": lambda s: {"listed": sorted(s.some_nouns(1, 3))},
    "avoid": lambda s: {"listed": s.others(1, 4)},
    "word_count": lambda s: {"w": s.noun(), **s.counted(1, 4)},
    "word_in_sentence": lambda s: {"w": s.noun(), "i": s.draws.integer(1, 6)},
    "word_at": _word_at,
    "words_in_order": lambda s: {"listed": s.some_nouns(2, 3)},
    "unique_words": _n(15, 45),
    "repeat_max": _n(1, 4),
    "letter_count": _letter_count,
    "vowels": _vowels,
    "word_length_max": lambda s: {"m": s.draws.integer(6, 10)},
    "capital_words": lambda s: s.counted(2, 6),
    "avoid_mark": lambda s: {"c": s.mark(",.!?;:")},
    "mark_count": lambda s: {"c": s.mark("?!;:"), "n": s.draws.integer(2, 5)},
    "sentence_ends": lambda s: {"c": s.draws.choice(".!?")},
    "bullets": _n(2, 6),
    "numbered": _n(2, 6),
    "sections": lambda s: {"label": s.draws.choice(WORDS["labels"]), "n": s.draws.integer(2, 5)},
    "highlights": _n(2, 5),
    "placeholders": _n(2, 5),
    "json": lambda s: {"listed": s.draws.shuffled(WORDS["keys"])[: s.draws.integer(2, 4)]},
    "divider": _n(2, 5),
    "responses": _n(2, 3),
    "brackets": lambda s: {"d": s.draws.integer(2, 7)},
    "postscript": _one("marker", "markers"),
    "start_with": _one("phrase", "openings"),
    "end_with": _one("phrase", "closings"),
    "sentence_first": _one("w", "adverbs"),
    "sentence_last": _one("w", "adverbs"),
    "paragraph_first": _paragraph_first,
    "numbers": _n(1, 6),
    "acrostic": _one("w", "acrostics"),
    "echo": lambda s: {"request": f"Tell me about {s.topic}."},
}


# Words of the prompt.


def _and(items: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else items[0]


def _quoted(word: str) -> str:
    return f'"{word}"'


def _counted_noun(n: int, noun: str) -> str:
    return f"one {noun}" if n == 1 else f"{n} {noun}s"


def _holes(kind: str, values: Mapping[str, Any], draws: RowDraws) -> Values:
    filled_in: Values = dict(values)
    if "rel" in values and values["rel"] != "between":
        synonyms = WORDS["relations"][values["rel"]]
        filled_in["rel"] = values["rel"] if values["n"] == 1 else draws.choice(synonyms)
    n = values.get("n", 0)
    filled_in["times"] = {1: "once", 2: "twice"}.get(n, f"{n} times")
    filled_in["numbers"] = _counted_noun(n, "number")
    filled_in["words"] = _counted_noun(values.get("d", 0), "word")
    if "i" in values:
        at = values["i"]
        filled_in["i"] = WORDS["ordinals"][at - 1] if at > 0 else WORDS["from_the_end"][-at - 1]
    if "listed" in values:
        quoted = [_quoted(word) for word in values["listed"]]
        noun = "the word" if len(quoted) == 1 else "the words"
        filled_in["words_listed"] = f"{noun} {_and(quoted)}"
        filled_in["words_listed_or"] = f"{noun} {_and(quoted, 'or')}"
        filled_in["keys"] = _and(quoted)
        filled_in["listed"] = _and(values["listed"] if kind == "vowels" else quoted)
    if "w" in values:
        filled_in["w"] = _quoted(values["w"])
    if kind == "letter_count":
        filled_in["c"] = _quoted(values["c"])
    elif "c" in values:
        filled_in["mark"], filled_in["mark_plural"] = WORDS["marks"][values["c"]]
    return filled_in


def phrase(kind: str, values: Mapping[str, Any], draws: RowDraws) -> str:
    """Return a sentence that states a constraint, in a wording drawn at random."""
    wordings = TYPES[kind]["between" if values.get("rel") == "between" else "wordings"]
    return filled(draws.choice(wordings), _holes(kind, values, draws))


def canonical(rules: Rules) -> str:
    """Return the canonical form of constraints: compact JSON, sorted by type."""
    listed = [{"type": kind, **rules[kind]} for kind in sorted(rules)]
    return json.dumps(listed, separators=(",", ":"), sort_keys=True)


def _hash(*parts: object) -> float:
    """Return a number in [0, 1) that depends only on the parts."""
    return crc32(repr(parts).encode()) / 2**32


@lru_cache(64)
def _held(items: tuple[Any, ...], count: int, key: int) -> frozenset[Any]:
    """Return the first `count` items in an order by hash, so that more of them include fewer."""
    return frozenset(sorted(items, key=lambda item: _hash(key, item))[:count])


_LISTS = ("adverbs", "people", "keys", "acrostics", "labels", "markers", "openings", "closings")
_LEAVES = {
    *_TOPICS,
    *_ALL_NOUNS,
    _ELSEWHERE,
    *_RARE,
    *_COMMON,
    *"aeiou",
    *WORDS["marks"],
    *WORDS["relations"],
    "between",
    *(word for name in _LISTS for word in WORDS[name]),
}


def _leaf(text: str) -> str:
    """Return a text as a symbol: its letters, and the codes of other characters."""
    return "w_" + "".join(c if c.isalnum() else f"_{ord(c):x}_" for c in text)


def _argument(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [len(value), *(_leaf(item) for item in value)]
    return [value if isinstance(value, int) else _leaf(value)]


@levelled("k", 1, 2, 3, 4, 5, 6, 7, 8)
@dataclass(frozen=True)
class Constraints(DrawnFamily):
    """Write a text that satisfies k verifiable constraints.

    Attributes:
        min_k, max_k: Fewest and most constraints of a problem.
        types: Types to draw from.
        held_pairs, held_types: Number of held-out pairs of types, and of held-out types.
        held_values: Share of the values of each type that are held out, such as words and counts.
        key: Key of the holdouts; the recipe's seed does not change them.
    """

    min_k: int = params.integer(1, 1, _MAX, up_to="max_k")
    max_k: int = params.integer(4, 1, _MAX)
    types: tuple[str, ...] = params.choices(_NAMES, _NAMES)
    held_pairs: int = params.integer(0, 0, len(_PAIRS))
    held_types: int = params.integer(0, 0, len(_NAMES))
    held_values: float = params.number(0.0, 0.0, 1.0)
    key: int = params.integer(0, 0, 2**31 - 1)

    version = 2
    verifier = "constraints"
    words = WORDS
    prompts = words.styles
    answer_type = "constraints"
    symbols = {
        "on": 1 + 1,
        "all": (1, _MAX),
        **dict.fromkeys(_NAMES, (0, 9)),
        **dict.fromkeys(sorted(map(_leaf, _LEAVES)), 0),
    }
    own_axes = {
        "k": axis("number of constraints", "min_k", "max_k"),
        "topic": axis("topic of the text", values=_TOPICS),
        "natural": axis(
            "1 if the solution reads as a text, 0 if it is rows of words", 0, 1, canonical=False
        ),
        "n_held_pairs": axis("held-out pairs of types", 0, _MAX * (_MAX - 1) // 2),
        "n_held_types": axis("held-out types", 0, _MAX),
        "n_held_values": axis("constraints with held-out values", 0, _MAX),
        **{
            f"type_{i}": axis(f"type of constraint {i} in alphabetical order, 0 if none", 0, 48)
            for i in range(1, _MAX + 1)
        },
    }

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of compatible types, in an order by hash."""
        pairs = [pair for pair in combinations(self.types, 2) if pair in COMPATIBLE]
        return tuple(sorted(pairs, key=lambda pair: _hash("order", pair)))

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the problems; the addresses choose the first two types."""
        addresses = rows.addresses.tolist()
        return [
            self.problem(address, draws)
            for address, draws in zip(addresses, rows.each(), strict=True)
        ]

    def problem(self, address: int, draws: RowDraws) -> Problem | None:
        """Draw a problem and its witness; None if none of the attempts gives one."""
        kinds = self.kinds(address, draws)
        if kinds is None:
            return None
        topic = draws.choice(_TOPICS)
        supply = _Supply(topic, draws)
        rules = {kind: _DRAWN[kind](supply) if kind in _DRAWN else {} for kind in sorted(kinds)}
        written = witness(rules, topic, draws)
        if written is None:
            return None
        text, natural = written
        constraints = tuple(
            (kind, *(part for name in sorted(values) for part in _argument(values[name])))
            for kind, values in rules.items()
            if kind != "echo"
        )
        constraints += (("echo",),) if "echo" in rules else ()
        return Problem(
            tree=("on", _leaf(topic), ("all", *constraints)),
            answer=canonical(rules),
            axes={**self.measured(rules, topic), "natural": int(natural)},
            steps=text.split("\n"),
            difficulty=len(rules),
            data=(topic, rules),
        )

    def kinds(self, address: int, draws: RowDraws) -> list[str] | None:
        """Draw the types: a pair by address, and others that are compatible."""
        k = draws.integer(self.min_k, self.max_k + 1)
        if k == 1 or not self.pairs:
            return [self.types[address % len(self.types)]] if self.min_k == 1 else None
        kinds = list(self.pairs[address % len(self.pairs)])
        for _ in range(_DRAWS_OF_TYPES):
            if len(kinds) == k:
                return kinds
            kind = draws.choice(self.types)
            if all((kind, known) in COMPATIBLE for known in kinds):
                kinds.append(kind)
        return None

    def measured(self, rules: Rules, topic: str) -> dict[str, int | str]:
        """Return the values of the axes."""
        kinds = sorted(rules)
        pairs = _held(_PAIRS, self.held_pairs, self.key)
        types = _held(_NAMES, self.held_types, self.key)
        held = [_hash(self.key, kind, canonical({kind: rules[kind]})) for kind in kinds]
        numbers = [*(_NUMBERS[kind] for kind in kinds), *[0] * _MAX][:_MAX]
        return {
            "k": len(kinds),
            "topic": topic,
            "n_held_pairs": sum(pair in pairs for pair in combinations(kinds, 2)),
            "n_held_types": sum(kind in types for kind in kinds),
            "n_held_values": sum(
                share < self.held_values and bool(rules[kind])
                for kind, share in zip(kinds, held, strict=True)
            ),
            **{f"type_{i}": number for i, number in enumerate(numbers, 1)},
        }

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Draw the order and wordings of the constraints."""
        topic, rules = problem.data
        kinds = draws.shuffled(list(rules))
        texts = [phrase(kind, rules[kind], draws) for kind in kinds]
        return {
            "topic": topic,
            "rules": " ".join(texts),
            "rules_listed": "\n".join(f"- {text}" for text in texts),
            "rules_numbered": "\n".join(f"{i}. {text}" for i, text in enumerate(texts, 1)),
        }


GENERATORS = {"constraints": Constraints}
