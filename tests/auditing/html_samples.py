"""A report with every kind of content, of an invented dataset of expressions."""

from __future__ import annotations

import math

from synthgen.auditing.blocks import FLAG, INFO, OK, BarChart, Block, BlockTable, HeatMap
from synthgen.auditing.findings import Report, SourceSpace, SplitReport
from synthgen.auditing.skill_mixes import MixCoverage
from synthgen.auditing.tallies import Bin, CommonAnswer, Histogram
from synthgen.verifying.promises import Check, Overlap

SPLITS = ("train", "test_deep", "test_pairs")
OPERATORS = ("+", "−", "×", "÷")
LONG_FORM = "long chain of equal operators"
EXAMPLE = "( 3 + 4 ) × ( 9 ÷ ( 2 + 1 ) )"


def sample_report() -> Report:
    """Return a report whose checks hold and of whose blocks two are flagged."""
    return Report(
        name="hint-compositional",
        fingerprint="2f6c9a1b7d3e4f50",
        checks=(
            *(Check(f"rows/{split}", ok=True, detail="as promised") for split in SPLITS),
            *(Check(f"where/{split}", ok=True, detail="all keep the rule") for split in SPLITS),
        ),
        splits=tuple(_split(i, name) for i, name in enumerate(SPLITS)),
        overlaps=(
            Overlap("train", "test_deep", 0, 0, declared=False),
            Overlap("train", "test_pairs", 191, 191, declared=True),
            Overlap("test_deep", "test_pairs", 0, 0, declared=False),
        ),
        sources=(SourceSpace("hint", None, 24 * 10**23), SourceSpace("scan", 20_910, 20_910)),
        mixes=(_mixes(),),
        blocks=sample_blocks(),
    )


def sample_blocks() -> tuple[Block, ...]:
    """Return the twelve ranked blocks."""
    versions = BlockTable("Versions", ("part", "version"), (("hint", 3), ("python", "3.12")))
    return (
        Block("overlap", "Shared problems", OK, _TEXTS["overlap"]),
        Block("atoms", "Unseen atoms", OK, _TEXTS["atoms"], (_atoms(),)),
        Block("tiers", "How new test rows are", INFO, _TEXTS["tiers"], bars=(_tiers(),)),
        Block(
            "divergence",
            "Divergence of atoms and compounds",
            FLAG,
            _TEXTS["divergence"],
            (_divergence_table(),),
            (_divergence(),),
            figures={"test_deep": _FIGURES},
        ),
        Block(
            "pairs",
            "Coverage of pairs of values",
            FLAG,
            _TEXTS["pairs"],
            (_missing(),),
            bars=(_curves(),),
            heats=_heats(),
        ),
        Block("lengths", "Lengths, depths and values", INFO, _TEXTS["lengths"]),
        Block("easiness", "Easiness, hardest structures", INFO, _TEXTS["easiness"], (_hardest(),)),
        Block("k-coverage", "k-coverage", INFO, "No tables of functions in this dataset."),
        Block("diversity", "Diversity", OK, _TEXTS["diversity"], bars=(_diversity(),)),
        Block("near", "Near duplicates", OK, _TEXTS["near"]),
        Block("controllers", "Controllers", OK, _TEXTS["controllers"], (_quotas(),)),
        Block("provenance", "Provenance", OK, "Seed 7, variant plain.", (versions,)),
    )


_FIGURES = {
    "shared": {"problem": {"rows": 12, "share": 0.002}},
    "atoms": {"distinct": 4, "unseen": 0},
    "divergence": {
        "atom": {"value": 0.004, "random_mean": 0.003, "random_sd": 0.0005},
        "compound": {"fragments": {"value": 0.031, "random_mean": 0.028, "random_sd": 0.002}},
    },
    "lengths": {"prompt": {"shift": 0.7, "min": 3, "mean": 17.0, "max": 40}},
    "shortcuts": {"best": 0.12},
    "answers": {"majority_accuracy": 0.085},
}
_TEXTS = {
    "overlap": "No test row shares a problem, a template or a shape with train but where declared.",
    "atoms": "Every symbol of test occurs in train; the rarest one 10,903 times.",
    "tiers": "62% of the rows of test_deep hold a pair of neighbours that train never shows.",
    "divergence": (
        "Compounds diverge by 0.031, within 3 standard deviations of a random split "
        "(0.028 ± 0.002): test_deep is not a compositional split by this measure."
    ),
    "pairs": "Train holds 61 of 63 pairs of operator and depth; 2 are missing.",
    "lengths": "test_deep is 1.7 times as deep as train in the mean, as its rule asks for.",
    "easiness": "Half of the test rows have all structures of two symbols in common with train.",
    "diversity": "The effective number of templates is 3,310 of 5,000.",
    "near": "0.2% of test rows have a near duplicate in train (95% interval 0.1% to 0.4%).",
    "controllers": "Every quota was filled; the rarest cell took 1 of 88 candidates.",
}


def _split(number: int, name: str) -> SplitReport:
    rows = 60_000 // (1 + 9 * number)
    low, high = number * 6, number * 6 + 17
    heights = [int(1 + 900 * math.exp(-(((v - 8) / 4) ** 2))) for v in range(18)]
    depth = tuple(Bin(low + v, low + v, count) for v, count in enumerate(heights))
    value = tuple(Bin(100 * i, 100 * i + 99, 4_000 // (i + 1)) for i in range(20))
    forms = (("nested", rows // 2), ("plain", rows // 3), (LONG_FORM, rows // 6))
    texts = tuple(Bin(form, form, count) for form, count in forms)
    return SplitReport(
        name=name,
        promised=rows,
        rows=rows,
        verified=rows,
        shards=1 + number,
        bytes=rows * 61,
        repeated_ids=0,
        repeated_prompts=0,
        axes=(
            Histogram("depth", sum(heights), 0, 18, low, high, 8.2 + low, depth),
            Histogram("max_value", sum(b.rows for b in value), 12, 1990, 0, 1999, 402.7, value),
            Histogram("form", rows, 0, 3, LONG_FORM, "plain", None, texts),
        ),
        priors=(CommonAnswer("hint", 8, 2_000, 431, "0", 250),),
        rule="depth > 6" if number == 1 else "",
        examples=({"prompt": "1 + 2 × 3", "answer": "7"},) * 3,
    )


def _mixes() -> MixCoverage:
    sizes = (0, 9, 779, 12)
    return MixCoverage("train", "test_pairs", 3, 800, (800, 640, 12), sizes, 40, 3, 0.21)


def _atoms() -> BlockTable:
    rows = tuple((sign, 40_000 - 9_699 * i, 4_100 - 900 * i, 0) for i, sign in enumerate(OPERATORS))
    return BlockTable("Symbols", ("symbol", "in train", "in test", "unseen rows"), rows)


def _tiers() -> BarChart:
    labels = (
        "duplicate",
        "same template",
        "all triples seen",
        "unseen triple",
        "unseen pair",
        "unseen atom",
    )
    values = ((0.0, 4.1, 18.3, 15.6, 62.0, 0.0), (0.0, 9.0, 31.0, 41.5, 18.5, 0.0))
    title = "Test rows by what is new in them"
    return BarChart(title, "tier", "share of rows, %", labels, SPLITS[1:], values)


def _divergence() -> BarChart:
    values = ((0.004, 0.031), (0.003, 0.028))
    title, series = "Divergence against a random split", ("measured", "random split, mean of 20")
    return BarChart(title, "", "divergence", ("atoms", "compounds"), series, values)


def _divergence_table() -> BlockTable:
    columns = ("measure", "measured", "random mean", "random sd", "distance in sd")
    atoms = ("atoms", 0.004, 0.003, 0.0005, 2.0)
    compounds = ("compounds", 0.031, 0.028, 0.002, 1.5)
    return BlockTable("Baseline", columns, (atoms, compounds))


def _missing() -> BlockTable:
    return BlockTable("Pairs that train lacks", ("operator", "depth"), (("÷", 14), ("÷", 15)))


def _curves() -> BarChart:
    xs = (100, 300, 1_000, 3_000, 10_000, 30_000, 60_000)
    values = tuple(
        tuple(100 * (1 - math.exp(-x / scale)) for x in xs) for scale in (120.0, 2_000.0, 30_000.0)
    )
    series = ("single values", "pairs", "triples")
    labels = tuple(f"{x:,}" for x in xs)
    return BarChart("Coverage against rows of train", "rows", "covered, %", labels, series, values)


def _heats() -> tuple[HeatMap, ...]:
    depths = tuple(str(depth) for depth in range(16))
    sizes = tuple(f"{100 * i}–{100 * i + 99}" for i in range(8))
    found = []
    for number, split in enumerate(SPLITS):
        for row_axis, rows, column_axis, columns in (
            ("operator", OPERATORS, "depth", depths),
            ("operator", OPERATORS, "max_value", sizes),
            ("depth", depths, "max_value", sizes),
        ):
            counts = tuple(
                tuple(_count(number, i, j) for j in range(len(columns))) for i in range(len(rows))
            )
            found.append(HeatMap(split, row_axis, column_axis, rows, columns, counts))
    return tuple(found)


def _count(split: int, i: int, j: int) -> int | None:
    if i == 0 and j == 0:
        return None
    if split == 0:
        return 0 if i == 3 and j >= 14 else int(4_000 * math.exp(-((j - 6) ** 2) / 18 - i / 3))
    return (37 * i + 11 * j) % 90 if (i + j + split) % 3 else 0


def _hardest() -> BlockTable:
    rows = tuple(
        (f"( ÷ ( × x ) ( + x ) ) {i}", 0.1 * i, EXAMPLE + " − ( 1 × 5 )", "23") for i in range(1, 7)
    )
    columns = ("structure", "easiness", "example", "answer")
    return BlockTable("Hardest structures", columns, rows)


def _diversity() -> BarChart:
    labels = tuple(str(n) for n in range(1, 41))
    values = tuple(4_000 / n for n in range(1, 41))
    return BarChart("Rows of each template", "rows", "templates", labels, ("train",), (values,))


def _quotas() -> BlockTable:
    rows = tuple(
        (f"operator = {sign}, depth = {depth}", 50, 50, 0) for sign in OPERATORS for depth in (1, 2)
    )
    return BlockTable("Quotas", ("cell", "asked", "found", "short"), rows)
