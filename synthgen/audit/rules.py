"""Checks of the split rules, recomputed from the columns: `where`, cells, caps."""

from __future__ import annotations

import re
from collections.abc import Callable

import polars as pl

from synthgen.audit.findings import MOST_EXAMPLES, Check
from synthgen.audit.metrics import cell_counts, cell_order, largest_shares
from synthgen.core.errors import DatasetError
from synthgen.dataset.manifest import CapRecord, SplitRecord

_TOKEN = re.compile(
    r"\s+|'(?:[^']|'')*'|\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|<>|!=|[=<>()+\-*/%,]", re.ASCII
)
_WORDS = {"AND", "OR", "NOT", "IN", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "LIKE"}
_MOST_CHARACTERS = 10_000
_MOST_NESTING = 40


def check_rules(split: SplitRecord, frame: pl.LazyFrame) -> list[Check]:
    """Check one split's rows, a lazy frame of all columns, against what the manifest says."""
    checks = []
    if (where := split.where) is not None:
        checks.append(_guarded(f"where/{split.name}", lambda name: _where(name, where, frame)))
    if split.balance or split.cells:
        checks.append(_guarded(f"cells/{split.name}", lambda name: _cells(name, split, frame)))
    if (cap := split.cap) is not None:
        checks.append(_guarded(f"cap/{split.name}", lambda name: _cap(name, split, cap, frame)))
    return checks


def compile_rule(text: str, names: list[str]) -> pl.Expr:
    """Turn a rule into an expression that is true for the rows that keep it, else false.

    A manifest is data: what is not a name of a column, a number, quoted text or an operator has no
    place in a rule, functions least of all, since some use memory without bound.

    Raises:
        DatasetError: for a text that is no such rule.
    """
    tokens = _TOKEN.findall(text)
    nesting = text.count("(")
    if "".join(tokens) != text or len(text) > _MOST_CHARACTERS or nesting > _MOST_NESTING:
        msg = f"where={text[:80]!r}: expected a rule over columns"
        raise DatasetError(msg)
    words = [token for token in tokens if not token.isspace()]
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if not (word[0].isalpha() or word[0] == "_") or word.upper() in _WORDS:
            continue
        if word not in names or following == "(":
            msg = f"where={text[:80]!r}: {word!r} is not a column"
            raise DatasetError(msg)
    return pl.sql_expr(text).fill_null(value=False)


def _where(name: str, where: str, frame: pl.LazyFrame) -> Check:
    columns = frame.collect_schema().names()
    kept = compile_rule(where, columns)
    broken = frame.filter(kept.not_())
    count = int(broken.select(pl.len()).collect(engine="streaming").item())
    shown = ["id", "prompt", *(column for column in columns if _mentions(where, column))]
    examples = broken.select(list(dict.fromkeys(shown))).head(MOST_EXAMPLES) if count else None
    rows = () if examples is None else tuple(examples.collect(engine="streaming").to_dicts())
    return Check(name, not count, f"{count} rows break {where}", rows)


def _mentions(where: str, column: str) -> bool:
    return column in _TOKEN.findall(where)


def _cells(name: str, split: SplitRecord, frame: pl.LazyFrame) -> Check:
    promised = {tuple(c.cell[key] for key in split.balance): c.rows for c in split.cells}
    found = cell_counts(frame, split.balance)
    wrong = [
        f"{_cell_text(split, cell)}: {found.get(cell, 0)} rows, promised {promised.get(cell, 0)}"
        for cell in sorted({*promised, *found}, key=cell_order)
        if found.get(cell, 0) != promised.get(cell, 0)
    ]
    detail = f"{len(found)} cells as promised"
    if wrong:
        detail = f"{len(wrong)} cells differ: {'; '.join(wrong[:MOST_EXAMPLES])}"
    return Check(name, not wrong, detail)


def _cap(name: str, split: SplitRecord, cap: CapRecord, frame: pl.LazyFrame) -> Check:
    columns = frame.collect_schema().names()
    counted = pl.lit(value=True) if cap.where is None else compile_rule(cap.where, columns)
    shares = largest_shares(frame, split.balance, cap.axis, counted)
    over = [each for each in shares if each.rows > max(1, int(cap.share * each.size))]
    largest = max((each.rows / each.size for each in shares), default=0.0)
    detail = f"largest share of one {cap.axis} is {largest:.4g}, at most {cap.share:.4g} or one row"
    told = [
        f"{_cell_text(split, each.cell)}: {each.rows} of {each.size} rows have {each.value!r}"
        for each in over[:MOST_EXAMPLES]
    ]
    return Check(name, not over, "; ".join([detail, *told]))


def _cell_text(split: SplitRecord, cell: tuple[object, ...]) -> str:
    pairs = zip(split.balance, cell, strict=True)
    return ", ".join(f"{key}={value}" for key, value in pairs) or "all rows"


def _guarded(name: str, check: Callable[[str], Check]) -> Check:
    """Run a check; a rule or column that cannot be worked out is a promise that is not kept."""
    try:
        return check(name)
    except (DatasetError, pl.exceptions.PolarsError) as error:
        return Check(name, ok=False, detail=str(error).splitlines()[0])
