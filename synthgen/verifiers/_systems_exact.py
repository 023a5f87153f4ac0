"""The slow oracle of the string systems: plain strings, regular expressions, a set of states."""

from __future__ import annotations

import re

from synthgen.verifiers._systems_words import RULES, SENTENCES, SIGNS

_MOST_TEXT = 20_000
_MOST_STEPS = 6_000
_BARE = re.compile(r"(.+) \| (.+)", re.DOTALL)
_LINES = re.compile(r"^([0-9]{1,3})\.(.+)$", re.MULTILINE)
_TOKENS = re.compile(r"(#[AB]|[AB]#)( (#[AB]|[AB]#))*")
_GROUPS = re.compile("ABCD|BCDE|CDEA|DEAB|EABC")
_NUMBERS = {
    form: {rule[form]: number for number, rule in RULES.items()} for form in (SIGNS, SENTENCES)
}
_CHANGES = {
    1: (r"\Aab", r"ca"),
    2: (r"ac\Z", r"cb"),
    3: (r"\Abc(.*)", r"\1aa"),
    4: (r"bb\Z", r""),
    5: (r"\Acb(.*?).?\Z", r"aa\1"),
    6: (r"\Aca(.*)", r"bb\1c"),
    7: (r"\A(.*)cc\Z", r"a\1b"),
    8: (r"\Aaa", r"a"),
    9: (r"abc", r"cab"),
    10: (r"bca", r""),
    11: (r"ba\Z", r"ab"),
    12: (r"\Acc", r""),
    13: (r"acb", r"bca"),
    14: (r"ca\Z", r"c"),
    15: (r"\Abb", r"b"),
    16: (r"aa\Z", r"cc"),
    17: (r"\A(.+?)ca", r"\1"),
    18: (r"\A([^b]*(?:b[^b]*b[^b]*)+)\Z", r"\1ab"),
    20: (r"\Aac", r"zz"),
}


def exact_result(prompt: str) -> str | None:
    """Return the answer of a prompt, or None if it has none within the limits."""
    parts = prompt.rsplit("`", 2)
    told = parts[1] if len(parts) == 3 else prompt
    if len(told) > _MOST_TEXT:
        return None
    bare = _BARE.fullmatch(told)
    if bare:
        return _bare_result(bare[1], bare[2])
    if len(parts) < 3:
        return None
    if re.fullmatch("[a-z]+", told):
        lines = _LINES.findall(parts[0])
        if any(number != str(i + 1) for i, (number, _) in enumerate(lines)):
            return None
        words = [sentence for _, sentence in lines]
        if not all(sentence.startswith(" ") for sentence in words):
            return None
        return _manipulated(told, [sentence[1:] for sentence in words], SENTENCES)
    return _fixed_result(told)


def _bare_result(rules: str, told: str) -> str | None:
    if re.fullmatch("[a-z]+", told):
        return _manipulated(told, rules.split(" "), SIGNS)
    known = {"A::B": _TOKENS, "insertion": re.compile("[A-Z]+")}.get(rules)
    return _fixed_result(told) if known is not None and known.fullmatch(told) else None


def _fixed_result(told: str) -> str | None:
    if _TOKENS.fullmatch(told):
        return _reduced(told)
    if re.fullmatch("[A-Z]+", told):
        return _GROUPS.sub(lambda found: found[0] + found[0][0], told)
    return None


def _manipulated(told: str, texts: list[str], form: int) -> str | None:
    """Run rules until none fires or a string has been there."""
    numbers = [_NUMBERS[form].get(text, 0) for text in texts]
    if not numbers or 0 in numbers or len(set(numbers)) < len(numbers):
        return None
    seen = {told}
    for _ in range(_MOST_STEPS):
        after = next((new for n in numbers if (new := _applied(n, told)) is not None), None)
        if after is None or after in seen:
            return told
        seen.add(after)
        told = after
    return None


def _applied(number: int, told: str) -> str | None:
    """Return what a rule makes of a string, or None if it does not fit."""
    if number == 19:
        middle = len(told) // 2
        return told[:middle] + told[middle + 1 :] if len(told) > 15 else None
    pattern, new = _CHANGES[number]
    after, times = re.subn(pattern, new, told, count=1)
    return after if times else None


def _reduced(told: str) -> str | None:
    """Rewrite the rightmost pair again and again; the order makes no difference."""
    tokens = told.split(" ")
    if len(tokens) > 600:
        return None
    while True:
        pairs = range(len(tokens) - 2, -1, -1)
        at = next((k for k in pairs if tokens[k][1] == "#" == tokens[k + 1][0]), None)
        if at is None:
            return " ".join(tokens)
        one, other = tokens[at : at + 2]
        tokens[at : at + 2] = [] if one[0] == other[1] else [other, one]
