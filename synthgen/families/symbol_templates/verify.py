"""Template tasks from the text: the pattern of first occurrences is compared with the rules'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from synthgen.authoring import Words, WorkedVerifier, holes, reads

_WORDS = Words.beside(__file__)
_TOKEN = r"(?:x(?:0|[1-9][0-9]{0,3})|[a-z])"
_RULE = r"[A-Za-z](?: [A-Za-z]){1,9} -> (?:[A-Z]|[a-z]{1,20}|[0-9])"


class _Sequence(NamedTuple):
    rules: tuple[str, ...]
    tokens: tuple[str, ...]


@reads(
    _WORDS,
    task=holes.word(_WORDS["tasks"]),
    rules=holes.listed(holes.pattern(_RULE), "\n"),
    sequence=holes.listed(holes.pattern(_TOKEN), " "),
)
def _read(
    sequence: tuple[str, ...], task: str = "", rules: tuple[str, ...] = ()
) -> _Sequence | None:
    return _Sequence(rules or tuple(_WORDS["tasks"][task]), sequence)


def _pattern(tokens: Sequence[str]) -> list[int | str]:
    """Replace each symbol or wildcard by the place of its first occurrence."""
    return [
        token if len(token) == 1 and token.islower() else tokens.index(token) for token in tokens
    ]


def _work(problem: _Sequence) -> tuple[str | None, list[str]]:
    """Return the label of the only rule that fits, and the lines of this rule and its wildcards."""
    pattern = _pattern(problem.tokens)
    matches = [rule for rule in problem.rules if _pattern(rule.split()[:-2]) == pattern]
    if len(matches) != 1:
        return None, []
    *form, _, label = matches[0].split()
    texts = dict(zip(form, problem.tokens, strict=True))
    named = [f"{letter} = {text}" for letter, text in sorted(texts.items()) if letter.isupper()]
    return texts.get(label, label), [matches[0], *named]


def _type_of(problem: _Sequence) -> str:
    return "integer" if problem.rules[0][-1].isdigit() else "label"


VERIFIERS = {"symbol_templates": WorkedVerifier(_read, _work, _type_of)}
