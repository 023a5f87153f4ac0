"""Hidden functions of the letters of words, which a few examples in the prompt show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Rows,
    Words,
    axis,
    levelled,
    params,
    stream_key,
)
from synthgen.authoring.holes import ordinal

_WORDS = Words.beside(__file__).part("functions")
_LABELS = "ABCDEF"
_MAX_LENGTH, _MAX_EXAMPLES, _MAX_FUNCTIONS = 8, 16, 1 << 20
_MANY, _TRIES = 8, 8


class _Function(NamedTuple):
    """The letter in one place of a word decides the label.

    Attributes:
        place: The place, from 0.
        labels: Label of each letter of the alphabet.
    """

    place: int
    labels: str

    def __call__(self, word: str) -> str:
        return self.labels[ascii_lowercase.index(word[self.place])]


def _drawn(draws: RowDraws, length: int, labels: int) -> _Function:
    place = draws.integer(0, length)
    return _Function(place, "".join(_LABELS[draws.integer(0, labels)] for _ in ascii_lowercase))


@lru_cache(1 << 12)
def _known(number: int, chosen: int, length: int, labels: int) -> _Function:
    """Draw a function of a set."""
    stream = stream_key("functions", length, labels, number)
    draws = next(Rows(stream, np.array([chosen], np.uint64)).each())
    return _drawn(draws, length, labels)


@levelled("n_examples", 2, 3, 4, 6, 8, 10, 12, 14, 15, 16)
@dataclass(frozen=True)
class InContextFunctions(PlainFamily):
    """Examples of a hidden function of words, and a word to apply it to.

    One place of the word decides its label, by a random table of the letters. The examples leave
    one label for the last word, whichever places could still decide.

    Attributes:
        functions: Number of different functions, which are used again and again, or 0 for a new one
            in every prompt.
        number: Number of the set of functions.
        length: Letters of a word.
        labels: Number of labels.
        min_examples, max_examples: Fewest and most examples.
    """

    functions: int = params.integer(0, 0, _MAX_FUNCTIONS)
    number: int = params.integer(0, 0, 999_999)
    length: int = params.integer(4, 2, _MAX_LENGTH)
    labels: int = params.integer(4, 2, len(_LABELS))
    min_examples: int = params.integer(2, 2, _MAX_EXAMPLES, up_to="max_examples")
    max_examples: int = params.integer(16, 2, _MAX_EXAMPLES)

    verifier = "in_context_functions"
    same_up_to = "the order of the examples"
    words = _WORDS
    symbols = {
        "function": (3, 1 + _MAX_EXAMPLES),
        "example": (3, 1 + _MAX_LENGTH),
        "asked": (2, _MAX_LENGTH),
        **dict.fromkeys([*ascii_lowercase, *_LABELS], 0),
    }
    answer_type = "label"
    own_axes = {
        "n_examples": axis("examples", "min_examples", "max_examples"),
        "function_number": axis(
            "number of the function, 0 for a new one", 0, _MAX_FUNCTIONS, canonical=False
        ),
        "place": axis("place of the letter that decides", 1, _MAX_LENGTH, canonical=False),
        "n_fits": axis("places that fit the examples", 1, _MAX_LENGTH),
        "nearest": axis("1 if all examples most like the word have another label", 0, 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_examples > (most := 3**self.length // 2):
            wanted = f"at most {most} examples for words of length={self.length}"
            raise ParamError("max_examples", self.max_examples, wanted)

    def _function(self, draws: RowDraws) -> tuple[int, _Function]:
        """Draw a function, or one of the set with its number."""
        if not self.functions:
            return 0, _drawn(draws, self.length, self.labels)
        chosen = draws.integer(0, self.functions)
        return chosen + 1, _known(self.number, chosen, self.length, self.labels)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a function, examples, and a word whose label follows."""
        number, function = self._function(draws)
        count = draws.integer(self.min_examples, self.max_examples + 1)
        fewest = 2 if count < _MANY else 3
        options = [
            draws.sample(ascii_lowercase, draws.integer(fewest, fewest + 2))
            for _ in range(self.length)
        ]
        examples: dict[str, str] = {}
        for _ in range(4 * count):
            word = "".join(draws.choice(letters) for letters in options)
            examples[word] = function(word)
            if len(examples) == count:
                break
        present = sorted({*examples.values()})
        if len(examples) < count or len(present) < 2:
            return None
        fits = [place for place in range(self.length) if _fits(examples, place)]
        misleads, label = draws.integer(0, 5) > 0, draws.choice(present)
        rival = draws.choice([other for other in present if other != label])
        for _ in range(_TRIES):
            word = _word(examples, fits, options, (label, rival if misleads else ""), draws)
            if word not in examples:
                return self._problem(examples, word, fits, (number, function.place))
            misleads = False
        return None

    def _problem(
        self, examples: dict[str, str], word: str, fits: list[int], function: tuple[int, int]
    ) -> Problem:
        label = next(examples[each] for each in examples if each[fits[0]] == word[fits[0]])
        alike = {each: sum(map(str.__eq__, each, word)) for each in examples}
        nearest = [examples[each] for each in examples if alike[each] == max(alike.values())]
        number, place = function
        shown = sorted(examples.items())
        return Problem(
            tree=(
                "function",
                *(("example", *each, its_label) for each, its_label in shown),
                ("asked", *word),
            ),
            answer=label,
            holes={"word": word},
            axes={
                "n_examples": len(examples),
                "function_number": number,
                "place": place + 1,
                "n_fits": len(fits),
                "nearest": int(label not in nearest),
            },
            difficulty=len(examples),
            data=(shown, fits),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """State the examples in any order."""
        shown, _ = problem.data
        lines = [f"{word} -> {label}" for word, label in draws.shuffled(shown)]
        return {**problem.holes, "examples": "\n".join(lines)}

    def steps_of(self, problem: Problem) -> list[str]:
        """State for each place why it does not decide, or the label that it gives."""
        shown, fits = problem.data
        examples, word, lines = dict(shown), str(problem.holes["word"]), []
        for place in range(self.length):
            where = {"place": ordinal(place + 1)}
            if place in fits:
                line = _WORDS.line("fits", letter=word[place], label=problem.answer, **where)
            else:
                one, other = next(_conflicts(examples, place))
                labels = {"first": examples[one], "second": examples[other]}
                where |= {"letter": one[place], "one": one, "other": other}
                line = _WORDS.line("conflict", **where, **labels)
            lines.append(line)
        return lines

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return the labels of other examples, then the remaining ones."""
        shown, _ = problem.data
        labels = [label for _, label in draws.shuffled(shown)]
        return [label for label in [*labels, *_LABELS[: self.labels]] if label != problem.answer]


def _word(
    examples: dict[str, str],
    fits: list[int],
    options: list[list[str]],
    labels: tuple[str, str],
    draws: RowDraws,
) -> str:
    """Draw a word of a label, whose other letters are those of a rival label, if there is one."""
    alike, rivals = ([word for word in examples if examples[word] == label] for label in labels)
    letters = list[str]()
    for place, possible in enumerate(options):
        if place in fits:
            letters.append(draws.choice(alike)[place])
        elif rivals:
            letters.append(Counter(word[place] for word in rivals).most_common(1)[0][0])
        else:
            letters.append(draws.choice(possible))
    return "".join(letters)


def _conflicts(examples: dict[str, str], place: int) -> Iterator[tuple[str, str]]:
    """Yield examples with the same letter in a place, but different labels."""
    for one, other in combinations(examples, 2):
        if one[place] == other[place] and examples[one] != examples[other]:
            yield one, other


def _fits(examples: dict[str, str], place: int) -> bool:
    return next(_conflicts(examples, place), None) is None
