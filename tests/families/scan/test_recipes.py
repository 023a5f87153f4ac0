"""The SCAN recipes: built whole, and compared with the published sets by rules of plain Python."""

from collections import Counter
from pathlib import Path

import pytest

from synthgen.dataset.reader import open_dataset
from synthgen.recipe.bundled import find_recipe
from tests.building import build_plan, plan_of, rows_of, write_recipe
from tests.conformance import original
from tests.families.scan import language

COMMANDS = language.commands()
MEMBERS = """
name = "scan-published"
[[source]]
generator = "scan"
"""


def built(recipe: Path, out: Path, *sets: str, rows: int | None = None) -> dict[str, Counter[str]]:
    """Build a recipe; return how often each prompt is in each split."""
    build_plan(plan_of(recipe, *sets, rows=rows), out)
    dataset = open_dataset(out)
    return {
        split: Counter(
            prompt
            for batch in dataset.batches(split, ["prompt"])
            for prompt in batch.column(0).to_pylist()
        )
        for split in dataset.splits
    }


@pytest.mark.parametrize("name", language.RULES)
def test_sets_that_a_rule_determines_are_the_published_ones(name: str, tmp_path: Path) -> None:
    found = built(find_recipe(name), tmp_path / "out")
    assert list(found) == list(language.RULES[name])
    for (split, rule), rows in zip(language.RULES[name].items(), language.ROWS[name], strict=True):
        published = Counter(filter(rule, COMMANDS))
        command, times = language.REPEATED.get((name, split), ("", 0))
        if times:
            published[command] = times
        assert found[split] == published
        assert found[split].total() == rows


@pytest.mark.parametrize(("train", "test"), [(16_728, 4_182), (209, 20_701)])
def test_simple_is_a_random_partition(train: int, test: int, tmp_path: Path) -> None:
    sizes = (f"split.train.rows={train}", f"split.test.rows={test}")
    found = built(find_recipe("scan-simple"), tmp_path / "out", *sizes)
    assert {name: split.total() for name, split in found.items()} == {"train": train, "test": test}
    assert found["train"] + found["test"] == Counter(COMMANDS)
    share = sum(" and " in command for command in found["test"]) / test
    assert share == pytest.approx(10_404 / 20_910, abs=0.04)


ADDED = {1: (14_671, 734, 7_705), 2: (14_670, 489, 7_704), 32: (14_655, 44, 7_674)}


@pytest.mark.slow
@pytest.mark.parametrize("n", ADDED)
def test_additional_examples_of_jump(n: int, tmp_path: Path) -> None:
    rows, times, rest = ADDED[n]
    sets = (
        f"split.train.rows={rows}",
        f"split.train.parts.1.rows={times}",
        f"split.train.parts.2.rows={n * times}",
        f"split.train.parts.2.distinct={n}",
        f"split.test.rows={rest}",
    )
    found = built(find_recipe("scan-addprim-complex"), tmp_path / "out", *(sets if n > 1 else ()))
    jumps = {command: k for command, k in found["train"].items() if "jump" in command}
    assert len(jumps) == n + 1
    assert "jump" in jumps
    assert set(jumps.values()) == {times}
    others = {command for command in found["train"] if "jump" not in command}
    assert others == {command for command in COMMANDS if "jump" not in command}
    assert found["train"].total() == rows
    assert found["test"].total() == rest
    assert set(found["test"]) | set(jumps) == {c for c in COMMANDS if "jump" in c}


@pytest.mark.parametrize("n", [1, 8, 1_024])
def test_few_shot(n: int, tmp_path: Path) -> None:
    sets = (f"split.train.rows={15_225 + n}", f"split.train.parts.1.rows={n}")
    found = built(find_recipe("scan-few-shot"), tmp_path / "out", *sets)
    without = set(filter(language.RULES["scan-filler-num0"]["train"], COMMANDS))
    with_look = set(filter(language.RULES["scan-filler-num1"]["train"], COMMANDS))
    assert without <= set(found["train"]) <= with_look
    assert found["train"].total() == len(found["train"]) == len(without) + n
    assert found["test"] == Counter(filter(language.RULES["scan-filler-num0"]["test"], COMMANDS))


@pytest.mark.slow
def test_mcd_has_the_published_sizes_and_no_command_twice(tmp_path: Path) -> None:
    found = built(find_recipe("scan-mcd"), tmp_path / "out")
    sizes = {name: split.total() for name, split in found.items()}
    assert sizes == {"train": 8_365, "dev": 1_046, "test": 1_045}
    everything = found["train"] + found["dev"] + found["test"]
    assert set(everything.values()) == {1}
    assert set(everything) <= set(COMMANDS)


@pytest.mark.parametrize("published", ["simple", "mcd1"])
def test_members_rebuild_the_published_lists(published: str, tmp_path: Path) -> None:
    lists = {
        name.partition("/")[2]: commands
        for name, commands in language.published_lists(original("scan/scan_splits.json")).items()
        if name.startswith(published)
    }
    text = MEMBERS
    for split, commands in lists.items():
        (tmp_path / f"{split}.txt").write_text("\n".join(commands) + "\n", encoding="utf-8")
        text += f'[[split]]\nname = "{split}"\nrows = {len(commands)}\nmembers = "{split}.txt"\n'
    found = built(write_recipe(tmp_path, text), tmp_path / "out")
    assert found == {split: Counter(commands) for split, commands in lists.items()}


def test_members_may_be_repeated(tmp_path: Path) -> None:
    rule = language.RULES["scan-addprim-jump"]["train"]
    commands = [*filter(rule, COMMANDS), *["jump"] * 1_466]
    (tmp_path / "train.txt").write_text("\n".join(commands) + "\n", encoding="utf-8")
    text = MEMBERS + '[[split]]\nname = "train"\nrows = 14_670\nmembers = "train.txt"\n'
    found = built(write_recipe(tmp_path, text), tmp_path / "out")
    assert found == {"train": Counter(commands)}


def test_a_smaller_build_of_the_large_language(tmp_path: Path) -> None:
    found = built(find_recipe("scan-large"), tmp_path / "out", rows=20_000)
    sizes = {name: split.total() for name, split in found.items()}
    wanted = {"train": 18_000, "test": 600, "test_template": 200, "test_long": 600}
    assert sizes == wanted | {"test_deep": 600}
    everything = sum(found.values(), Counter())
    assert set(everything.values()) == {1}
    rows = {name: rows_of(tmp_path / "out", name) for name in found}
    for name, split in rows.items():
        for row in split:
            links = sum(word in ("and", "after") for word in row["prompt"].split())
            assert row["action_length"] == len(row["answer"].split())
            assert (links == 3) == (name == "test_deep")
            assert (row["action_length"] > 40) == (name == "test_long")
            assert ("jump around right" in row["prompt"]) == (name == "test_template")
    assert {row["n_phrases"] for row in rows["train"]} == {1, 2, 3}
