"""Block sizes: the addresses of a source that selection processes before the next source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from synthgen.core.contract import Axis
from synthgen.engine.kept import Keep
from synthgen.engine.planned_sources import PlannedSource

_LEAST, _SHARE = 16, 256


def block_at(source: PlannedSource, start: int) -> int:
    """Return the addresses of the block of a source that begins at `start`.

    A source that results from a spread begins with small blocks, which double up to the full size,
    so that its last block wastes fewer addresses than all blocks before it used.
    """
    whole = source.generator.block
    if source.spread_of is None:
        return whole
    if source.generator.costly:
        return kept_block(source)
    return min(whole, max(_least(whole), start))


def keep_of(
    folder: Path, index: int, source: PlannedSource, axes: Mapping[str, Axis]
) -> Keep | None:
    """Return where to spill the rows of a source; None if redrawing them costs less."""
    if not source.generator.costly:
        return None
    return Keep(folder, index, kept_block(source), source, axes)


def kept_block(source: PlannedSource) -> int:
    """Return the block size of a source whose rows are spilled because they are costly.

    The sources of one spread share its block, so that a round costs the same.
    """
    whole = source.generator.block
    return max(_least(whole), whole // source.sharing)


def _least(whole: int) -> int:
    return min(whole, max(_LEAST, whole // _SHARE))
