"""Run a generator and its verifier once, so that their kernels are loaded or compiled.

This is a separate module because it imports numpy and Arrow, which start threads: a process can
fork its workers only before that.
"""

from __future__ import annotations

from synthgen.core.columns import integer_column
from synthgen.core.content import id_column
from synthgen.core.contract import Render
from synthgen.core.derivation import derivation_text
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier

_ROWS = 4


def rehearse(name: str) -> None:
    """Draw, render and verify a few rows, and discard them.

    Raises:
        SynthgenError: if there is no such generator, and whatever the generator raises.
    """
    kind = generator_class(name)
    generator = kind()
    problems = generator.draw(Rows.span(0, 0, _ROWS))
    texts = generator.render(problems, Render(kind.prompts[0], kind.solutions[0]))
    derivation_text(problems.derivations, generator.signature)
    id_column(problems.keys)
    integer_column(problems.difficulty)
    load_verifier(kind.verifier).check(texts.prompts, texts.answers, texts.solutions)
