"""`python -m benchmarks.pcfg_weights`: derive what each cell of PCFG SET's pool gives.

The published data are a pool of random programs of which each cell (depth, tokens div 3) keeps as
many as natural sentences ask for. Known here are figures of the outcome: the shares of depths and
of numbers of functions; deciles, mean and deviation of the tokens; their correlation with depth.
Natural lengths at a depth are taken to have a gamma density, whose five coefficients and height are
fitted so that the outcome has these figures. The result is the table in `pool.toml` of the family.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.pcfg.family import Pcfg
from synthgen.families.pcfg.pool import PUBLISHED_LATE, PUBLISHED_WIDTH

Floats = NDArray[np.float64]

# Of the published test set (9,721 rows), and moments of its development and test set together.
DEPTHS = (
    *(0, 0.0158, 0.1326, 0.2304, 0.2289, 0.1596, 0.0944, 0.0560, 0.0395, 0.0214, 0.0108, 0.0048),
    *(0.0028, 0.0023, 0.0001, 0.0001, 0.0001, 0.0004),
)
FUNCTIONS = (
    *(0, 0.0158, 0.1279, 0.1975, 0.1844, 0.1374, 0.1023, 0.0649, 0.0494, 0.0335, 0.0250, 0.0199),
    *(0.0151, 0.0079, 0.0062, 0.0038),
)
MORE_FUNCTIONS = 0.0096
DECILES = (7, 10, 12, 14, 16, 19, 22, 26, 32)
MEAN, DEVIATION, CORRELATION = 18.311, 9.676, 0.766
ROWS = 9_721
SHORTEST = 4.5  # mean length at any depth; a program has three tokens at least

_DEPTHS, _FUNCTIONS, _TOKENS = len(DEPTHS), 46, 102
_BLOCK, _BLOCKS = 1 << 17, 64
_START = (-4.4, 6.6, 7.5, 1.4, -0.26, -1.9)
_STEPS = (0.5, 0.2, 0.5, 0.1, 0.02, 0.1)


@dataclass(frozen=True)
class Pools:
    """Probabilities (depth, functions, tokens) of the grammar, and the same over cells.

    Attributes:
        early, late: while strings of two symbols last, and afterwards.
        early_cells, late_cells: (depth, tokens div 3).
    """

    early: Floats
    late: Floats
    early_cells: Floats
    late_cells: Floats


def grammar_pools() -> Pools:
    """Estimate the probabilities from drawn programs."""
    early, late = (_joint(shortest) for shortest in (2, 3))
    return Pools(early, late, _cells(early), _cells(late))


def _joint(shortest: int) -> Floats:
    kind = Pcfg(distribution="grammar", min_string=shortest)
    stream = stream_key("pcfg weights", shortest)
    counts = np.zeros((_DEPTHS, _FUNCTIONS, _TOKENS))
    for block in range(_BLOCKS):
        problems = kind.draw(Rows.span(stream, block * _BLOCK, (block + 1) * _BLOCK))
        axes = [problems.axes[name] for name in ("depth", "n_functions", "n_tokens")]
        inside = problems.valid
        for axis, size in zip(axes, counts.shape, strict=True):
            inside = inside & (axis < size)
        np.add.at(counts, tuple(axis[inside].astype(int) for axis in axes), 1)
    return counts / (_BLOCK * _BLOCKS)


def _cells(joint: Floats) -> Floats:
    starts = np.arange(0, _TOKENS, PUBLISHED_WIDTH)
    return np.asarray(np.add.reduceat(joint.sum(axis=1), starts, axis=1))


def outcome(coefficients: Floats, pools: Pools, rounds: int = 25) -> tuple[Floats, Floats]:
    """Return the shares of the pool that cells take, and the resulting joint distribution."""
    natural = _gamma_lengths(coefficients)
    depths = np.array(DEPTHS) / sum(DEPTHS)
    early, late = pools.early_cells, pools.late_cells
    available = PUBLISHED_LATE * early + (1 - PUBLISHED_LATE) * late
    weights = depths.copy()
    for _ in range(rounds):
        wanted = np.minimum(available, np.exp(coefficients[5]) * weights[:, None] * natural)
        shares = wanted.sum(axis=1) / wanted.sum()
        weights *= np.clip((depths + 1e-9) / (shares + 1e-9), 0.3, 3) ** 0.7
        weights /= weights[4] / depths[4]
    before = wanted / np.maximum(early, 1e-15)
    after = PUBLISHED_LATE + (wanted - PUBLISHED_LATE * early) / np.maximum(late, 1e-15)
    taken = np.clip(np.where(wanted <= PUBLISHED_LATE * early, before, after), 0, 1)
    spread = np.repeat(taken, PUBLISHED_WIDTH, axis=1)[:, None, :_TOKENS]
    joint = np.minimum(spread, PUBLISHED_LATE) * pools.early
    joint = joint + np.maximum(spread - PUBLISHED_LATE, 0) * pools.late
    return taken, joint / joint.sum()


def _gamma_lengths(coefficients: Floats) -> Floats:
    """Return the shares of the cells of each depth under a gamma density."""
    base, slope, form, form_slope, bend = coefficients[:5]
    middles = np.arange(0, _TOKENS, PUBLISHED_WIDTH) + PUBLISHED_WIDTH / 2
    shares = np.zeros((_DEPTHS, len(middles)))
    for depth in range(1, _DEPTHS):
        mean = max(SHORTEST, base + slope * depth + bend * depth * depth)
        shape = max(0.8, form + form_slope * depth)
        logs = (shape - 1) * np.log(middles) - shape * middles / mean
        density = np.exp(logs - logs.max())
        shares[depth] = density / density.sum()
    return shares


def misfit(joint: Floats) -> float:
    """Return how far a distribution is from the figures, about one for each of them by chance."""
    functions = joint.sum(axis=(0, 2))
    known = len(FUNCTIONS)
    told = np.array([*FUNCTIONS[1:], MORE_FUNCTIONS])
    made = np.append(functions[1:known], functions[known:].sum())
    total = float(ROWS * ((told - made) ** 2 / (made + 1e-6)).sum())
    reached = np.cumsum(joint.sum(axis=(0, 1)))
    for tenth, tokens in enumerate(DECILES, 1):
        wanted = tenth / 10
        gap = max(0.0, reached[tokens - 1] - wanted) + max(0.0, wanted - reached[tokens])
        total += 4 * ROWS * gap * gap / (wanted * (1 - wanted))
    mean, deviation, correlation = moments(joint)
    total += ROWS * ((mean - MEAN) / DEVIATION) ** 2
    total += 2 * ROWS * ((deviation - DEVIATION) / DEVIATION) ** 2
    return total + ROWS * ((correlation - CORRELATION) / (1 - CORRELATION**2)) ** 2


def moments(joint: Floats) -> tuple[float, float, float]:
    """Return mean and deviation of the tokens and their correlation with depth."""
    both = joint.sum(axis=1)
    tokens, depth = np.arange(_TOKENS), np.arange(_DEPTHS)[:, None]
    mean, middle = (both * tokens).sum(), (both * depth).sum()
    deviation = np.sqrt((both * (tokens - mean) ** 2).sum())
    other = np.sqrt((both * (depth - middle) ** 2).sum())
    joint_moment = (both * (tokens - mean) * (depth - middle)).sum()
    return float(mean), float(deviation), float(joint_moment / deviation / other)


def simplex(loss: Callable[[Floats], float], start: Floats, steps: Floats, rounds: int) -> Floats:
    """Minimise by the method of Nelder and Mead."""
    points = [start, *(start + step for step in np.diag(steps))]
    losses = [loss(point) for point in points]
    for _ in range(rounds):
        order = np.argsort(losses, kind="stable")
        points, losses = [points[i] for i in order], [losses[i] for i in order]
        middle = np.mean(points[:-1], axis=0)
        for factor in (1.0, -0.5):
            point = middle + factor * (middle - points[-1])
            value = loss(point)
            further = middle + 2 * (middle - points[-1])
            if value < losses[0] and factor > 0 and (best := loss(further)) < value:
                point, value = further, best
            if value < losses[-2 if factor > 0 else -1]:
                points[-1], losses[-1] = point, value
                break
        else:
            points = [points[0] + 0.5 * (point - points[0]) for point in points]
            losses = [loss(point) for point in points]
    found: Floats = points[int(np.argmin(losses))]
    return found


def _scaled(taken: Floats) -> list[list[int]]:
    return [[int(share) for share in row] for row in np.rint(taken * 10_000)]


def main() -> int:
    """Print the table, and the figures of its outcome."""
    pools = grammar_pools()

    def loss(coefficients: Floats) -> float:
        return misfit(outcome(coefficients, pools)[1])

    found = simplex(loss, np.array(_START), np.array(_STEPS), 200)
    taken, joint = outcome(found, pools, 60)
    taken[pools.early_cells + pools.late_cells < 1e-6] = 0
    rows = [list(map(int, np.trim_zeros(row, "b"))) or [0] for row in _scaled(taken)]
    print("cells = [", *(f"    {row}," for row in rows), "]", sep="\n")
    print("# coefficients", np.round(found, 4), "misfit", round(misfit(joint), 1))
    print("mean, deviation, correlation", np.round(moments(joint), 3))
    return 0


if __name__ == "__main__":
    sys.exit(main())
