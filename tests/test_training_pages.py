"""What docs/export.md and docs/score.md show, in order: Python, and commands."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.building import synthgen

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["export.md", "score.md"])
def test_the_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    shown = ""
    for kind, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if kind == "python":
            test = doctest.DocTestParser().get_doctest(text, names, page, None, None)
            assert test.examples
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names = test.globs
        elif kind == "bash":
            for line in text.splitlines():
                ended = synthgen(*shlex.split(line)[1:])
                assert ended.returncode == 0, ended.stderr
                shown = ended.stdout
        elif text.startswith(" split"):
            assert [line.split() for line in text.splitlines()] == [
                line.split() for line in shown.splitlines()
            ]
