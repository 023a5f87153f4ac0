"""Points by rubrics, by hand."""

from __future__ import annotations

import json

import pytest

from synthgen.verifiers.skillmix._rubric import rubric_points


def rubric(skills: list[tuple[str, str | None]], topic: str, sentences: int) -> str:
    items = [
        {"checker": c, "kind": "skill", "text": f"Illustrates {n}", "weight": 1} for n, c in skills
    ]
    items += [
        {"checker": None, "kind": "topic", "text": f"Pertains to {topic}", "weight": 1},
        {"checker": None, "kind": "sense", "text": "Makes sense", "weight": 1},
        {"checker": None, "kind": "length", "text": "Has at most ...", "weight": 1},
    ]
    names = [name for name, _ in skills]
    return json.dumps({"forbidden": names, "n_sentences": sentences, "rubric": items})


SEWING = rubric([("anaphora", "anaphora"), ("epizeuxis", "epizeuxis")], "Sewing", 1)
GOOD = (
    "We thread the needle; we thread the bobbin; we thread the machine; the tailor wants thimbles, "
    "thimbles, thimbles."
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD, (1, 1, 1, 1, 1)),
        (GOOD.replace("thimbles, thimbles, thimbles", "thimbles"), (1, 0, 1, 1, 1)),
        (GOOD + " Yes.", (1, 1, 1, 1, 0)),
        ("By anaphora: " + GOOD, (0, 1, 1, 1, 1)),
        ("", (0, 0, 0, 0, 1)),
    ],
)
def test_each_point_by_hand(text: str, expected: tuple[int, ...]) -> None:
    assert rubric_points(SEWING, text) == expected


def test_what_no_checker_can_tell_is_left_open() -> None:
    asked = rubric([("sarcasm", None), ("anaphora", "anaphora")], "Quantum knitting", 1)
    assert rubric_points(asked, GOOD) == (None, 1, None, 1, 1)
    assert rubric_points(asked, GOOD.replace("tailor", "sarcasm tailor")) == (0, 1, None, 1, 1)
