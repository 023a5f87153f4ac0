"""The kernels of structures as plain Python: the same numbers as compiled."""

from __future__ import annotations

from tests.fresh_process import printed

PROGRAM = r"""
import hashlib
import pyarrow as pa
from synthgen.coverage.baseline import random_split_baseline
from synthgen.coverage.canonical import canonical_forms, rename_by_occurrence
from synthgen.core.local_structures import local_structures, structure_ids
from synthgen.core.ngrams import ngrams, token_ids
from synthgen.core.columns import Ragged
from synthgen.core.derivation import derivation_text
from synthgen.core.randomness import Rows
from synthgen.families.hint.family import Hint

hint = Hint(max_operators=6)
trees, signature = hint.draw(Rows.span(5, 0, 60)).derivations, hint.signature
digest = hashlib.sha256()


def note(*columns):
    for column in columns:
        digest.update(repr(column.tolist()).encode())


commutative, variables = frozenset("+*"), frozenset("0123456789")
for most_forms in (1, 120):
    forms = canonical_forms(trees, signature, commutative=commutative, variables=variables,
                            most_forms=most_forms)
    note(forms.derivations.values, forms.certain, forms.keys("hint"))
for n in (2, 3):
    found = local_structures(trees, signature, n, commutative=commutative)
    note(found.values, found.offsets, structure_ids(found.values, signature))
tokens = token_ids(derivation_text(trees, signature))
note(tokens.values, ngrams(tokens, 3, borders=True).values)
numbers = rename_by_occurrence(Ragged(tokens.values.view("int64"), tokens.offsets))
note(numbers.values)
digest.update(repr(random_split_baseline(numbers, 45, 0.1, 7).values).encode())
print(digest.hexdigest())
"""


def test_plain_python_gives_what_the_compiled_kernels_give() -> None:
    plain, compiled = printed(PROGRAM, plain=True), printed(PROGRAM, plain=False)
    assert plain == compiled
    assert len(compiled.strip()) == 64
