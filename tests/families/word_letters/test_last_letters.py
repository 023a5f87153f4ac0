"""Letters of words: the contract, the published examples, both traces."""

from pathlib import Path
from typing import Any

import pytest

from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.building import build_bundled
from tests.families.scripted import scripted
from tests.families.verdicts import accepts, answer

PLACES = ("first", "second", "third", "fourth", "last")
ORDERS = ("the same order", "reverse order")
ASKED = "Take the {} letter of each of these words and join them in {}: {}."
EXAMPLES = {
    "think, machine": "ke",
    "thinking, machine": "ge",
    "think, machine, learning": "keg",
    "learning, reasoning, generalization": "ggn",
}
"""Of Zhou et al. (2022), least-to-most prompting."""


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"letters": PLACES, "orders": ORDERS, "source": "made", "trace": "least_to_most"},
        {"letters": PLACES, "orders": ORDERS, "min_words": 1},
        {"min_words": 150, "max_words": 200, "trace": "least_to_most", "source": "made"},
    ],
    ids=str,
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("word_letters", params, rows=60)


@pytest.mark.parametrize(("words", "wanted"), EXAMPLES.items())
def test_published_examples(words: str, wanted: str) -> None:
    assert answer("word_letters", ASKED.format("last", ORDERS[0], words)) == wanted
    assert answer("word_letters", ASKED.format("last", ORDERS[1], words)) == wanted[::-1]


def test_other_letters() -> None:
    found = [answer("word_letters", ASKED.format(p, ORDERS[0], "think, machine")) for p in PLACES]
    assert found == ["tm", "ha", "ic", "nh", "ke"]
    assert answer("word_letters", ASKED.format("fourth", ORDERS[0], "think, ox")) is None


def test_both_traces() -> None:
    prompt = ASKED.format("last", ORDERS[0], "think, machine, learning")
    end = "Joined in the same order: keg"
    first = 'The last letter of "think" is "k".'
    second = 'The last letter of "machine" is "e".'
    third = 'The last letter of "learning" is "g".'
    prefixes = [
        '"think, machine": "k" and "e" make "ke".',
        '"think, machine, learning": "ke" and "g" make "keg".',
    ]
    assert accepts("word_letters", prompt, "keg", "\n".join([first, second, third, end]))
    assert accepts("word_letters", prompt, "keg", "\n".join([first, *prefixes, end]))
    for wrong in ([first, second, end], [first, second, prefixes[1], end], [first, *prefixes]):
        assert not accepts("word_letters", prompt, "keg", "\n".join(wrong))


FIRST = 'The last letter of "acrobat" is "t".'
TRACES = {
    ("each", "the same order"): (
        *(FIRST, 'The last letter of "machine" is "e".', 'The last letter of "almond" is "d".'),
        "Joined in the same order: ted",
    ),
    ("least_to_most", "the same order"): (
        *(FIRST, '"acrobat, machine": "t" and "e" make "te".'),
        *('"acrobat, machine, almond": "te" and "d" make "ted".', "Joined in the same order: ted"),
    ),
    ("least_to_most", "reverse order"): (
        *(FIRST, '"acrobat, machine": "e" and "t" make "et".'),
        *('"acrobat, machine, almond": "d" and "et" make "det".', "Joined in reverse order: det"),
    ),
}


@pytest.mark.parametrize(("trace", "order"), TRACES)
def test_the_family_writes_both_traces(trace: str, order: str) -> None:
    family: Any = generator_class("word_letters")(orders=(order,), trace=trace)
    known = family.words["words"]
    drawn = [(known.index(word), 0, len(known)) for word in ("acrobat", "machine", "almond")]
    problem = family.make(scripted((3, 2, 7), (0, 0, 1), (0, 0, 1), *drawn))
    assert family.steps_of(problem) == [*TRACES[trace, order]]
    assert problem.answer == TRACES[trace, order][-1].split()[-1]


def test_words_are_different() -> None:
    kind: Any = generator_class("word_letters")
    problems = kind(min_words=200, max_words=200).draw(Rows.span(3, 0, 5))
    for one in problems.parts["made"]:
        assert len({*one.data[0]}) == 200


def test_longer_lists_are_held_out(tmp_path: Path) -> None:
    rows = build_bundled("last-letters", tmp_path / "out", rows=300)
    assert {row["n_words"] for row in rows["train"]} == {2, 3}
    assert {row["n_words"] for row in rows["test_longer"]} == {4, 6, 8, 10, 12}
