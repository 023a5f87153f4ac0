"""Pictures in datasets: the column, what reads it, and what changes it."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import synthgen
from synthgen.auditing.html import render_html
from synthgen.authoring.pictures import color_name
from synthgen.contract.interfaces import Render, valid_ones
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import DatasetError, RecipeError
from synthgen.core.images import IMAGE, png_with_svg, prompt_and_svg, stated, svg_of
from synthgen.dataset.reader import open_dataset
from synthgen.draws.randomness import Rows, stream_key

RECIPE = """
name = "shown"
[render]
picture = "{picture}"
[[source]]
generator = "{generator}"
params = {{ {params} }}
[[split]]
name = "train"
rows = 60
"""
ONLY_SHOWN = 'scene = "picture", asks = ["cell"]'


def recipe(folder: Path, picture: str, params: str, generator: str = "grounded_commands") -> Path:
    path = folder / "shown.toml"
    path.write_text(RECIPE.format(picture=picture, params=params, generator=generator))
    return path


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("resvg_py", reason="needs the extra images")
    folder = tmp_path_factory.mktemp("pictures")
    synthgen.build(recipe(folder, "png", ONLY_SHOWN), folder / "out", workers=1)
    return folder / "out"


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [row for batch in open_dataset(folder).batches("train") for row in batch.to_pylist()]


def test_objects_are_in_the_pixels(shown: Path) -> None:
    """50 PNG files, decoded: the cell that answers the question has the color of the object."""
    images = pytest.importorskip("PIL.Image", reason="needs Pillow")
    for row in rows_of(shown)[:50]:
        with images.open(BytesIO(row[IMAGE]["bytes"])) as image:
            pixels = image.convert("RGB")
        column, place = map(int, row["answer"].split(", "))
        side = (pixels.width - 22) / 6
        x, y = (20 + (at - 0.5) * side for at in (column, place))
        off = side * {1: 0.1, 2: 0.2, 3: 0.27, 4: 0.36}[row["size"]]
        at = (x, y - off if row["shape"] == "box" else y)
        red, green, blue = pixels.getpixel((int(at[0]), int(at[1])))
        assert color_name(f"#{red:02x}{green:02x}{blue:02x}") == row["color"]


def test_clients_see_images(shown: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    pytest.importorskip("PIL.Image", reason="needs Pillow")
    loaded = datasets.load_dataset(str(shown), split="train", cache_dir=str(tmp_path))
    assert loaded.features[IMAGE] == datasets.Image()
    assert loaded[0][IMAGE].size == (280, 280)
    assert loaded[0][IMAGE].text["svg"] == svg_of(rows_of(shown)[0][IMAGE])


def test_rows_are_made_again_with_pictures(shown: Path) -> None:
    assert synthgen.verify(shown, rebuild="all").ok


@pytest.mark.slow
def test_audits_tell_pictures_apart(shown: Path) -> None:
    report = synthgen.audit(shown)
    assert report.ok
    assert report.splits[0].repeated_prompts == 0
    assert "data:image/png;base64," in render_html(report)


@pytest.mark.parametrize("name", ["trl", "verl", "chat"])
def test_exports_for_trainers_hold_lists_of_images(shown: Path, tmp_path: Path, name: str) -> None:
    datasets = pytest.importorskip("datasets")
    pytest.importorskip("PIL.Image", reason="needs Pillow")
    synthgen.export(shown, name, tmp_path / "out")
    loaded = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))
    row = loaded["train"][0]
    assert [image.size for image in row["images"]] == [(280, 280)]
    message = row["messages" if name == "chat" else "prompt"][0]["content"]
    assert message.startswith("<image>\n") == (name == "verl")


def test_exports_as_text(shown: Path, tmp_path: Path) -> None:
    synthgen.export(shown, "jsonl", tmp_path / "lines")
    first = json.loads((tmp_path / "lines" / "train.jsonl").read_text().splitlines()[0])
    assert first[IMAGE].startswith("data:image/png;base64,")
    with pytest.raises(DatasetError, match=r"rows have pictures \(PNG\), which sft cannot"):
        synthgen.export(shown, "sft", tmp_path / "sft")


def test_the_reward_looks_at_the_picture(tmp_path: Path) -> None:
    params = 'scene = "picture", asks = ["any_route"]'
    folder = synthgen.build(recipe(tmp_path, "svg", params), tmp_path / "out", workers=1).folder
    rows = rows_of(folder)
    scored = synthgen.score(folder, {row["id"]: f"Answer: {row['answer']}" for row in rows})
    assert scored.splits["train"].accuracy.mean == 1
    other = next(row for row in rows if row["answer"] != rows[0]["answer"])
    scored = synthgen.score(folder, {rows[0]["id"]: f"Answer: {other['answer']}"})
    assert scored.splits["train"].accuracy.mean == 0


def test_rows_do_not_depend_on_pictures(tmp_path: Path) -> None:
    made = [
        rows_of(
            synthgen.build(
                recipe(tmp_path, picture, 'asks = ["cell"]'), tmp_path / picture, workers=1
            ).folder
        )
        for picture in ("none", "svg")
    ]
    for plain, drawn in zip(*made, strict=True):
        assert drawn.pop(IMAGE).startswith("<svg ")
        assert drawn == plain


@pytest.mark.parametrize(
    ("picture", "params", "generator", "message"),
    [
        ("none", ONLY_SHOWN, "grounded_commands", r"the prompts need \[render\] picture"),
        ("svg", "", "countdown", "picture='svg': expected 'none', as countdown draws none"),
        ("jpeg", "", "grounded_commands", "expected one of none, svg, png"),
    ],
)
def test_impossible_pictures(
    tmp_path: Path, picture: str, params: str, generator: str, message: str
) -> None:
    with pytest.raises(RecipeError, match=message):
        synthgen.preview(recipe(tmp_path, picture, params, generator))


def test_mixtures_have_nulls(tmp_path: Path) -> None:
    path = tmp_path / "mixed.toml"
    sources = "".join(
        f'[[source]]\ngenerator = "{name}"\nweight = 1\n' for name in ("countdown", "board_shapes")
    )
    text = f'name = "m"\n[render]\npicture = "svg"\n{sources}[[split]]\nname = "train"\nrows = 20\n'
    path.write_text(text)
    folder = synthgen.build(path, tmp_path / "out", workers=1).folder
    assert {(row["task"], row[IMAGE] is None) for row in rows_of(folder)} == {
        ("countdown", True),
        ("board_shapes", False),
    }
    assert synthgen.verify(folder, rebuild="all").ok


def test_statements() -> None:
    svg = "<svg a='ü'></svg>"
    header = b"\0\0\0\rIHDR" + bytes(17)
    png = b"\x89PNG\r\n\x1a\n" + header + b"\0\0\0\0IEND\xaeB`\x82"
    assert svg_of({"bytes": png_with_svg(png, svg), "path": None}) == svg
    assert svg_of({"bytes": png, "path": None}) is None
    assert prompt_and_svg(f"a\nb\n{svg}") == ("a\nb", svg)
    assert prompt_and_svg("a <svg b") == ("a <svg b", None)


@pytest.mark.parametrize(
    "kind", ["grounded_commands", "conditional_grid", "scene_questions", "sokoban"]
)
def test_damaged_pictures_are_refused(kind: str) -> None:
    """Changed numbers, names and colors, and texts that are no pictures, give no answer."""
    generator = generator_class(kind)()
    problems = generator.draw(Rows(stream_key(1, kind, kind), np.arange(8, dtype=np.uint64)))
    texts = generator.render(valid_ones(problems), Render(generator.styles[0], "none", "svg"))
    prompt, svg = texts.prompts[0].as_py(), texts.pictures[0].as_py()
    verifier = load_verifier(generator.verifier)
    assert verifier.accepts(stated(prompt, svg), texts.answers[0].as_py())
    damaged = [
        svg.replace('fill="#', 'fill="x'),
        svg.replace("<line ", '<line x1="nan" '),
        svg.replace('x="', 'x="9e9'),
        svg.replace("</svg>", ""),
        svg.replace("<svg", "<!DOCTYPE svg><svg", 1),
        svg.replace("<line", "<image"),
        "<svg xmlns='http://www.w3.org/2000/svg'>" + 3_000 * "<rect/>" + "</svg>",
    ]
    for each in damaged:
        assert not verifier.accepts(f"{prompt}\n{each}", texts.answers[0].as_py()), each[:200]
