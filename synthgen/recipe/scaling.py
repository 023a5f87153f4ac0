"""Rows of the splits of a smaller or larger build."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from synthgen.core.errors import ParamError
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.overrides import Overrides
from synthgen.recipe.schema import Law, Part, Recipe, Split
from synthgen.rules.axes import SOURCE


def resized(splits: Sequence[Split], overrides: Overrides) -> tuple[Split, ...]:
    """Return the splits with the rows that `--rows` or `--scale` requests.

    Raises:
        ParamError: if the number is out of range, or both are given.
    """
    check_numbers(overrides, len(splits))
    weights = [split.rows for split in splits]
    if overrides.rows is not None:
        rows = apportion(overrides.rows, weights)
    elif overrides.scale is not None:
        rows = _scaled(overrides.scale, weights)
    else:
        return tuple(splits)
    if max(rows) > MAX_ROWS:
        option = "--scale" if overrides.rows is None else "--rows"
        value = overrides.scale if overrides.rows is None else overrides.rows
        raise ParamError(option, value, f"at most {MAX_ROWS} rows in each split")
    sized = {split.name: n for split, n in zip(splits, rows, strict=True)}
    for split in splits:
        if split.variant:  # as many rows as the split that it restates
            sized[split.name] = sized.get(split.variant.of, sized[split.name])
    return tuple(resize(split, sized[split.name]) for split in splits)


def swept(recipe: Recipe, rows: Sequence[object]) -> tuple[Split, ...]:
    """Return the splits; one whose rows are swept has the weight of its rows in the file.

    So every point assigns problems to splits alike.

    Args:
        recipe: Recipe with a value of each swept path.
        rows: Rows of each split in the file, if valid.
    """
    paths = {path for path, _ in recipe.sweep.over} if recipe.sweep else set()
    return tuple(
        split.weighted(before)
        if f"split.{split.name}.rows" in paths and isinstance(before, int) and before > 0
        else split
        for split, before in zip(recipe.split, rows, strict=True)
    )


def mixed(recipe: Recipe, splits: Sequence[Split]) -> tuple[Split, ...]:
    """Return the splits; by default, they have the sources by their weights.

    The default does not apply to a split that has its own cells, or takes its problems from a
    list, another split or a division by divergence.
    """
    given = {source.name: source.weight for source in recipe.source if not source.draws_of}
    divided = recipe.divergence.splits if recipe.divergence else ()
    if not any(given.values()):
        return tuple(splits)
    weights = Law.model_validate({"of": [[name, weight or 1] for name, weight in given.items()]})
    return tuple(
        split
        if split.name in divided or any(getattr(split, key) for key in _SAY_OTHERWISE)
        else split.model_copy(update={"balance": (SOURCE,), "shares": weights})
        for split in splits
    )


_SAY_OTHERWISE = ("balance", "parts", "members", "variant", "seen_in", "diverse")


def resize(split: Split, rows: int) -> Split:
    """Return a split with new rows, its parts in proportion, and lower covers if smaller."""
    other = split.resized(rows)
    if split.cover and rows < split.rows:
        shrunk = [
            cover.model_copy(
                update={"times": round_half_up(cover.times, Fraction(rows, split.rows))}
            )
            for cover in split.cover
        ]
        other = other.model_copy(update={"cover": tuple(shrunk)})
    if not split.parts or rows == split.rows:
        return other
    shares = _largest_remainder(rows, [part.rows for part in split.parts])
    parts = [
        part.model_copy(update={"rows": n, "distinct": part.distinct and min(n, _part_of(part, n))})
        for part, n in zip(split.parts, shares, strict=True)
    ]
    return other.model_copy(update={"parts": tuple(parts)})


def _part_of(part: Part, rows: int) -> int:
    return round_half_up(part.problems, Fraction(rows, part.rows))


def check_numbers(overrides: Overrides, n_splits: int = 1) -> None:
    """Raise ParamError if `--rows` and `--scale` are out of range or both given."""
    rows, scale = overrides.rows, overrides.scale
    if rows is not None and scale is not None:
        raise ParamError("--rows", rows, f"either it or --scale={scale}, not both")
    if rows is not None and (isinstance(rows, bool) or rows < n_splits):
        raise ParamError("--rows", rows, f"an integer of at least {n_splits}, one for each split")
    if scale is not None and not 0 < scale < float("inf"):
        raise ParamError("--scale", scale, "a finite number above 0")


def apportion(total: int, weights: Sequence[int]) -> list[int]:
    """Distribute `total` in proportion to positive weights, at least 1 each, by largest remainder.

    Shares that would be zero are set to 1, and the rest is distributed among the others.
    `total` is at least the number of weights; of equal remainders the first wins.
    """
    shares = [1] * len(weights)
    open_places = list(range(len(weights)))
    while open_places:
        rest = total - (len(weights) - len(open_places))
        some = _largest_remainder(rest, [weights[place] for place in open_places])
        if all(some):
            for place, share in zip(open_places, some, strict=True):
                shares[place] = share
            break
        open_places = [place for place, share in zip(open_places, some, strict=True) if share]
    return shares


def round_half_up(rows: int, factor: Fraction) -> int:
    """Return rows times factor, rounded half up, but at least 1."""
    return max(1, int(rows * factor + Fraction(1, 2)))


def _largest_remainder(total: int, weights: Sequence[int]) -> list[int]:
    whole = sum(weights)
    shares = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda place: -(total * weights[place] % whole))
    for place in by_remainder[: total - sum(shares)]:
        shares[place] += 1
    return shares


def _scaled(scale: float, weights: Sequence[int]) -> list[int]:
    # The decimal digits as written count: 0.3 of 5 rows is 1.5, though the float is below it.
    factor = Fraction(str(scale))
    return [round_half_up(weight, factor) for weight in weights]
