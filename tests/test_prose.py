"""Pages for people: short sentences, percentages alike, and every page in the navigation."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WRITTEN = [
    ROOT / "README.md",
    *sorted(page for page in DOCS.rglob("*.md") if page.name != "commands.md"),
]
FENCE = re.compile(r"^\s*(`{3,}|~{3,}).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)
APART = re.compile(r"^(\||#|>|    ).*$", re.MULTILINE)
"""Rows of tables, headings, quoted prompts and formulas."""
ITEM = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)")
END = re.compile(r"(?<=[.!?])[\"*)_]*\s+(?=[\"*(_\[`]*[A-Z`0-9])")
MAX_WORDS = 40


def sentences(page: Path) -> Iterator[str]:
    text = APART.sub("\n", FENCE.sub("\n\n", page.read_text(encoding="utf-8")))
    for paragraph in ITEM.split(text):
        yield from END.split(" ".join(paragraph.split()))


def test_no_sentence_is_long() -> None:
    long = [
        f"{page.relative_to(ROOT)}: {len(each.split())} words: {each}"
        for page in WRITTEN
        for each in sentences(page)
        if len(each.split()) > MAX_WORDS
    ]
    assert long == []


def test_percentages_have_no_space() -> None:
    spaced = [
        f"{page.relative_to(ROOT)}: {each}"
        for page in WRITTEN
        if page.name != "README.md"
        for each in sentences(page)
        if re.search(r"\d %(?! \w+ =)", re.sub(r"`[^`]*`", "", each))
    ]
    assert spaced == []


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = {*re.findall(r"\S+\.md$", text, re.MULTILINE)}
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} | {"commands.md"}
    assert listed == pages
