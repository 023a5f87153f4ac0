"""Bundled recipes: examples of every split, the cuts of OMEGA, and requests that are refused."""

from collections import Counter
from pathlib import Path

import pytest

from synthgen.contract.registry import generator_class, generator_names, generator_topic
from synthgen.core.errors import RecipeError
from synthgen.engine.preview import preview
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.bundled import bundled_names, find_recipe
from synthgen.recipe.loader import load_recipe
from tests.building import (
    build_bundled,
    build_small,
    failed_checks,
    plan_of,
    rows_of,
    synthgen,
    write_recipe,
)

BUILT = ("cogs", "everything", "markov", "omega-chain", "skill-chain", "skill-mix")
"""Beginnings of the names of recipes whose splits other tests build."""
OTHERS = [name for name in bundled_names() if name not in ("hint", "hint-paper")]


@pytest.mark.parametrize("name", bundled_names())
def test_it_is_named_as_its_file(name: str) -> None:
    assert load_recipe(find_recipe(name)).recipe.name == name


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in OTHERS if not name.startswith(BUILT)])
def test_three_examples_of_each_split(name: str) -> None:
    plan = plan_of(find_recipe(name))
    with LocalEngine(1) as engine:
        shown = preview(plan, engine, 3, None)
    assert set(shown) == {split.name for split in plan.splits}
    for split, rows in shown.items():
        assert len(rows) == 3, split
        for row in rows:
            assert row["prompt"].strip()
            assert row["answer"].strip()
            assert row["derivation"]


FEW = ("arithmetic_gcd", "countdown", "grokking", "multihop_paths", "scan", "word_letters")
MAX_ABSENT = 5
"""Topics without exact answers, and new ones that are not in the recipe yet."""


def test_everything_has_families_of_nearly_all_topics_with_levels_equally_often(
    tmp_path: Path,
) -> None:
    text = find_recipe("everything").read_text(encoding="utf-8")
    sources = load_recipe(find_recipe("everything")).recipe.source
    tasks = {source.generator for source in sources}
    assert len(tasks) >= 60
    topics = {generator_topic(name) for name in generator_names()}
    assert len(topics - {generator_topic(name) for name in tasks}) <= MAX_ABSENT
    for source in sources:
        assert "level" in generator_class(source.generator)(**source.params).axes
    lines = [
        line
        for line in text.splitlines()
        if "{ " not in line or any(f'"{name}"' in line for name in FEW)
    ]
    found = build_small(tmp_path, text="\n".join(lines), rows=550)
    cells = Counter((row["task"], row["level"]) for row in rows_of(found.folder, "train"))
    assert {task for task, _ in cells} == {*FEW}
    usual = max(cells.values())
    short = {cell for cell, rows in cells.items() if rows < usual - 1}
    assert short <= {("grokking", 0), ("grokking", 1), ("scan", 1)}  # few problems
    assert failed_checks(found.folder) == {}


DOMAINS = ("algebra_", "arithmetic_", "combinatory_", "numbertheory_", "geometry_", "logic_")
FAMILIES = {name for name in generator_names() if name.startswith(DOMAINS)}
PUBLISHED_LEVELS = 5


def test_there_are_forty_families_with_more_levels_than_were_published() -> None:
    assert len(FAMILIES) == 40
    levels = {name: generator_class(name).n_levels for name in FAMILIES}  # type: ignore[attr-defined]
    assert min(levels.values()) > PUBLISHED_LEVELS
    steps = [name for name in FAMILIES if "steps" in generator_class(name).solutions]
    assert len(steps) >= 25


@pytest.mark.parametrize("recipe", ["omega", "omega-exploratory"])
def test_a_recipe_of_all_families_has_all_of_them(recipe: str) -> None:
    plan = plan_of(find_recipe(recipe))
    assert {source.name for source in plan.sources} == FAMILIES
    for source in plan.sources:
        levels = source.generator.axes["level"]
        most = 3 if recipe == "omega-exploratory" else generator_class(source.task).n_levels  # type: ignore[attr-defined]
        assert (levels.low, levels.high) == (1, most)


@pytest.mark.slow
def test_chains_lack_in_training_the_pairs_that_they_are_tested_on(tmp_path: Path) -> None:
    quick = [f"split.{name}.balance=[]" for name in ("train", "test_in", "test_pairs")]
    rows = build_bundled("omega-chain", tmp_path / "out", *quick, rows=120)
    pairs = {
        split: {(row["link_1"], row["link_2"]) for row in rows[split]}
        for split in ("train", "test_in", "test_pairs")
    }
    held = {*plan_of(find_recipe("omega-chain")).recipe.axis[0].cells.of}  # type: ignore[union-attr]
    assert len(held) == 33
    assert pairs["test_pairs"] <= held
    assert len(pairs["test_pairs"]) > 2
    assert not (pairs["train"] | pairs["test_in"]) & held
    assert rows["test_longer"]
    for row in rows["test_longer"]:
        assert not {(row["link_1"], row["link_2"]), (row["link_2"], row["link_3"])} & held


def test_published_row_counts() -> None:
    plan = plan_of(find_recipe("omega-published"))
    assert {source.task for source in plan.sources} == FAMILIES
    rows = {}
    for split in plan.recipe.split:
        weights = split.shares.of if split.shares else ()
        each = split.rows / (sum(weight for _, weight in weights) or 41)
        rows[split.name] = Counter(weight * each for _, weight in weights)
    train = plan.recipe.split[0]
    assert (train.rows, train.balance) == (41 * 1000, ("source",))
    assert (rows["test_in"], rows["test_out"]) == ({200: 39, 100: 2}, {100: 39, 50: 2})


SMALL = """
name = "restated"
seed = 7
[[source]]
generator = "arithmetic_gcd"
params = { levels = [1, 2, 3] }
"""
SPLITS = """
[[split]]
name = "train"
rows = ROWS_1000
where = "level <= 2"
balance = ["source"]
[[split]]
name = "test_in"
rows = ROWS_200
where = "level <= 2"
balance = ["source"]
[[split]]
name = "test_out"
rows = ROWS_100
where = "level = 3"
balance = ["source"]
"""


def test_small_families_restate_their_problems_in_one_split_each(tmp_path: Path) -> None:
    """The sources of omega-exploratory with `repeats`, and one without, have its row counts."""
    text = SMALL
    plan = plan_of(find_recipe("omega-exploratory"))
    every = [source for source in plan.sources if source.generator.restates]
    assert len(every) == 10
    sources = sorted(every, key=lambda one: one.generator.space or 0)[:5]
    for source in sources:
        repeats = source.generator.repeats  # type: ignore[attr-defined]
        params = f"{{ levels = [1, 2, 3], repeats = {repeats} }}"
        text += f'[[source]]\ngenerator = "{source.name}"\nparams = {params}\n'
    counts = {"train": 1000, "test_in": 200, "test_out": 100}
    text += SPLITS
    for rows in counts.values():
        text = text.replace(f"ROWS_{rows}\n", f"{rows * (1 + len(sources))}\n")
    found = build_small(tmp_path, text=text)
    for split, rows in counts.items():
        made = rows_of(found.folder, split)
        of_source = Counter(row["source"] for row in made)
        short = {name for name, count in of_source.items() if count < rows}
        assert short <= {"numbertheory_qr_sum"}  # which has nothing to vary but its wording
        assert len(of_source) == 6
        assert min(of_source.values()) > 0.9 * rows
        assert len({row["prompt"] for row in made}) == len(made)
        problems = len({row["id"] for row in made})
        (record,) = [record for record in found.manifest.splits if record.name == split]
        assert record.repeats == len(made) - problems > 0
        assert f"{record.repeats:,} in `{split}`" in (found.folder / "README.md").read_text()
    assert failed_checks(found.folder) == {}


def test_repeats_where_problems_are_counted_are_refused(tmp_path: Path) -> None:
    text = SMALL.replace("[1, 2, 3]", "[1, 2, 3], repeats = 2")
    text = text.replace("arithmetic_gcd", "combinatory_distribution")
    parts = 'rows = 5\nparts = [{ where = "level = 1", rows = 5 }]'
    path = write_recipe(tmp_path, f'{text}[[split]]\nname = "train"\n{parts}\n')
    with pytest.raises(RecipeError, match="repeats problems: cannot be combined with parts"):
        plan_of(path)


@pytest.mark.parametrize("dedup", ["canonical", "prompt"])
def test_a_short_split_takes_no_statement_of_a_problem_of_another(
    tmp_path: Path, dedup: str
) -> None:
    text = SMALL.replace("[1, 2, 3]", "[1, 2], repeats = 20")
    text = text.replace("arithmetic_gcd", "combinatory_distribution")
    for split, rows in (("train", 430), ("test", 60)):
        text += f'[[split]]\nname = "{split}"\nrows = {rows}\n'
    text += f'[dedup]\non = "{dedup}"\n[limits]\nshortfall = "allow"\n'
    found = build_small(tmp_path, text=text)
    assert found.manifest.totals.rows < 490
    assert failed_checks(found.folder) == {}


SEMANTIC, OCCURRENCES = "rewrite-semantic", "rewrite-occurrences"
TRAIN = "source.train.params"
SHORT = (f"{TRAIN}.min_lhs=2", f"{TRAIN}.max_lhs=2", f"{TRAIN}.min_rhs=2", f"{TRAIN}.max_rhs=2")
REFUSED: list[tuple[str, list[str], str]] = [
    (SEMANTIC, [f'{TRAIN}.classes=["repeated 60"]'], "at most 13: the pool has 13 rules"),
    (SEMANTIC, [f'{TRAIN}.classes=["mirrored 30"]'], "at most 325: the pool has 325 rules"),
    (SEMANTIC, [f'{TRAIN}.classes=["periodic 60"]'], "at most 0: the pool has 0 rules"),
    (SEMANTIC, [f'{TRAIN}.classes=["repeated 7"]'], "a k that divides lengths"),
    ("rewrite", [*SHORT, f"{TRAIN}.rules=339"], "at most 338: the pool has 338 rules"),
    (
        "rewrite",
        [*SHORT, f"{TRAIN}.rules=338", f"{TRAIN}.first_rule=100"],
        "at most 238: the pool has 338 rules, and first_rule=100",
    ),
    (
        "rewrite",
        [*SHORT, f"{TRAIN}.alphabet=ab", f"{TRAIN}.strict=false", f"{TRAIN}.rules=13"],
        "at most 12: the pool has 12 rules",
    ),
    ("rewrite", [f"{TRAIN}.rules=10000000000"], "rules=10000000000: expected an integer from 1 to"),
    ("rewrite", [f"{TRAIN}.occurrences=[3]"], "from 1 to 2, as many as fit"),
    (OCCURRENCES, [f"{TRAIN}.occurrences=[26]"], "from 1 to 25, as many as fit"),
    ("rewrite", [f"{TRAIN}.min_lhs=60", f"{TRAIN}.max_lhs=60"], "an integer from 1 to 50"),
    (
        "rewrite-diversity",
        [f"{TRAIN}.rows=1000", f"{TRAIN}.min_per_rule=2"],
        "min_per_rule=2: expected an integer from 0 to 1",
    ),
    (
        "block-synthesis",
        ["source.all.params.max_blocks=110"],
        "max_blocks=110: expected at most 102,",
    ),
    ("markov", ["source.short.params.letters=a"], "max_rules=8: expected at most 3,"),
    ("markov", ["source.short.params.strategies=['any_order']"], "as strategies have 'any_order'"),
]


@pytest.mark.parametrize(("recipe", "sets", "possible"), REFUSED)
def test_it_is_refused_before_any_work(
    recipe: str, sets: list[str], possible: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    options = [option for one in sets for option in ("--set", one)]
    ended = synthgen("build", recipe, "--out", str(out), *options)
    assert ended.returncode == RecipeError.exit_code
    assert possible in " ".join(ended.stderr.split())
    assert not out.exists()
