"""Run what a page shows: its commands, its lines of Python and the outputs below them.

    python -m tests.printed [PAGE ...]     write the outputs again, and the notebook

A block `bash` or `python` is run, and a block without a language directly below it is what is
printed, without progress; a line `...` in it stands for any lines. A block whose first line is a
comment with a file name is that file.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.building import synthgen

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "examples" / "quickstart.ipynb"
QUICKSTART = ROOT / "docs" / "quickstart.md"
PAGES = (ROOT / "README.md", QUICKSTART)
COLUMNS = 80

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# ([\w-]+\.\w+)\n")
_LINK = re.compile(r"\]\((?!https?:)")
_PROGRESS = re.compile(r"^(select|write): .*\n(  .*\n)*", re.MULTILINE)
_VARIES = re.compile(r"[\d.]+(?= s\b| [kM]?B\b)|[\d,]+(?= rows/s)")
"""Times, rates and sizes, which are compared as if they were `...`."""
_SETTING_UP = {"git", "cd", "python3", ".", "pip", "pytest", "just"}
"""Programs that set up a machine or develop synthgen, which a page names and no test runs."""


@dataclass(frozen=True)
class Block:
    """A block of a page: its language, its text, and where the text is."""

    kind: str
    text: str
    start: int
    end: int


def blocks_of(page: str) -> Iterator[tuple[Block, Block | None]]:
    """Yield what is run or written, each with the block of its output."""
    blocks = [Block(match[1], match[2], *match.span(2)) for match in _BLOCK.finditer(page)]
    for i, block in enumerate(blocks):
        following = blocks[i + 1] if i + 1 < len(blocks) else None
        if block.kind:
            is_below = following and page[block.end : following.start].split() == ["```", "```"]
            yield block, following if is_below else None


def run_command(line: str) -> str:
    """Run those parts of a line that are commands of synthgen, and return what they print."""
    out = ""
    for part in line.split(" && "):
        program, *arguments = shlex.split(part, comments=True) or ["#"]
        if program == "synthgen":
            ended = synthgen(*arguments, columns=COLUMNS)
            assert ended.returncode == 0, ended.stdout + ended.stderr
            out += ended.stdout
        else:
            assert program in _SETTING_UP | {"#"}, part
    return out


def outputs_of(page: str) -> Iterator[tuple[Block, str]]:
    """Run a page in the current folder, and yield each block of output with what is printed."""
    names: dict[str, object] = {"__name__": "page"}
    for block, shown in blocks_of(page):
        out = io.StringIO()
        if block.kind == "bash":
            out.write("".join(map(run_command, block.text.replace("\\\n", "").splitlines())))
        elif block.kind == "python":
            with contextlib.redirect_stdout(out):
                exec(block.text, names)  # noqa: S102  # a page of this repository
        elif file := _FILE.match(block.text):
            Path(file[1]).write_text(block.text, encoding="utf-8")
        if shown:
            lines = _PROGRESS.sub("", out.getvalue()).splitlines()
            yield shown, "".join(f"{line.rstrip()}\n" for line in lines)


def is_as_shown(shown: str, out: str) -> bool:
    """Return whether an output is the one of the page."""
    want, got = (_VARIES.sub("...", text) for text in (shown, out))
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)


def shortened(shown: str, out: str) -> str:
    """Return an output with as many lines before and after a line `...` as are shown now."""
    lines = shown.splitlines(keepends=True)
    if "...\n" not in lines:
        return out
    head, tail = lines.index("...\n"), lines[::-1].index("...\n")
    printed = out.splitlines(keepends=True)
    return "".join([*printed[:head], "...\n", *printed[len(printed) - tail :]])


def refreshed(page: str) -> str:
    """Run a page in the current folder, and return it with what is printed now."""
    parts, start = [], 0
    for shown, out in outputs_of(page):
        text = shown.text if is_as_shown(shown.text, out) else shortened(shown.text, out)
        parts += [page[start : shown.start], text]
        start = shown.end
    return "".join([*parts, page[start:]])


@contextlib.contextmanager
def folder_like_the_root(folder: Path) -> Iterator[None]:
    """Work in a folder that has the recipes."""
    (folder / "recipes").symlink_to(ROOT / "recipes")
    with contextlib.chdir(folder):
        yield


def notebook_of(page: str) -> str:
    """Return a page as a notebook: its texts, files, commands and Python, without outputs.

    Commands that set up a machine stay part of the text.
    """
    cells, start = [], 0
    for block, shown in blocks_of(page):
        text = block.text
        if block.kind == "bash":
            if not text.startswith("synthgen "):
                continue
            text = "".join(f"!{line}\n" for line in text.splitlines())
        elif file := _FILE.match(text):
            text = f"%%writefile {file[1]}\n{text}"
        opening = page.rindex("```", 0, block.start)
        cells += [_cell("markdown", page[start:opening]), _cell("code", text)]
        start = (shown or block).end + len("```\n")
    cells.append(_cell("markdown", page[start:]))
    cells = [cell | {"id": str(i)} for i, cell in enumerate(cells) if cell["source"]]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, text: str) -> dict[str, object]:
    code: dict[str, object] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    linked = _LINK.sub("](../docs/", text) if kind == "markdown" else text
    source = linked.strip("\n").splitlines(keepends=True)
    return {"cell_type": kind, "metadata": {}, "source": source, **code}


def main(*names: str) -> None:
    """Write the outputs of the pages named, or of all, and the notebook."""
    for path in map(Path.resolve, map(Path, names)) if names else PAGES:
        with tempfile.TemporaryDirectory() as folder, folder_like_the_root(Path(folder)):
            text = refreshed(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
    NOTEBOOK.write_text(notebook_of(QUICKSTART.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
