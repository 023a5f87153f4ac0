"""Templates that are made ready are filled as `str.format` would fill them."""

from __future__ import annotations

import pytest

from synthgen.core.skill_lexicon import plural, third
from synthgen.generators.skillmix._piece_slots import Forms, filler

FORMS: Forms = {"s": plural, "z": third, "up": str.upper}
PARTS = ("rope", "knife", "carry", "100%")


class _Word(str):
    __slots__ = ()

    def __format__(self, form: str) -> str:
        return FORMS[form](str(self)) if form else str(self)


@pytest.mark.parametrize(
    "text",
    [
        "no slot, 5 % of it",
        "{0}",
        "{2:z}",
        "the {0} and the {1}",
        "{1:s} {2} the {0:s}; {1:s} are {3} sharp, or 90 % of them",
        "{3} {0}{0} {0:s}{0:up}",
        "%s %d %% {1}",
    ],
)
def test_filled_as_by_format(text: str) -> None:
    fill = filler(text, FORMS)
    expected = text.format(*map(_Word, PARTS))
    assert fill(PARTS) == expected
    assert fill((*PARTS, "more")) == expected


def test_an_unknown_form_is_told_at_once() -> None:
    with pytest.raises(KeyError):
        filler("the {0:xx}", FORMS)
