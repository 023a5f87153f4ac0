"""Rubrics from the text of prompts: by hand, against the oracle, and on hostile text."""

from __future__ import annotations

import json

import pytest

from tests.families.verdicts import Verdicts

VERDICTS = Verdicts("skill_prompt")
PROMPT = (
    'Compose a brief passage about "Salt mines" in no more than two sentences. It must demonstrate '
    "each skill on this list without mentioning its name:\n- Zeugma (figure): One verb, two "
    "objects.\n- Bathos: A fall.\n- red herring no one knows: Another topic: any."
)
RUBRIC = {
    "forbidden": ["zeugma", "bathos", "red herring no one knows"],
    "n_sentences": 2,
    "rubric": [
        {"kind": "skill", "text": "Illustrates Zeugma (figure)", "weight": 1},
        {"kind": "skill", "text": "Illustrates Bathos", "weight": 1},
        {"kind": "skill", "text": "Illustrates red herring no one knows", "weight": 1},
        {"kind": "topic", "text": "Pertains to Salt mines", "weight": 1},
        {"kind": "sense", "text": "Makes sense", "weight": 1},
        {"kind": "length", "text": "Has at most 2 sentences", "weight": 1},
    ],
}
ANSWER = json.dumps(RUBRIC, separators=(",", ":"))


def test_by_hand() -> None:
    assert VERDICTS.both(PROMPT, ANSWER) == [True, True]
    assert VERDICTS.verifier.grade(f" {ANSWER}\n", ANSWER) == 1.0
    assert VERDICTS.verifier.grade(ANSWER.replace("2", "3"), ANSWER) == 0.0


def test_a_solution_is_rejected() -> None:
    assert not VERDICTS.accepts(PROMPT, ANSWER, "Write it.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"zeugma"', '"Zeugma"'),
        ('"zeugma"', '"zeugma (figure)"'),
        ('["zeugma",', "["),
        ("Zeugma (figure)", "zeugma (figure)"),
        ("Illustrates Bathos", "Contains Bathos"),
        ("Salt mines", "Salt"),
        ('"n_sentences":2', '"n_sentences":3'),
        ("2 sentences", "3 sentences"),
        ("2 sentences", "2 sentence"),
        ('"weight":1}]', '"weight":2}]'),
        ('{"kind":"sense","text":"Makes sense","weight":1},', ""),
        ('{"forbidden"', '{ "forbidden"'),
        ('{"kind":"skill"', '{"checker":null,"kind":"skill"'),
    ],
)
def test_wrong_rubrics(old: str, new: str) -> None:
    answer = ANSWER.replace(old, new, 1)
    assert answer != ANSWER
    assert VERDICTS.both(PROMPT, answer) == [False, False]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("two sentences", "three sentences"),
        ("two sentences", "some sentences"),
        ("Salt mines", ""),
        ("Salt mines", "Salt\\mines"),
        ('"Salt mines"', "Salt mines"),
        ("\n- Bathos", "\n- Zeugma (figure)"),
        ("- Bathos:", "- :"),
        ("- Bathos: A fall.", "- Bathos"),
        ("- Bathos: A fall.", "- Bathos:"),
        ("- Bathos: A fall.", "- Bathos:A fall."),
        ("\n- Bathos", "\nBathos"),
        ("\n- Bathos", "\n\n- Bathos"),
        ("Bathos", 'Ba"thos'),
        ("Bathos", "Ba\tthos"),
        ("Bathos", "Bath\u200bos"),
        ("Compose a", "Compose"),
        ("without mentioning", "mentioning"),
        ("topic: any.", "topic: any.\nGood luck."),
    ],
)
def test_prompts_that_the_family_does_not_write(old: str, new: str) -> None:
    prompt = PROMPT.replace(old, new)
    assert prompt != PROMPT
    for answer in (ANSWER, "", ANSWER.replace(old, new)):
        assert VERDICTS.both(prompt, answer) == [False, False]


def test_a_list_of_names_only() -> None:
    prompt = PROMPT
    for more in (": One verb, two objects.", ": A fall.", ": Another topic: any."):
        prompt = prompt.replace(more, "")
    assert VERDICTS.both(prompt, ANSWER) == [True, True]


@pytest.mark.parametrize(
    ("name", "forbidden"),
    [
        ("Ελπίδα (ἐλπίς)", "ελπίδα"),
        ("(bare)", "(bare)"),
        ("Pars pro Toto  (a part)", "pars pro toto"),
        ("ÜBER", "über"),
    ],
)
def test_names_in_brackets_and_beyond_ascii(name: str, forbidden: str) -> None:
    prompt = PROMPT.replace("- Bathos", f"- {name}")
    answer = ANSWER.replace("Illustrates Bathos", f"Illustrates {name}").replace(
        '"bathos"', f'"{forbidden}"'
    )
    assert VERDICTS.both(prompt, answer) == [True, True]
    assert VERDICTS.both(prompt, ANSWER) == [False, False]
