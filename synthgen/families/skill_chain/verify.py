"""Skill chains from the text: the named atoms, applied to the stated value.

The problem is between the last two backticks of a prompt, or the whole prompt if there are none. It
is `LABEL LABEL | VALUE`, `first NAME, then NAME: VALUE` (or `NAME: VALUE`), or `CALL(CALL(VALUE))`.
Any name may be replaced with `func_` and one letter, which a line before the problem defines, or
`func_` and four letters, which identify the atom. A solution has a line for every step, its number
and its value, or dots for a value that is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, zip_longest
from math import gcd
from string import ascii_lowercase
from typing import Any

from synthgen.authoring import PlainVerifier
from synthgen.families.skill_chain.words import ANSWER_TYPES, ATOMS, TYPES, Atom

Value = Any
"""str, list[int], int or tuple[str, ...]."""
Rule = Callable[..., Value | None]
Chain = tuple[tuple[Atom, ...], str]
"""Atoms in the order in which they are applied, and the text of the value."""
_MAX_ITEMS, _MAX_STEPS = 128, 32
_MAX_MADE, _MAX_READ = 10**9, 10**12
"""Largest numbers that a chain may give and start from, of either sign."""
_MAX_DIVIDED = 10_000
_BARE = re.compile(r"([^|:]+) \| (.+)", re.DOTALL)
_STEPS = re.compile(r"([^|:]+): (.+)", re.DOTALL)
_CALLS = re.compile(r"((?:[^()|:]+\()+)([^()]+?)(\)+)", re.DOTALL)
_DEFINED = re.compile(r"^func_([a-z]) (.+)\.$", re.MULTILINE)
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,12}")
_LETTERS = re.compile(f"[a-z]{{1,{_MAX_ITEMS}}}")
_NUMBERS = re.compile(rf"\[(?:{_NUMBER.pattern})(?:, (?:{_NUMBER.pattern}))*\]")
_WORDS = re.compile(r"\[[a-z]{1,13}(?:, [a-z]{1,13})*\]")
_LOCAL, _OPAQUE = re.compile("func_[a-z]"), re.compile("func_[a-z]{4}")
_KIND = {str: "string", list: "list", int: "number", tuple: "words"}
_VOWELS = "aeiou"
_BY_LABEL = {atom.label: atom for atom in ATOMS}
_BY_NAME = {atom.name: atom for atom in ATOMS}
_BY_CALL = {atom.name.replace(" ", "_"): atom for atom in ATOMS}
_BY_DEFINITION = {atom.definition: atom for atom in ATOMS}


def _chain_of(prompt: str) -> Chain | None:
    """Return the chain that a prompt states; None if it is not one, or its types do not fit."""
    parts = prompt.rsplit("`", 2)
    before, problem = (f"{parts[0]}`", parts[1]) if len(parts) == 3 else ("", prompt)
    split = _split(problem)
    if split is None or len(split[1]) > _MAX_STEPS:
        return None
    known, names, written = split
    kind, atoms = _KIND.get(type(_read(written))), []
    for name in names:
        atom = _atom_of(name, known, before)
        if atom is None or TYPES[atom.family.types[0]] != kind:
            return None
        kind = TYPES[atom.family.types[1]]
        atoms.append(atom)
    return tuple(atoms), written


def _split(problem: str) -> tuple[dict[str, Atom], list[str], str] | None:
    """Return atoms by the form of the names, the names in their order, and the value's text."""
    match = _BARE.fullmatch(problem)
    if match:
        return _BY_LABEL, match[1].split(" "), match[2]
    match = _STEPS.fullmatch(problem)
    if match:
        names = match[1].removeprefix("first ").split(", then ")
        if match[1].startswith("first ") != (len(names) > 1):
            return None
        return _BY_NAME, names, match[2]
    match = _CALLS.fullmatch(problem)
    if match and match[1].count("(") == len(match[3]):
        return _BY_CALL, match[1].removesuffix("(").split("(")[::-1], match[2]
    return None


def _atom_of(name: str, known: dict[str, Atom], before: str) -> Atom | None:
    if _LOCAL.fullmatch(name):
        return _defined_atoms(before).get(name[-1])
    if _OPAQUE.fullmatch(name):
        return _opaque_atom(name[-4:])
    return known.get(name)


@lru_cache(maxsize=1)
def _defined_atoms(before: str) -> dict[str, Atom]:
    """Return the atom of each letter's function; none at all if a line defines no known atom."""
    lines = sum(line.startswith("func_") for line in before.split("\n"))
    pairs = _DEFINED.findall(before)
    atoms = {x: _BY_DEFINITION[text] for x, text in pairs if text in _BY_DEFINITION}
    return atoms if len(atoms) == len(pairs) == lines else {}


@lru_cache(maxsize=16)
def _opaque(key: int) -> dict[int, Atom]:
    """Return the atom of every number of a table, by scrambling the places of all atoms."""
    atoms = {}
    for atom in ATOMS:
        place = (atom.index * (8 * key + 1109) + 37 * key + 5) % 2048
        place ^= place // 64
        place = (place * (4 * key + 1621) + 91 * key + 3) % 2048
        atoms[place ^ place // 32] = atom
    return atoms


def _opaque_atom(letters: str) -> Atom | None:
    number = sum(26**k * ascii_lowercase.index(x) for k, x in enumerate(reversed(letters)))
    key, place = divmod(number, 2048)
    return _opaque(key).get(place) if key < 223 else None


def _read(text: str) -> Value | None:
    """Return the value that a text represents, or None."""
    if _NUMBER.fullmatch(text):
        return int(text) if abs(int(text)) <= _MAX_READ else None
    if _LETTERS.fullmatch(text):
        return text
    items = text[1:-1].split(", ")
    if len(items) > _MAX_ITEMS:
        return None
    if _NUMBERS.fullmatch(text):
        numbers = [int(item) for item in items]
        return numbers if max(map(abs, numbers)) <= _MAX_READ else None
    return tuple(items) if _WORDS.fullmatch(text) else None


def _written(value: Value) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def _is_in_bounds(value: Value | None) -> bool:
    """Return whether a value is defined, not empty, and within the bounds."""
    if value is None:
        return False
    if isinstance(value, int):
        return abs(value) <= _MAX_MADE
    if not 0 < len(value) <= _MAX_ITEMS:
        return False
    return not isinstance(value, list) or max(map(abs, value)) <= _MAX_MADE


def _letter(code: int) -> str:
    return ascii_lowercase[(code - 1) % 26]


def _position(letter: str) -> int:
    return 1 + ascii_lowercase.index(letter)


def _mapped(text: str, source: str, target: str) -> str:
    return text.translate(str.maketrans(source, target))


def _first_of_each(items: Any) -> list[Any]:
    return list(dict.fromkeys(items))


def _riffled(text: str) -> str:
    middle = (len(text) + 1) // 2
    return "".join(a + b for a, b in zip_longest(text[:middle], text[middle:], fillvalue=""))


def _rotated(items: Any, n: int) -> Any:
    return items[n % len(items) :] + items[: n % len(items)]


def _toggled(text: str, x: str) -> str:
    return text.replace(x, "") if x in text else text + x


def _divisors(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0] if n <= _MAX_DIVIDED else []


def _primes(n: int) -> list[int]:
    if not 2 <= n <= _MAX_DIVIDED:
        return []
    smallest = next(d for d in range(2, n + 1) if n % d == 0)
    return [smallest, *_primes(n // smallest)]


def _of_digits(make: Callable[[str], Value]) -> Rule:
    """Return a rule of the digits of a number, undefined below 0."""
    return lambda n: make(str(n)) if n >= 0 else None


_ON_STRINGS: dict[str, Rule] = {
    "rev": lambda v: v[::-1],
    "rotl": _rotated,
    "rotr": lambda v, n: _rotated(v, -n),
    "caesar": lambda v, n: _mapped(v, ascii_lowercase, _rotated(ascii_lowercase, n)),
    "atbash": lambda v: _mapped(v, ascii_lowercase, ascii_lowercase[::-1]),
    "sort": lambda v: "".join(sorted(v)),
    "dedup": lambda v: "".join(_first_of_each(v)),
    "rmvow": lambda v: re.sub("[aeiou]", "", v),
    "dbl": lambda v: re.sub("(.)", r"\1\1", v),
    "evens": lambda v: v[::2],
    "odds": lambda v: v[1::2],
    "swap": lambda v: re.sub("(.)(.)", r"\2\1", v),
    "halves": lambda v: _rotated(v, (len(v) + 1) // 2),
    "riffle": _riffled,
    "mirror": lambda v: v + v[::-1],
    "drop": lambda v, n: v[n:],
    "vowrot": lambda v: _mapped(v, _VOWELS, "eioua"),
    "take": lambda v, n: v[:n],
    "half": lambda v: v[: (len(v) + 1) // 2],
    "replace_": lambda v, x, y: v.replace(_letter(x), _letter(y)),
    "remove_": lambda v, x: v.replace(_letter(x), ""),
    "insert_": lambda v, x, n: v[:n] + _letter(x) + v[n:],
    "toggle_": lambda v, x: _toggled(v, _letter(x)),
    "length": len,
    "vowels": lambda v: sum(v.count(x) for x in _VOWELS),
    "distinct": lambda v: len(set(v)),
    "alphasum": lambda v: sum(map(_position, v)),
    "index_": lambda v, x: v.find(_letter(x)) + 1,
    "codes": lambda v: [_position(x) for x in v],
}
_ON_LISTS: dict[str, Rule] = {
    "letters": lambda v: "".join(map(_letter, v)),
    "lrev": lambda v: v[::-1],
    "lsort": sorted,
    "lsortdesc": lambda v: sorted(v, reverse=True),
    "ladd": lambda v, n: [x + n for x in v],
    "lmul": lambda v, n: [x * n for x in v],
    "lmod": lambda v, n: [x % n for x in v],
    "prefix": lambda v: list(accumulate(v)),
    "diffs": lambda v: [y - x for x, y in pairwise(v)],
    "unique": _first_of_each,
    "keepeven": lambda v: [x for x in v if x % 2 == 0],
    "keepgt": lambda v, n: [x for x in v if x > n],
    "lrot": _rotated,
    "ltake": lambda v, n: v[:n],
    "ldrop": lambda v, n: v[n:],
    "pairsums": lambda v: [sum(v[k : k + 2]) for k in range(0, len(v), 2)],
    "sum": sum,
    "max": max,
    "min": min,
    "count": len,
    "range": lambda v: max(v) - min(v),
    "median": lambda v: sorted(v)[(len(v) - 1) // 2],
    "argmax": lambda v: v.index(max(v)) + 1,
}
_RULES: dict[str, Rule] = {
    **_ON_STRINGS,
    **_ON_LISTS,
    "add": lambda v, n: v + n,
    "mul": lambda v, n: v * n,
    "mod": lambda v, n: v % n,
    "digitsum": _of_digits(lambda text: sum(map(int, text))),
    "revdigits": _of_digits(lambda text: int(text[::-1])),
    "collatz": lambda v: 3 * v + 1 if v % 2 else v // 2,
    "sqmod": lambda v, n: v**2 % n,
    "gcd": gcd,
    "digits": _of_digits(lambda text: [int(x) for x in text]),
    "divisors": _divisors,
    "primes": _primes,
    "acronym": lambda v: "".join(x[0] for x in v),
    "lasts": lambda v: "".join(x[-1] for x in v),
    "wrev": lambda v: v[::-1],
    "wsort": lambda v: tuple(sorted(v)),
    "wdedup": lambda v: tuple(_first_of_each(v)),
    "wlonger": lambda v, n: tuple(x for x in v if len(x) > n),
}
"""Rule of each family, by its label."""


@lru_cache(maxsize=1)
def _worked(chain: Chain) -> list[str]:
    """Return the value after each atom as text; none if one is undefined."""
    atoms, written = chain
    value, texts = _read(written), []
    for atom in atoms:
        value = _RULES[atom.family.label](value, *atom.argument)
        if not _is_in_bounds(value):
            return []
        texts.append(_written(value))
    return texts


def _solve(chain: Chain) -> str | None:
    texts = _worked(chain)
    return texts[-1] if texts else None


def _follows(chain: Chain, _: str, lines: Sequence[str]) -> bool:
    """Return whether there is a line for each value; all but the last may be dots."""
    texts = _worked(chain)
    return len(lines) == len(texts) and all(
        line == f"{step}: {text}" or (line == f"{step}: ..." and step < len(texts))
        for step, (line, text) in enumerate(zip(lines, texts, strict=True), 1)
    )


def _type_of(chain: Chain) -> str:
    return ANSWER_TYPES[chain[0][-1].family.types[1]]


VERIFIERS = {"skill_chain": PlainVerifier(_chain_of, _solve, _type_of, _follows, remembered=0)}
