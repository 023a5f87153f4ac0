"""Pages of scores and of rows."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from synthgen.cli.pages import write_rows, write_scores
from synthgen.training.rates import Rates
from synthgen.training.scoring import Accuracy, Scored, SplitScore
from tests.building import TWO_SPLITS, build_small, rows_of, synthgen, write_recipe

HOSTILE = "<script>alert(1)</script><img src=x onerror=y> & \x1b[31m \u202e \"'"


class Page(HTMLParser):
    """Tags and texts of a page, whose policy allows its own style and script only."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text = path.read_text(encoding="utf-8")
        self.tags: list[str] = []
        self.paragraphs: list[str] = []
        self.feed(self.text)
        policy = self.text.replace("&#39;", "'")
        for name in ("style", "script"):
            (text,) = re.findall(rf"<{name}>(.*?)</{name}>", self.text, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"{name}-src 'sha256-{digest}'" in policy
        assert "content=\"default-src 'none'; img-src data:;" in policy

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.paragraphs.append(data.strip())


def test_a_page_of_rows_shows_texts_and_axes(tmp_path: Path) -> None:
    recipe = str(write_recipe(tmp_path, TWO_SPLITS))
    ended = synthgen("preview", recipe, "-n", "2", "--html", str(tmp_path / "new" / "rows.html"))
    assert ended.returncode == 0, ended.stderr
    assert "->" not in ended.stdout
    page = Page(tmp_path / "new" / "rows.html")
    rows = json.loads(synthgen("preview", recipe, "-n", "2", "--json").stdout)
    shown = [row for split in ("train", "test") for row in rows[split]]
    assert len(shown) == page.tags.count("article") == 4
    for row in shown:
        assert row["prompt"] in page.paragraphs
        assert row["answer"] in page.paragraphs
    assert page.tags.count("pre") >= 8  # boards stay aligned
    assert sum(text.endswith("n_op =") for text in page.paragraphs) == 4
    assert page.paragraphs.count("solution") == sum(row["solution"] is not None for row in shown)


def test_texts_of_rows_are_escaped(tmp_path: Path) -> None:
    row = {"prompt": HOSTILE, "solution": None, "answer": "a\n  b", "kind": HOSTILE}
    page = Page(write_rows(tmp_path / "rows.html", HOSTILE, {HOSTILE: [row]}))
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert "\x1b" not in page.text
    assert "\u202e" not in page.text
    assert "a\n  b" in page.paragraphs


def test_a_page_of_scores_shows_what_the_table_does(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=TWO_SPLITS).folder
    rows = rows_of(folder, "test")
    lines = [{"id": row["id"], "prediction": text} for row in rows for text in (row["answer"], "?")]
    file = tmp_path / "texts.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "page.html"
    options = ("--predictions", str(file), "--by", "n_op", "--k", "1,2", "--html", str(out))
    ended = synthgen("score", str(folder), *options)
    assert ended.returncode == 0, ended.stderr
    assert f"page: {out}" in ended.stdout.replace("\n", "")
    page = Page(out)
    assert {"test", "n_op=3", "n_op=4", "unreadable", "50.0%"} <= {*page.paragraphs}
    assert {"Accuracy by split, %", "pass@k, %", "Grades", "n_op"} <= {*page.paragraphs}
    assert "train: the first" not in page.text  # splits without predictions are left out
    assert page.tags.count("tr") > 10
    why = page.paragraphs.index("Why texts have their grades")
    assert page.paragraphs[why + 3 : why + 7] == ["right", "100", "unreadable", "100"]


@pytest.mark.parametrize("accuracy", [None, Accuracy(9, 18, 0.25, 0.125, 0.5)])
def test_scores_of_every_kind_are_on_the_page(tmp_path: Path, accuracy: Accuracy | None) -> None:
    parts = Rates(4, 8, (0.5, 0.75), (0.625, 0.875), {HOSTILE: (8, 0.625, 0.875)})
    score = SplitScore(
        10, 9, accuracy, 1, {"right": 3}, {2: accuracy}, {HOSTILE: Accuracy(1, 1, 1, 0.2, 1)}, parts
    )
    page = Page(write_scores(tmp_path / "page.html", HOSTILE, Scored({HOSTILE: score}, 18, 2)))
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert {"87.5%", "rows with a rubric", "18"} <= {*page.paragraphs}
    assert ("25.0%" in page.paragraphs) == (accuracy is not None)
