from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.core.registry import load_verifier
from tests.conformance import original

VERIFIER, REGULAR = load_verifier("pcfg_exceptions"), load_verifier("pcfg")
WORKED = {
    "reverse echo A1 B2": ("A1 B2 B2", "B2 B2 A1"),
    "prepend reverse A1 B2 , C3 D4": ("A1 B2 B2", "C3 D4 B2 A1"),
    "echo remove_first A1 B2 , C3 D4": ("A1 B2 C3 D4", "C3 D4 D4"),
    "prepend remove_first A1 B2 , C3 D4 , E5 F6": ("A1 B2 C3 D4", "E5 F6 C3 D4"),
    "prepend reverse echo A1 B2 , C3 D4": ("C3 D4 A1 B2 B2", "C3 D4 B2 B2 A1"),
    "append reverse echo A1 B2 , reverse echo C3 D4": (
        "A1 B2 B2 C3 D4 D4",
        "B2 B2 A1 D4 D4 C3",
    ),
    "reverse_twin echo A1 B2": ("B2 B2 A1", "B2 B2 A1"),
    "append echo A1 B2 , reverse C3": ("A1 B2 B2 C3", "A1 B2 B2 C3"),
}


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    exceptional, regular = WORKED[prompt]
    prompts = pa.array([prompt, prompt, f"Say what `x` is:\n\n`{prompt}`"])
    answers = pa.array([exceptional, regular, exceptional])
    same = exceptional == regular
    assert VERIFIER.check(prompts, answers, None).tolist() == [True, same, True]
    assert VERIFIER.symbolic(prompts, answers).tolist() == [True, same, True]
    assert REGULAR.check(prompts, answers, None).tolist() == [same, True, same]
    assert REGULAR.symbolic(prompts, answers).tolist() == [same, True, same]


@pytest.mark.parametrize(
    ("ratio", "rows"), [("0.0001", 9), ("0.0005", 59), ("0.001", 125), ("0.005", 554)]
)
def test_all_published_exceptions_are_accepted(ratio: str, rows: int) -> None:
    folder = original("pcfg") / "overgeneralisation"
    sources, targets, regular = (
        pa.array((folder / f"test_pcfg_ratio={ratio}_{name}").read_text().splitlines())
        for name in ("exception.src", "exception.tgt", "original.tgt")
    )
    assert len(sources) == rows
    assert VERIFIER.check(sources, targets, None).all()
    assert VERIFIER.symbolic(sources, targets).all()
    differs = [
        one != two for one, two in zip(targets.to_pylist(), regular.to_pylist(), strict=True)
    ]
    assert REGULAR.check(sources, regular, None).all()
    assert (~VERIFIER.check(sources, regular, None)).tolist() == differs
