"""The slow oracle of skill chains: plain Python on strings, lists and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import accumulate, pairwise, zip_longest
from math import gcd, prod
from string import ascii_lowercase
from typing import Any

from synthgen.verifiers._problem_text import problem_of
from synthgen.verifiers.skillmix._chain_atoms import ATOMS, CALL, DEFINITION, LABEL, NAME
from synthgen.verifiers.skillmix._chain_words import ROWS

Value = Any
"""str, list[int], int or tuple[str, ...]."""
_MOST_TEXT, _MOST_ITEMS, _MOST_STEPS, _LARGEST = 20_000, 128, 32, 10**9
_MOST_DIVIDED = 10_000
_BARE = re.compile(r"([^|:]+) \| (.+)", re.DOTALL)
_STEPS = re.compile(r"([^|:]+): (.+)", re.DOTALL)
_CALLS = re.compile(r"((?:[^()|:]+\()+)([^()]+?)(\)+)", re.DOTALL)
_DEFINED = re.compile(r"^func_([a-z]) (.+)\.$", re.MULTILINE)
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,12}")
_LETTERS = re.compile(f"[a-z]{{1,{_MOST_ITEMS}}}")
_NUMBERS = re.compile(rf"\[(?:{_NUMBER.pattern})(?:, (?:{_NUMBER.pattern}))*\]")
_WORDS = re.compile(r"\[[a-z]{1,13}(?:, [a-z]{1,13})*\]")
_LOCAL, _OPAQUE = re.compile("func_[a-z]"), re.compile("func_[a-z]{4}")
_KIND = {str: "S", list: "L", int: "N", tuple: "W"}
_VOWELS = "aeiou"


def exact_answer(prompt: str) -> str | None:
    """Return the answer of a prompt, or None if it is no problem or leaves the bounds."""
    if len(prompt) > _MOST_TEXT:
        return None
    problem = problem_of(prompt)
    named = _split(problem)
    if named is None:
        return None
    form, names, told = named
    value = _read(told)
    if value is None or len(names) > _MOST_STEPS:
        return None
    before = prompt if problem == prompt else prompt.partition(problem)[0]
    for name in names:
        place = _atom_of(name, form, before)
        if place is None:
            return None
        atom = ATOMS[place]
        label, types = ROWS[atom.row][:2]
        if types[0] != _KIND[type(value)]:
            return None
        value = _RULES[label.partition("{")[0]](value, atom.first, atom.second)
        if not _is_fine(value):
            return None
    return _written(value)


def _split(problem: str) -> tuple[int, list[str], str] | None:
    """Return the form of the names, the names in their order, and the value's text."""
    found = _BARE.fullmatch(problem)
    if found:
        return LABEL, found[1].split(" "), found[2]
    found = _STEPS.fullmatch(problem)
    if found:
        names = found[1].removeprefix("first ").split(", then ")
        if found[1].startswith("first ") != (len(names) > 1):
            return None
        return NAME, names, found[2]
    found = _CALLS.fullmatch(problem)
    if found and found[1].count("(") == len(found[3]):
        return CALL, found[1].removesuffix("(").split("(")[::-1], found[2]
    return None


@cache
def _forms() -> dict[tuple[int, str], int]:
    return {(form, text): i for i, atom in enumerate(ATOMS) for form, text in enumerate(atom.forms)}


def _atom_of(name: str, form: int, before: str) -> int | None:
    if not name.startswith("func_"):
        return _forms().get((form, name))
    if _LOCAL.fullmatch(name):
        return _defined_atoms(before).get(name[-1])
    if _OPAQUE.fullmatch(name):
        return _opaque_atom(name[5:])
    return _forms().get((form, name))


@lru_cache(maxsize=1)
def _defined_atoms(before: str) -> dict[str, int]:
    """Return the atom of each letter's function; none at all if a line defines nothing known."""
    found = _DEFINED.findall(before)
    known = {letter: _forms().get((DEFINITION, text)) for letter, text in found}
    lines = sum(line.startswith("func_") for line in before.splitlines())
    atoms = {letter: atom for letter, atom in known.items() if atom is not None}
    return atoms if len(atoms) == len(found) == lines else {}


@lru_cache(maxsize=16)
def _opaque(key: int) -> dict[int, int]:
    """Return the atom behind every number of a table, by scrambling the places of all atoms."""
    found = {}
    for atom in range(len(ATOMS)):
        place = (atom * (8 * key + 1109) + 37 * key + 5) % 2048
        place ^= place // 64
        place = (place * (4 * key + 1621) + 91 * key + 3) % 2048
        found[place ^ place // 32] = atom
    return found


def _opaque_atom(letters: str) -> int | None:
    number = sum(26**k * ascii_lowercase.index(x) for k, x in enumerate(reversed(letters)))
    key, place = divmod(number, 2048)
    return _opaque(key).get(place) if key < 223 else None


def _read(told: str) -> Value | None:
    """Return the value that a text writes, or None."""
    if _NUMBER.fullmatch(told):
        return int(told) if abs(int(told)) <= 10**12 else None
    if _LETTERS.fullmatch(told):
        return told
    items = told[1:-1].split(", ")
    if len(items) > _MOST_ITEMS:
        return None
    if _NUMBERS.fullmatch(told):
        numbers = [int(item) for item in items]
        return numbers if max(map(abs, numbers)) <= 10**12 else None
    return tuple(items) if _WORDS.fullmatch(told) else None


def _written(value: Value) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def _is_fine(value: Value | None) -> bool:
    """Say whether a value is there, not empty, and within the bounds."""
    if value is None:
        return False
    if isinstance(value, int):
        return abs(value) <= _LARGEST
    if not 0 < len(value) <= _MOST_ITEMS:
        return False
    return not isinstance(value, list) or max(map(abs, value)) <= _LARGEST


def _letter(code: int) -> str:
    return ascii_lowercase[(code - 1) % 26]


def _mapped(text: str, source: str, target: str) -> str:
    return text.translate(str.maketrans(source, target))


def _first_of_each(items: Any) -> list[Any]:
    return list(dict.fromkeys(items))


def _riffled(text: str) -> str:
    middle = (len(text) + 1) // 2
    return "".join(a + b for a, b in zip_longest(text[:middle], text[middle:], fillvalue=""))


def _swapped(text: str) -> str:
    return re.sub("(.)(.)", r"\2\1", text)


def _turned(items: Any, n: int) -> Any:
    return items[n % len(items) :] + items[: n % len(items)]


def _toggled(text: str, x: str) -> str:
    return text.replace(x, "") if x in text else text + x


def _divisors(n: int) -> list[int] | None:
    return [d for d in range(1, n + 1) if n % d == 0] if 1 <= n <= _MOST_DIVIDED else None


def _primes(n: int) -> list[int] | None:
    if not 2 <= n <= _MOST_DIVIDED:
        return None
    primes = [p for p in range(2, n + 1) if n % p == 0 and all(p % d for d in range(2, p))]
    powers = [p for p in primes for e in range(1, 14) if n % p**e == 0]
    return powers if prod(powers) == n else None


def _of_digits(n: int, make: Callable[[str], Value]) -> Value | None:
    return make(str(n)) if n >= 0 else None


def _cut(text: Any, n: int) -> Any:
    return text[n:]


_RULES: dict[str, Callable[[Value, int, int], Value | None]] = {
    "rev": lambda v, _a, _b: v[::-1],
    "rotl": lambda v, a, _b: _turned(v, a),
    "rotr": lambda v, a, _b: _turned(v, -a),
    "caesar": lambda v, a, _b: _mapped(v, ascii_lowercase, _turned(ascii_lowercase, a)),
    "atbash": lambda v, _a, _b: _mapped(v, ascii_lowercase, ascii_lowercase[::-1]),
    "sort": lambda v, _a, _b: "".join(sorted(v)),
    "dedup": lambda v, _a, _b: "".join(_first_of_each(v)),
    "rmvow": lambda v, _a, _b: re.sub("[aeiou]", "", v),
    "dbl": lambda v, _a, _b: re.sub("(.)", r"\1\1", v),
    "evens": lambda v, _a, _b: v[::2],
    "odds": lambda v, _a, _b: v[1::2],
    "swap": lambda v, _a, _b: _swapped(v),
    "halves": lambda v, _a, _b: _turned(v, (len(v) + 1) // 2),
    "riffle": lambda v, _a, _b: _riffled(v),
    "mirror": lambda v, _a, _b: v + v[::-1],
    "drop": lambda v, a, _b: _cut(v, a),
    "vowrot": lambda v, _a, _b: _mapped(v, _VOWELS, "eioua"),
    "take": lambda v, a, _b: v[:a],
    "half": lambda v, _a, _b: v[: (len(v) + 1) // 2],
    "replace_": lambda v, a, b: v.replace(_letter(a), _letter(b)),
    "remove_": lambda v, a, _b: v.replace(_letter(a), ""),
    "insert_": lambda v, a, b: v[:b] + _letter(a) + v[b:],
    "toggle_": lambda v, a, _b: _toggled(v, _letter(a)),
    "length": lambda v, _a, _b: len(v),
    "vowels": lambda v, _a, _b: sum(v.count(x) for x in _VOWELS),
    "distinct": lambda v, _a, _b: len(set(v)),
    "alphasum": lambda v, _a, _b: sum(1 + ascii_lowercase.index(x) for x in v),
    "index_": lambda v, a, _b: v.find(_letter(a)) + 1,
    "codes": lambda v, _a, _b: [1 + ascii_lowercase.index(x) for x in v],
    "letters": lambda v, _a, _b: "".join(map(_letter, v)),
    "lrev": lambda v, _a, _b: v[::-1],
    "lsort": lambda v, _a, _b: sorted(v),
    "lsortdesc": lambda v, _a, _b: sorted(v, reverse=True),
    "ladd": lambda v, a, _b: [x + a for x in v],
    "lmul": lambda v, a, _b: [x * a for x in v],
    "lmod": lambda v, a, _b: [x % a for x in v],
    "prefix": lambda v, _a, _b: list(accumulate(v)),
    "diffs": lambda v, _a, _b: [y - x for x, y in pairwise(v)],
    "unique": lambda v, _a, _b: _first_of_each(v),
    "keepeven": lambda v, _a, _b: [x for x in v if x % 2 == 0],
    "keepgt": lambda v, a, _b: [x for x in v if x > a],
    "lrot": lambda v, a, _b: _turned(v, a),
    "ltake": lambda v, a, _b: v[:a],
    "ldrop": lambda v, a, _b: _cut(v, a),
    "pairsums": lambda v, _a, _b: [sum(v[k : k + 2]) for k in range(0, len(v), 2)],
    "sum": lambda v, _a, _b: sum(v),
    "max": lambda v, _a, _b: max(v),
    "min": lambda v, _a, _b: min(v),
    "count": lambda v, _a, _b: len(v),
    "range": lambda v, _a, _b: max(v) - min(v),
    "median": lambda v, _a, _b: sorted(v)[(len(v) - 1) // 2],
    "argmax": lambda v, _a, _b: v.index(max(v)) + 1,
    "add": lambda v, a, _b: v + a,
    "mul": lambda v, a, _b: v * a,
    "mod": lambda v, a, _b: v % a,
    "digitsum": lambda v, _a, _b: _of_digits(v, lambda t: sum(map(int, t))),
    "revdigits": lambda v, _a, _b: _of_digits(v, lambda t: int(t[::-1])),
    "collatz": lambda v, _a, _b: 3 * v + 1 if v % 2 else v // 2,
    "sqmod": lambda v, a, _b: v**2 % a,
    "gcd": lambda v, a, _b: gcd(v, a),
    "digits": lambda v, _a, _b: _of_digits(v, lambda t: [int(x) for x in t]),
    "divisors": lambda v, _a, _b: _divisors(v),
    "primes": lambda v, _a, _b: _primes(v),
    "acronym": lambda v, _a, _b: "".join(x[0] for x in v),
    "lasts": lambda v, _a, _b: "".join(x[-1] for x in v),
    "wrev": lambda v, _a, _b: v[::-1],
    "wsort": lambda v, _a, _b: tuple(sorted(v)),
    "wdedup": lambda v, _a, _b: tuple(_first_of_each(v)),
    "wlonger": lambda v, a, _b: tuple(x for x in v if len(x) > a),
}
"""What each row does, by the beginning of its notation."""
