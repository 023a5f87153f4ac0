from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.registry import load_verifier
from tests.bounded import bounded
from tests.conformance import original
from tests.generators import pcfg_oracle as oracle

VERIFIER = load_verifier("pcfg")
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


def check(prompts: Sequence[str], answers: Sequence[str], solutions: object = None) -> list[bool]:
    lines = None if solutions is None else pa.array(solutions, pa.string())
    right = VERIFIER.check(pa.array(prompts, pa.string()), pa.array(answers, pa.string()), lines)
    return [bool(value) for value in right]


def symbolic(prompts: Sequence[str], answers: Sequence[str]) -> list[bool]:
    return list(VERIFIER.symbolic(pa.array(prompts, pa.string()), pa.array(answers, pa.string())))


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    answer = WORKED[prompt]
    tree = oracle.parse(prompt.split(" "))
    forms = [prompt, oracle.bracketed(tree), f"Wording with `A1`.\n\n`{prompt}`"]
    assert check(forms, [answer] * 3) == symbolic(forms, [answer] * 3) == [True] * 3
    assert check([prompt], [answer], [oracle.unrolled(tree)]) == [True]
    steps = "\n".join(" ".join(value) for _, value in oracle.results(tree))
    assert check([prompt], [answer], [steps]) == [True]
    wrong = [
        *(answer + " A1", answer[:-1], answer + " ", " " + answer, answer.replace(" ", "  ") + "x"),
        *("", answer.lower(), answer.partition(" ")[2], answer + "\n"),
    ]
    assert not any(check([prompt] * len(wrong), wrong))
    assert not any(symbolic([prompt] * len(wrong), wrong))


def test_malformed_programs_have_no_answer() -> None:
    for answer in ("A1", "A1 B2", "", "B2", "A1 B2 C3"):
        answers = [answer] * len(MALFORMED)
        assert not any(check(MALFORMED, answers)), answer
        assert not any(symbolic(MALFORMED, answers)), answer


def test_wrong_solutions_are_refused() -> None:
    prompt = "shift append echo A1 B2 , reverse C3 D4 E5"
    answer = WORKED[prompt]
    right = oracle.unrolled(oracle.parse(prompt.split(" "))).split("\n")
    wrong = [
        right[::-1],
        right[:-1],
        right[1:],
        [*right, right[-1]],
        [right[1], right[0], *right[2:]],
        [line.replace("*1", "*2") for line in right],
        [line.replace("*3", "*03") for line in right],
        [line.replace(" = ", "=") for line in right],
        [line.replace("echo", "copy") for line in right],
        [line.replace("shift", "shift_twin") for line in right],
        [line.replace("append *1 , *2", "append *1 *2") for line in right],
        [line.replace("append *1 , *2", "append *2 , *1") for line in right],
        [line.replace("*1 , *2", "A1 B2 B2 , *2") for line in right],
        [*right[:-1], right[-1] + " A1"],
        [""],
        ["=" for _ in right],
        ["*" for _ in right],
    ]
    solutions = ["\n".join(lines) for lines in wrong]
    assert check([prompt], [answer], ["\n".join(right)]) == [True]
    assert not any(check([prompt] * len(wrong), [answer] * len(wrong), solutions))


def test_short_texts_with_enormous_results_are_bounded() -> None:
    deep = " ".join(["repeat"] * 5000)
    prompts = [
        f"{deep} A1 B2",
        f"remove_first {deep} A1 B2 , C3 D4",
        "append " * 3000 + " , ".join(["A1"] * 3001),
        "copy " * 100_000 + "A1",
        "copy " + "A1 " * 200_000 + "A1",
        "copy ( " * 50_000 + "A1" + " )" * 50_000,
        "(" * 300_000,
        "A1 , " * 100_000,
    ]
    with bounded():
        right = check(prompts, ["A1 B2", "C3 D4", " ".join(["A1"] * 3001), "A1", *["A1"] * 4])
        assert right == [False, True, True, True, False, True, False, False]
        assert check(["copy " * 20_000 + "A1 " * 20_000 + "A1"], ["A1 " * 20_000 + "A1"]) == [False]
        slow = symbolic(prompts[:2], ["A1 B2", "C3 D4"])
        assert slow == [False, True]


words = st.sampled_from(
    [*oracle.UNARY, *oracle.BINARY, "repeat_twin", ",", "(", ")", "A1", "B2", "C33", "*1", "`", ""]
)


@given(st.lists(words, max_size=14).map(" ".join), st.lists(words, max_size=5).map(" ".join))
def test_both_checks_agree_on_any_words(prompt: str, answer: str) -> None:
    answers = [answer, "A1", "A1 B2"]
    assert check([prompt] * 3, answers) == symbolic([prompt] * 3, answers)


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=30))
def test_any_text_is_judged_without_an_error(prompt: str, answer: str, solution: str) -> None:
    assert check([prompt, f"copy {prompt}"], [answer] * 2, [solution] * 2) is not None
    assert symbolic([prompt], [answer]) == check([prompt], [answer])


def published(folder: Path, name: str) -> tuple[list[str], list[str]]:
    sources, targets = (
        (folder / f"{name}.{side}").read_text(encoding="utf-8").splitlines()
        for side in ("src", "tgt")
    )
    assert len(sources) == len(targets) > 0
    return sources, targets


ORIGINALS = [
    ("dev", 4_860),
    ("systematicity/test", 10_175),
    *(
        (f"overgeneralisation/test_pcfg_ratio={ratio}_original", rows)
        for ratio, rows in (("0.0001", 9), ("0.0005", 59), ("0.001", 125), ("0.005", 554))
    ),
]


@pytest.mark.parametrize(("name", "rows"), ORIGINALS)
def test_all_published_rows_are_accepted_and_mutations_refused(name: str, rows: int) -> None:
    sources, targets = published(original("pcfg"), name)
    assert len(sources) == rows
    assert all(check(sources, targets))
    few = slice(0, 300)
    assert all(symbolic(sources[few], targets[few]))
    for change in (_without_last, _with_repeat, _swapped):
        changed = [change(target) for target in targets]
        different = [one != two for one, two in zip(changed, targets, strict=True)]
        right = check(sources, changed)
        assert [not value for value in right] == different


def _without_last(target: str) -> str:
    return target.rpartition(" ")[0]


def _with_repeat(target: str) -> str:
    return f"{target} {target.rpartition(' ')[2]}"


def _swapped(target: str) -> str:
    symbols = target.split(" ")
    places = [i for i, (one, two) in enumerate(pairwise(symbols)) if one != two]
    if places:
        at = places[len(places) // 2]
        symbols[at], symbols[at + 1] = symbols[at + 1], symbols[at]
    return " ".join(symbols)


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
    changed = [solution.replace("*1", "*2", 1) for solution in solutions]
    assert not any(check(prompts, answers, changed))
