"""Constraints from the words of a prompt, and any text graded by them.

The prompt is read sentence by sentence; each must match a wording of exactly one type. The checks
of the types are in `verify_checks`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from synthgen.authoring import PlainVerifier, Words, holes, reads, wording_pattern
from synthgen.families.constraints.verify_checks import CHECKS, holds, variants, versions
from synthgen.families.constraints.verify_text import Answer

_WORDS = Words.beside(__file__)
_TYPES = tomllib.loads(Path(__file__).with_name("types.toml").read_text(encoding="utf-8"))
_MAX_RULES = 16
_VERSIONS = "responses"
"""The type of texts with several versions, each of which must satisfy the other constraints."""

Rule = tuple[str, tuple[tuple[str, Any], ...]]
"""A type and its values, lists as tuples."""

_RELATIONS = {text: rel for rel, texts in _WORDS["relations"].items() for text in texts}
_PLACES = {
    **{text: i for i, text in enumerate(_WORDS["ordinals"], 1)},
    **{text: -i for i, text in enumerate(_WORDS["from_the_end"], 1)},
}
_MARKS = {text: mark for mark, texts in _WORDS["marks"].items() for text in texts}
_TIMES = {"once": 1, "twice": 2}
_NUMBER = "[1-9][0-9]{0,3}"
_QUOTED = '"[^"\n]{1,60}"'
_LIST = f"{_QUOTED}(?:, {_QUOTED})*(?: (?:and|or) {_QUOTED})?"


def _any(texts: Mapping[str, Any]) -> str:
    longest_first = sorted(texts, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


def _listed(text: str) -> tuple[str, ...]:
    return tuple(re.findall('"([^"\n]+)"', text))


def _first_number(text: str) -> int:
    return 1 if text.startswith("one ") else int(text.split()[0])


def _count_of_times(text: str) -> int:
    return _TIMES.get(text) or int(text.split()[0])


class _Hole(NamedTuple):
    """Pattern of a hole, the name of its value, and how to read it."""

    pattern: str
    name: str
    read: Callable[[str], Any]


_HOLES: dict[str, _Hole] = {
    **{name: _Hole(_NUMBER, name, int) for name in ("n", "n2", "m", "d")},
    "rel": _Hole(_any(_RELATIONS), "rel", _RELATIONS.__getitem__),
    "i": _Hole(_any(_PLACES), "i", _PLACES.__getitem__),
    "times": _Hole(f"(?:once|twice|{_NUMBER} times)", "n", _count_of_times),
    "numbers": _Hole(f"(?:one number|{_NUMBER} numbers)", "n", _first_number),
    "words": _Hole(f"(?:one word|{_NUMBER} words)", "d", _first_number),
    "w": _Hole(_QUOTED, "w", lambda text: text[1:-1]),
    "c": _Hole('"[a-z]"', "c", lambda text: text[1]),
    "mark": _Hole(_any(_MARKS), "c", _MARKS.__getitem__),
    "mark_plural": _Hole(_any(_MARKS), "c", _MARKS.__getitem__),
    "words_listed": _Hole(f"the words? {_LIST}", "listed", _listed),
    "words_listed_or": _Hole(f"the words? {_LIST}", "listed", _listed),
    "keys": _Hole(_LIST, "listed", _listed),
    "listed": _Hole(_LIST, "listed", _listed),
    "label": _Hole("[A-Z][a-z]+", "label", str),
    "marker": _Hole("(?:P\\.){1,2}S\\.", "marker", str),
    "phrase": _Hole('[^"\n]{1,80}', "phrase", str),
    "request": _Hole('[^"\n]{1,200}', "request", str),
}
_VOWELS = _Hole(
    "[aeiou](?:, [aeiou])*(?: and [aeiou])?",
    "listed",
    lambda text: tuple(re.findall(r"\b[aeiou]\b", text)),
)


class _Wording(NamedTuple):
    """A wording as a pattern, with the literal text that it starts with."""

    kind: str
    start: str
    pattern: re.Pattern[str]
    holes: Mapping[str, _Hole]
    fixed: Mapping[str, Any]


def _wordings() -> list[_Wording]:
    wordings = []
    for kind, spec in _TYPES.items():
        texts: list[tuple[str, dict[str, str]]] = [(text, {}) for text in spec["wordings"]]
        texts += [(text, {"rel": "between"}) for text in spec.get("between", ())]
        for text, fixed in texts:
            wordings.append(_wording(kind, text, fixed))
    return wordings


def _wording(kind: str, text: str, fixed: Mapping[str, Any]) -> _Wording:
    known = {**_HOLES, "listed": _VOWELS} if kind == "vowels" else _HOLES
    start, pattern = wording_pattern(text, known)
    used = {name: known[name] for name in pattern.groupindex}
    return _Wording(kind, start, pattern, used, fixed)


_ALL = _wordings()


def read_rule(text: str, at: int = 0) -> tuple[Rule, int] | None:
    """Return the constraint that a text states at a place, and the end of its wording."""
    for wording in _ALL:
        if not text.startswith(wording.start, at):
            continue
        match = wording.pattern.match(text, at)
        if match and (match.end() == len(text) or text[match.end()] == " "):
            values = {
                hole.name: hole.read(match[name]) for name, hole in wording.holes.items()
            } | dict(wording.fixed)
            return (wording.kind, tuple(sorted(values.items()))), match.end()
    return None


def read_rules(text: str) -> tuple[Rule, ...] | None:
    """Return the constraints of a paragraph of wordings; None if some part is not a wording."""
    rules: list[Rule] = []
    at = 0
    while at < len(text):
        match = read_rule(text, at)
        if match is None or len(rules) == _MAX_RULES:
            return None
        rules.append(match[0])
        at = match[1] + 1
    kinds = [kind for kind, _ in rules]
    return tuple(sorted(rules)) if len(set(kinds)) == len(kinds) > 0 else None


def _lines(text: str) -> tuple[Rule, ...] | None:
    """Return the constraints of a list, one on each line, with "- " or its number."""
    lines = text.split("\n")
    numbered = all(line.startswith(f"{i}. ") for i, line in enumerate(lines, 1))
    if not numbered and not all(line.startswith("- ") for line in lines):
        return None
    return read_rules(" ".join(line.partition(" ")[2] for line in lines))


_TEXT = holes.pattern(r"[^\n]+", read_rules)
_LINES = holes.pattern(r"[^\n]+(?:\n[^\n]+)*", _lines)


@reads(
    _WORDS,
    topic=holes.word(_WORDS["topics"]),
    rules=_TEXT,
    rules_listed=_LINES,
    rules_numbered=_LINES,
)
def _read(topic: str, **rules: tuple[Rule, ...] | None) -> tuple[Rule, ...] | None:
    del topic
    return next(iter(rules.values()))


def _canonical(rules: tuple[Rule, ...]) -> str:
    listed = [{"type": kind, **dict(values)} for kind, values in sorted(rules)]
    return json.dumps(listed, separators=(",", ":"), sort_keys=True)


def _follows(rules: tuple[Rule, ...], answer: str, lines: Sequence[str]) -> bool:
    del answer
    return all(verdicts("\n".join(lines), _canonical(rules)))


def verdicts(text: str, answer: str, *, loose: bool = False) -> list[bool]:
    """Return for each constraint of an answer whether a text, or each version, satisfies it.

    Args:
        text: Any text.
        answer: Constraints in canonical form.
        loose: Whether to accept constraints that hold without the first line, the last line or
            asterisks.

    Raises:
        ValueError: If the answer is not a list of known constraints.
    """
    rules = json.loads(answer)
    whole = _readings(text, loose=loose)
    each = [whole]
    if any(rule["type"] == _VERSIONS for rule in rules):
        each = [_readings(version, loose=loose) for version in versions(Answer(text).text)]
    results = []
    for rule in rules:
        values = {name: value for name, value in rule.items() if name != "type"}
        kind = rule["type"]
        if kind not in CHECKS:
            msg = f"unknown constraint {kind!r}"
            raise ValueError(msg)
        scope = [whole] if kind == _VERSIONS else each
        results.append(all(any(holds(kind, values, one) for one in some) for some in scope))
    return results


def _readings(text: str, *, loose: bool) -> list[Answer]:
    return [Answer(variant) for variant in (variants(text) if loose else [text])]


class ConstraintVerifier(PlainVerifier[tuple[Rule, ...]]):
    """Grades any text by the constraints of a prompt."""

    open_ended = True

    def accepts(self, prompt: str, prediction: str) -> bool:
        """Return whether a text satisfies all constraints of a prompt."""
        answer = self.answer(prompt)
        return answer is not None and all(verdicts(prediction, answer))

    def parts(self, prediction: str, answer: str) -> list[tuple[str, bool, bool]]:
        """Return the type of each constraint of an answer, its strict and its loose verdict."""
        kinds = [rule["type"] for rule in json.loads(answer)]
        strict, loose = (verdicts(prediction, answer, loose=is_loose) for is_loose in (False, True))
        return list(zip(kinds, strict, loose, strict=True))


VERIFIERS = {"constraints": ConstraintVerifier(_read, _canonical, "constraints", _follows)}
