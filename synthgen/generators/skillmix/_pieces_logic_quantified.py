"""Arguments about all, some, most and a few, told in one sentence."""

from __future__ import annotations

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic
from synthgen.generators.skillmix._piece import Parts, Piece
from synthgen.generators.skillmix._pieces_logic_words import Chooser, sounding

# {r} is the rule about the middle term, {f} the statement that it applies, {e} the conclusion. The
# rule comes first, or has words before it, so that no clause ends as the next begins.
_CATEGORICAL = (
    "{r}; {f}; so {e}",
    "{r}; {f}; therefore {e}",
    "{f}; it is known that {r}; hence {e}",
    "since {r}, and since {f}, {e}",
    "{e}, for {r}; and {f}",
    "as we know, {r}; {f}; thus {e}",
    "{f}; everybody knows that {r}; we may conclude that {e}",
    "{r}, and {f}; it follows that {e}",
)
_FORMS = ("barbara", "celarent", "darii", "ferio")
# By form: rule, fact and conclusion, about many and (where it reads well) about one.
_MANY = {
    "barbara": ("all {m} {do}", "all {s} are {p}", "all {s} {do}"),
    "celarent": ("no {m} {do}", "all {s} are {p}", "no {s} {do}"),
    "darii": ("all {m} {do}", "some {s} are {p}", "some {s} {do}"),
    "ferio": ("no {m} {do}", "some {s} are {p}", "some {s} do not {do}"),
}
_EACH = {
    "barbara": ("every {m} {do}", "every {s} is {p}", "every {s} {do}"),
    "celarent": ("no {m} {do}", "every {s} is {p}", "no {s} {do}"),
}
_UNDISTRIBUTED = (
    "all {x} {do}; we also know that all {y} {m}; so all {x} are {y}",
    "every {x1} {does}; it is also known that every {y1} {m1}; so every {x1} is {a_y}",
    "as we know, all {x} {do}; and we see that all {y} {m}; therefore all {x} are {y}",
    "since all {x} {do}, and since it is known that all {y} {m}, all {x} are {y}",
    "all {x} are {y}, because all {x} {do}; and everybody knows that all {y} {m}",
    "each {x1} {does}; we all know that each {y1} {m1}; hence each {x1} is {a_y}",
    "all {y} {m}; it turns out that all {x} {do}; it follows that all {x} are {y}",
    "every {x1} {does}, and we know that every {y1} {m1}; thus every {x1} is {a_y}",
)
_STATISTICAL = (
    "most {f} are {g}; {a} is one of the {m}; so {a} is probably {g}",
    "nine in ten {f} are {g}; {a} is among the {m}; hence {a} is probably {g}",
    "almost all {f} are {g}; {a} belongs to the {m}; so {a} is very likely {g}",
    "{a} is one of the {m}, and we know that most {f} are {g}; therefore {a} is presumably {g}",
    "since nearly all {f} are {g}, and since {a} is one of the {m}, {a} is probably {g}",
    "{a} is probably {g}, for most {f} are {g}; and {a} is among the {m}",
    "as we know, the vast majority of {f} are {g}; {a} is one of the {m}; thus {a} is probably {g}",
    "{a} belongs to the {m}; three in four {f} are {g}; it follows that {a} is probably {g}",
)
_INDIVIDUALS = sounding(
    (
        "my cousin",
        "my neighbor",
        "our host",
        "my sister",
        "my uncle",
        "the newcomer",
        "our visitor",
        "my brother",
        "my aunt",
        "the stranger",
        "our lodger",
        "my friend",
        "the redhead",
    )
)
_HASTY = (
    "one {f} is {g}; so {every} {f} is {g}",
    "two {fs} are {g}; therefore {all} {fs} are {g}",
    "three {fs} are {g}; hence {all} {fs} are {g}",
    "this {f} is {g}; it follows that {every} {f} is {g}",
    "{every} {f} is {g}, for one {f} is {g}",
    "{all} {fs} are {g}, because two {fs} are {g}",
    "as it happens, one {f} is {g}; we may conclude that {every} {f} is {g}",
    "we see that {a_f} is {g}; thus {every} {f} is {g}",
)


def _make_categorical(draws: RowDraws, topic: Topic) -> Parts | None:
    words = Chooser(draws, topic)
    try:
        middle, subject, spare = words.persons(3)
        return (draws.choice(_FORMS), *subject, *middle, *spare, *words.deed())
    except LookupError:
        return None


def _categorical(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001 - contract
    form, s, ss, _, m, mm, a_m, x, xx, _, do, does = parts
    if wording % 2 and form in _EACH:
        texts, subject, rule, told, deed = _EACH[form], s, x if broken else m, a_m, does
    else:
        texts, subject, rule, told, deed = _MANY[form], ss, xx if broken else mm, mm, do
    said = [text.format(s=subject, m=rule, p=told, do=deed) for text in texts]
    return _CATEGORICAL[wording].format(r=said[0], f=said[1], e=said[2])


def _make_undistributed(draws: RowDraws, topic: Topic) -> Parts | None:
    words = Chooser(draws, topic)
    try:
        one, other = words.persons(2)
        return (*one, *other, *words.deed(), *words.deed())
    except LookupError:
        return None


def _undistributed(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    x1, x, _, y1, y, a_y, do, does, other_do, other_does = parts
    return _UNDISTRIBUTED[wording].format(
        x=x,
        x1=x1,
        y=y,
        y1=y1,
        a_y=a_y,
        do=do,
        does=does,
        m=other_do if broken else do,
        m1=other_does if broken else does,
    )


def _make_statistical(draws: RowDraws, topic: Topic) -> Parts | None:
    words = Chooser(draws, topic)
    try:
        (group, spare), trait = words.persons(2), words.trait()
        return group.many, spare.many, *words.drawn((_INDIVIDUALS,)), trait
    except LookupError:
        return None


def _statistical(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    group, spare, who, trait = parts
    return _STATISTICAL[wording].format(f=group, m=spare if broken else group, a=who, g=trait)


def _make_hasty(draws: RowDraws, topic: Topic) -> Parts | None:
    words = Chooser(draws, topic)
    return (*words.persons(1)[0], words.trait())


def _hasty(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    one, many, a_one, trait = parts
    return _HASTY[wording].format(
        f=one,
        fs=many,
        a_f=a_one,
        g=trait,
        every="some" if broken else "every",
        all="some" if broken else "all",
    )


PIECES = (
    Piece("categorical_syllogism", "frame", 8, _make_categorical, _categorical),
    Piece("undistributed_middle", "frame", 8, _make_undistributed, _undistributed),
    Piece("statistical_syllogism", "frame", 8, _make_statistical, _statistical),
    Piece("hasty_generalisation", "frame", 8, _make_hasty, _hasty),
)
