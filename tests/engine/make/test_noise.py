"""Rows that are wrong on purpose: by their addresses, proven wrong, only where it was asked for."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import synthgen
from synthgen.contract.registry import load_verifier
from synthgen.core.errors import RecipeError
from synthgen.dataset.reader import open_dataset
from tests.building import build_small, recipe_of, source_of, split_of

STEPS = '[render]\nsolution = "steps"\n'


def noisy(kind: str, name: str = "state_permutations", more: str = STEPS) -> str:
    return recipe_of(
        source_of(name, ""),
        split_of("train", 203, more=f"noise = {{ {kind} = 0.1 }}"),
        split_of("train_clean", 60),
        split_of("test", 60),
        more,
    )


def built_of(text: str, folder: Path) -> Path:
    return Path(build_small(folder, text=text).folder)


def table_of(folder: Path, split: str) -> pa.Table:
    return pa.Table.from_batches(open_dataset(folder).batches(split))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_of(noisy("labels"), tmp_path_factory.mktemp("noise"))


def test_a_share_has_answers_that_the_verifier_refuses(built: Path) -> None:
    train = table_of(built, "train")
    right = load_verifier("state_permutations").check(
        train["prompt"].combine_chunks(), train["answer"].combine_chunks(), None
    )
    assert train["corrupted"].to_pylist() == [not each for each in right.tolist()]
    marked = pc.sum(train["corrupted"]).as_py()
    assert 8 <= marked <= 35  # 0.1 of 203
    record = open_dataset(built).manifest.splits[0].noise
    assert record is not None
    assert record.rows == marked
    for split in ("train_clean", "test"):
        assert not pc.any(table_of(built, split)["corrupted"]).as_py()


def test_problems_and_other_rows_are_those_without_noise(built: Path, tmp_path: Path) -> None:
    text = noisy("labels").replace("noise = { labels = 0.1 }", "")
    clean = table_of(built_of(text, tmp_path), "train")
    train = table_of(built, "train")
    assert "corrupted" not in clean.column_names
    assert train.drop_columns(["answer", "corrupted"]).equals(clean.drop_columns(["answer"]))
    kept = pc.invert(train["corrupted"])
    assert train.filter(kept)["answer"].equals(clean.filter(kept)["answer"])


def test_a_row_is_wrong_or_right_whatever_the_size(built: Path, tmp_path: Path) -> None:
    larger = built_of(noisy("labels").replace("203", "400"), tmp_path)
    few, many = (
        {(row["id"], row["answer"]) for row in table_of(each, "train").to_pylist()}
        for each in (built, larger)
    )
    assert few < many


def test_steps_are_wrong_and_answers_are_right(tmp_path: Path) -> None:
    folder = built_of(noisy("steps"), tmp_path)
    marked = table_of(folder, "train").filter(pc.field("corrupted"))
    assert len(marked) > 5
    verifier = load_verifier("state_permutations")
    texts = [marked[name].combine_chunks() for name in ("prompt", "answer", "solution")]
    assert verifier.check(texts[0], texts[1], None).all()
    assert not verifier.check(texts[0], texts[1], texts[2]).any()
    assert synthgen.verify(folder, rebuild="all", workers=1).ok


def test_marks_and_wrong_rows_are_checked(built: Path, tmp_path: Path) -> None:
    assert synthgen.verify(built, rebuild="all", workers=1).ok
    report = synthgen.audit(built)
    (check,) = [each for each in report.checks if each.name == "noise/train"]
    assert check.ok
    marked = pc.sum(table_of(built, "train")["corrupted"]).as_py()
    assert check.detail.startswith(f"{marked} of 203 rows are wrong on purpose (labels)")
    folder = built_of(noisy("labels"), tmp_path)
    (path,) = folder.glob("data/train-*.parquet")
    table = pq.read_table(path)
    moved = pa.array([*table["corrupted"].to_pylist()[1:], False])
    pq.write_table(table.set_column(table.num_columns - 1, "corrupted", moved), path)
    checks = {each.name: each for each in synthgen.audit(folder).checks}
    assert not checks["noise/train"].ok


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("noise = { labels = 0.1 }", "noise = {}"), "expected either labels or steps"),
        (("= 0.1", "= 1.5"), "expected a number above 0, to 1"),
        (('name = "train"', 'name = "dev"'), "begins with 'train', not 'dev'"),
        ((STEPS, ""), ""),
        (("noise = { labels", "noise = { steps"), ""),
    ],
    ids=["neither", "share", "test", "labels", "steps"],
)
def test_a_recipe_says_what_noise_may_be(
    change: tuple[str, str], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "noisy.toml"
    path.write_text(noisy("labels").replace(*change))
    if not message:
        synthgen.validate(path)
        return
    with pytest.raises(RecipeError, match=message):
        synthgen.validate(path)


def test_steps_need_solutions(tmp_path: Path) -> None:
    path = tmp_path / "noisy.toml"
    path.write_text(noisy("steps", more=""))
    with pytest.raises(RecipeError, match="'state_permutations' have no steps; choose a solution"):
        synthgen.validate(path)


def test_other_options_are_wrong_answers(tmp_path: Path) -> None:
    formats = '[render.format]\ntypes = ["choice", "true_false"]\n'
    path = tmp_path / "noisy.toml"
    path.write_text(noisy("labels", "countdown", formats))
    rows = synthgen.preview(path, 30, "train")["train"]
    assert {row["answer"] for row in rows if row["corrupted"]} <= {
        *"ABCDEFabcdef123456",
        "True",
        "False",
    }


def test_endless_rows_are_wrong_as_often(tmp_path: Path) -> None:
    path = tmp_path / "noisy.toml"
    path.write_text(noisy("labels"))
    blocks = iter(synthgen.endless(path, "train"))
    marks = [mark for _ in range(4) for mark in next(blocks)["corrupted"].to_pylist()]
    assert 0.05 < sum(marks) / len(marks) < 0.15
