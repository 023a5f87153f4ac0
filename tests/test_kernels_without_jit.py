"""The kernels as plain Python: the same numbers and texts as compiled.

Those of families are compared in tests/families/test_without_jit.py.
"""

from tests.fresh_process import printed

START = r"""
import numba, numpy as np, pyarrow as pa
from synthgen.core.columns import Ragged, offsets_of
from synthgen.trees.derivations import derivation_depths, derivation_text
from synthgen.draws.randomness import Rows, draw_below, draw_bits, row_key
from synthgen.families.scan.family import Scan

assert hasattr(row_key, "py_func") != bool(numba.config.DISABLE_JIT)
scan = Scan()
problems = scan.draw(Rows.span(3, 0, 60))
trees, signature = problems.derivations, scan.signature


def note(*values):
    for value in values:
        if isinstance(value, Ragged):
            note(value.values, value.offsets)
        else:
            print(value.tolist() if hasattr(value, "tolist") else value)
"""

CORE = r"""
from synthgen.core.byte_spans import integer_text
from synthgen.trees.content_keys import id_column, keys_of_ids, text_keys
from synthgen.trees.key_sets import KeySet
from synthgen.draws.permutation import permutation_table, permute
from synthgen.draws.shuffles import choose_by_word, shuffle_words, take_first, word_order

keys, ids = KeySet(), id_column(problems.keys)
note(problems.keys, ids, keys_of_ids(ids), keys.add(problems.keys[:40]), keys.add(problems.keys))
small = np.array([[0, 0], [0, 0], [5, 7], [6, 7], [5, 7]], np.uint64)
note(keys.add(small), len(keys))
texts = derivation_text(trees, signature)
note(texts, text_keys(texts, "scan"))
note(derivation_depths(trees.values, trees.offsets, signature.arity_array))
for n in (1, 2, 20_910, 2**40, 2**63):
    note(permute(np.arange(min(n, 40), dtype=np.uint64), permutation_table(5, n)))
note(integer_text(np.array([0, -7, 10**18, -(10**18)], np.int64)))
some = np.arange(40, dtype=np.uint64)
lots = shuffle_words((some % 3).astype(np.uint16), some, np.uint64(9))
note(lots, word_order(lots), word_order(lots >> np.uint64(60)))
met = np.stack([some % 2 == 0, some % 3 == 0, some % 5 < 4], axis=1)
chosen = choose_by_word(met, lots, np.array([2.0, 1.0, 4.0]), np.uint64(5), -1)
left, taken = np.array([3, 0, 9]), np.zeros(40, np.bool_)
take_first(chosen.astype(np.int32), chosen >= 0, left, taken)
note(chosen, left, taken)
key = np.uint64(row_key(np.uint64(11), np.uint64(77)))
note([(int(draw_bits(key, j)), int(draw_below(key, j, 97))) for j in range(20)])
"""

STRUCTURES = r"""
from synthgen.trees import named_structures as named
from synthgen.trees.local_structures import local_structures, structure_ids
from synthgen.trees.ngrams import ngrams, token_ids
from synthgen.trees.structures import subtrees
from synthgen.coverage.divergences import random_split_baseline
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.structure_texts import read_trees

for kind in named.KINDS:
    note(named.structure_ids(trees, signature, kind))
for n in (2, 3):
    found = local_structures(trees, signature, n, commutative=frozenset(("and", "after")))
    note(found, structure_ids(found.values, signature))
tokens = token_ids(derivation_text(trees, signature))
note(tokens.values, ngrams(tokens, 3, borders=True).values)
numbers = Ragged(np.unique(tokens.values, return_inverse=True)[1], tokens.offsets)
note(numbers.values, random_split_baseline(numbers, 45, 0.1, 7).values)
note(subtrees(trees, signature, max_nodes=5), IdCounts().add(tokens.values))
found = read_trees(pa.array(["(+ 2 (* 3 4))", "plus(2, times(3,4))", "é", "(f)"]))
note(found.signature.names, found.codes, found.depths, read_trees(pa.array(["(f (g"])))
"""

STEERING = r"""
from synthgen.draws.randomness import mix_words
from synthgen.engine.steer.greedy import greedy_rows, rows_with
from synthgen.trees.distinct import number_words
from synthgen.trees.structures import atoms, fragments
from synthgen.engine.steer.mcd import Pool, mcd_split
from synthgen.engine.steer.order import arranged
from synthgen.recipe.schema import Divergence, Order

draws = Rows.span(11, 0, 300).draws()
cells, lengths = draws.integers(0, 5), draws.integers(0, 6)
words = np.repeat(draws.integers(0, 90), lengths).astype(np.uint64) * np.uint64(2**57 + 3)
words[::2] = np.arange(len(words[::2]), dtype=np.uint64) % np.uint64(40)
lots = mix_words(np.arange(300, dtype=np.uint64))
turns = [[value, weight] for value, weight in enumerate([5, 3, 2, 1, 1])]
for keys in ({"by": "turns", "of": turns}, {"by": "novelty"}):
    note(arranged(Order(axis="difficulty", **keys), cells, lots, 3, {}))
ids, total = number_words(words, mix_words(words))
offsets = offsets_of(lengths)
weights = rows_with(ids, offsets, total)
note(weights, greedy_rows(ids, offsets, weights, np.full(total, 3), 120))
compounds = fragments(trees, signature, max_nodes=4, limit=20)
rule = Divergence(train=("a",), test=("b",), starts=2, effort=12)
columns = trees.lengths.astype(np.int64)[:, None]
pool = Pool(problems.keys, atoms(trees, signature), compounds, columns)
split = mcd_split(pool, (30, 15), rule, 5)
note(compounds, split.sides, split.compounds, split.atoms, split.axes)
note(split.random_compounds.mean, split.random_atoms.deviation)
"""


def test_plain_python_gives_what_the_compiled_kernels_give() -> None:
    program = START + CORE + STRUCTURES + STEERING
    plain, compiled = (printed(program, plain=plain) for plain in (True, False))
    assert plain == compiled
    assert len(compiled) > 100_000
