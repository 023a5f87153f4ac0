"""The keys that steer a split: every fault at its line and path, and what a fingerprint holds."""

from pathlib import Path
from typing import get_args

import pytest

from synthgen.core.errors import RecipeError
from synthgen.engine.plan.plan import make_plan
from synthgen.recipe.fields import StructureKind
from synthgen.recipe.fingerprint import canonical, fingerprint
from synthgen.recipe.loader import load_recipe, read_recipe
from synthgen.recipe.overrides import Overrides
from synthgen.recipe.schema import Recipe
from synthgen.trees.named_structures import KINDS

HEAD = """name = "steered"
[[source]]
generator = "hint"
params = { max_operators = 4 }
[[axis]]
name = "often"
structures = "placed"
of = ["+@1"]
[[split]]
name = "train"
rows = 300
"""
LINE = HEAD.count("\n") + 1
USED = {
    "shares": '{ law = "zipf" }\nbalance = ["n_op"]',
    "cover": '[{ structures = "edges", times = 2 }, { axes = ["n_op"], of = [[2], [3]] }]',
    "diverse": "{}",
    "order": '{ by = "rising" }',
}


def faults_of(tmp_path: Path, keys: str, *sets: str) -> list[tuple[int | None, str, str]]:
    path = tmp_path / "bad.toml"
    path.write_text(HEAD + keys + "\n")
    try:
        make_plan(read_recipe(path, Overrides(sets)))
    except RecipeError as error:
        return [(fault.line, fault.path, fault.message) for fault in error.faults]
    return []


WRONG = [
    ("shares = 3", "shares", "expected a table"),
    ('shares = { law = "zipf" }', "shares", "requires balance"),
    ("shares = { law = 'zip' }", "shares.law", "law='zip': expected one of equal, zipf"),
    ("shares = { lwa = 'zipf' }", "shares.lwa", "did you mean 'law'"),
    ("shares = { exponent = 2 }", "shares.exponent", "requires law = 'zipf'"),
    ("shares = { law = 'geometric', exponent = 2 }", "shares.exponent", "law = 'zipf'"),
    ("shares = { law = 'zipf', exponent = 41 }", "shares.exponent", "a number from 0 to 40"),
    ("shares = { law = 'zipf', exponent = true }", "shares.exponent", "exponent=true"),
    ("shares = { law = 'geometric', ratio = 0 }", "shares.ratio", "above 0, to 1"),
    ("shares = { temperature = nan }", "shares.temperature", "from 0.02 to 1000"),
    ("shares = { temperature = 0.001 }", "shares.temperature", "from 0.02 to 1000"),
    ("shares = { law = 'zipf', of = [[2, 1]] }", "shares.law", "cannot be combined with of"),
    ("shares = { of = [[2, nan]] }", "shares.of", "does not end in a weight of 0 or more"),
    ("shares = { of = [[2, inf]] }", "shares.of", "does not end in a weight of 0 or more"),
    ("shares = { of = [[2, -1]] }", "shares.of", "does not end in a weight of 0 or more"),
    ("shares = { of = [[2, true]] }", "shares.of", "does not end in a weight of 0 or more"),
    ("shares = { of = [[true, 1]] }", "shares.of", "no values, or one that an axis cannot have"),
    ("shares = { of = [[[2], 1]] }", "shares.of", "no values, or one that an axis cannot have"),
    ("shares = { of = [[1]] }", "shares.of", "no value"),
    ("shares = { of = [[]] }", "shares.of", "no value"),
    ("shares = { of = 5 }", "shares.of", "expected a list of lists"),
    ("shares = { of = [[2, 1], [2, 3]] }", "shares.of", "is repeated"),
    ("shares = { of = [[2, 0]] }\nbalance = ['n_op']", "shares.of", "a weight above 0"),
    ("shares = { of = [[9, 1]] }\nbalance = ['n_op']", "shares.of.0", "integer from 0 to 4"),
    (
        "shares = { of = [[2, 3, 1]] }\nbalance = ['n_op']",
        "shares.of.0",
        "a value of each axis: n_op",
    ),
    ("shares = { of = [['hin', 1]] }\nbalance = ['source']", "shares.of.0", "did you mean 'hint'"),
    ("margins = [{ axes = ['n_op'] }]", "margins", "unknown table 'margins'"),
    ("cover = [{}]", "cover.0", "either axes or structures"),
    ("cover = [{ axes = ['n_op'], structures = 'edges' }]", "cover.0", "either axes or structures"),
    ("cover = [{ structures = 'edge' }]", "cover.0.structures", "expected one of symbols, placed"),
    ("cover = [{ structures = 'edges', strength = 2 }]", "cover.0.strength", "requires axes"),
    ("cover = [{ axes = ['n_op'], symbols = ['+'] }]", "cover.0.symbols", "requires structures"),
    ("cover = [{ axes = ['n_op'], strength = 2 }]", "cover.0.strength", "at most the 1 axes"),
    ("cover = [{ axes = ['n_op'], strength = 9 }]", "cover.0.strength", "from 1 to 6"),
    ("cover = [{ axes = ['n_pp'] }]", "cover.0.axes.0", "did you mean 'n_op'"),
    ("cover = [{ axes = ['often'] }]", "cover.0.axes.0", "no known range"),
    ("cover = [{ axes = ['n_op', 'n_op'] }]", "cover.0.axes", "is repeated"),
    ("cover = [{ axes = ['n_op'], times = 0 }]", "cover.0.times", "times=0"),
    ("cover = [{ axes = ['n_op'], times = 2.5 }]", "cover.0.times", "times=2.5"),
    ("cover = [{ axes = ['n_op'], times = 301 }]", "cover.0.times", "at most the 300 rows"),
    ("cover = [{ structures = 'edges', times = 999 }]", "cover.0.times", "at most the 300 rows"),
    (
        "cover = [{ axes = ['n_op'], of = [[2], [3]], times = 151 }]",
        "cover.0.times",
        "tuples need 302",
    ),
    ("cover = [{ axes = ['n_op'], of = ['2'] }]", "cover.0.of.0", "a list of values of the axes"),
    ("cover = [{ axes = ['n_op'], of = [[2, 3]] }]", "cover.0.of.0", "a value of each axis: n_op"),
    ("cover = [{ axes = ['n_op'], of = [[99]] }]", "cover.0.of.0", "n_op=99"),
    ("cover = [{ axes = ['n_op'], of = [2] }]", "cover.0.of", "a list of different structures"),
    ("cover = [{ axes = ['n_op'], of = [[2], [2]] }]", "cover.0.of", "is repeated"),
    (
        "cover = [{ axes = ['n_op', 'depth'], strength = 1, of = [[1, 1]] }]",
        "cover.0.of",
        "requires strength = 2",
    ),
    ("cover = [{ axes = ['result', 'length', 'n_op'] }]", "cover.0.axes", "at most 65,536 cells"),
    ("cover = [{ structures = 'edges', of = ['+>%'] }]", "cover.0.of.0", "unknown symbol '%'"),
    ("cover = [{ structures = 'edges', of = ['+@2'] }]", "cover.0.of.0", "such as add>mul"),
    ("cover = [{ structures = 'edges', of = [['+']] }]", "cover.0.of.0", "the text of a structure"),
    ("cover = [{ structures = 'edges', of = ['1>+'] }]", "cover.0.of.0", "symbols of one source"),
    ("cover = [{ structures = 'edges', symbols = ['%'] }]", "cover.0.symbols.0", "unknown symbol"),
    ("diverse = { structures = 'all' }", "diverse.structures", "expected one of symbols"),
    ("diverse = { pool = 0 }", "diverse.pool", "pool=0"),
    ("diverse = { weigh = 'often' }", "diverse.weigh", "expected one of equal, frequency"),
    ("order = {}", "order.by", "missing key 'by'"),
    ("order = { by = 'random' }", "order.by", "expected one of rising"),
    ("order = { by = 'rising', axis = 'dpeth' }", "order.axis", "did you mean 'depth'"),
    ("order = { by = 'rising', of = [[2, 1]] }", "order.of", "requires by = 'turns'"),
    ("order = { by = 'turns', first = 0.5 }", "order.first", "requires by = 'novelty'"),
    ("order = { by = 'novelty', end = 1.5 }", "order.end", "above 0, to 1"),
    ("order = { by = 'turns', axis = 'n_op', of = [[2, 0]] }", "order.of", "weights above 0"),
    ("order = { by = 'turns', axis = 'n_op', of = [[2, 1e12]] }", "order.of", "below 2^31 in sum"),
    ("order = { by = 'turns', axis = 'n_op', of = [[8, 1]] }", "order.of.0", "n_op=8"),
    ("order = { by = 'turns', axis = 'often', of = [[8, 1]] }", "order.of", "no known range"),
    ("order = { by = 'turns', of = [['x', 1]] }", "order.of.0", "single integer, a difficulty"),
]


@pytest.mark.parametrize(("keys", "path", "text"), WRONG, ids=lambda value: str(value)[:40])
def test_a_fault_has_line_path_and_what_was_expected(
    keys: str, path: str, text: str, tmp_path: Path
) -> None:
    found = faults_of(tmp_path, keys)
    match = [
        line for line, where, message in found if where == f"split.train.{path}" and text in message
    ]
    assert match == [LINE], found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("shares", "parts"),
        ("shares", "members"),
        ("cover", "diverse"),
        ("cover", "cap"),
        ("cover", "parts"),
        ("diverse", "balance"),
        ("order", "variant"),
    ],
)
def test_what_excludes_each_other(one: str, other: str, tmp_path: Path) -> None:
    others = USED | {
        "balance": '["n_op"]',
        "cap": '{ axis = "result", share = 0.5 }',
        "seen_in": '"test"',
        "parts": '[{ rows = 300, where = "n_op = 1" }]',
        "members": '"list.txt"',
        "variant": '{ of = "test", source = "hint" }',
    }
    found = faults_of(tmp_path, f"{other} = {others[other]}\n{one} = {USED[one]}")
    message = f"{other}: cannot be combined with {one} in a split"
    assert (LINE, f"split.train.{other}", message) in found, found


@pytest.mark.parametrize("key", ["shares", "cover", "diverse", "order"])
def test_splits_that_are_divided_are_not_steered(key: str, tmp_path: Path) -> None:
    more = '[[split]]\nname = "test"\nrows = 5\n[divergence]\ntrain = ["train"]\ntest = ["test"]\n'
    found = faults_of(tmp_path, f"{key} = {USED[key]}\n{more}")
    assert any(f"train='train': expected a split without {key}" in text for _, _, text in found)


def test_hostile_sizes_end_at_once(tmp_path: Path) -> None:
    names = ", ".join(f"'a{n}'" for n in range(300))
    found = faults_of(tmp_path, f"cover = [{{ axes = [{names}], strength = 6 }}]")
    assert len(found) == 300
    cells = ", ".join(f"[{n}, 1]" for n in range(20_000))
    found = faults_of(tmp_path, f"balance = ['n_op']\nshares = {{ of = [{cells}] }}")
    assert len(found) == 20_000 - 5
    deep = "[" * 60 + "]" * 60
    assert faults_of(tmp_path, f"shares = {{ of = {deep} }}")
    huge = f"cover = [{{ structures = 'edges', times = {'9' * 400} }}]"
    assert any("cover.0.times" in where for _, where, _ in faults_of(tmp_path, huge))


@pytest.mark.parametrize("key", USED)
def test_the_keys_are_part_of_the_fingerprint_where_they_are_used(key: str, tmp_path: Path) -> None:
    path = tmp_path / "good.toml"
    path.write_text(f"{HEAD}{key} = {USED[key]}\n")
    table = canonical(load_recipe(path).recipe)
    assert key in table["split"][0]
    others = USED.keys() - {key}
    assert not others & table["split"][0].keys()
    again = Recipe.model_validate(table)
    assert fingerprint(canonical(again)) == fingerprint(table)
    path.write_text(HEAD + ('balance = ["n_op"]\n' if key == "shares" else ""))
    plain = canonical(load_recipe(path).recipe)
    assert not USED.keys() & plain["split"][0].keys()
    assert fingerprint(plain) != fingerprint(table)


@pytest.mark.parametrize(
    ("change", "ok"),
    [
        ("split.train.shares.exponent=2", True),
        ("split.train.shares={of=[[2, 3], [4, 1]]}", True),
        ("split.train.shares.exponent=99", False),
        ("split.train.shares={of=[[2, 'x']]}", False),
    ],
)
def test_the_command_line_sets_them(change: str, ok: bool, tmp_path: Path) -> None:
    found = faults_of(tmp_path, f"shares = {USED['shares']}", change)
    assert (found == []) is ok, found
    assert all("--set" in text for _, _, text in found)


def test_kinds_of_structures_are_those_that_have_names() -> None:
    assert get_args(StructureKind) == KINDS
