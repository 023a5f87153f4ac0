"""Forgeries of rows: what one column, or a few, may say that the address does not give."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from benchmarks.faults.forged import Forged, NotHereError, Row

Edit = Callable[[Row, Row], Row]
"""Returns what to change in a row, given another row of its source."""
MOST, SOME, FEW = 0.95, 0.1, 0.025
"""Shares of a split's rows: of the largest forgery, of a usual one, and of one that is hard to see.
"""
_WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})


def _of(other: Row, *names: str) -> Row:
    return {name: other[name] for name in names}


def _spelled(change: Callable[[str], str]) -> Edit:
    """Return an edit of the prompt's spelling."""
    return lambda row, _: {"prompt": change(row["prompt"])}


def _copied(change: Callable[[str], str] = str) -> Edit:
    """Return an edit that takes the problem of another row, in this spelling."""
    return lambda _, other: {
        **_of(other, "answer", "answer_type", "solution", "template"),
        "prompt": change(other["prompt"]),
    }


def _next_number(text: str) -> str:
    """Return a text with its last number increased."""
    return re.sub(r"\d+(?=\D*$)", lambda found: str(int(found[0]) + 1), text)


def _axes(row: Row) -> list[str]:
    return [name for name in [*row][11:] if isinstance(row[name], int)]


def _axis_edit(row: Row, other: Row) -> Row:
    """Return an axis value of another row."""
    return next(({n: other[n]} for n in _axes(row) if other[n] not in (row[n], None)), {})


def _off_by_one(row: Row, _: Row) -> Row:
    """Return the last axis off by one, which is a computed one where there are any."""
    return {_axes(row)[-1]: row[_axes(row)[-1]] + 1} if _axes(row) else {}


def _flipped_format(row: Row, _: Row) -> Row:
    names = [name for name in row if name.startswith("format_")]
    if not names:
        raise NotHereError
    other = "none" if row[names[0]] != "none" else "choice"
    return {names[0]: other}


def _solution(change: Callable[[str], str | None]) -> Edit:
    """Return an edit of the solution, where there is one."""
    return lambda row, _: {"solution": change(row["solution"])} if row["solution"] else {}


def _shuffled_lines(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(lines[::-1])


EDITS: Mapping[str, Edit] = {
    "another problem, its answer too": _copied(),
    "prompt and answer exchanged": lambda _, other: _of(other, "prompt", "answer"),
    "prompt alone": lambda _, other: _of(other, "prompt"),
    "axis of another row": _axis_edit,
    "computed axis off by one": _off_by_one,
    "axis nulled": lambda row, _: {_axes(row)[0]: None} if _axes(row) else {},
    "every axis of another row": lambda row, other: _of(other, *[*row][11:]),
    "axes of the format": _flipped_format,
    "difficulty": lambda row, _: {"difficulty": row["difficulty"] + 1},
    "template": lambda row, _: {"template": f"{row['template']}_2"},
    "template of another row": lambda _, other: _of(other, "template"),
    "answer_type": lambda row, _: {
        "answer_type": "string" if row["answer_type"] != "string" else "integer"
    },
    "solution nulled": _solution(lambda _: None),
    "solution emptied": _solution(lambda _: ""),
    "solution of another row": lambda _, other: _of(other, "solution"),
    "solution with a wrong number": _solution(_next_number),
    "solution with its lines reversed": _solution(_shuffled_lines),
    "solution where none was asked for": lambda row, _: (
        {} if row["solution"] else {"solution": f"The answer is {row['answer']}."}
    ),
    "answer in the prompt": lambda row, _: {
        "prompt": f"{row['prompt']} The answer is {row['answer']}."
    },
    "answer before the prompt": lambda row, _: {"prompt": f"({row['answer']}) {row['prompt']}"},
    "prompt with an instruction": _spelled(lambda text: f"Ignore what follows.\n{text}"),
    "prompt in brackets": _spelled(lambda text: f"({text})"),
    "prompt in brackets, under another id": lambda row, other: {
        "prompt": f"({row['prompt']})",
        "id": other["id"],
    },
    "prompt with a zero-width space": _spelled(lambda text: f"{text[:1]}\u200b{text[1:]}"),
    "prompt with a soft hyphen": _spelled(lambda text: f"{text[:1]}\u00ad{text[1:]}"),
    "prompt with a direction mark": _spelled(lambda text: f"\u200f{text}"),
    "prompt with other spaces": _spelled(lambda text: f"{text}\u00a0"),
    "prompt with a line break": _spelled(lambda text: f"{text}\n"),
    "prompt in full width": _spelled(lambda text: text.translate(_WIDE)),
    "prompt in capitals": _spelled(lambda text: text.swapcase()),
    "prompt that is empty": _spelled(lambda _: ""),
    "wrong answer": lambda row, _: {"answer": _next_number(row["answer"])},
    "answer of another row": lambda _, other: _of(other, "answer"),
    "answer with a zero before it": lambda row, _: {"answer": f"0{row['answer']}"},
    "answer with a space": lambda row, _: {"answer": f"{row['answer']} "},
    "answer in full width": lambda row, _: {"answer": row["answer"].translate(_WIDE)},
    "derivation": lambda _, other: _of(other, "derivation"),
    "derivation and id": lambda _, other: _of(other, "derivation", "id"),
    "derivation with other spaces": lambda row, _: {"derivation": f"{row['derivation']} "},
    "id": lambda row, _: {"id": f"{int(row['id'], 16) ^ 1:032x}"},
    "id in capitals": lambda row, _: {"id": row["id"].upper()},
    "task": lambda row, _: {"task": "hint" if row["task"] != "hint" else "scan"},
    "source that does not exist": lambda row, _: {"source": f"{row['source']}_2"},
    "address of another row": lambda _, other: _of(other, "address"),
    "next address": lambda row, _: {"address": row["address"] + 1},
    "largest address": lambda _, __: {"address": 2**64 - 1},
    "all but address and source": lambda row, other: {
        name: other[name] for name in row if name not in ("address", "source")
    },
}


def edit_rows(edit: Edit, share: float, forged: Forged) -> None:
    """Change a share of the rows of the largest split.

    Raises:
        NotHereError: if too few rows have what is changed.
    """
    if not forged.rows:
        raise NotHereError
    split = max(forged.rows, key=lambda name: len(forged.rows[name]))
    rows = forged.rows[split]
    by_source: dict[str, list[Row]] = {}
    for row in (row for rows in forged.rows.values() for row in rows):
        by_source.setdefault(row["source"], []).append(dict(row))
    wanted = math.ceil(share * len(rows))
    for place in forged.chance.sample(range(len(rows)), len(rows)):
        row = rows[place]
        change = edit(row, forged.chance.choice(by_source[row["source"]]))
        if any(row[name] != value for name, value in change.items()):
            row.update(change)
            wanted -= 1
        if not wanted:
            break
    if wanted > share * len(rows) / 2:
        raise NotHereError
    forged.touched.add(split)


def row_forgeries() -> Iterator[tuple[str, Callable[[Forged], None]]]:
    """Yield name and change of each forgery of rows."""
    for name, edit in EDITS.items():
        yield f"rows: {name}", partial(edit_rows, edit, SOME)
    yield "rows: most are other problems", partial(edit_rows, _copied(), MOST)
    yield "rows: a fortieth are other problems", partial(edit_rows, _copied(), FEW)
    yield "rows: a fortieth lack the template", partial(edit_rows, EDITS["template"], FEW)
    yield "rows: one is another problem", partial(edit_rows, _copied(), 1e-9)
    yield "rows: of another stream", partial(_drawn, is_other_stream=True)
    yield "rows: of other params", partial(_drawn, is_other_stream=False)
    yield "rows: most of the smallest split", _smallest
    yield "rows: all of one source", _one_source
    yield "rows: the last ones", _last
    for name, change in (
        ("as they are", str),
        ("with spaces", lambda text: f" {text}"),
        ("with a zero-width space", lambda text: f"{text}\u200b"),
        ("in full width", lambda text: text.translate(_WIDE)),
    ):
        yield f"rows: prompts of a test in train, {name}", partial(_leaked, change)
    yield "rows: problems of a test in train, under their own ids", _leaked_whole


def _drawn(forged: Forged, *, is_other_stream: bool) -> None:
    """Replace rows by those of the same addresses in another stream, or of other params."""
    if not forged.rows:
        raise NotHereError
    split, rows = max(forged.rows.items(), key=lambda each: len(each[1]))
    before = [dict(row) for row in rows]
    for source in forged.manifest["sources"]:
        numbers = [name for name, value in source["params"].items() if type(value) is int]
        other = {name: source["params"][name] + 1 for name in numbers[-1:]}
        stream = int(source["stream"], 16) ^ is_other_stream
        highest = max((r["address"] for r in rows if r["source"] == source["name"]), default=0)
        stop = min(highest, 20_000) + 1
        drawn = forged.drawn(source["name"], stream, 0, stop, {} if is_other_stream else other)
        by_address = {row["address"]: row for row in drawn}
        for row in rows:
            if row["source"] == source["name"]:
                row.update(by_address.get(row["address"], row))
    if sum(map(operator.ne, before, rows)) < SOME * len(rows):
        raise NotHereError
    forged.touched.add(split)


def _smallest(forged: Forged) -> None:
    if not forged.rows:
        raise NotHereError
    split, rows = min(forged.rows.items(), key=lambda each: len(each[1]))
    for row in rows[: int(MOST * len(rows))]:
        row["template"] += "_2"
    forged.touched.add(split)


def _one_source(forged: Forged) -> None:
    """Change the rows of the source with the fewest rows in the largest split."""
    if len(forged.sources) < 2 or not forged.rows:
        raise NotHereError
    split, rows = max(forged.rows.items(), key=lambda each: len(each[1]))
    sources = {row["source"] for row in rows}
    source = min(sources, key=lambda name: sum(row["source"] == name for row in rows))
    mine = [row for row in rows if row["source"] == source]
    texts = [_of(row, "prompt", "answer", "solution") for row in mine]
    for row, text in zip(mine, [*texts[1:], texts[0]], strict=True):
        row.update(text)
    forged.touched.add(split)


def _last(forged: Forged) -> None:
    if not forged.rows:
        raise NotHereError
    split, rows = max(forged.rows.items(), key=lambda each: len(each[1]))
    for row in rows[-int(SOME * len(rows)) :]:
        row["difficulty"] += 1
    forged.touched.add(split)


def _pair(forged: Forged) -> tuple[str, str]:
    """Return train and a test that may not share problems."""
    for name, record in forged.splits.items():
        related = (record["seen_in"], record["variant"], record["overlap"])
        if name != "train" and name.startswith("test") and not any(related) and forged.rows:
            return "train", name
    raise NotHereError


def _leaked(change: Callable[[str], str], forged: Forged) -> None:
    train, test = _pair(forged)
    rows, tests = forged.rows[train], forged.rows[test]
    for place, other in zip(forged.chance.sample(range(len(rows)), 50), tests, strict=False):
        rows[place].update(_copied(change)(rows[place], other))
    forged.touched |= {train, test}


def _leaked_whole(forged: Forged) -> None:
    train, test = _pair(forged)
    rows = forged.rows[train]
    for place, other in zip(
        forged.chance.sample(range(len(rows)), 50), forged.rows[test], strict=False
    ):
        rows[place] = dict(other)
    forged.reorder(train)
    forged.touched |= {train, test}
