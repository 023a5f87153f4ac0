"""The pages of families are current: every generator is listed, and its examples are its rows."""

import pytest

from benchmarks.gallery import groups, index, section
from benchmarks.processes import ROOT
from synthgen.contract.registry import generator_names

FAMILIES = ROOT / "docs" / "families"
PAGES = {each: name for name, group in groups().items() for each in group["generators"]}
QUICK = ("countdown", "lego")


def assert_current(generator: str) -> None:
    page = (FAMILIES / "gallery" / f"{PAGES[generator]}.md").read_text(encoding="utf-8")
    assert section(generator) in page, "run `just gallery`"


def test_every_generator_is_in_one_group() -> None:
    listed = [each for group in groups().values() for each in group["generators"]]
    assert sorted(listed) == sorted(generator_names())
    assert (FAMILIES / "index.md").read_text(encoding="utf-8") == index(), "run `just gallery`"


@pytest.mark.parametrize("generator", QUICK)
def test_examples_are_rows(generator: str) -> None:
    assert_current(generator)


@pytest.mark.slow
@pytest.mark.parametrize("generator", [each for each in PAGES if each not in QUICK])
def test_all_examples_are_rows(generator: str) -> None:
    assert_current(generator)
