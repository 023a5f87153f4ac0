"""Letters of drawn or made-up words, joined."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

from synthgen.authoring import PlainFamily, Problem, RowDraws, Words, axis, filled, levelled, params
from synthgen.authoring.distractors import misspelt

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["steps"]
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_ORDERS = ("the same order", "reverse order")
_MAX_WORDS, _OFFERED = 200, 10
_ONSETS = ("b", "br", "d", "f", "g", "gr", "k", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "v")
_VOWELS = ("a", "e", "i", "o", "u")
_ENDS = ("", "l", "m", "n", "r", "s", "t", "x", "nd", "rk", "ph", "g")


@levelled("n_words", 2, 3, 4, 5, 6, 8, 10, 12, 20, 40)
@dataclass(frozen=True)
class WordLetters(PlainFamily):
    """Join one letter of each of several words.

    Attributes:
        min_words, max_words: Words in a prompt, 1 to 200.
        letters: Letters to take, of which one is drawn: "first", "second", "third", "fourth",
            "last".
        orders: Orders of the letters, of which one is drawn: "the same order" or "reverse order".
        source: Source of the words: the bundled "list" of 220 nouns, or "made" up from syllables.
        trace: Form of solutions: "each" (one letter after another), or "least_to_most" (the answers
            for the first word, the first two words, and so on).
    """

    min_words: int = params.integer(2, 1, _MAX_WORDS, up_to="max_words")
    max_words: int = params.integer(6, 1, _MAX_WORDS)
    letters: tuple[str, ...] = params.choices(("last",), tuple(_PLACES))
    orders: tuple[str, ...] = params.choices(_ORDERS[:1], _ORDERS)
    source: str = params.choice("list", ("list", "made"))
    trace: str = params.choice("each", ("each", "least_to_most"))

    verifier = "word_letters"
    words = _WORDS
    answer_type = "string"
    symbols = {
        "letters": 3,
        "words": (1, _MAX_WORDS),
        "word": (1, 20),
        **dict.fromkeys((*_PLACES, "same", "reverse", *ascii_lowercase), 0),
    }
    own_axes = {
        "n_words": axis("words in the prompt", "min_words", "max_words"),
        "which": axis("letter that is taken", values=tuple(_PLACES)),
        "reverse": axis("whether the letters are joined in reverse order", 0, 1),
    }

    def make(self, draws: RowDraws) -> Problem:
        """Draw different words, and join their letters."""
        count = draws.integer(self.min_words, self.max_words + 1)
        which, order = draws.choice(self.letters), draws.choice(self.orders)
        words: dict[str, None] = {}
        while len(words) < count:
            word = draws.choice(_WORDS["words"]) if self.source == "list" else _made_up(draws)
            words[word] = None
        letters = [word[_PLACES[which]] for word in words]
        backwards = order == "reverse order"
        return Problem(
            tree=(
                "letters",
                which,
                "reverse" if backwards else "same",
                ("words", *(("word", *word) for word in words)),
            ),
            answer="".join(reversed(letters) if backwards else letters),
            holes={"listed": ", ".join(words), "which": which, "order": order},
            axes={"n_words": count, "which": which, "reverse": int(backwards)},
            data=([*words], which, order),
        )

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Exchange letters, or take other letters of the words."""
        letters = sorted({*"".join(problem.data[0])})
        return [*map("".join, misspelt(problem.answer, letters, draws, _OFFERED))]

    def steps_of(self, problem: Problem) -> list[str]:
        """Write a line for each word."""
        words, which, order = problem.data
        lines, before = [], ""
        for place, word in enumerate(words, 1):
            letter = word[_PLACES[which]]
            holes = {"which": which, "word": word, "letter": letter, "before": before}
            if self.trace == "each" or not before:
                lines.append(filled(_STEPS["letter"], holes))
                before = letter
                continue
            backwards = order == "reverse order"
            after = letter + before if backwards else before + letter
            holes |= {"listed": ", ".join(words[:place]), "after": after}
            lines.append(filled(_STEPS["put" if backwards else "added"], holes))
            before = after
        return [*lines, filled(_STEPS["joined"], {"order": order, "answer": problem.answer})]


def _made_up(draws: RowDraws) -> str:
    """Make a word of two or three syllables that can be pronounced."""
    word = ""
    for _ in range(draws.integer(2, 4)):
        word += draws.choice(_ONSETS) + draws.choice(_VOWELS)
    return word + draws.choice(_ENDS)


GENERATORS = {"word_letters": WordLetters}
