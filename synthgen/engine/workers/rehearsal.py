"""Run a generator and its verifier once, so that their kernels are loaded or compiled.

This is a separate module because it imports numpy and Arrow, which start threads: a process can
fork its workers only before that.
"""

from __future__ import annotations

from synthgen.contract.interfaces import Render, valid_ones
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.columns import integer_column
from synthgen.draws.randomness import Rows
from synthgen.trees.content_keys import id_column
from synthgen.trees.derivations import derivation_text

_ROWS = 4


def rehearse(name: str) -> None:
    """Draw, render and verify a few rows of a generator, and discard them.

    Raises:
        SynthgenError: if there is no such generator, and whatever the generator raises.
    """
    kind = generator_class(name)
    generator = kind()
    verifier = load_verifier(kind.verifier)
    problems = valid_ones(generator.draw(Rows.span(0, 0, _ROWS)))
    dict(problems.axes)  # some are measured on demand
    texts = generator.render(problems, Render(kind.prompts[0], kind.solutions[0]))
    derivation_text(problems.derivations, generator.signature)
    id_column(problems.keys)
    integer_column(problems.difficulty)
    verifier.check(texts.prompts, texts.answers, texts.solutions)
