"""The categories of COGS rows: what each one's sentences are drawn from.

A generalisation category has a target word in a place where training has it in none of its rows, or
a structure that training lacks; an exposure example shows the target where training may have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.generators._cogs_grammar import FRAME_CP, FRAMES, LIST

_UNERGATIVE, _SHIFTED, _OMITTED, _OMISSIBLE, _TRANSITIVE, _CONTROL, _TO_DATIVE, _DOUBLE = range(8)
_UNACCUSATIVE, _PASSIVE, _PASSIVE_BY = 9, 10, 11
_ACTIVE = tuple(range(FRAME_CP))
_WITH_OBJECT = (_SHIFTED, _OMISSIBLE, _TRANSITIVE, _TO_DATIVE, _DOUBLE)
_SUBJECT_PP_WEIGHTS = (0.55, 0.05, 0.20, 0.20)
_SUBJECT_PP_CLAUSES = 0.097
_SUBJECT_PP_FURTHER = 0.048
"""The last two are fitted to the published rows: 77 clauses and 58 chains of two in 1,000."""


@dataclass(frozen=True)
class Category:
    """Where the sentences of one category come from.

    Attributes:
        frames: of the innermost clause, each equally likely; empty for those of the main grammar.
        clauses: share of sentences that go on in a `that` clause, and of clauses that do so again.
        first_clause: the share at the outermost level, where it is another.
        subject, theme, verb, infinitive: the target word, where it stands there.
        subject_pp: every subject is a common noun with a prepositional phrase.
        nested: "cp" or "pp" for a depth of these that is given by the row's turn.
    """

    frames: tuple[int, ...] = ()
    clauses: float = 0.0
    first_clause: float | None = None
    subject: str = ""
    theme: str = ""
    verb: str = ""
    infinitive: str = ""
    subject_pp: bool = False
    nested: str = ""

    @property
    def target(self) -> str:
        """The target word, or nothing."""
        return self.subject or self.theme or self.verb or self.infinitive


def _few(frame: int, word: str) -> Category:
    """Return a category with so few simple sentences that nearly all rows need a clause.

    Drawing a clause as rarely as the published grammar would only draw the simple ones again.
    """
    return Category((frame,), 0.05, 0.75, subject=word)


EXPOSURES = {
    "subj_common": Category(_ACTIVE, 0.077, subject="hedgehog"),
    "subj_proper": Category(_ACTIVE, 0.077, subject="Lina"),
    "obj_common": Category(_WITH_OBJECT, 0.10, theme="cockroach"),
    "obj_proper": Category(_WITH_OBJECT, 0.10, theme="Charlie"),
    "transitive_subj": Category((_SHIFTED, _OMISSIBLE, _TRANSITIVE), 0.05, subject="cobra"),
    "unacc_subj": Category((_UNACCUSATIVE,), 0.05, subject="hippo"),
    "obj_omitted_transitive": Category((_OMITTED,), 0.09, verb="baked"),
    "unacc": Category((_UNACCUSATIVE,), 0.09, verb="shattered"),
    "active": Category((_TRANSITIVE,), 0.05, verb="blessed"),
    "passive": Category((_PASSIVE,), 0.10, verb="squeezed"),
    "do_dative": Category((_DOUBLE,), 0.10, verb="teleported"),
    "pp_dative": Category((_TO_DATIVE,), 0.10, verb="shipped"),
}
LEXICAL = {
    "subj_to_obj_common": Category(_WITH_OBJECT, 0.10, theme="hedgehog"),
    "prim_to_obj_common": Category(_WITH_OBJECT, 0.10, theme="shark"),
    "subj_to_obj_proper": Category(_WITH_OBJECT, 0.10, theme="Lina"),
    "prim_to_obj_proper": Category(_WITH_OBJECT, 0.10, theme="Paula"),
    "obj_to_subj_common": Category(_ACTIVE, 0.077, subject="cockroach"),
    "prim_to_subj_common": Category(_ACTIVE, 0.077, subject="shark"),
    "obj_to_subj_proper": Category(_ACTIVE, 0.077, subject="Charlie"),
    "prim_to_subj_proper": Category(_ACTIVE, 0.077, subject="Paula"),
    "prim_to_inf_arg": Category((_CONTROL,), 0.04, infinitive="crawl"),
    "active_to_passive": Category((_PASSIVE, _PASSIVE_BY), 0.05, verb="blessed"),
    "passive_to_active": Category((_TRANSITIVE,), 0.10, verb="squeezed"),
    "obj_omitted_transitive_to_transitive": Category((_OMISSIBLE,), 0.09, verb="baked"),
    "unacc_to_transitive": Category((_SHIFTED,), 0.09, verb="shattered"),
    "do_dative_to_pp_dative": Category((_TO_DATIVE,), 0.10, verb="teleported"),
    "pp_dative_to_do_dative": Category((_DOUBLE,), 0.10, verb="shipped"),
    "only_seen_as_transitive_subj_as_unacc_subj": _few(_UNACCUSATIVE, "cobra"),
    "only_seen_as_unacc_subj_as_obj_omitted_transitive_subj": _few(_OMITTED, "hippo"),
    "only_seen_as_unacc_subj_as_unerg_subj": _few(_UNERGATIVE, "hippo"),
}
STRUCTURAL = {
    "obj_pp_to_subj_pp": Category(clauses=_SUBJECT_PP_CLAUSES, subject_pp=True),
    "cp_recursion": Category(nested="cp"),
    "pp_recursion": Category(_WITH_OBJECT, 0.10, nested="pp"),
}
IN_DISTRIBUTION, PRIMITIVE = "in_distribution", "primitive"
CATEGORIES = {
    IN_DISTRIBUTION: Category(),
    PRIMITIVE: Category(),
    **{f"exposure_example_{name}": category for name, category in EXPOSURES.items()},
    **LEXICAL,
    **STRUCTURAL,
}
NAMES = tuple(CATEGORIES)
GROUPS = {
    "exposure": tuple(f"exposure_example_{name}" for name in EXPOSURES),
    "lexical": tuple(LEXICAL),
    "structural": tuple(STRUCTURAL),
    "generalization": (*LEXICAL, *STRUCTURAL),
    "all": NAMES,
}


class Programs(NamedTuple):
    """The categories as the drawing kernel reads them, a row for each.

    Attributes:
        frames: float64 (k, 2, frames), cumulated shares of frames, outermost and further in.
        words: int64 (k, 4), lists of subject, theme, verb and infinitive, or -1.
        subject_pp: int64 (k,), whether every subject has a prepositional phrase.
        further: float64 (k,), share of prepositional phrases with another one inside.
    """

    frames: NDArray[np.float64]
    words: NDArray[np.int64]
    subject_pp: NDArray[np.int64]
    further: NDArray[np.float64]


def chosen_categories(value: object) -> tuple[str, ...]:
    """Return the categories that a name or some names of categories and groups stand for.

    Raises:
        ParamError: for an unknown name, none, or one that is meant twice.
    """
    known = f"names of categories or of the groups {', '.join(GROUPS)}, none of them twice"
    asked = (value,) if isinstance(value, str) else value
    if not isinstance(asked, tuple) or not asked:
        raise ParamError("categories", value, known)
    names: list[str] = []
    for name in asked:
        if not isinstance(name, str) or (name not in GROUPS and name not in CATEGORIES):
            raise ParamError("categories", value, f"{known}; {name!r} is none")
        names += GROUPS.get(name, (name,))
    if len(set(names)) != len(names):
        raise ParamError("categories", value, known)
    return tuple(names)


def programs(
    sentences: Sequence[float], active: Sequence[float], further_pp: float, *, nested: bool
) -> Programs:
    """Return the programs of all categories.

    Args:
        sentences: weights of active, unaccusative, passive and passive dative sentences.
        active: weights of the nine active verb phrases.
        further_pp: share of prepositional phrases with another one inside.
        nested: whether sentences may hold `that` clauses.
    """
    rows = [_shares(CATEGORIES[name], sentences, active, nested=nested) for name in NAMES]
    cumulated = np.cumsum(np.array(rows), axis=2)
    parts = ("subject", "theme", "verb", "infinitive")
    words = [[LIST.get(getattr(category, part), -1) for part in parts] for category in _all()]
    return Programs(
        frames=cumulated / cumulated[:, :, -1:],
        words=np.array(words, np.int64),
        subject_pp=np.array([category.subject_pp for category in _all()], np.int64),
        further=np.array([_SUBJECT_PP_FURTHER if c.subject_pp else further_pp for c in _all()]),
    )


def _all() -> list[Category]:
    return list(CATEGORIES.values())


def _shares(
    category: Category, sentences: Sequence[float], active: Sequence[float], *, nested: bool
) -> list[list[float]]:
    """Return the shares of the frames at the outermost level and further in."""
    if category.frames:
        simple = [float(frame in category.frames) for frame in range(len(FRAMES))]
    elif category.subject_pp:
        simple = _main(_SUBJECT_PP_WEIGHTS, (1.0,) * FRAME_CP + (0.0,))
    elif category.nested or not nested:
        simple = _main(sentences, (*active[:-1], 0.0))
    else:
        main = _main(sentences, active)
        return [main, main]
    shares = []
    for clauses in (category.first_clause, category.clauses):
        share = (category.clauses if clauses is None else clauses) if nested else 0.0
        row = [weight * (1 - share) / (sum(simple) or 1.0) for weight in simple]
        row[FRAME_CP] = share
        shares.append(row)
    return shares


def _main(sentences: Sequence[float], active: Sequence[float]) -> list[float]:
    """Return the share of every frame in the main grammar."""
    total, phrases = sum(sentences), sum(active) or 1.0
    return [
        *(sentences[0] / total * weight / phrases for weight in active),
        sentences[1] / total,
        *[sentences[2] / total / 8] * 8,
        *[sentences[3] / total / 2] * 2,
    ]
