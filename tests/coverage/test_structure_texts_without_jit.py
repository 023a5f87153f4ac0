"""The reader of trees gives the same without compilation."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.building import environment

CODE = """
import warnings; warnings.simplefilter("ignore")
import pyarrow as pa
from synthgen.coverage.structure_texts import read_trees
texts = pa.array(["(+ 2 (* 3 4))", "plus(2, times(3,4))", "é", "(f)"])
found = read_trees(texts)
names = [found.signature.names[code] for code in found.codes.values]
print(names, found.codes.offsets.tolist(), found.depths.tolist(), read_trees(pa.array(["(f (g"])))
"""


def run(**variables: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        env={**os.environ, **environment(), **variables},
        check=True,
    )
    return ended.stdout


def test_both_forms_of_the_kernels_agree() -> None:
    compiled = run()
    assert "BadTree(row=0" in compiled
    assert compiled == run(NUMBA_DISABLE_JIT="1")
