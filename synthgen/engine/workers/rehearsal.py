"""Run a generator and its verifier once, so that their kernels are loaded or compiled.

This is a separate module because it imports numpy and Arrow, which start threads: a process can
fork its workers only before that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from synthgen.core.columns import integer_column
from synthgen.core.content import id_column
from synthgen.core.contract import Render, Verifier
from synthgen.core.derivation import derivation_text
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier

_ROWS = 4


def rehearse(name: str, *, fork: bool = False) -> None:
    """Draw, render and verify a few rows of a generator, and discard them.

    With `fork`, a second process compiles the verifier's kernels while this one, which must have
    one thread, compiles those of the generator.

    Raises:
        SynthgenError: if there is no such generator, and whatever the generator raises.
    """
    kind = generator_class(name)
    generator = kind()
    verifier = load_verifier(kind.verifier)
    with _compiling(verifier, aside=fork and verifier.has_oracle):  # others have no kernels
        problems = generator.draw(Rows.span(0, 0, _ROWS))
        texts = generator.render(problems, Render(kind.prompts[0], kind.solutions[0]))
        derivation_text(problems.derivations, generator.signature)
        id_column(problems.keys)
        integer_column(problems.difficulty)
    verifier.check(texts.prompts, texts.answers, texts.solutions)


@contextmanager
def _compiling(verifier: Verifier, *, aside: bool) -> Iterator[None]:
    """Compile the kernels of a verifier in another process meanwhile, unless some are stored."""
    folder = type(verifier).__module__.split(".")[-2]
    stored = os.environ.get("NUMBA_CACHE_DIR")
    if not aside or stored is None or any(Path(stored).glob(f"{folder}_*/*.nbi")):
        yield
        return
    child = os.fork()
    if child == 0:
        try:
            text = pa.array(["?"])  # a kernel is compiled whole, whatever it first reads
            verifier.check(text, text, None)
        finally:
            os._exit(0)
    try:
        yield
    finally:
        os.waitpid(child, 0)
