"""`python -m benchmarks.pcfg_distribution FOLDER`: compare PCFG SET with its published rows.

FOLDER has the published files: `dev.src`, `dev.tgt`, `systematicity/test.src` and `.tgt`, and, to
compare with its own target distribution, `pcfg_wmt_depth_length.json`. Every axis is compared by a
chi-squared test of homogeneity (values with fewer than 5 published rows together) and by the test
of Kolmogorov and Smirnov, which is conservative for whole numbers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from math import exp, lgamma, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.pcfg.family import Pcfg
from synthgen.families.pcfg.kernels import COUNTED, FIRST_STRING, FUNCTIONS, count_axes

Ints = NDArray[np.int64]

_AXES = ("depth", "n_functions", "n_tokens", "n_strings", "n_unary", "function", "answer_length")
_ROWS = 97_203
_MIN = 5
_WMT_LATE = 0.35
_STRINGS = slice(FIRST_STRING + 1, FIRST_STRING + 5)
_FUNCTIONS = slice(0, len(FUNCTIONS))


def main(arguments: Sequence[str]) -> int:
    """Print a table for each kind of `pcfg` and each published set."""
    if len(arguments) != 1:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    folder = Path(arguments[0])
    for name, kind in _kinds(folder):
        ours, our_codes = _drawn(kind)
        print(f"\n{name}: {_ROWS:,} rows drawn")
        for file in ("dev", "systematicity/test"):
            theirs, their_codes = _published(kind, folder / file)
            chosen = ours["n_pairs"] > 0 if "system" in file else np.ones(_ROWS, bool)
            print(f" against {len(theirs['depth']):,} rows of {file}")
            for axis in _AXES:
                _compare(axis, ours[axis][chosen], theirs[axis])
            if file == "dev":
                _compare_codes("string lengths", our_codes[_STRINGS], their_codes[_STRINGS])
                _compare_codes("functions", our_codes[_FUNCTIONS], their_codes[_FUNCTIONS])
                unary, all_ = theirs["n_unary"].sum(), theirs["n_functions"].sum()
                own = ours["n_unary"].sum() / ours["n_functions"].sum()
                print(f"  P(unary | function): ours {own:.4f}, theirs {unary / all_:.4f}")
    return 0


def _kinds(folder: Path) -> Iterator[tuple[str, Pcfg]]:
    yield "default", Pcfg()
    cells = folder / "pcfg_wmt_depth_length.json"
    if cells.exists():
        triples = json.loads(cells.read_text(encoding="utf-8"))
        target = tuple(number for triple in triples for number in triple)
        kind = Pcfg(distribution="target", target=target, late_from=_WMT_LATE)
        yield "naturalised to the published table", kind


def _drawn(kind: Pcfg) -> tuple[dict[str, Ints], Ints]:
    """Return the axes of valid rows, and how often each code occurs."""
    stream = stream_key("pcfg distribution")
    problems = kind.draw(Rows.span(stream, 0, _ROWS))
    kept = Rows(stream, problems.rows.addresses[problems.valid])
    problems = problems if len(kept) == _ROWS else kind.draw(kept)
    axes = {name: problems.axes[name].astype(np.int64) for name in (*_AXES, "n_pairs")}
    return axes, np.bincount(problems.derivations.values, minlength=64)


def _published(kind: Pcfg, path: Path) -> tuple[dict[str, Ints], Ints]:
    """Return the same of published programs."""
    lines = path.with_suffix(".src").read_text(encoding="utf-8").splitlines()
    answers = path.with_suffix(".tgt").read_text(encoding="utf-8").splitlines()
    rows = [_codes(line, kind) for line in lines]
    offsets = np.cumsum([0, *map(len, rows)])
    codes = np.concatenate([np.array(row, np.uint16) for row in rows])
    counted = count_axes(codes, offsets, FIRST_STRING + kind.max_string)
    axes: dict[str, Any] = dict(zip(COUNTED, counted.astype(np.int64), strict=True))
    axes["answer_length"] = np.array([answer.count(" ") + 1 for answer in answers])
    return axes, np.bincount(codes, minlength=64)


def _codes(line: str, kind: Pcfg) -> list[int]:
    """Read a bare program as codes."""
    code = kind.signature.code
    codes: list[int] = []
    string: list[int] = []
    for token in [*line.split(" "), ","]:
        if token in FUNCTIONS or token == ",":
            codes += [FIRST_STRING - 1 + len(string), *string] if string else []
            string = []
            codes += [code[token]] if token != "," else []
        else:
            string.append(code[token])
    return codes


def _compare(name: str, ours: Ints, theirs: Ints) -> None:
    size = int(max(ours.max(), theirs.max())) + 1
    one, other = np.bincount(ours, minlength=size), np.bincount(theirs, minlength=size)
    distance = np.abs(np.cumsum(one) / len(ours) - np.cumsum(other) / len(theirs)).max()
    scale = sqrt(len(ours) * len(theirs) / (len(ours) + len(theirs)))
    chi, degrees = homogeneity(one, other)
    tails = chi_squared_tail(chi, degrees), kolmogorov_tail(scale * float(distance))
    print(
        f"  {name:14} means {ours.mean():7.3f} {theirs.mean():7.3f}"
        f"   chi2 {chi:7.1f} / {degrees:<3} p {tails[0]:.4f}   KS {distance:.4f} p {tails[1]:.4f}"
    )


def _compare_codes(name: str, ours: Ints, theirs: Ints) -> None:
    chi, degrees = homogeneity(ours, theirs)
    shares = " ".join(f"{share:.3f}" for share in ours / ours.sum())
    others = " ".join(f"{share:.3f}" for share in theirs / theirs.sum())
    print(f"  {name}: ours {shares}; theirs {others}; chi2 {chi:.1f} / {degrees}")


def homogeneity(one: Ints, other: Ints) -> tuple[float, int]:
    """Return chi-squared and degrees of freedom of two rows of counts."""
    rare = other < _MIN
    table = np.array([[*row[~rare], row[rare].sum()] for row in (one, other)], float)
    table = table[:, table.sum(axis=0) > 0]
    expected = table.sum(axis=1)[:, None] * table.sum(axis=0) / table.sum()
    return float(((table - expected) ** 2 / expected).sum()), table.shape[1] - 1


def chi_squared_tail(value: float, degrees: int) -> float:
    """Return the chance of a larger chi-squared: one less a series of the incomplete gamma."""
    half, x = degrees / 2, value / 2
    if x <= 0:
        return 1.0
    term = total = 1 / half
    n = half
    while term > total * 1e-15:
        n += 1
        term *= x / n
        total += term
    return max(0.0, 1 - total * exp(half * log(x) - x - lgamma(half)))


def kolmogorov_tail(value: float) -> float:
    """Return the chance of a larger scaled distance."""
    if value < 0.2:
        return 1.0
    sizes = [exp(-2 * k * k * value * value) for k in range(1, 101)]
    return min(1.0, max(0.0, 2 * (sum(sizes[0::2]) - sum(sizes[1::2]))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
