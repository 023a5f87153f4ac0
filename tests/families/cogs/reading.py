"""Facts of COGS rows as their texts show them, whoever made the rows, and two-sample tests of them.

Counts are compared by chi-squared, and lengths by the difference of means over its standard error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

_CHAIN = re.compile(r"(?: (?:on|in|beside) (?:a|the) \w+)+")
_ROLE = re.compile(r"(\S+) \. (agent|theme|recipient|ccomp|xcomp) \( x _ (\d+)")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


UNERGATIVE = _words("""
    sleep smile laugh sneeze cry talk dance jog walk run nap snooze scream stutter frown giggle
    scoff snore smirk gasp
""")
UNACCUSATIVE = _words("""
    roll freeze burn shorten float grow slide break crumple split change snap disintegrate
    collapse decompose double improve inflate enlarge redden shatter
""")
OMISSIBLE = _words("""
    eat paint draw clean cook dust hunt nurse sketch juggle call hear pack see notice study
    examine observe know investigate bake
""")


@dataclass(frozen=True)
class Reading:
    """What one row shows.

    Attributes:
        construction: of the outermost clause.
        inner: of the innermost clause.
        cp_depth, pp_depth: nesting of `that` clauses and of prepositional phrases.
        tokens, formula_tokens: lengths.
        articles: number of `the`, and of `a`.
        names: of people, in order.
    """

    construction: str
    inner: str
    cp_depth: int
    pp_depth: int
    tokens: int
    formula_tokens: int
    articles: tuple[int, int]
    names: tuple[str, ...]


def read_row(sentence: str, formula: str) -> Reading:
    """Read one sentence with its logical form in the published form."""
    words = sentence.split()
    clauses = sentence.split(" that ")
    events: dict[int, list[tuple[str, str]]] = {}
    for verb, role, position in _ROLE.findall(formula):
        events.setdefault(int(position), []).append((verb, role))
    # In the order of their places, the verbs of the clauses come before an infinitive.
    inner = construction(clauses[-1], events[sorted(events)[len(clauses) - 1]])
    lowered = [word.lower() for word in words]
    return Reading(
        construction="cp" if len(clauses) > 1 else inner,
        inner=inner,
        cp_depth=len(clauses) - 1,
        pp_depth=max((len(chain.split()) // 3 for chain in _CHAIN.findall(sentence)), default=0),
        tokens=len(words),
        formula_tokens=len(formula.split()),
        articles=(lowered.count("the"), lowered.count("a")),
        names=tuple(
            word
            for at, word in enumerate(words)
            if word.istitle() and word.isalpha() and (at or word not in ("A", "The"))
        ),
    )


def construction(clause: str, roles: list[tuple[str, str]]) -> str:
    """Name the construction of a clause from its words and the roles of its verb."""
    verb, names = roles[0][0], [role for _, role in roles]
    if " was " in clause:
        agent = "_by" if " by " in clause else ""
        if "recipient" not in names:
            return f"passive{agent}"
        return f"passive_{'pp' if names[0] == 'theme' else 'do'}_dative{agent}"
    if "xcomp" in names:
        return "infinitive"
    if "recipient" in names:
        return "pp_dative" if names.index("theme") < names.index("recipient") else "do_dative"
    if names == ["theme"]:
        return "unaccusative"
    if names == ["agent"]:
        return "unergative" if verb in UNERGATIVE or verb == "crawl" else "object_omitted"
    kinds = {"transitive_unaccusative": UNACCUSATIVE, "transitive_omissible": OMISSIBLE}
    return next((name for name, verbs in kinds.items() if verb in verbs), "transitive")


def read_rows(rows: Iterable[tuple[str, str]]) -> list[Reading]:
    """Read many rows."""
    return [read_row(sentence, formula) for sentence, formula in rows]


_COUNTS: dict[str, Callable[[Reading], Sequence[object]]] = {
    "construction": lambda row: [row.construction],
    "innermost construction": lambda row: [row.inner],
    "that clauses": lambda row: [row.cp_depth],
    "prepositional phrases": lambda row: [row.pp_depth],
    "tokens": lambda row: [row.tokens],
    "articles": lambda row: ["the"] * row.articles[0] + ["a"] * row.articles[1],
    "names": lambda row: row.names,
}
_MEANS: dict[str, Callable[[Reading], int]] = {
    "tokens": lambda row: row.tokens,
    "tokens of the logical form": lambda row: row.formula_tokens,
}
_MIN_COUNT = 10
"""Values that occur less often in both sets together count as one."""


def chi_squared(one: Counter[object], other: Counter[object]) -> tuple[float, int]:
    """Return the statistic of two samples of counts, and its degrees of freedom."""
    rare = {value for value in one | other if one[value] + other[value] < _MIN_COUNT}
    values = [value for value in one | other if value not in rare]
    pairs = [(one[value], other[value]) for value in values]
    pairs += [(sum(one[v] for v in rare), sum(other[v] for v in rare))] if rare else []
    left, right = (sum(column) for column in zip(*pairs, strict=True))
    weight = np.sqrt(right / left)
    statistic = sum((a * weight - b / weight) ** 2 / (a + b) for a, b in pairs)
    return float(statistic), len(pairs) - 1


def compare(one: list[Reading], other: list[Reading]) -> list[tuple[str, str, float]]:
    """Return for each figure its name, what was compared, and by how many deviations it is off.

    A chi-squared statistic is turned into deviations by Wilson and Hilferty's cube root.
    """
    results = []
    for name, values in _COUNTS.items():
        counts = [Counter(v for row in rows for v in values(row)) for rows in (one, other)]
        statistic, freedom = chi_squared(counts[0], counts[1])
        spread = 2 / (9 * freedom)
        deviations = ((statistic / freedom) ** (1 / 3) - 1 + spread) / spread**0.5
        results.append((name, f"chi-squared {statistic:.1f} of {freedom} degrees", deviations))
    for name, measure in _MEANS.items():
        samples = [np.array([measure(row) for row in rows]) for rows in (one, other)]
        means = [float(sample.mean()) for sample in samples]
        error = float(np.sqrt(sum(sample.var() / len(sample) for sample in samples)))
        results.append(
            (f"mean {name}", f"{means[0]:.3f} and {means[1]:.3f}", (means[0] - means[1]) / error)
        )
    return results
