"""Feed mutated recipes, params, files and answers to commands, which must refuse them clearly."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq

from benchmarks.faults.common import SMALL, Commands, Ended, Tally, expect_bounds
from benchmarks.processes import ROOT
from synthgen.core.answers import PARSERS, grade
from synthgen.core.registry import generator_class, generator_names

_SIZES = {"small": (20, 20, 12, 1_000), "full": (500, 500, 300, 200_000)}
"""Recipes, params, files, answers."""
_VALUES: tuple[Any, ...] = (
    *("", "x", "a" * 1_000, "\x00", "n_op > 1", "(" * 500, "[/a]\x1b[31m", "../../x", "/dev/zero"),
    *(-1, 0, 1, 3, 1 << 62, 10**30, 1.5, -0.5, 1e308, math.nan, math.inf, True, False),
    *([], [[]], ["x"], [1, "x"], [1.5], [True], [["a", 1]], [{}], {}, {"a": 1}, {"a": [["b"]]}),
)
_DEEP = 60
_SIGNS = {"integer": "", "rational": "/.", "decimal": "."}
"""Signs of a number of each type beside digits, plus and minus."""
_LETTERS = "0123456789+-/. _e,\x00\n\u00a0\u0661\u2212x"
_Place = tuple[Any, ...]


def fuzz(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # mutations, not secrets
    recipes, params, files, answers = _SIZES[size]
    documents = [
        tomllib.loads(path.read_text("utf-8")) for path in sorted((ROOT / "recipes").glob("*.toml"))
    ]
    with Commands() as commands:

        def validate(text: bytes, what: str) -> None:
            path = folder / "fuzz.toml"
            path.write_bytes(text)
            ended = commands.run("validate", str(path))
            tally.did[what] += 1
            tally.did[f"{what} refused"] += ended.code == 2
            _expect_clear(tally, ended, (0, 2), str(path), text.decode(errors="replace"))

        for _ in range(recipes):
            document = deepcopy(chance.choice(documents))
            for _ in range(chance.choice((1, 1, 1, 3))):
                _mutate(document, chance)
            text = _toml(document).encode()
            validate(_damaged(text, chance) if chance.random() < 1 / 4 else text, "recipes")
        for _ in range(params):
            validate(_toml(_with_odd_param(chance)).encode(), "params")
        _fuzz_files(commands, files, chance, folder, tally)
    _fuzz_answers(answers, chance, tally)
    return tally


def _expect_clear(
    tally: Tally, ended: Ended, codes: tuple[int, ...], place: str, example: str
) -> None:
    """Count a command that misbehaves, or refuses input without naming it."""
    expect_bounds(tally, ended, example)
    tally.expect(ended.code is None or ended.code in codes, "other exit codes", example)
    named = ended.code != 2 or place in ended.err
    tally.expect(named, "input not named", f"{example}\n{ended.err}")


def _places(value: Any, above: _Place = ()) -> Iterator[_Place]:
    """Yield the paths of all values in tables and arrays."""
    if isinstance(value, dict | list):
        items: Iterable[tuple[Any, Any]]
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield (*above, key)
            yield from _places(item, (*above, key))


def _mutate(document: Any, chance: Random) -> None:
    """Change one value of a document: another one, nested, renamed, repeated or gone."""
    places = [*_places(document)]
    if not places:
        return
    *above, key = chance.choice(places)
    table = _at(document, above)
    how = chance.randrange(5)
    if how == 0:
        like = [value for value in _VALUES if type(value) is type(table[key])]
        table[key] = deepcopy(chance.choice(chance.choice((like or _VALUES, _VALUES))))
    elif how == 1:
        for _ in range(chance.choice((1, 2, _DEEP))):
            table[key] = [table[key]] if chance.random() < 1 / 2 else {"a": table[key]}
    elif how == 2:
        value = table.pop(key)
        if isinstance(table, dict):
            table[chance.choice(("", "x", f"{key}s", str(chance.choice(places)[-1])))] = value
    elif how == 3 and isinstance(table, list):
        table.append(deepcopy(table[key]))
    else:
        table[key] = deepcopy(_at(document, chance.choice(places)))


def _at(document: Any, place: Iterable[Any]) -> Any:
    for key in place:
        document = document[key]
    return document


def _with_odd_param(chance: Random) -> dict[str, Any]:
    """Return a recipe that gives one or two params of a family odd values."""
    name = chance.choice(generator_names())
    known = [field.name for field in fields(generator_class(name))]  # type: ignore[arg-type]
    chosen = chance.sample(known, min(len(known), chance.randint(1, 2)))
    params = {each: chance.choice(_VALUES) for each in chosen}
    source = {"generator": name, "params": params}
    return {"name": "odd", "source": [source], "split": [{"name": "train", "rows": 10}]}


def _toml(value: Any) -> str:
    """Write a document as TOML, with everything below its keys inline."""
    return "".join(f"{json.dumps(key)} = {_inline(item)}\n" for key, item in value.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        inside = (f"{json.dumps(key)} = {_inline(item)}" for key, item in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, float):
        return str(value)
    return json.dumps(value) if isinstance(value, bool | int | str) else json.dumps(str(value))


def _damaged(content: bytes, chance: Random) -> bytes:
    """Flip, insert, repeat or cut off bytes."""
    place = chance.randrange(len(content) + 1)
    head, tail = content[:place], content[place:]
    how = chance.randrange(4)
    if how == 0:
        return head + bytes(byte ^ (1 << chance.randrange(8)) for byte in tail[:4]) + tail[4:]
    if how == 1:
        return (
            head
            + chance.choice((chance.randbytes(8), b"\x00" * 9, b'"', b"\n" * 99, b"[" * 5_000))
            + tail
        )
    return head + content[: 1 << chance.randrange(12)] + tail if how == 2 else head


def _fuzz_files(
    commands: Commands, number: int, chance: Random, folder: Path, tally: Tally
) -> None:
    """Give damaged files in every format to the commands that read files of others."""
    built = folder / "built"
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    commands.run("build", str(folder / "small.toml"), "--out", str(built))
    shard = next((built / "data").glob("train-*"))
    rows = pq.read_table(shard, columns=["id", "prompt", "answer"]).to_pylist()
    rows = [{**row, "prediction": row["answer"]} for row in rows]
    lines = [[*rows[0]], *([*row.values()] for row in rows)]
    contents = {
        "parquet": shard.read_bytes(),
        "jsonl": "".join(f"{json.dumps(row)}\n" for row in rows).encode(),
        "tsv": "".join("\t".join(line) + "\n" for line in lines).encode(),
        "csv": "".join(",".join(line) + "\n" for line in lines).encode(),
    }
    for _ in range(number):
        form = chance.choice([*contents])
        path = folder / f"fuzz.{form}"
        path.write_bytes(_damaged(contents[form], chance))
        command = chance.choice(
            [
                ("check", "hint", str(path)),
                ("audit", "--train", str(shard), "--test", str(path)),
                ("compare", str(path), str(built)),
                ("score", str(built), "--predictions", str(path)),
            ]
        )
        ended = commands.run(*command)
        tally.did[f"damaged files through {command[0]}"] += 1
        _expect_clear(tally, ended, (0, 1, 2), str(path), f"{command}: {path.read_bytes()[:500]!r}")


def _fuzz_answers(number: int, chance: Random, tally: Tally) -> None:
    """Grade mutated answers, and compare with another reading of them."""
    for _ in range(number):
        kind = chance.choice(sorted(PARSERS.keys() - _OF_ONE_FAMILY))
        answer = _answer(kind, chance)
        text = answer
        for _ in range(chance.randint(1, 3)):
            place, width = chance.randint(0, len(text)), chance.randint(0, 1)
            more = "".join(chance.choices(_LETTERS, k=chance.randint(0, 2)))
            text = text[:place] + more + text[place + width :]
        right = _means_the_same(text, answer, kind)
        tally.did["mutated answers"] += 1
        tally.did["mutated answers that are right"] += right
        graded = grade(text, answer, kind)
        tally.expect(graded == right, "wrong grades", f"{kind}: {text!r} for {answer!r}: {graded}")


_OF_ONE_FAMILY = {"expression", "literal"}
"""Types whose texts are formulas and values of Python: the tests of their families attack them."""


def _answer(kind: str, chance: Random) -> str:
    number = chance.randint(-(10 ** chance.randint(1, 30)), 10 ** chance.randint(1, 30))
    endings: dict[str, Callable[[], str]] = {
        "integer": str,
        "rational": lambda: f"/{chance.randint(1, 99)}",
        "decimal": lambda: f".{chance.randint(0, 999)}",
    }
    return f"{number}{endings.get(kind, lambda: ' x')()}"


def _means_the_same(text: str, answer: str, kind: str) -> bool:
    """Read both as Python reads numbers; texts must have the same words."""
    if kind not in _SIGNS:
        return text.split() == answer.split()
    known = {*"0123456789+-", *_SIGNS[kind]}
    try:
        return {*text.strip()} <= known and Fraction(text.strip()) == Fraction(answer)
    except (ValueError, ZeroDivisionError):
        return False
