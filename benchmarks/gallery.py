"""`python -m benchmarks.gallery`: write docs/families/index.md and a page of examples per group.

Params are those of the recipe `everything`. The groups are those of `synthgen list`.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import synthgen
from benchmarks.processes import ROOT
from synthgen.api import Row, plans_of
from synthgen.contract.registry import generator_class, generator_summary
from synthgen.recipe.bundled import find_recipe

_DOCS = ROOT / "docs" / "families"
_ROWS = 100
_MAX_LINES, _MAX_TEXT = 30, 1_500
_PAGES = {
    "de_moivre": "complex_roots",
    "gcd": "integers",
    "grid_chips": "chips",
    "polynomial_evaluation": "polynomial_values",
    "rewrite_infer": "rewrite",
    "word_letters": "last_letters",
}
"""Pages that do not have the name of the family's folder."""
_HEAD = f"""# Families

Every generator, by what a reader may look for. A name leads to examples: a prompt in each style,
the answer and the worked steps, at the lowest and the highest level of its first {_ROWS} problems.
"Page" explains params, axes, levels and published sources. `synthgen describe NAME` prints params
and axes. `just gallery` writes these pages.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the index and the pages.

    Args:
        arguments: Arguments of the command line, by default those of this process.

    Returns:
        0.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gallery", description=__doc__)
    parser.add_argument("groups", nargs="*", choices=[*groups(), []], help="by default all")
    options = parser.parse_args(arguments)
    (_DOCS / "gallery").mkdir(exist_ok=True)
    (_DOCS / "index.md").write_text(index(), encoding="utf-8")
    for name in options.groups or groups():
        group = groups()[name]
        parts = [f"# {group['title']}\n\n{group['about']}\nAll groups: [families](../index.md).\n"]
        parts.extend(map(section, group["generators"]))
        (_DOCS / "gallery" / f"{name}.md").write_text("\n".join(parts), encoding="utf-8")
        print(name, flush=True)
    return 0


@cache
def groups() -> Mapping[str, Any]:
    """Return the groups by the name of their page."""
    return tomllib.loads(files("synthgen.cli").joinpath("groups.toml").read_text("utf-8"))


def index() -> str:
    """Return the page that lists all generators by group."""
    parts = [_HEAD]
    for name, group in groups().items():
        parts.append(f"## {group['title']}\n\n{group['about']}\n")
        parts.append("| generator | makes | |\n|---|---|---|")
        for each in group["generators"]:
            link = f"[`{each}`](gallery/{name}.md#{each})"
            parts.append(f"| {link} | {generator_summary(each)} | [page]({_page(each)}) |")
        parts.append("")
    return "\n".join(parts)


def section(generator: str) -> str:
    """Return the examples of a generator."""
    about = synthgen.describe(generator)
    solution = next((each for each in about["solutions"] if each != "none"), "none")
    source = _source(generator, about)
    examples: dict[int, dict[str, Row]] = {}
    for style in _styles(source):
        rows = _rows(source, style, solution)
        for place in _extremes(rows):
            examples.setdefault(place, {})[style] = rows[place]
    parts = [f"## {generator}", f"{about['summary']}. [Page](../{_page(generator)})."]
    for styled in examples.values():
        parts.extend(_example(styled, solution))
    return "\n\n".join(parts) + "\n"


def _source(generator: str, about: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first source of `everything` with this generator, or one with its defaults."""
    recipe = tomllib.loads(find_recipe("everything").read_text(encoding="utf-8"))
    for source in recipe["source"]:
        if source["generator"] == generator:
            return {"generator": generator, "params": source.get("params", {})}
    params = {"level": True} if "level" in about["params"] else {}
    return {"generator": generator, "params": params}


def _recipe(source: Mapping[str, Any], **render: str) -> Mapping[str, object]:
    return {
        "name": "gallery",
        "source": [source],
        "split": [{"name": "rows", "rows": _ROWS}],
        "render": render,
        "output": {"order": "address"},
    }


def _styles(source: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the prompt styles that the params of the source allow."""
    _, plan = next(plans_of(_recipe(source)))
    return plan.sources[0].generator.styles


def _rows(source: Mapping[str, Any], style: str, solution: str) -> list[Row]:
    return synthgen.preview(_recipe(source, prompt=style, solution=solution), _ROWS)["rows"]


def _extremes(rows: Sequence[Row]) -> tuple[int, ...]:
    """Return the places of the first rows of the lowest and of the highest level."""
    levels = [row["level"] if "level" in row else row["difficulty"] for row in rows]
    return tuple(dict.fromkeys((levels.index(min(levels)), levels.index(max(levels)))))


def _example(styled: Mapping[str, Row], solution: str) -> Iterator[str]:
    """Yield the blocks of one problem: its prompts, and answer and steps where they differ."""
    shown = ""
    first = next(iter(styled.values()))
    axis = "level" if "level" in first else "difficulty"
    yield f"**{axis.capitalize()} {first[axis]}**"
    for style, row in styled.items():
        more = row["prompt"].removeprefix(first["prompt"]).strip() if row is not first else ""
        if more and more != row["prompt"].strip():
            other = next(iter(styled))
            yield f"Prompt, `{style}`: that of `{other}`, followed by\n\n{_block(more)}"
        else:
            yield f"Prompt, `{style}`:\n\n{_block(row['prompt'])}"
        after = f"Answer:\n\n{_block(row['answer'])}"
        if row["solution"]:
            after += f"\n\nSolution, `{solution}`:\n\n{_block(row['solution'])}"
        if shown and after != shown:
            yield shown
        shown = after
    yield shown


def _block(text: str) -> str:
    """Return a block of code; a long text is cut, with a mark that says how much is missing."""
    cut = "\n".join(text[:_MAX_TEXT].split("\n")[:_MAX_LINES])
    if len(cut) < len(text):
        cut += f"\n[... {len(text) - len(cut):,} more characters]"
    return f"````text\n{cut}\n````"


def _page(generator: str) -> str:
    """Return the file of a generator's page."""
    folders = generator_class(generator).__module__.split(".")[2:-1]
    names = [_PAGES.get(each, each) for each in (generator, *reversed(folders))]
    return next(f"{each}.md" for each in names if (_DOCS / f"{each}.md").is_file())


if __name__ == "__main__":
    raise SystemExit(main())
