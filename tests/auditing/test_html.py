from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synthgen.auditing.blocks import FLAG, INFO, OK, BarChart, Block, BlockTable, HeatMap
from synthgen.auditing.findings import Report
from synthgen.auditing.html import HTML_FILE, render_html, write_html
from synthgen.auditing.html_tables import MAX_BYTES, TableLimits, clean
from synthgen.auditing.report import audit
from synthgen.auditing.tallies import Bin, Histogram
from synthgen.verifying.promises import Check
from tests.auditing.html_page import Page
from tests.auditing.html_samples import SPLITS, sample_blocks, sample_report
from tests.dataset.tiny import read_rows, sign, write_dataset, write_rows

HOSTILE = (
    '</script><script>alert("a")</script>',
    "</title></style><img src=x onerror=alert(1)>",
    "\" onfocus=alert(1) autofocus x='",
    "<!--<script>]]>{{ 7 * 7 }}{% raw %}",
    "javascript:alert(1)//&lt;script&gt;",
    "\u202egnp.exe\u2066\x00\x1b[31m\ud800\u2028",
)
ADDRESSES = {
    "src",
    "href",
    "xlink:href",
    "srcset",
    "action",
    "formaction",
    "poster",
    "data",
    "ping",
}


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render_html(sample_report()))


def empty(**changes: Any) -> Report:
    return dataclasses.replace(Report("empty", "0", (), (), ()), **changes)


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of a report, each of whose texts is changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple(with_texts(each, change) for each in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in dataclasses.fields(value)]
        return type(value)(**{name: with_texts(getattr(value, name), change) for name in names})
    if isinstance(value, dict):
        return {change(key): with_texts(each, change) for key, each in value.items()}
    return value


def test_the_page_is_well_formed(page: Page) -> None:
    assert page.faults == []
    assert page.one("html").attributes["lang"] == "en"
    ids = [each.attributes["id"] for each in page.elements if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    links = [each.attributes["href"][1:] for each in page.all("a")]
    assert links
    assert set(links) <= set(ids)


def test_findings_are_ranked_under_the_verdict(page: Page) -> None:
    assert page.one("h1").text == "hint-compositional"
    assert "Passed, 2 findings to review" in page.one("h2", id="verdict").text
    text = page.one("section", kind="verdict").text
    assert "All 6 checks passed. 2 coverage findings flagged for review." in " ".join(text.split())
    assert "69,157" in text
    titles = [block.title for block in sample_blocks()]
    linked = page.all("a")[1:]
    assert [each.text for each in linked] == [titles[3], titles[4]]
    assert [each.attributes["href"] for each in linked] == ["#finding-4", "#finding-5"]
    blocks = [page.one("details", id=f"finding-{i}") for i in range(1, 13)]
    headings = [each.text for each in blocks]
    assert all(title in heading for title, heading in zip(titles, headings, strict=True))
    assert sum("!review" in heading for heading in headings) == 2
    opened = [i for i, each in enumerate(blocks, 1) if "open" in each.attributes]
    assert opened == [4, 5]


def test_splits_and_their_first_rows_come_before_the_findings(page: Page) -> None:
    captions = [each.text for each in page.all("caption")]
    assert captions[:2] == ["Every split, compared with train", "First rows of every split"]
    text = render_html(sample_report())
    places = [text.index(f'id="{name}"') for name in ("verdict", "splits", "findings", "finding-1")]
    assert places == sorted(places)
    row = next(each.text for each in page.all("tr") if "depth > 6" in each.text)
    for shown in ("6,000", "12", "0.0040", "0.031", "+70.0%", "8.5%"):
        assert shown in row
    assert row.strip().endswith("depth > 6")  # figures first: a phone shows them
    assert text.count("1 + 2 × 3") == 3 * len(SPLITS)


def test_a_finding_begins_with_its_text_and_definition() -> None:
    block = Block("divergence", "Divergence", OK, "D_A 0.1.", (BlockTable("t", ("a",), ((1,),)),))
    text = render_html(empty(blocks=(block,)))
    assert text.index("D_A 0.1.") < text.index(block.definition[:20]) < text.index("<table")
    assert "docs/" not in text


def test_columns_that_say_nothing_are_left_out() -> None:
    rows = (("train", "-", None, 1), ("test", "-", None, 2))
    table = BlockTable("t", ("split", "family", "level", "rows"), rows)
    shown = Page(render_html(empty(blocks=(Block("a", "A", OK, "", (table,)),))))
    assert [each.text for each in shown.all("th", scope="col")][:2] == ["split", "rows"]


def test_a_mixture_has_a_matrix_of_tasks_and_levels() -> None:
    heat = HeatMap("train", "task", "level", ("a", "b"), ("0", "1"), ((3, None), (0, 4)))
    shown = Page(render_html(dataclasses.replace(sample_report(), levels=(heat,))))
    assert "Rows by task and level" in [each.text for each in shown.all("h3")]
    data = json.loads(shown.all("script", type="application/json")[0].text)
    assert data["maps"][0]["values"] == [[3, None], [0, 4]]


def test_charts_and_tables_can_be_read_aloud(page: Page) -> None:
    drawings = page.all("svg", kind="drawing")
    # 4 pictures; tiers, divergence, curves of 3 series, diversity, mixes; 2 axes in 3 splits
    assert len(drawings) == 4 + 1 + 1 + 3 + 1 + 1 + 6
    assert all(each.attributes["role"] == "img" for each in drawings)
    assert all(each.attributes["aria-label"] for each in drawings)
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(each.attributes["scope"] in {"col", "row"} for each in page.all("th"))
    assert all(each.attributes["aria-label"] for each in page.all("div", role="region"))
    for select in page.all("select"):
        assert select.inside[-1] == "label"
    assert len(page.all("select")) == 2


def test_histograms_share_the_range_of_an_axis(page: Page) -> None:
    histograms = [each for each in page.all("svg") if "Histogram" in str(each.attributes)]
    depths = [each for each in histograms if "of depth" in each.attributes["aria-label"]]
    assert [each.text.split() for each in depths] == [["0", "29"]] * 3
    assert "0 to 17 · mean 8.2 · 18 values" in depths[0].attributes["aria-label"]
    (shares,) = [each for each in page.all("table") if "Shares of the values" in each.text]
    assert "33.3%" in shares.text


def test_nothing_is_asked_of_a_network(page: Page) -> None:
    found = [
        value
        for each in page.elements
        for name, value in each.attributes.items()
        if name in ADDRESSES
    ]
    assert all(value.startswith("#") or value == "data:," for value in found)
    assert not {each.name for each in page.elements} & {"img", "iframe", "object", "embed", "base"}
    style = page.one("style").text
    assert not re.search(r"url\(|@import|@font-face|expression", style)
    links = re.findall(r"https?://[^\s\"'<]+", render_html(sample_report()))
    assert links == []


def test_only_our_own_script_and_style_may_run(page: Page) -> None:
    scripts = [each for each in page.all("script") if "type" not in each.attributes]
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    for name, text in (("script-src", scripts[0].text), ("style-src", page.one("style").text)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert len(scripts) == 1
    assert policy.startswith("default-src 'none'")
    for call in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "Function("):
        assert call not in scripts[0].text
    for each in page.elements:
        assert not [name for name in each.attributes if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_change_no_element(text: str) -> None:
    """A page of hostile texts has the elements of a page of harmless ones of the same length."""
    report = dataclasses.replace(
        sample_report(), checks=(Check("a", ok=False, detail="b", rows=({"c": "d", "e": 1},)),)
    )
    lengths: dict[str, str] = {}

    def numbered(old: str) -> str:
        return f"{text}{lengths.setdefault(old, str(len(lengths)))}"

    def harmless(old: str) -> str:
        return "x" * len(clean(text, 999)) + lengths[old]

    hostile = with_texts(report, numbered)
    bad, good = Page(render_html(hostile)), Page(render_html(with_texts(report, harmless)))
    assert bad.faults == good.faults == []
    assert [each.name for each in bad.elements] == [each.name for each in good.elements]
    assert [sorted(each.attributes) for each in bad.elements] == [
        sorted(each.attributes) for each in good.elements
    ]


def test_hostile_texts_are_shown_as_they_are() -> None:
    title = HOSTILE[0]
    shown = Page(render_html(empty(blocks=(Block("a", title, OK, HOSTILE[1]),))))
    assert title in shown.one("details", id="finding-1").text
    assert HOSTILE[1] in shown.one("p", kind="lead").text


def test_controls_that_turn_the_text_are_shown_as_escapes() -> None:
    text = render_html(empty(name=HOSTILE[5]))
    assert "\\u202egnp.exe\\u2066\\x00\\x1b[31m\\ud800\\u2028" in text
    assert not set(text) & set("\u202e\u2066\x00\x1b\ud800\u2028")


def test_heat_maps_are_data_that_cannot_end_their_element() -> None:
    heat = HeatMap("</script>", "a&<b", "c", ("</script><b>", "<!--"), ("x",), ((1,), (None,)))
    shown = Page(render_html(empty(blocks=(Block("a", "b", OK, "c", heats=(heat,)),))))
    text = shown.one("script", type="application/json").text
    assert not set(text) & set("<>&")
    assert text.isascii()
    data = json.loads(text)
    assert data["base"] == "</script>"
    assert data["labels"] == [["</script><b>", "<!--"], ["x"]]
    assert data["maps"][0] | {"split": "", "row": "a&<b"} == {
        "split": "",
        "row": "a&<b",
        "column": "c",
        "rows": 0,
        "columns": 1,
        "values": [[1], [None]],
    }


def test_the_verdict_follows_checks_then_blocks() -> None:
    good, bad = Check("rows/train", ok=True, detail=""), Check("overlap/a+b", ok=False, detail="x")
    flag, info = Block("a", "A", FLAG, ""), Block("b", "B", INFO, "")
    for checks, blocks, level, headline in (
        ((good,), (info,), "ok", "✓ Passed"),
        ((good,), (flag, info), "flag", "! Passed, 1 finding to review"),
        ((good, bad), (info,), "fail", "✕ Failed"),
        ((good, bad), (flag,), "fail", "✕ Failed"),
    ):
        shown = Page(render_html(empty(checks=checks, blocks=blocks)))
        assert level in shown.one("section", kind="verdict").attributes["class"].split()
        assert shown.one("h2", id="verdict").text == headline
        assert shown.one("title").text.startswith(headline[2:])


def test_a_verdict_that_is_none_of_ours_informs() -> None:
    shown = Page(render_html(empty(blocks=(Block("a", "A", "great", ""),))))
    assert "info" in shown.one("details", id="finding-1").text
    assert "✓ Passed" in shown.one("h2", id="verdict").text


def test_failed_checks_show_their_rows_first(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    hard = "data/test_hard-00000-of-00001.parquet"
    rows = read_rows(folder, hard)
    rows[0] |= {"n_op": 1, "prompt": "<b>odd</b>\n?"}
    write_rows(folder, hard, rows)
    sign(folder)
    shown = Page(render_html(audit(folder)))
    assert shown.one("h2", id="verdict").text == "✕ Failed"
    failed = shown.one("article", kind="failed").text
    assert "where/test_hard" in failed
    assert "<b>odd</b>\n?" in failed
    first = next(each for each in shown.all("td") if each.text in {"ok", "FAILED"})
    assert first.text == "FAILED"


def test_unreadable_files_still_give_a_page(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    (folder / "data/test_hard-00000-of-00001.parquet").unlink()
    shown = Page(render_html(audit(folder)))
    assert any("contents not checked" in each.text for each in shown.all("article"))
    assert not shown.all("details", id="axes")


def test_rows_without_a_verifier_are_no_fault() -> None:
    split = dataclasses.replace(sample_report().splits[0], verified=0, axes=())
    unverified = Page(render_html(empty(splits=(split,))))
    assert "of rows verified" not in unverified.one("section", kind="verdict").text
    assert not unverified.all("td", kind="bad")
    assert not unverified.all("details", id="axes")
    some = dataclasses.replace(split, name="half", verified=1)
    mixed = Page(render_html(empty(splits=(split, some))))
    assert len(mixed.all("td", kind="bad")) == 2
    assert "< 0.1%" in mixed.one("section", kind="verdict").text


def test_nothing_at_all_is_a_page() -> None:
    shown = Page(render_html(empty()))
    assert shown.faults == []
    assert shown.one("h2", id="verdict").text == "✓ Passed"


def test_odd_numbers_and_shapes_are_drawn() -> None:
    odd = (float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 10**400, 5e-324, -3.5)
    labels = tuple(str(i) for i in range(len(odd)))
    blocks = (
        Block(
            "a",
            "odd",
            OK,
            "",
            (BlockTable("t", ("a", "b"), ((odd[0], None), (10**400, "x"))), BlockTable("", (), ())),
            (
                BarChart("b", "x", "y", labels, ("s",), (odd,)),
                BarChart("curves", "x", "y", labels * 3, ("s", "t"), (odd * 3, odd * 3)),
                BarChart(
                    "long", "x", "y", tuple(f"name {i}" * 9 for i in range(8)), ("s",), (odd,)
                ),
                BarChart("none", "", "", (), (), ()),
                BarChart("short rows", "", "", ("a", "b"), ("s", "t"), ((1.0,), ())),
            ),
            (
                HeatMap("s", "a", "b", (), (), ()),
                HeatMap("s", "a", "c", ("1",), ("2",), ((None,),)),
            ),
        ),
    )
    shown = Page(render_html(empty(blocks=blocks)))
    assert shown.faults == []
    places = re.compile(r"nan|inf|\d{7}")
    for each in shown.elements:
        for name in {"x", "y", "d", "width", "height", "cx", "cy"} & set(each.attributes):
            assert not places.search(each.attributes[name]), (each.name, each.attributes)
    assert all(float(each.attributes["height"]) >= 0 for each in shown.all("rect"))


def large_report() -> Report:
    """Return a report that is far larger than any page may be."""
    text = "'<&>\"é" * 500
    split = sample_report().splits[0]
    axes = tuple(
        Histogram(f"{i}{text}", 10, 0, 50, 0, 49, 3.0, tuple(Bin(v, v, 9**v) for v in range(50)))
        for i in range(100)
    )
    labels = tuple(f"{i}{text}" for i in range(300))
    table = BlockTable(text, labels[:100], tuple((text,) * 100 for _ in range(400)))
    bars = BarChart(text, text, text, labels, labels[:40], (tuple(map(float, range(300))),) * 40)
    heat = HeatMap(text, text, text, labels, labels, ((10**9,) * 300,) * 300)
    parts = ((table,) * 20, (bars,) * 20, (heat,) * 300)
    return Report(
        text,
        text,
        (Check(text, ok=False, detail=text, rows=({"prompt": text},) * 5),) * 1000,
        tuple(dataclasses.replace(split, name=f"{i}{text}", axes=axes) for i in range(30)),
        (),
        blocks=(Block("a", text, FLAG, text, *parts),) * 20,
    )


@pytest.mark.slow
def test_the_page_is_small_whatever_the_report() -> None:
    text = render_html(large_report())
    assert len(text.encode()) <= MAX_BYTES
    shown = Page(text)
    assert shown.faults == []
    notes = " ".join(each.text for each in shown.all("p", kind="note"))
    for what in ("of 1,000 failed checks", "of 400 rows", "of 30 splits", "of 100 axes"):
        assert what in notes
    for what in ("of 20 findings", "of 300 heat maps", "of 300 values of an axis", "of 20 tables"):
        assert what in notes


def test_a_usual_report_is_whole_and_much_smaller() -> None:
    text = render_html(sample_report())
    assert len(text.encode()) < 150_000
    assert "Shown:" not in text


def test_limits_end_at_one_of_everything() -> None:
    limits = TableLimits()
    for _ in range(20):
        limits = limits.halved()
    assert limits.halved() == limits
    assert min(dataclasses.astuple(limits)) == 1


def test_the_file_is_written_whole_and_the_same_twice(tmp_path: Path) -> None:
    report = sample_report()
    path = write_html(tmp_path / HTML_FILE, report)
    first = path.read_bytes()
    assert first == render_html(report).encode()
    assert write_html(path, report).read_bytes() == first
    assert [entry.name for entry in path.parent.iterdir()] == ["report.html"]
