from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from synthgen.auditing.blocks import OK, Block, HeatMap
from synthgen.auditing.findings import Report
from synthgen.auditing.html import write_html
from synthgen.cli.pages import write_rows, write_scores
from synthgen.training.scoring import Accuracy, Mistake, Scored, SplitScore
from tests.auditing.browser import Browser, find_browser
from tests.auditing.html_samples import sample_report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    if "browser" not in request.config.getoption("markexpr"):
        pytest.skip("asked for with -m browser")
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium on the path, nor in SYNTHGEN_CHROMIUM")
    with Browser(path, tmp_path_factory.mktemp("browser")) as started:
        started.scheme("light")
        yield started


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_html(tmp_path_factory.mktemp("page") / "report.html", sample_report())


@pytest.fixture
def opened(browser: Browser, file: Path) -> Browser:
    browser.open(file)
    return browser


def unfold(browser: Browser) -> None:
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


def pick(browser: Browser, name: str, value: str) -> None:
    browser.run(
        f"(() => {{ const s = document.querySelector('select[name={name}]'); s.value = '{value}';"
        " s.dispatchEvent(new Event('change')); })()"
    )


def heat(browser: Browser) -> dict[str, object]:
    """Return what the heat map shows: its sentence, numbers of cells, labels and picked axes."""
    found: dict[str, object] = browser.run(
        "(() => { const r = document.querySelector('.heats'); return {"
        " told: r.querySelector('.heat-summary').textContent,"
        " cells: r.querySelectorAll('.heat-room td').length,"
        " unseen: r.querySelectorAll('.heat-room .new').length,"
        " rows: [...r.querySelectorAll('.heat-room tbody th')].map((t) => t.textContent),"
        " picks: [...r.querySelectorAll('select')].map((s) => s.value),"
        " name: r.querySelector('.heat-room caption').textContent }; })()"
    )
    return found


def test_it_opens_without_a_network_or_complaints(opened: Browser, file: Path) -> None:
    assert opened.run("document.title").startswith("Passed, 2 findings to review")
    assert opened.complaints() == []
    assert opened.requests() == [file.as_uri()]


def test_nothing_is_clipped_on_a_usual_screen(browser: Browser, file: Path) -> None:
    browser.open(file, 1280)
    clipped = "(e) => e.scrollWidth > e.clientWidth + 1"
    found = browser.run(
        f"[...document.querySelectorAll('html, .scroll')].filter({clipped})"
        ".map((e) => e.getAttribute('aria-label'))"
    )
    assert found == []


def test_findings_that_passed_are_one_line_within_two_screens(browser: Browser, file: Path) -> None:
    browser.open(file, 1280)
    lines = browser.run(
        "[...document.querySelectorAll('details.finding')].map((e) =>"
        " [e.open, e.getBoundingClientRect().height, e.getBoundingClientRect().top + scrollY])"
    )
    closed = [each for each in lines if not each[0]]
    assert len(lines) - len(closed) == 2  # those to review
    assert max(height for _, height, _ in closed) < 60
    assert closed[0][2] < 2 * 900
    browser.run("document.querySelector('#finding-1 summary').click()")
    assert browser.run("document.querySelector('#finding-1 .lead').checkVisibility()")


def test_every_chart_is_drawn(opened: Browser) -> None:
    unfold(opened)
    sizes = opened.run(
        "[...document.querySelectorAll('svg.drawing')].map((svg) => {"
        " const box = svg.getBoundingClientRect();"
        " const marks = svg.querySelectorAll('.bar, .curve');"
        " return [box.width, box.height, marks.length]; })"
    )
    assert len(sizes) == 17
    assert all(width > 100 and height > 30 and marks for width, height, marks in sizes)
    colours = opened.run(
        "['.bar.s0', '.bar.s1'].map((name) => getComputedStyle(document.querySelector(name)).fill)"
    )
    assert len(set(colours)) == 2
    assert not {"none", "rgb(0, 0, 0)"} & set(colours)
    grounds = opened.run(
        "['h1', 'h2', 'h3', 'h4', 'h5', 'zero', 'none'].map((name) =>"
        " getComputedStyle(document.querySelector(`.cell.${name}`)).backgroundColor)"
    )
    assert len(set(grounds)) == 7


def test_pickers_change_the_heat_map(opened: Browser) -> None:
    first = heat(opened)
    assert first["cells"] == 4 * 16
    assert first["rows"] == ["+", "−", "×", "÷"]
    assert str(first["told"]).startswith("train, operator × depth: rows in 61 of the 63 cells")
    pick(opened, "axes", "operator × max_value")
    second = heat(opened)
    assert second["cells"] == 4 * 8
    assert second["name"] == "train: operator (rows) and max_value (columns)"
    pick(opened, "axes", "depth × max_value")
    assert heat(opened)["cells"] == 16 * 8
    pick(opened, "split", "test_pairs")
    assert heat(opened)["name"] == "test_pairs: depth (rows) and max_value (columns)"
    assert opened.complaints() == []


def test_a_turned_heat_map_has_the_same_counts(opened: Browser) -> None:
    counts = (
        "[...document.querySelectorAll('.heat-room tbody tr')].map((row) =>"
        " [...row.querySelectorAll('td')].map((cell) => cell.textContent))"
    )
    before = opened.run(counts)
    opened.run("document.querySelector('button[name=turn]').click()")
    assert opened.run(counts) == [list(column) for column in zip(*before, strict=True)]
    assert heat(opened)["name"] == "train: depth (rows) and operator (columns)"


def test_a_split_without_the_picked_axes_shows_its_first_ones(
    browser: Browser, tmp_path: Path
) -> None:
    one = HeatMap("train", "a", "b", ("1",), ("2",), ((1,),))
    heats = (one, replace(one, column_axis="c"), replace(one, split="test"))
    blocks = (Block("pairs", "Pairs", OK, "", heats=heats),)
    browser.open(write_html(tmp_path / "report.html", Report("r", "0", (), (), (), blocks=blocks)))
    pick(browser, "axes", "a × c")
    pick(browser, "split", "test")
    assert heat(browser)["picks"] == ["test", "a × b"]
    disabled = browser.run(
        "[...document.querySelector('select[name=axes]').options]"
        ".filter((option) => option.disabled).map((option) => option.value)"
    )
    assert disabled == ["a × c"]


def test_cells_that_train_lacks_are_marked(opened: Browser) -> None:
    assert heat(opened)["unseen"] == 0
    pick(opened, "split", "test_deep")
    found = heat(opened)
    assert found["unseen"] == 1
    assert str(found["told"]).endswith("1 of them empty in train.")


def focused(browser: Browser) -> str:
    return str(
        browser.run(
            "(() => { const e = document.activeElement; return"
            " e.id || e.name || e.getAttribute('href') || e.className || e.tagName; })()"
        )
    )


def test_keys_reach_everything_in_the_order_of_the_page(opened: Browser) -> None:
    order = []
    for _ in range(80):
        opened.press("Tab")
        order.append(focused(opened))
        if order[-1] == "BODY":
            break
    places = opened.run(
        "[...document.querySelectorAll('a, button, select, summary, .scroll[tabindex]')]"
        ".filter((e) => e.checkVisibility()).length"
    )
    assert order[:2] == ["#findings", "theme"]
    assert [name for name in order if name.startswith("#finding-")] == [
        f"#finding-{i}" for i in (4, 5)
    ]
    start = order.index("split")
    assert order[start : start + 3] == ["split", "axes", "turn"]
    assert len(order) - 1 == places
    opened.press("Tab", shift=True)
    opened.run("document.querySelector('#theme').focus()")
    outline = opened.run("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_the_theme_can_be_chosen_and_follows_the_system(opened: Browser) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = opened.run(paper)
    opened.scheme("dark")
    dark = opened.run(paper)
    assert light != dark
    opened.run("document.querySelector('#theme').focus()")
    opened.press("Enter")
    assert opened.run(paper) == light
    opened.press(" ")
    opened.scheme("light")
    assert opened.run(paper) == dark
    assert opened.run("document.querySelector('#theme').textContent") == "Theme: dark"


def test_texts_are_easy_to_read_in_both_themes(opened: Browser) -> None:
    """Contrast of text and ground is at least 4.5, as WCAG 2 asks for."""
    script = """(() => {
      const parse = (text) => text.match(/[\\d.]+/g).map(Number);
      const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
        .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const ground = (e) => {
        for (let at = e; at; at = at.parentElement) {
          const found = parse(getComputedStyle(at).backgroundColor);
          if (found.length < 4 || found[3] === 1) return found;
        }
        return [255, 255, 255];
      };
      return [...document.querySelectorAll('p, a, td, th, dt, dd, h1, h2, .badge, summary, caption')]
        .filter((e) => e.textContent.trim() && e.checkVisibility())
        .map((e) => {
          const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
          return [(a + 0.05) / (b + 0.05), e.tagName + ' ' + e.className];
        })
        .filter(([ratio]) => ratio < 4.5);
    })()"""  # noqa: E501
    for scheme in ("light", "dark"):
        opened.scheme(scheme)
        assert opened.run(script) == []
    opened.scheme("light")


def test_a_phone_scrolls_only_down(browser: Browser, file: Path) -> None:
    browser.open(file, 390, 844, phone=True)
    assert browser.run("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    unfold(browser)
    assert browser.run("document.documentElement.scrollWidth") == 390
    smallest = browser.run(
        "Math.min(...[...document.querySelectorAll('button, select')]"
        ".filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().height))"
    )
    assert smallest >= 36
    reached = browser.run(
        "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth + 1"
        " || e.scrollHeight > e.clientHeight + 1).map((e) => e.tabIndex)"
    )
    assert reached
    assert set(reached) == {0}


def test_scores_and_previews_have_the_look_of_the_report(browser: Browser, tmp_path: Path) -> None:
    right, board = Accuracy(90, 90, 0.8, 0.7, 0.9), "i.W\n.W."
    axes = {"n_op": {"1": right, "2": None, "3": right}, "structure": {"unseen": right}}
    wrong = [Mistake(board, "x" * 90, "y" * 90, "wrong")]
    split = SplitScore(90, 90, right, why={"right": 72, "wrong": 18}, axes=axes, mistakes=wrong)
    split.passed = {1: right, 2: right}
    splits = {"test_with_longer_words": split, "empty": SplitScore(rows=9)}
    scores = write_scores(tmp_path / "scores.html", "s", Scored(splits, 180, 0))
    row = {"prompt": board, "answer": "1", "id": "f" * 32, "derivation": "(a " * 99}
    rows = write_rows(tmp_path / "rows.html", "r", {"train": [row]})
    for path, drawings in ((scores, 5), (rows, 0)):
        browser.open(path, 390, 844, phone=True)
        unfold(browser)
        assert browser.run("document.documentElement.scrollWidth") == 390
        assert browser.run("document.querySelectorAll('svg.drawing').length") == drawings
        browser.run("document.querySelector('#theme').click()")
        assert browser.run("document.documentElement.dataset.theme") == "light"
        assert browser.complaints() == []
    widths = browser.run(
        "['i', 'W'].map((c) => { const e = document.querySelector('pre.prompt').cloneNode();"
        " e.className = 'scroll'; e.textContent = c.repeat(9); e.hidden = false;"
        " document.body.append(e); const range = document.createRange();"
        " range.selectNodeContents(e); return range.getBoundingClientRect().width; })"
    )
    assert widths[0] == widths[1] > 0


def test_on_paper_there_are_no_controls_and_light_colours(opened: Browser) -> None:
    opened.run("document.documentElement.dataset.theme = 'dark'")
    opened.send("Emulation.setEmulatedMedia", media="print")
    shown = opened.run(
        "[...document.querySelectorAll('button, select')].filter((e) => e.checkVisibility()).length"
    )
    ink = opened.run("getComputedStyle(document.body).color")
    pdf = opened.send("Page.printToPDF", printBackground=False)["data"]
    opened.send("Emulation.setEmulatedMedia", media="")
    assert shown == 0
    assert ink == "rgb(29, 31, 34)"
    assert len(pdf) > 10_000


def test_without_scripts_the_numbers_are_still_there(browser: Browser, file: Path) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(file)
        tree = browser.send("DOM.getDocument", depth=-1)["root"]["nodeId"]
        tables = browser.send("DOM.querySelectorAll", nodeId=tree, selector=".heats noscript table")
        assert len(tables["nodeIds"]) == 1
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_hostile_data_runs_nothing(browser: Browser, tmp_path: Path) -> None:
    text = "</script><img src=x onerror='window.owned=1'><script>window.owned=1</script>"
    heats = (HeatMap(text, text, "b", (text, "x"), (text,), ((1,), (None,))),)
    blocks = (Block(text, text, OK, text, heats=heats),)
    path = write_html(tmp_path / "report.html", Report(text, text, (), (), (), blocks=blocks))
    browser.open(path)
    assert browser.run("window.owned") is None
    assert browser.run("document.querySelectorAll('img').length") == 0
    assert text[:40] in browser.run("document.querySelector('.heat-summary').textContent")
    assert browser.complaints() == []
    assert browser.requests() == [path.as_uri()]


def test_the_policy_stops_what_an_editor_of_the_file_might_add(
    browser: Browser, file: Path, tmp_path: Path
) -> None:
    text = file.read_text(encoding="utf-8")
    bad = "<script>window.owned=1</script><img src='https://example.org/x.png'>"
    path = tmp_path / "edited.html"
    path.write_text(text.replace("</main>", bad + "</main>"), encoding="utf-8")
    browser.open(path)
    assert browser.run("window.owned") is None
    assert len(browser.requests()) == 1 + len(browser.refused())
    assert browser.refused() == ["csp"]
    assert any("Content Security Policy" in each for each in browser.complaints())
