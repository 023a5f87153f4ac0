"""Questions with many right answers: the target is one of them, each equally likely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synthgen.authoring import (
    CHOICES,
    CHOSEN,
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    filled,
    levelled,
    params,
)

_WORDS = Words.beside(__file__)
_ITEMS: Mapping[str, Sequence[str]] = _WORDS["items"]
_SETS: Mapping[str, Sequence[str]] = {name: words[1:] for name, words in _WORDS["sets"].items()}
_KINDS = ("number", "item", "set")
_NUMBERS: Sequence[str] = [*_WORDS["numbers"]]
_MAX_CHOICES, _MAX_ITEMS, _MAX_LOW, _MAX_STEP = 1_000, 20, 100, 12
_OFFERED = 12


@levelled("choices", 2, 3, 5, 8, 12, 20, 35, 60, 100, 200)
@dataclass(frozen=True)
class RandomChoice(PlainFamily):
    """Choose a number, an item of a list, or a member of a known set at random.

    Attributes:
        kinds: What to choose from: a "number" range, a list of "item"s, or a known "set".
        min_choices, max_choices: Fewest and most right answers; lists have up to 20 items.
    """

    has_options = False
    kinds: tuple[str, ...] = params.choices(("number", "item"), _KINDS)
    min_choices: int = params.integer(2, 2, _MAX_CHOICES, up_to="max_choices")
    max_choices: int = params.integer(100, 2, _MAX_CHOICES)

    verifier = "random_choice"
    words = _WORDS
    symbols = {
        "number": 4,
        **{f"{theme}{n}": n for theme in _ITEMS for n in range(2, _MAX_ITEMS + 1)},
        **dict.fromkeys(_SETS, 0),
    }
    answer_type = "checked:random_choice"
    solutions = ("none",)
    own_axes = {
        "theme": axis("what is chosen", values=(*_NUMBERS, *_ITEMS, *_SETS)),
        CHOICES: axis("right answers", "min_choices", "max_choices"),
        CHOSEN: axis("place of the target among them", 0, canonical=False),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if "item" in self.kinds and self.min_choices > _MAX_ITEMS:
            wanted = f'at most {_MAX_ITEMS}, as kinds has "item"'
            raise ParamError("min_choices", self.min_choices, wanted)
        if "set" in self.kinds and not self._sets:
            wanted = 'a range that has the size of a set (4 to 8, 12 or 26), as kinds has "set"'
            raise ParamError("min_choices", self.min_choices, wanted)

    @property
    def _sets(self) -> list[str]:
        sizes = range(self.min_choices, self.max_choices + 1)
        return [name for name, members in _SETS.items() if len(members) in sizes]

    def make(self, draws: RowDraws) -> Problem:
        """Draw what to choose from, and the target."""
        kind = draws.choice(self.kinds)
        problem = {"number": self._number, "item": self._item, "set": self._set}[kind](draws)
        members = problem.data
        chosen = draws.integer(0, len(members))
        problem.kind, problem.answer = kind, str(members[chosen])
        problem.axes = {**problem.axes, CHOICES: len(members), CHOSEN: chosen}
        return problem

    def _number(self, draws: RowDraws) -> Problem:
        """Draw a range of numbers, and what they must be divisible by."""
        n = draws.integer(self.min_choices, self.max_choices + 1)
        theme = draws.choice(_NUMBERS) if draws.integer(0, 2) else "whole"
        step = {"whole": 1, "multiple": draws.integer(3, _MAX_STEP + 1)}.get(theme, 2)
        first = draws.integer(0, _MAX_LOW + 1) if draws.integer(0, 2) else 1
        if theme != "whole":
            first = step * (1 + first // step) - (theme == "odd")
        members = range(first, first + n * step, step)
        low = first - draws.integer(0, step)
        high = members[-1] + draws.integer(0, step)
        return Problem(
            tree=("number", low, high, step, first % step),
            holes={
                "what": filled(_WORDS["numbers"][theme], {"step": step}),
                "low": low,
                "high": high,
            },
            axes={"theme": theme},
            data=members,
        )

    def _item(self, draws: RowDraws) -> Problem:
        """Draw a list of items."""
        theme = draws.choice([*_ITEMS])
        n = draws.integer(self.min_choices, min(self.max_choices, _MAX_ITEMS) + 1)
        places = draws.sample(range(len(_ITEMS[theme])), n)
        members = [_ITEMS[theme][place] for place in places]
        return Problem(
            tree=(f"{theme}{n}", *(place + 1 for place in places)),
            holes={"things": theme, "items": ", ".join(members)},
            axes={"theme": theme},
            data=members,
        )

    def _set(self, draws: RowDraws) -> Problem:
        name = draws.choice(self._sets)
        thing = _WORDS["sets"][name][0]
        return Problem(tree=name, holes={"thing": thing}, axes={"theme": name}, data=_SETS[name])

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Offer numbers near the range or of another remainder, and words of the same theme."""
        members = problem.data
        if problem.kind == "number":
            low, high = members[0], members[-1]
            near = [*range(max(0, low - _OFFERED), low), *range(high + 1, high + _OFFERED)]
            between = [number for number in range(low, high) if number not in members]
            yield from map(str, draws.shuffled([*near, *draws.shuffled(between)[:_OFFERED]]))
            return
        words = _ITEMS if problem.kind == "item" else _SETS
        theme = str(problem.axes["theme"])
        others = [word for word in words[theme] if word not in members]
        yield from draws.shuffled(others)
        yield from draws.shuffled([each for name in words if name != theme for each in words[name]])


GENERATORS = {"random_choice": RandomChoice}
