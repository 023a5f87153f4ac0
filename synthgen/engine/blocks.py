"""How many addresses of a source selection looks at together, before the next source's turn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from synthgen.core.contract import Axis
from synthgen.engine.kept import Keep, is_costly
from synthgen.engine.planned_sources import PlannedSource
from synthgen.engine.propose import block_of

_LEAST, _SHARE = 16, 256


def block_at(source: PlannedSource, start: int) -> int:
    """Return the addresses of the block of a source that begins at `start`.

    A source that another one is spread over begins with small blocks, which double up to the whole:
    whatever it is to give, less than that again is drawn in vain in its last block.
    """
    whole = block_of(source.generator)
    if source.spread_of is None:
        return whole
    if is_costly(source.generator):
        return kept_block(source)
    return min(whole, max(_least(whole), start))


def keep_of(
    folder: Path, index: int, source: PlannedSource, axes: Mapping[str, Axis]
) -> Keep | None:
    """Say where the rows of a source are kept; None if drawing them again costs less."""
    if not is_costly(source.generator):
        return None
    return Keep(folder, index, kept_block(source), source, axes)


def kept_block(source: PlannedSource) -> int:
    """Return the addresses of every block of a source whose rows are kept, as they cost much.

    Sources that one source is spread over share its block, so that a round costs the same.
    """
    whole = block_of(source.generator)
    return max(_least(whole), whole // source.sharing)


def _least(whole: int) -> int:
    return min(whole, max(_LEAST, whole // _SHARE))
