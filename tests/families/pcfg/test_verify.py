"""The verifiers of PCFG SET: worked examples, malformed and hostile text, published rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from synthgen.core.contract import Verifier
from synthgen.core.registry import load_verifier
from tests.conformance import original
from tests.families.pcfg import reading

REGULAR, EXCEPTIONAL = load_verifier("pcfg"), load_verifier("pcfg_exceptions")
WORKED = {
    "reverse A1 B2 C3": "C3 B2 A1",
    "shift A1 B2 C3 D4": "B2 C3 D4 A1",
    "echo A1 B2": "A1 B2 B2",
    "swap_first_last A1 B2 C3 D4": "D4 B2 C3 A1",
    "repeat A1 B2 C3": "A1 B2 C3 A1 B2 C3",
    "append A1 B2 , C3 D4 E5": "A1 B2 C3 D4 E5",
    "prepend A1 B2 , C3 D4 E5": "C3 D4 E5 A1 B2",
    "remove_first A1 B2 , C3 D4": "C3 D4",
    "remove_second A1 B2 , C3 D4": "A1 B2",
    "copy A1": "A1",
    "shift append echo A1 B2 , reverse C3 D4 E5": "B2 B2 E5 D4 C3 A1",
    "prepend repeat swap_first_last Q7 R8 , remove_first A1 B2 , shift append X1 X2 , Y3": (
        "X2 Y3 X1 R8 Q7 R8 Q7"
    ),
    "append A1 B2 , append C3 D4 , E5 F6": "A1 B2 C3 D4 E5 F6",
    "reverse remove_second shift A1 B2 C3 , repeat repeat D4 E5": "A1 C3 B2",
    "repeat_twin append_twin A1 , B2": "A1 B2 A1 B2",
}
EXCEPTIONS = {
    "reverse echo A1 B2": ("A1 B2 B2", "B2 B2 A1"),
    "reverse ( echo ( A1 B2 ) )": ("A1 B2 B2", "B2 B2 A1"),
    "prepend reverse A1 B2 , C3 D4": ("A1 B2 B2", "C3 D4 B2 A1"),
    "echo remove_first A1 B2 , C3 D4": ("A1 B2 C3 D4", "C3 D4 D4"),
    "prepend remove_first A1 B2 , C3 D4 , E5 F6": ("A1 B2 C3 D4", "E5 F6 C3 D4"),
    "prepend reverse echo A1 B2 , C3 D4": ("C3 D4 A1 B2 B2", "C3 D4 B2 B2 A1"),
    "append reverse echo A1 B2 , reverse echo C3 D4": ("A1 B2 B2 C3 D4 D4", "B2 B2 A1 D4 D4 C3"),
    "reverse_twin echo A1 B2": ("B2 B2 A1", "B2 B2 A1"),
    "append echo A1 B2 , reverse C3": ("A1 B2 B2 C3", "A1 B2 B2 C3"),
}
MALFORMED = (
    *("", " ", "A1", "A1 B2", "copy", "copy ", " copy A1", "copy A1 ", "copy  A1 B2", "copy A1,B2"),
    *("append A1 B2", "append A1 , B2 , C3", "append A1 ,", "append , A1", "append A1 , , B2"),
    *("copy A1 , B2", "copy A1 copy B2", "append copy A1 B2 , C3 copy D4", "A1 copy B2"),
    *("copy a1", "copy A0", "copy A01", "copy A", "copy 1", "copy A1234567", "copy *1", "sort A1"),
    *("copy_twin_twin A1", "_twin A1", "copyA1", "copy\tA1", "copy\nA1", "copy A1\n", "COPY A1"),
    *("swap_first_last A1", "remove_first swap_first_last A1 , B2", "copy é", "copy A1`"),
    *("copy ( A1", "copy A1 )", "copy ( A1 ) )", "( copy A1 )", "copy ( ( A1 ) )", "copy ()"),
    *("append ( A1 B2 )", "append ( A1 ) , B2", "copy ( copy A1 )", "copy copy ( A1 )", "copy ( )"),
    *("append ( A1 , B2 ) C3", "append ( A1 , ) B2", "copy (A1)", "append ( A1 , copy B2 )"),
)
PROGRAM, ANSWER = "shift append echo A1 B2 , reverse C3 D4 E5", "B2 B2 E5 D4 C3 A1"
STEPS = ["A1 B2 B2", "E5 D4 C3", "A1 B2 B2 E5 D4 C3", ANSWER]
UNROLLED = [
    *("echo A1 B2 = *1", "reverse C3 D4 E5 = *2", "append *1 , *2 = *3", f"shift *3 = {ANSWER}"),
]


def check(
    prompts: Sequence[str],
    answers: Sequence[str],
    solutions: Sequence[str] | None = None,
    verifier: Verifier = REGULAR,
) -> list[bool]:
    texts = [pa.array(column, pa.string()) for column in (prompts, answers)]
    lines = None if solutions is None else pa.array(solutions, pa.string())
    return [bool(value) for value in verifier.check(*texts, lines)]


def symbolic(
    prompts: Sequence[str], answers: Sequence[str], verifier: Verifier = REGULAR
) -> list[bool]:
    texts = [pa.array(column, pa.string()) for column in (prompts, answers)]
    return [bool(value) for value in verifier.symbolic(*texts)]


def bracketed(tree: reading.Tree) -> str:
    if len(tree) == 1:
        return " ".join(tree[0])
    return f"{tree[0]} ( {' , '.join(map(bracketed, tree[1:]))} )"


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    answer = WORKED[prompt]
    forms = [prompt, bracketed(reading.parse(prompt)), f"Wording with `A1`.\n\n`{prompt}`"]
    assert check(forms, [answer] * 3) == symbolic(forms, [answer] * 3) == [True] * 3
    wrong = [
        *(answer + " A1", answer[:-1], answer + " ", " " + answer, answer.replace(" ", "  ") + "x"),
        *("", answer.lower(), answer.partition(" ")[2], answer + "\n"),
    ]
    assert not any(check([prompt] * len(wrong), wrong))
    assert not any(symbolic([prompt] * len(wrong), wrong))


@pytest.mark.parametrize("prompt", EXCEPTIONS)
def test_worked_exceptions(prompt: str) -> None:
    exceptional, regular = EXCEPTIONS[prompt]
    prompts, answers = [prompt, prompt, f"`x`:\n\n`{prompt}`"], [exceptional, regular, exceptional]
    same = exceptional == regular
    for ways in (check, symbolic):
        assert ways(prompts, answers, verifier=EXCEPTIONAL) == [True, same, True]
        assert ways(prompts, answers, verifier=REGULAR) == [same, True, same]


def test_malformed_programs_have_no_answer() -> None:
    for answer in ("A1", "A1 B2", "", "B2", "A1 B2 C3"):
        answers = [answer] * len(MALFORMED)
        assert not any(check(MALFORMED, answers)), answer
        assert not any(symbolic(MALFORMED, answers)), answer


def test_solutions_are_followed_line_by_line() -> None:
    line = "\n".join(UNROLLED)
    assert check([PROGRAM] * 2, [ANSWER] * 2, ["\n".join(STEPS), line]) == [True, True]
    wrong = [
        *("\n".join(lines) for lines in (UNROLLED[::-1], UNROLLED[:-1], UNROLLED[1:], STEPS[1:])),
        *(f"{line}\n{UNROLLED[-1]}", f"{line}\n", f"{line} A1", "", "=\n=\n=\n=", "*\n*\n*\n*"),
        "\n".join([UNROLLED[1], UNROLLED[0], *UNROLLED[2:]]),
        "\n".join([STEPS[1], STEPS[0], *STEPS[2:]]),
        *(line.replace(*change) for change in CHANGES),
    ]
    assert not any(check([PROGRAM] * len(wrong), [ANSWER] * len(wrong), wrong))


CHANGES = (
    *(("*1", "*2"), ("*3", "*03"), ("*3", "*+3"), (" = ", "="), ("echo", "copy"), ("*2", "* 2")),
    *(("shift", "shift_twin"), ("*1 , *2", "*1 *2"), ("*1 , *2", "*2 , *1")),
    *(("*1 , *2", "A1 B2 B2 , *2"), ("echo A1 B2", "echo A1 B3"), ("shift *3", "shift  *3")),
)


def published(name: str) -> tuple[list[str], list[str]]:
    folder = original("pcfg")
    sources, targets = (
        Path(folder / f"{name}.{side}").read_text(encoding="utf-8").splitlines()
        for side in ("src", "tgt")
    )
    assert len(sources) == len(targets) > 0
    return sources, targets


RATIOS = {"0.0001": 9, "0.0005": 59, "0.001": 125, "0.005": 554}
ORIGINALS = {
    "dev": 4_860,
    "systematicity/test": 10_175,
    **{f"overgeneralisation/test_pcfg_ratio={r}_original": n for r, n in RATIOS.items()},
}


@pytest.mark.parametrize("name", ORIGINALS)
def test_all_published_rows_are_accepted_and_mutations_rejected(name: str) -> None:
    sources, targets = published(name)
    assert len(sources) == ORIGINALS[name]
    assert all(check(sources, targets))
    assert all(symbolic(sources[:300], targets[:300]))
    changed = list(map(_swapped, targets))
    same = [one == two for one, two in zip(changed, targets, strict=True)]
    assert check(sources, changed) == same


def _swapped(target: str) -> str:
    """Exchange two different neighbours, if there are any."""
    symbols = target.split(" ")
    places = [i for i, (one, two) in enumerate(pairwise(symbols)) if one != two]
    if places:
        at = places[len(places) // 2]
        symbols[at], symbols[at + 1] = symbols[at + 1], symbols[at]
    return " ".join(symbols)


@pytest.mark.parametrize("ratio", RATIOS)
def test_all_published_exceptions_are_accepted(ratio: str) -> None:
    sources, targets = published(f"overgeneralisation/test_pcfg_ratio={ratio}_exception")
    _, regular = published(f"overgeneralisation/test_pcfg_ratio={ratio}_original")
    assert all(check(sources, targets, verifier=EXCEPTIONAL))
    assert all(symbolic(sources, targets, EXCEPTIONAL))
    same = [one == two for one, two in zip(targets, regular, strict=True)]
    assert check(sources, regular, verifier=EXCEPTIONAL) == same


def test_every_unrolled_line_of_the_published_localism_test_is_accepted() -> None:
    path = original("pcfg") / "localism" / "unrolled_test.tsv"
    prompts, answers, solutions, lines = [], [], [], []
    for row in path.read_text(encoding="utf-8").splitlines():
        label, source, target = row.split("\t")
        if label == "unrolled":
            lines.append(f"{source.strip()} = {target}")
            continue
        prompts.append(source.strip())
        answers.append(target)
        solutions.append("\n".join(lines))
        lines = []
    assert len(prompts) == 9_567
    assert sum(solution.count("\n") + 1 for solution in solutions) == 49_610
    assert all(check(prompts, answers, solutions))
    others = np.roll(np.array(solutions, object), 1).tolist()
    assert not any(check(prompts, answers, others))
    assert not any(check(prompts, answers, [lines.replace("*1", "*2", 1) for lines in solutions]))
