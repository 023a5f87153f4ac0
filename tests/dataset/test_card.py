import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from synthgen.dataset.card import render_card, size_category, yaml_scalar
from synthgen.dataset.manifest import Manifest, read_manifest
from tests.dataset.tiny import CARD, default_rows, write_dataset


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_dataset(tmp_path_factory.mktemp("card") / "tiny")
    (folder / "README.md").write_text(render_card(read_manifest(folder), CARD), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def manifest(folder: Path) -> Manifest:
    return read_manifest(folder)


def front_matter(text: str) -> dict[str, Any]:
    begin, matter, _ = text.split("---\n", 2)
    assert begin == ""
    found: dict[str, Any] = yaml.safe_load(matter)
    return found


def test_front_matter_says_what_a_hub_asks(manifest: Manifest) -> None:
    matter = front_matter(render_card(manifest, CARD))
    assert matter["pretty_name"] == "Tiny: a test"
    assert matter["license"] == "cc-by-4.0"
    assert matter["language"] == ["en"]
    assert matter["annotations_creators"] == ["machine-generated"]
    assert matter["size_categories"] == ["n<1K"]
    assert {"synthetic", "rl-environment"} <= {*matter["tags"]}
    assert matter["configs"] == [
        {
            "config_name": "default",
            "default": True,
            "data_files": [
                {"split": name, "path": f"data/{name}-*.parquet"}
                for name in ("train", "test_hard", "probe")
            ],
        }
    ]
    splits = matter["dataset_info"]["splits"]
    assert {split["name"]: split["num_examples"] for split in splits} == {
        name: len(rows) for name, rows in default_rows().items()
    }
    assert splits[0]["num_bytes"] == 100 * len(default_rows()["train"])
    assert {"name": "address", "dtype": "uint64"} in matter["dataset_info"]["features"]


def test_rubrics_have_no_reward(manifest: Manifest) -> None:
    (source,) = manifest.sources
    rubrics = replace(manifest, sources=(replace(source, verifier="skill_prompt"),))
    assert "rl-environment" not in front_matter(render_card(rubrics, CARD))["tags"]


def test_body_tells_splits_sources_columns_and_commands(manifest: Manifest) -> None:
    text = render_card(manifest, CARD)
    assert (
        "| `train` | 40 | `n_op <= 4`; at most 0.9 of a cell with equal `kind` | `n_op` |" in text
    )
    assert "| `probe` | 3 | problems of `train` | – | `train` |" in text
    assert "form \\| of the problem" in text
    assert "synthgen build recipe.toml --rows 53" in text
    assert "synthgen audit " in text
    assert manifest.fingerprint in text
    assert "53 of 53 rows were checked" in text
    assert "```\n@misc{tiny}\n```" in text


def test_what_the_card_has_not_is_left_out(manifest: Manifest) -> None:
    text = render_card(manifest, {"title": None})
    matter = front_matter(text)
    assert matter["pretty_name"] == "tiny"
    assert "license" not in matter
    assert "None" not in text
    assert "## Citation" not in text


def test_a_cap_says_which_rows_it_counts(manifest: Manifest) -> None:
    train = manifest.splits[0]
    assert train.cap is not None
    capped = replace(train, cap=replace(train.cap, where="n_op > 2"))
    text = render_card(replace(manifest, splits=(capped, *manifest.splits[1:])), CARD)
    assert "at most 0.9 of a cell with equal `kind` where `n_op > 2`" in text


def test_settings_are_quoted_for_the_shell(manifest: Manifest) -> None:
    changed = replace(manifest, overrides=("seed=3", "split.train.where=n_op < 3; rm -r x"))
    text = render_card(changed, CARD)
    command = "synthgen build recipe.toml --seed 3 --set 'split.train.where=n_op < 3; rm -r x'"
    assert command in text


@given(text=st.text())
def test_any_text_is_one_yaml_scalar(text: str) -> None:
    quoted = yaml_scalar(text)
    assert yaml.safe_load(quoted) == text
    assert quoted.isascii()
    assert quoted.isprintable()


@pytest.mark.parametrize(
    "hostile",
    [
        'x"\n---\nevil: true\n---\n',
        "a\r\n---\r\n",
        "{{ m.name }}",
        "\u2028- x: &a\x00",
        '"',
        "`|`<b>",
    ],
)
def test_no_text_breaks_out_of_the_front_matter(manifest: Manifest, hostile: str) -> None:
    names = ("title", "license", "creator", "date", "url", "language", "citation", "description")
    changed = replace(
        manifest,
        name=hostile,
        columns=(*manifest.columns[:-1], replace(manifest.columns[-1], meaning=hostile)),
        overrides=(hostile,),
        splits=(replace(manifest.splits[0], where=hostile), *manifest.splits[1:]),
    )
    text = render_card(changed, dict.fromkeys(names, hostile))
    matter = front_matter(text)
    assert matter["pretty_name"] == hostile
    assert "evil" not in matter
    assert matter.keys() == front_matter(render_card(manifest, CARD)).keys()
    tables = [line for line in text.splitlines() if line.startswith("| `train`")]
    assert len(tables) == 1


HOSTILE = """<script>alert(1)</script> <!-- &amp; \x1b[31m \x9b31m \u202e
---
# heading
> quote
- item
1. item
=====
***bold*** __bold__ ~~gone~~ `code` ![a](https://example.org/a) [a]: b | c
    indented
```
"""


def test_no_text_is_read_as_markup(manifest: Manifest) -> None:
    """The body has the same elements as with plain texts."""
    changed = replace(
        manifest,
        name=HOSTILE,
        overrides=(f"name={HOSTILE}",),
        sources=(replace(manifest.sources[0], params={HOSTILE: HOSTILE}),),
        columns=(*manifest.columns[:-1], replace(manifest.columns[-1], meaning=HOSTILE)),
    )
    names = ("title", "creator", "citation", "description")
    text = render_card(changed, CARD | dict.fromkeys(names, HOSTILE))
    assert all(line.isprintable() for line in text.split("\n"))
    assert elements(text) == elements(render_card(manifest, CARD))
    body = MarkdownIt().render(
        render_card(manifest, {"description": "max_value of 2 * 3 < 7\n\nb"})
    )
    assert "<p>max_value of 2 * 3 &lt; 7</p>\n<p>b</p>" in body


def elements(card: str) -> list[str]:
    body = card.split("---\n", 2)[2]
    tokens = MarkdownIt().enable("table").parse(body)
    inline = [child for token in tokens for child in token.children or ()]
    # A text in several lines has breaks, and one that ends in escapes has empty pieces.
    return [t.type for t in (*tokens, *inline) if t.type not in ("text", "softbreak")]


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        (0, "n<1K"),
        (999, "n<1K"),
        (1000, "1K<n<10K"),
        (10**6, "1M<n<10M"),
        (10**9, "n>1B"),
    ],
)
def test_size_categories(rows: int, name: str) -> None:
    assert size_category(rows) == name


def load(folder: Path, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        datasets = pytest.importorskip("datasets")
        return datasets.load_dataset(str(folder), **options)


@pytest.fixture
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "hf" / "datasets"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("_offline")
def test_the_loader_of_hugging_face_reads_the_folder(folder: Path, tmp_path: Path) -> None:
    loaded = load(folder, cache_dir=str(tmp_path / "cache"))
    rows = default_rows()
    assert {name: len(split) for name, split in loaded.items()} == {
        name: len(split) for name, split in rows.items()
    }
    assert loaded["train"].to_list() == rows["train"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("_offline")
def test_the_loader_of_hugging_face_streams_the_folder(folder: Path, tmp_path: Path) -> None:
    stream = load(folder, split="test_hard", streaming=True, cache_dir=str(tmp_path / "cache"))
    assert list(stream) == default_rows()["test_hard"]
