from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.formats import pair_rows, scan_rows

ONE, OTHER = Path("a.src"), Path("a.tgt")


def test_lines_of_scan_are_split_into_command_and_actions() -> None:
    lines = [
        (1, "IN: jump twice OUT: I_JUMP I_JUMP"),
        (2, ""),
        (3, "IN: walk OUT:"),
        (4, "IN: IN: x OUT:  y "),
    ]
    assert list(scan_rows(ONE, iter(lines))) == [
        (1, "jump twice", "I_JUMP I_JUMP", None),
        (3, "walk", "", None),
        (4, "IN: x", " y ", None),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "jump OUT: I_JUMP",
        "IN: jump",
        "IN: jump OUT I_JUMP",
        "IN: OUT: I_JUMP",
        "in: jump out: I_JUMP",
        " IN: jump OUT: I_JUMP",
        "IN: jump OUT: I_JUMP OUT: I_JUMP",
        " ",
    ],
)
def test_a_line_of_another_form_is_named(line: str) -> None:
    with pytest.raises(DatasetError, match=r"a\.src:5: expected 'IN: <command> OUT: <actions>'"):
        list(scan_rows(ONE, iter([(5, line)])))


def test_lines_of_two_files_are_paired_blank_ones_too() -> None:
    prompts, answers = [(1, "a"), (2, ""), (3, "c")], [(1, "x"), (2, "y"), (3, "")]
    rows = list(pair_rows(ONE, iter(prompts), OTHER, iter(answers)))
    assert rows == [(1, "a", "x", None), (2, "", "y", None), (3, "c", "", None)]


@pytest.mark.parametrize(
    ("prompts", "answers", "message"),
    [
        (3, 2, r"a\.tgt: lines=2: expected as many as in a\.src, which has more"),
        (0, 1, r"a\.src: lines=0: expected as many as in a\.tgt, which has more"),
        (1, 5, r"a\.src: lines=1: expected as many as in a\.tgt"),
    ],
)
def test_files_of_unequal_length_are_refused(prompts: int, answers: int, message: str) -> None:
    lines = [(i + 1, "1") for i in range(9)]
    with pytest.raises(DatasetError, match=message):
        list(pair_rows(ONE, iter(lines[:prompts]), OTHER, iter(lines[:answers])))
