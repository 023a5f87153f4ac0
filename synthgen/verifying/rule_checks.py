"""Checks of the split rules, recomputed from the columns: `where`, cells, caps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVarTuple

import numpy as np
import polars as pl

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.coverage.evenness import evenness
from synthgen.dataset.manifest import CapRecord, MeasureRecord, SplitRecord
from synthgen.rules.axes import Axis
from synthgen.rules.language import compile_where, names_in
from synthgen.verifying.counts import cell_counts, cell_order, largest_shares
from synthgen.verifying.membership_checks import part_number, rule_of
from synthgen.verifying.promises import MAX_EXAMPLES, Check

Ts = TypeVarTuple("Ts")


def check_rules(split: SplitRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]) -> list[Check]:
    """Check the rows of one split, a lazy frame of all columns, against the manifest."""
    checks = []
    if (where := split.where) is not None:
        checks.append(_guarded(f"where/{split.name}", _where, where, frame, axes))
    if split.parts:
        checks.append(_guarded(f"parts/{split.name}", _parts, split, frame, axes))
    if split.balance or split.cells:
        checks.append(_guarded(f"cells/{split.name}", _cells, split, frame))
    for measure in split.measured:
        name = f"measure/{split.name}/{measure.axis}"
        checks.append(_guarded(name, _measure, measure, frame))
    if (cap := split.cap) is not None:
        checks.append(_guarded(f"cap/{split.name}", _cap, split, cap, frame, axes))
    return checks


def _where(name: str, where: str, frame: pl.LazyFrame, axes: Mapping[str, Axis]) -> Check:
    kept = compile_where(where, axes)
    broken = frame.filter(kept.not_())
    count = int(broken.select(pl.len()).collect(engine="streaming").item())
    shown = ["id", "prompt", *names_in(where, axes)]
    examples = broken.select(list(dict.fromkeys(shown))).head(MAX_EXAMPLES if count else 0)
    rows = tuple(examples.collect(engine="streaming").to_dicts())
    return Check(name, not count, f"{count} rows break {where}", rows)


def _cells(name: str, split: SplitRecord, frame: pl.LazyFrame) -> Check:
    promised = {tuple(c.cell[key] for key in split.balance): c.rows for c in split.cells}
    actual = cell_counts(frame, split.balance)
    wrong = [
        f"{_cell_text(split, cell)}: {actual.get(cell, 0)} rows, promised {promised.get(cell, 0)}"
        for cell in sorted({*promised, *actual}, key=cell_order)
        if actual.get(cell, 0) != promised.get(cell, 0)
    ]
    detail = f"{len(actual)} cells as promised"
    if wrong:
        detail = f"{len(wrong)} cells differ: {'; '.join(wrong[:MAX_EXAMPLES])}"
    return Check(name, not wrong, detail)


def _parts(name: str, split: SplitRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]) -> Check:
    """Check rows, problems and evenness of repeats of each part."""
    times = frame.group_by(part_number(split, axes).alias("_part"), "id").agg(_times=pl.len())
    summed = times.group_by("_part").agg(
        pl.col("_times").sum().alias("rows"),
        pl.len().alias("problems"),
        (pl.col("_times").max() - pl.col("_times").min()).alias("spread"),
    )
    counts = {row[0]: row[1:] for row in summed.collect(engine="streaming").iter_rows()}
    alien = counts.get(len(split.parts))
    wrong = [f"{alien[0]} rows belong to no part"] if alien else []
    for place, part in enumerate(split.parts):
        rows, problems, spread = counts.get(place, (0, 0, 0))
        if (rows, problems) != (part.rows, part.problems) or spread > 1:
            promised = f"{part.rows} rows of {part.problems} problems"
            wrong.append(f"{part.where}: {rows} rows of {problems} problems, promised {promised}")
    detail = f"{len(split.parts)} parts as promised"
    return Check(name, not wrong, "; ".join(wrong[:MAX_EXAMPLES]) or detail)


def _measure(name: str, measure: MeasureRecord, frame: pl.LazyFrame) -> Check:
    """Recompute how evenly rows are distributed over an axis."""
    counts = cell_counts(frame.drop_nulls(measure.axis), [measure.axis])
    actual = evenness(np.array(list(counts.values()), np.int64))
    promised = (measure.entropy, measure.effective, measure.gini)
    same = (actual.values, actual.most) == (measure.values, measure.most) and np.allclose(
        (actual.entropy, actual.effective, actual.gini), promised, rtol=1e-9, atol=1e-9
    )
    detail = (
        f"{measure.axis}: {actual.values} values, effective number {actual.effective:.1f}, "
        f"Gini index {actual.gini:.3f}, entropy {actual.entropy:.3f} bits"
    )
    return Check(name, bool(same), detail)


def _cap(
    name: str,
    split: SplitRecord,
    cap: CapRecord,
    frame: pl.LazyFrame,
    axes: Mapping[str, Axis],
) -> Check:
    shares = largest_shares(frame, split.balance, cap.axis, rule_of(cap.where, axes))
    over = [each for each in shares if each.rows > max(1, int(cap.share * each.size))]
    largest = max((each.rows / each.size for each in shares), default=0.0)
    detail = f"largest share of one {cap.axis}: {largest:.4g} (cap {cap.share:.4g}, or one row)"
    examples = [
        f"{_cell_text(split, each.cell)}: {each.rows} of {each.size} rows have {each.value!r}"
        for each in over[:MAX_EXAMPLES]
    ]
    return Check(name, not over, "; ".join([detail, *examples]))


def _cell_text(split: SplitRecord, cell: tuple[object, ...]) -> str:
    pairs = zip(split.balance, cell, strict=True)
    return ", ".join(f"{key}={value}" for key, value in pairs) or "all rows"


def _guarded(name: str, check: Callable[[str, *Ts], Check], *args: *Ts) -> Check:
    """Run a check; an invalid rule or missing column fails it."""
    try:
        return check(name, *args)
    except (ParamError, UnknownNameError, pl.exceptions.PolarsError) as error:
        return Check(name, ok=False, detail=str(error).splitlines()[0])
