"""The kernels of string rewriting as plain Python: what the compiled ones give."""

from __future__ import annotations

from tests.fresh_process import printed

PROGRAM = r"""
import hashlib
import numpy as np, pyarrow as pa
from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.rewrite import Rewrite
from synthgen.verifiers.rewrite import VERIFIER

digest = hashlib.sha256()


def note(*values):
    for value in values:
        digest.update(repr(value).encode())


sizes = dict(min_lhs=1, max_lhs=3, min_rhs=0, max_rhs=3, min_input=9, max_input=15)
for kind in (
    Rewrite(rules=20, p_noop=0.4, hard_negatives=0.7),
    Rewrite(alphabet="ab", rules=20, strict=False, occurrences=(1, 3), p_noop=0.4,
            hard_negatives=0.9, **sizes),
    Rewrite(classes=("repeated 2-20", "free"), rules=12, rows=60, allocation="zipf", p_noop=0.2),
):
    problems = kind.draw(Rows.span(5, 0, 60))
    note(problems.keys.tolist(), problems.derivations.values.tolist())
    note({name: column.tolist() for name, column in sorted(problems.axes.items())})
    texts = kind.render(problems, Render("bare", "steps"))
    note(texts.prompts.to_pylist(), texts.answers.to_pylist(), texts.solutions.to_pylist())
    assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
    order = pa.array(np.roll(np.arange(60), 1))
    note(VERIFIER.check(texts.prompts, texts.answers.take(order), None).tolist())
    wrong = texts.solutions.take(order)
    note(VERIFIER.check(texts.prompts, texts.answers, wrong).tolist())
odd = ["", "`", "a > b", "a > b | a", "a > _ | aa", "x"]
note(VERIFIER.check(pa.array(odd), pa.array(["b"] * 6), pa.array(odd)).tolist())
print(digest.hexdigest())
"""


def test_plain_python_gives_what_the_compiled_kernels_give() -> None:
    plain = printed(PROGRAM, plain=True)
    assert plain == printed(PROGRAM, plain=False)
    assert len(plain) == 64
