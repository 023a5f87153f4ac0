import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import Fault, RecipeError
from synthgen.recipe.loader import load_recipe, read_recipe
from synthgen.recipe.overrides import Overrides

RECIPE = """\
name = "hint"
[[source]]
generator = "hint"
params = { max_operators = 20 }
[[split]]
name = "train"
rows = 1000
where = "n_op <= 10"
[[split]]
name = "test"
rows = 500
overlap = ["train"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hint.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


def faults(path: Path, overrides: Overrides | None = None) -> tuple[Fault, ...]:
    return read_recipe(path, overrides or Overrides()).faults


def test_a_good_file_becomes_a_recipe(file: Path) -> None:
    loaded = load_recipe(file)
    assert loaded.path == file
    assert loaded.text == RECIPE
    assert loaded.lines.line("split.1.rows") == 11
    assert [(split.name, split.rows) for split in loaded.recipe.split] == [
        ("train", 1000),
        ("test", 500),
    ]


def test_a_recipe_without_splits_gets_three(tmp_path: Path) -> None:
    path = tmp_path / "plain.toml"
    text = 'name = "plain"\n[[source]]\ngenerator = "hint"\n'
    for first, sizes in (("", [9000, 500, 500]), ("rows = 33\n", [31, 1, 1])):
        path.write_text(first + text, encoding="utf-8")
        splits = load_recipe(path).recipe.split
        assert [(split.name, split.rows) for split in splits] == [
            *zip(("train", "validation", "test"), sizes, strict=True)
        ]
    path.write_text("rows = 33\n" + text + '[[split]]\nname = "a"\nrows = 3\n', encoding="utf-8")
    with pytest.raises(RecipeError, match=r"unknown key 'rows'; it belongs in \[\[split\]\]"):
        load_recipe(path)


def test_overrides_apply_and_weights_stay(file: Path) -> None:
    overrides = Overrides(sets=("split.test.rows=3000",), rows=8, seed=5)
    recipe = load_recipe(file, overrides).recipe
    assert [(split.rows, split.weight) for split in recipe.split] == [(2, 1000), (6, 3000)]
    assert recipe.seed == 5
    assert load_recipe(file, overrides).overrides == overrides


@given(st.integers(2, 10**12))
def test_rows_over_all_splits_are_exact(tmp_path_factory: pytest.TempPathFactory, n: int) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.toml"
    path.write_text(RECIPE, encoding="utf-8")
    recipe = load_recipe(path, Overrides(rows=n)).recipe
    assert sum(split.rows for split in recipe.split) == n


def test_draft_keeps_what_is_valid_on_its_own(file: Path) -> None:
    file.write_text(RECIPE.replace("rows = 1000", "rows = 'many'"), encoding="utf-8")
    draft = read_recipe(file)
    assert draft.recipe is None
    assert [place for place, _ in draft.sources] == [0]
    assert [(place, split.name) for place, split in draft.splits] == [(0, "train"), (1, "test")]
    assert [draft.is_whole("split", place) for place in (0, 1)] == [False, True]
    assert draft.render is not None
    assert draft.faults == (
        Fault("rows='many': expected an integer from 1 to 1000000000000", "split.train.rows", 7),
    )


def test_draft_takes_faults_of_others_into_the_same_report(file: Path) -> None:
    file.write_text(RECIPE.replace("rows = 500", "rows = 0"), encoding="utf-8")
    draft = read_recipe(file)
    semantic = draft.fault("split.0.where", "no such axis 'n_ops'")
    with pytest.raises(RecipeError) as caught:
        draft.finish([semantic])
    assert [fault.line for fault in caught.value.faults] == [8, 11]
    assert str(caught.value).startswith(f"{file}:8: split.train.where: no such axis 'n_ops'\n")
    with pytest.raises(RecipeError):
        draft.fail([semantic])


def test_draft_without_faults_finishes_or_fails_by_others(file: Path) -> None:
    draft = read_recipe(file)
    assert draft.finish().recipe == draft.recipe
    with pytest.raises(RecipeError, match="other"):
        draft.finish([Fault("other")])


def test_scaled_rows_are_in_the_draft_too(file: Path) -> None:
    draft = read_recipe(file, Overrides(scale=0.01))
    assert [split.rows for _, split in draft.splits] == [10, 5]


@pytest.mark.parametrize(
    ("overrides", "fault"),
    [
        (
            Overrides(sets=("outpt.row_group=100",)),
            Fault(
                "--set outpt.row_group=100: unknown table 'outpt'; did you mean 'output'? Known: "
                "name, seed, description, source, split, axis, assign, divergence, sweep, dedup, "
                "render, output,"
                " limits, audit, card, run",
                "outpt",
            ),
        ),
        (
            Overrides(sets=("split.test.overlap=['trian']",)),
            Fault(
                "--set split.test.overlap=['trian']: overlap='trian': no such split; "
                "did you mean 'train'? Known: train",
                "split.test.overlap.0",
            ),
        ),
        (
            Overrides(seed=-1),
            Fault("--seed -1: seed=-1: expected an integer from 0 to 9223372036854775807", "seed"),
        ),
        (
            Overrides(rows=1),
            Fault("--rows=1: expected an integer of at least 2, one for each split"),
        ),
    ],
)
def test_faults_of_overrides_name_the_option_and_no_line(
    file: Path, overrides: Overrides, fault: Fault
) -> None:
    assert faults(file, overrides) == (fault,)


def test_faults_of_file_and_overrides_come_together(file: Path) -> None:
    file.write_text(RECIPE.replace("rows = 500", "rows = 0"), encoding="utf-8")
    overrides = Overrides(sets=("x",), rows=0)
    assert sorted(fault.line or 0 for fault in faults(file, overrides)) == [0, 0, 11]


def test_an_override_heals_a_fault(file: Path) -> None:
    file.write_text(RECIPE.replace("rows = 500", "rows = 0"), encoding="utf-8")
    assert faults(file, Overrides(sets=("split.test.rows=5",))) == ()


def test_lines_of_overridden_values_are_unknown(file: Path) -> None:
    draft = read_recipe(file, Overrides(sets=("split.train.where=n_op > 3",)))
    assert draft.line("split.0.where") is None
    assert draft.line(("split", 0, "rows")) == 7
    fault = draft.fault("split.0.where", "bad")
    assert fault == Fault("--set split.train.where=n_op > 3: bad", "split.train.where")


@given(st.binary(max_size=60))
def test_any_bytes_give_a_draft(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.toml"
    path.write_bytes(data)
    draft = read_recipe(path)
    assert draft.faults
    assert draft.recipe is None


VALUES = st.recursive(
    st.sampled_from(["1", "-1", "0.5", "nan", "'x'", "''", "true", "2026-01-31", "99" * 20]),
    lambda inner: (
        st.lists(inner, max_size=2).map(lambda items: "[" + ", ".join(items) + "]")
        | inner.map(lambda item: "{ name = " + item + " }")
        | st.lists(inner, max_size=2).map(
            lambda items: (
                "[" + ", ".join("{ name = " + item + ", rows = 3 }" for item in items) + "]"
            )
        )
    ),
    max_leaves=6,
)
KEYS = ["source", "split", "name", "seed", "card", "render", "dedup.on", "output", "x", "run"]


@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_any_values_give_faults_in_our_own_words(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "values.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in table.items()), "utf-8")
    lines = path.read_text("utf-8").splitlines()
    for fault in faults(path):
        assert "Input should" not in fault.message
        assert "expected" in fault.message or "unknown" in fault.message
        missing_at_top = fault.line is None and "." not in fault.path
        named = fault.line and lines[fault.line - 1].startswith(fault.path.split(".")[0])
        assert named or missing_at_top


def test_loading_needs_no_heavy_library() -> None:
    code = (
        "import sys, synthgen.recipe.loader, synthgen.recipe.fingerprint\n"
        "print([m for m in ('numba', 'polars', 'pyarrow', 'sympy', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
