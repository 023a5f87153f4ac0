"""Whole builds of splits that are steered, read back from their files."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from synthgen.auditing.report import audit
from synthgen.core.errors import EngineError, RecipeError, ShortfallError
from synthgen.dataset.manifest import SplitRecord
from synthgen.engine import build as build_module
from synthgen.engine.build import BuildResult
from synthgen.engine.preview import preview
from synthgen.engine.workers.local import LocalEngine
from tests.building import (
    build_small,
    failed_checks,
    folder_digests,
    plan_of,
    rows_of,
    write_recipe,
)

HINT = """name = "steered"
seed = 3
[[source]]
generator = "hint"
params = { max_operators = 5, max_value = 100 }
"""
SCAN = 'name = "steered"\n[[source]]\ngenerator = "scan"\nparams = { max_phrases = 1 }\n'


def split(name: str, rows: int, keys: str = "") -> str:
    return f'[[split]]\nname = "{name}"\nrows = {rows}\n{keys}\n'


OPS = '"+", "-", "*", "/"'
EVERY = HINT + "".join(
    [
        split(
            "train",
            900,
            f"""where = "n_op >= 1"
cover = [
    {{ structures = "placed", symbols = [{OPS}], times = 10 }},
    {{ axes = ["n_op", "depth"], strength = 1, times = 20 }},
    {{ structures = "edges", times = 3 }},
]""",
        ),
        split("shared", 300, 'balance = ["n_op"]\nshares = { of = [[2, 1], [3, 2], [4, 3]] }'),
        split("rising", 150, 'order = { by = "rising" }'),
        split("turns", 120, 'order = { by = "turns", axis = "n_op", of = [[5, 3], [4, 1]] }'),
        split("seen", 90, 'seen_in = "rising"\norder = { by = "falling", axis = "depth" }'),
        "[output]\nrows_per_shard = 250\nrow_group = 100\n",
    ]
)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    return build_small(tmp_path_factory.mktemp("every"), text=EVERY)


def values(result: BuildResult, name: str, axis: str) -> list[int]:
    return [row[axis] for row in rows_of(result.folder, name)]


def record(result: BuildResult, name: str) -> SplitRecord:
    return next(each for each in result.manifest.splits if each.name == name)


def test_rows_are_exact_and_the_audit_proves_them(every: BuildResult) -> None:
    assert [each.rows for each in every.manifest.splits] == [900, 300, 150, 120, 90]
    report = audit(every.folder, measured=False)
    assert [check for check in report.checks if not check.ok] == []
    names = {check.name for check in report.checks}
    assert {"cover/train/0", "cover/train/1", "cover/train/2"} <= names
    assert {"order/rising", "order/seen"} <= names


def test_covers_are_met(every: BuildResult) -> None:
    placed, axes, edges = record(every, "train").covers
    assert (placed.structures, placed.symbols, placed.times) == ("placed", ("+", "-", "*", "/"), 10)
    assert placed.unmet == edges.unmet == ()
    assert placed.units == 4 * 5  # each operator at depths 0 to 4
    assert [unmet.name for unmet in axes.unmet] == ["n_op=0", "depth=1"]
    assert all(unmet.rare and not unmet.candidates for unmet in axes.unmet)
    assert min(Counter(values(every, "train", "n_op")).values()) >= 20
    assert min(Counter(values(every, "train", "depth")).values()) >= 20


def test_shares_are_whole_rows(every: BuildResult) -> None:
    assert Counter(values(every, "shared", "n_op")) == {2: 50, 3: 100, 4: 150}


def test_rows_are_in_order(every: BuildResult) -> None:
    rising = values(every, "rising", "difficulty")
    assert rising == sorted(rising)
    falling = values(every, "seen", "depth")
    assert falling == sorted(falling, reverse=True)
    turns = values(every, "turns", "n_op")
    assert turns[:6].count(5) in {2, 3}
    assert Counter(turns) == Counter(sorted(turns))


@pytest.mark.slow
def test_workers_change_no_byte(every: BuildResult, tmp_path: Path) -> None:
    two = build_small(tmp_path, text=EVERY, workers=2)
    assert folder_digests(two.folder) == folder_digests(every.folder)


def test_a_build_that_goes_on_is_the_same(
    every: BuildResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The covers that selection found are read back from its note."""

    def broken(task: Any) -> None:
        msg = f"no {task.file}"
        raise EngineError(msg)

    with monkeypatch.context() as patch:
        patch.setattr(build_module, "materialise", broken)
        with pytest.raises(EngineError, match="no data/train"):
            build_small(tmp_path, text=EVERY)
    monkeypatch.setattr(build_module, "select", broken)
    result = build_small(tmp_path, text=EVERY)
    assert folder_digests(result.folder) == folder_digests(every.folder)


def test_smaller_builds_are_part_of_bigger_ones_where_that_is_promised(
    every: BuildResult, tmp_path: Path
) -> None:
    scaled = build_small(
        tmp_path, "scaled", text=EVERY.replace("times = 20", "times = 8"), scale=0.5
    )
    for name in ("shared", "rising", "turns"):
        part = {row["id"] for row in rows_of(scaled.folder, name)}
        assert len(part) == record(every, name).rows // 2
        assert part < {row["id"] for row in rows_of(every.folder, name)}, name


def test_a_preview_shows_every_split(tmp_path: Path) -> None:
    with LocalEngine(1) as engine:
        shown = preview(plan_of(write_recipe(tmp_path, EVERY)), engine, 3, None)
    assert {name: len(rows) for name, rows in shown.items()} == dict.fromkeys(shown, 3)


def fault_of(tmp_path: Path, text: str) -> tuple[str, str]:
    with pytest.raises(ShortfallError) as caught:
        build_small(tmp_path, text=text)
    (fault,) = caught.value.faults
    return fault.path, fault.message


ABSENT = HINT + split(
    "train",
    200,
    'where = "depth < 4"\ncover = [{ axes = ["n_op"] }, '
    '{ structures = "placed", of = ["+@1", "+@3"], times = 2 }]',
)


def test_what_a_split_must_have_and_cannot_is_an_error(tmp_path: Path) -> None:
    path, message = fault_of(tmp_path, ABSENT)
    assert path == "split.train.cover.1"
    assert "each of its 2 placed 2 times" in message
    assert "number of candidates with them: +@3 (0)" in message
    allowed = build_small(tmp_path, "allowed", text=ABSENT + '[limits]\nshortfall = "allow"\n')
    cover = record(allowed, "train").covers[1]
    assert [(u.name, u.candidates, u.rare) for u in cover.unmet] == [("+@3", 0, True)]
    assert cover.units == 2
    assert failed_checks(allowed.folder) == {}


@pytest.mark.parametrize("more", ["", '[limits]\nshortfall = "allow"\n'])
@pytest.mark.parametrize(
    ("keys", "room"),
    [
        ('cover = [{ axes = ["n_op"], times = 20 }]', "give the split more rows"),
        (
            'balance = ["n_op"]\ncover = [{ axes = ["depth"], of = [[5]], times = 40 }]',
            "give the split or cells of its balance more rows",
        ),
    ],
)
def test_no_room_for_what_is_needed_is_an_error(
    keys: str, room: str, more: str, tmp_path: Path
) -> None:
    path, message = fault_of(tmp_path, HINT + split("train", 60, keys) + more)
    assert path == "split.train.cover"
    assert "has no room for" in message
    assert room in message


def test_a_cell_that_never_fills_ends_with_its_name(tmp_path: Path) -> None:
    keys = 'balance = ["n_op"]\nshares = { of = [[0, 1]] }'
    path, message = fault_of(tmp_path, HINT + split("train", 50, keys))
    assert path == "split.train.rows"
    assert "n_op=0 (10 of 50)" in message


def test_needed_rows_are_of_cells_that_can_have_rows(tmp_path: Path) -> None:
    keys = 'balance = ["n_op"]\nshares = { of = [[2, 1], [3, 0], [4, 1]] }\n'
    keys += 'cover = [{ structures = "edges", times = 2 }]'
    result = build_small(tmp_path, text=HINT + split("train", 200, keys))
    assert Counter(values(result, "train", "n_op")) == {2: 100, 4: 100}
    assert failed_checks(result.folder) == {}


def test_diverse_rows_have_more_structures_than_the_first_ones(tmp_path: Path) -> None:
    text = HINT + split("train", 60, 'where = "n_op IN (2, 3)"')
    first = build_small(tmp_path, "first", text=text)
    text += 'diverse = { structures = "local" }\n'
    most = build_small(tmp_path, "most", text=text)
    seen = [
        {pair for row in rows_of(r.folder, "train") for pair in pairwise(row["derivation"].split())}
        for r in (first, most)
    ]
    assert len(seen[1]) > 1.15 * len(seen[0])
    assert set(values(most, "train", "n_op")) == {2, 3}
    again = build_small(tmp_path, "again", "split.train.diverse.pool=60", text=text)
    assert {r["id"] for r in rows_of(again.folder, "train")} == {
        r["id"] for r in rows_of(first.folder, "train")
    }


TWO = """name = "two"
[[source]]
name = "zebra"
generator = "hint"
params = { max_operators = 3, max_value = 100 }
[[source]]
name = "ant"
generator = "scan"
"""


def test_sources_that_lack_axes_and_symbols(tmp_path: Path) -> None:
    cover = (
        'cover = [{ structures = "symbols", of = ["+", "jump"], times = 9 }, '
        '{ axes = ["source"], times = 30 }, { axes = ["n_op"], times = 3 }]\n'
    )
    text = TWO + split("train", 150, cover + 'order = { by = "rising", axis = "source" }')
    text += split(
        "shared",
        80,
        'balance = ["source"]\nshares = { of = [["ant", 3], ["zebra", 1]] }\n'
        'cover = [{ structures = "symbols", times = 2 }]\norder = { by = "blocks", axis = "n_op" }',
    )
    result = build_small(tmp_path, text=text)
    sources = [row["source"] for row in rows_of(result.folder, "train")]
    assert sources == sorted(sources, reverse=True)  # as the recipe has them
    assert min(Counter(sources).values()) >= 30
    shared = Counter(row["source"] for row in rows_of(result.folder, "shared"))
    assert shared == {"ant": 60, "zebra": 20}
    assert failed_checks(result.folder) == {}


def test_a_small_space_is_used_up_for_a_cover(tmp_path: Path) -> None:
    """What one split needs and does not keep by chance it gets from what none keeps."""
    text = SCAN + split("train", 60, 'cover = [{ structures = "edges" }]')
    text += split("test", 20, 'balance = ["n_words"]') + split("rest", 15)
    result = build_small(tmp_path, text=text)
    assert [each.rows for each in result.manifest.splits] == [60, 20, 15]
    assert record(result, "train").covers[0].unmet == ()
    assert failed_checks(result.folder) == {}


@pytest.mark.parametrize("on", ["none", "prompt"])
def test_other_ways_to_find_duplicates(on: str, tmp_path: Path) -> None:
    text = HINT + split("train", 200, 'cover = [{ structures = "edges", times = 2 }]\n')
    text += split("test", 90, 'overlap = ["train"]\nbalance = ["n_op"]')
    text += split("dev", 40, 'overlap = ["train", "test"]\ndiverse = { weigh = "frequency" }')
    result = build_small(tmp_path, text=text + f'[dedup]\non = "{on}"\n')
    assert record(result, "train").covers[0].unmet == ()
    assert failed_checks(result.folder) == {}


def test_repeats_are_put_in_order(tmp_path: Path) -> None:
    keys = 'parts = [{ where = "n_op = 3", rows = 40, distinct = 7 }, '
    keys += '{ where = "n_op = 1", rows = 20 }]\norder = { by = "blocks", axis = "n_op" }'
    result = build_small(tmp_path, text=HINT + split("train", 60, keys))
    assert values(result, "train", "n_op") == [1] * 20 + [3] * 40
    (tmp_path / "list.txt").write_text("jump\nwalk twice\nwalk twice\nlook\nlook and jump\n")
    keys = 'members = "list.txt"\norder = { by = "falling", axis = "n_words" }'
    listed = build_small(
        tmp_path, "listed", text=SCAN.replace("= 1 }", "= 2 }") + split("train", 5, keys)
    )
    assert values(listed, "train", "n_words") == [3, 2, 2, 1, 1]
    assert failed_checks(listed.folder) == {}


def test_splits_beside_a_divergence_are_steered(tmp_path: Path) -> None:
    text = SCAN + split("train", 40) + split("test", 8)
    text += split(
        "other", 12, 'where = "n_words = 2"\norder = { by = "novelty", axis = "n_phrases" }'
    )
    text += '[divergence]\ntrain = ["train"]\ntest = ["test"]\natom_bound = 0.3\nstarts = 1\n'
    result = build_small(tmp_path, "out", "limits.shortfall=allow", text=text)
    assert record(result, "train").rows == 40
    order = record(result, "other").order
    assert order is not None
    assert (order.by, order.axis) == ("novelty", "n_phrases")
    with pytest.raises(RecipeError, match="expected a split without order"):
        plan_of(write_recipe(tmp_path, text), "split.train.order.by=rising")
