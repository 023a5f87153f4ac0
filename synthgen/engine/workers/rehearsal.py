"""Run a generator and its verifier once, so that their kernels are loaded or compiled.

This is a separate module because it imports numpy and Arrow, which start threads: a process can
fork its workers only before that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from synthgen.contract.interfaces import Render, Verifier
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.columns import integer_column
from synthgen.core.kernel_folder import kernel_folder
from synthgen.draws.randomness import Rows
from synthgen.trees.content_keys import id_column
from synthgen.trees.derivations import derivation_text

_ROWS = 4


def rehearse(name: str, *, fork: bool = False) -> None:
    """Draw, render and verify a few rows of a generator, and discard them.

    With `fork`, other processes compile the kernels of the verifier and of axes that are measured
    on demand while this one compiles those of the generator. It must have no thread but that of
    Arrow's allocator, which is made to be forked.

    Raises:
        SynthgenError: if there is no such generator, and whatever the generator raises.
    """
    kind = generator_class(name)
    generator = kind()
    verifier = load_verifier(kind.verifier)
    aside = fork and not _stored(verifier)
    with _meanwhile(lambda: _check_something(verifier), aside=aside):
        problems = generator.draw(Rows.span(0, 0, _ROWS))
        with _meanwhile(lambda: dict(problems.axes), aside=aside):
            texts = generator.render(problems, Render(kind.prompts[0], kind.solutions[0]))
            derivation_text(problems.derivations, generator.signature)
            id_column(problems.keys)
            integer_column(problems.difficulty)
    verifier.check(texts.prompts, texts.answers, texts.solutions)


def _check_something(verifier: Verifier) -> None:
    text = pa.array(["?"])  # a kernel is compiled whole, whatever it first reads
    verifier.check(text, text, None)


def _stored(verifier: Verifier) -> bool:
    """Return whether kernels of the family of a verifier may be stored."""
    folder = type(verifier).__module__.split(".")[-2]
    return any(Path(kernel_folder()).glob(f"{folder}_*/*.nbi"))


@contextmanager
def _meanwhile(task: Callable[[], object], *, aside: bool) -> Iterator[None]:
    """If `aside`, run a task in another process too, for the kernels that it compiles."""
    if not aside:
        yield
        return
    child = os.fork()
    if child == 0:
        try:
            task()
        finally:
            os._exit(0)
    try:
        yield
    finally:
        os.waitpid(child, 0)
