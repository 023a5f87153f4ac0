"""The dataset card: README.md with the YAML front matter for loaders and hubs.

Texts of a recipe may contain anything, so they enter the front matter only as quoted ASCII scalars,
and the rest only with all markup and control characters escaped.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

from synthgen.core.images import IMAGE_TYPES, PNG
from synthgen.core.printing import printable
from synthgen.dataset.evaluations import has_tasks
from synthgen.dataset.manifest import Manifest, SplitRecord

_SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
    (10**9, "100M<n<1B"),
)
_LARGEST_SIZE = "n>1B"
_DEDUP = {
    "canonical": "No problem occurs twice in a split, or in two splits unless declared.",
    "prompt": "No prompt occurs twice in a split, or in two splits unless declared.",
    "none": "Repeated problems were not removed.",
}
_RUBRIC = "skill_prompt"
"""Verifier of rubrics, by which only a reader or a model can grade."""
_CARD_KEYS = ("license", "language", "creator", "date", "url", "citation", "description")
_OWN_OPTIONS = ("rows", "scale", "seed")


def render_card(manifest: Manifest, card: Mapping[str, str | None]) -> str:
    """Write README.md.

    Args:
        manifest: Manifest of the finished dataset.
        card: Title, license, creator, date, url, language, citation and description; missing or
            None entries are left out, and the title defaults to the dataset's name.
    """
    values = {name: card.get(name) for name in _CARD_KEYS}
    return _template("card.md.jinja").render(
        values,
        m=manifest,
        title=card.get("title") or manifest.name,
        size=size_category(manifest.totals.rows),
        sizes={s.name: sum(shard.arrow_bytes for shard in s.shards) for s in manifest.splits},
        download=sum(shard.bytes for split in manifest.splits for shard in split.shards),
        dedup=_DEDUP[manifest.dedup] + _repeats(manifest),
        command=_command(manifest),
        rewarded=not any(source.verifier == _RUBRIC for source in manifest.sources),
        evaluated=has_tasks(manifest),
        rule=_rule,
        shares=lambda split: _shares(manifest, split),
    )


def render_split_card(title: str, record: Mapping[str, Any], command: str) -> str:
    """Write README.md of a split of third-party files.

    Args:
        title: Title of the card.
        record: Content of the split's record.
        command: Command line that audits the split.
    """
    rows = sum(split["rows"] for split in record["splits"].values())
    return _template("split_card.md.jinja").render(
        title=title, size=size_category(rows), record=record, command=command
    )


def size_category(rows: int) -> str:
    """Return the hub's size category for a number of rows."""
    return next((name for limit, name in _SIZES if rows < limit), _LARGEST_SIZE)


def yaml_scalar(text: str) -> str:
    """Quote text as a YAML scalar of printable ASCII on one line."""
    return '"' + "".join(_yaml_character(character) for character in text) + '"'


def _yaml_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if " " <= character <= "~" else f"\\U{ord(character):08x}"


_INLINE_MARKUP = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
"""Characters with a meaning anywhere in Markdown, apart from HTML: underscores outside words."""
_BLOCK_MARKUP = re.compile(r"^(\d*)([-+=#>.)])")
"""Characters with a meaning at the start of a line."""


def _line(text: str) -> str:
    """Escape text for one line of Markdown, such as a cell of a table."""
    plain = _INLINE_MARKUP.sub(r"\\\g<0>", printable(" ".join(text.split())))
    return _BLOCK_MARKUP.sub(r"\1\\\2", plain).replace("&", "&amp;").replace("<", "&lt;")


def _paragraphs(text: str) -> str:
    """Escape text for paragraphs of Markdown, which blank lines divide."""
    return "\n".join(map(_line, text.strip().splitlines()))


def _feature(kind: str) -> str:
    """Return the feature of `datasets` for a type of columns."""
    return "image" if kind == str(IMAGE_TYPES[PNG]) else kind


def _code(text: str) -> str:
    """Format text as a code span that is safe in tables and may contain backticks."""
    plain = printable(" ".join(text.split())).replace("|", "\\|")
    if "`" not in plain:
        return f"`{plain}`" if plain else ""
    ticks = _longer_fence(plain, 1)
    return f"{ticks} {plain} {ticks}"


def _fenced(text: str) -> str:
    fence = _longer_fence(text, 3)
    lines = map(printable, text.strip().splitlines())
    return "\n".join((fence, *lines, fence))


def _longer_fence(text: str, shortest: int) -> str:
    """Return more backticks than any run of them in the text."""
    return "`" * max(shortest, *(len(run) + 1 for run in ["", *re.findall("`+", text)]))


_LONGEST_PARAM = 80


def _compact(value: object) -> str:
    """Return params as JSON, truncating long texts read from files."""
    if isinstance(value, Mapping):
        value = {key: _truncated(item) for key, item in value.items()}
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _truncated(item: object) -> object:
    long = isinstance(item, str) and len(item) > _LONGEST_PARAM
    return f"{str(item)[:_LONGEST_PARAM]}…" if long else item


def _rule(split: SplitRecord) -> str:
    """Describe in one table cell which problems a split contains."""
    parts = []
    if split.where is not None:
        parts.append(_code(split.where))
    if split.seen_in is not None:
        parts.append(f"problems of {_code(split.seen_in)}")
    if split.variant is not None:
        rows = f"rows of {_code(split.variant.of)}, each restated by"
        parts.append(f"{rows} {_code(split.variant.source)}")
    for part in split.parts:
        repeats = f" ({part.problems:,} problems)" if part.problems < part.rows else ""
        parts.append(f"{part.rows:,} rows{repeats} with {_code(part.where)}")
    if split.members is not None:
        parts.append(f"the prompts listed in {_code(split.members.file)}")
    if split.cap is not None:
        exempt = f" where {_code(split.cap.where)}" if split.cap.where else ""
        share = f"at most {split.cap.share:.4g} of a cell with equal"
        parts.append(f"{share} {_code(split.cap.axis)}{exempt}")
    if split.noise is not None and split.noise.rows:
        what = "answer" if split.noise.kind == "labels" else "step of the solution"
        parts.append(f"{split.noise.rows:,} rows with a wrong {what} on purpose")
    return "; ".join(parts) or "all problems"


def _repeats(manifest: Manifest) -> str:
    """Return a sentence on the problems that splits repeat as declared, if any do."""
    counts = [f"{s.repeats:,} in {_code(s.name)}" for s in manifest.splits if s.repeats]
    about = f" Rows that repeat a problem of their split, as declared: {', '.join(counts)}."
    return about if counts else ""


def _shares(manifest: Manifest, split: SplitRecord) -> list[str]:
    """Return the splits declared, on either side, to share problems with this one."""
    return [
        other.name
        for other in manifest.splits
        if other.name in (split.base, *split.overlap) or split.name in (other.base, *other.overlap)
    ]


def _command(manifest: Manifest) -> str:
    """Return the command line that rebuilds the dataset from its own recipe."""
    words = ["synthgen", "build", "recipe.toml", *["--select-only"] * (not manifest.has_data)]
    for override in manifest.overrides:
        key, _, value = override.partition("=")
        own = key in _OWN_OPTIONS
        words += [f"--{key}", value] if own else ["--set", override.removeprefix("set ")]
    return " ".join(shlex.quote(printable(" ".join(word.split()))) for word in words)


@cache
def _template(name: str) -> jinja2.Template:
    # The result is Markdown and YAML, which HTML escapes would break, so each place has its filter.
    environment = jinja2.Environment(
        autoescape=False,  # noqa: S701
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters = {"yaml": yaml_scalar, "line": _line, "paragraphs": _paragraphs, "code": _code}
    environment.filters["feature"] = _feature
    environment.filters.update(filters, fenced=_fenced, compact=_compact)
    source = files("synthgen.dataset").joinpath(name).read_text(encoding="utf-8")
    return environment.from_string(source)
