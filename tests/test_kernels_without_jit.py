"""The kernels as plain Python: the same numbers, texts and verdicts as compiled."""

from __future__ import annotations

from tests.fresh_process import printed

PROGRAM = r"""
import hashlib, sys
import numba, numpy as np, pyarrow as pa
from synthgen.core.columns import ragged
from synthgen.core.content import id_column, keys_of_ids, text_keys
from synthgen.core.contract import Render
from synthgen.core.derivation import derivation_depths, derivation_text
from synthgen.core.keyset import KeySet
from synthgen.core.randomness import Rows, draw_below, draw_bits, row_key, stream_key
from synthgen.core.byte_spans import integer_text
from synthgen.families.hint.kernels import SIGNATURE
from synthgen.core.permutation import permutation_table, permute
from synthgen.core.registry import load_verifier
from synthgen.core.selection import choose_by_word, shuffle_words, take_first
from synthgen.core.selection import word_order
from synthgen.families.hint.family import Hint
from synthgen.families.pcfg.family import Pcfg
from synthgen.families.pcfg.family import PcfgExceptions
from synthgen.families.scan.family import Scan
VERIFIER, SCAN_VERIFIER = load_verifier("hint"), load_verifier("scan")

digest = hashlib.sha256()
kinds = (
    Hint(min_operators=3, max_operators=9),
    Hint(max_operators=2, digits="012y", operators="+d", max_value=60),
    Hint(min_operators=4, max_operators=6, parentheses="full"),
    Hint(min_operators=3, max_operators=5, operators="+-*/abcd", digits="0123456789xy",
         require="c", parentheses="full", max_value=200),
)


def note(*values):
    for value in values:
        digest.update(repr(value).encode())


keys = KeySet()
stream = stream_key(5, "source", "hint")
for kind in kinds:
    problems = kind.draw(Rows.span(stream, 0, 120))
    problems = kind.draw(Rows(stream, problems.rows.addresses[problems.valid]))
    note(len(problems), problems.keys.tolist(), problems.derivations.values.tolist())
    note({name: column.tolist() for name, column in sorted(problems.axes.items())})
    ids = id_column(problems.keys)
    note(ids.to_pylist(), keys_of_ids(ids).tolist(), keys.add(problems.keys).tolist())
    note(derivation_text(problems.derivations, SIGNATURE).to_pylist())
    trees = problems.derivations
    note(derivation_depths(trees.values, trees.offsets, SIGNATURE.arity_array).tolist())
    for style in (Render("bare", "steps"), Render("instruction", "none")):
        texts = kind.render(problems, style)
        solutions = None if texts.solutions is None else texts.solutions.to_pylist()
        note(texts.prompts.to_pylist(), texts.answers.to_pylist(), solutions)
        right = VERIFIER.check(texts.prompts, texts.answers, texts.solutions)
        assert right.all() and len(right) > 50
        note(text_keys(texts.prompts, "hint").tolist())
        order = pa.array(np.roll(np.arange(len(right)), 1))
        wrong = None if texts.solutions is None else texts.solutions.take(order)
        note(VERIFIER.check(texts.prompts, texts.answers.take(order), None).tolist())
        note(VERIFIER.check(texts.prompts, texts.answers, wrong).tolist())

for scan in (Scan(count=("U around right",)), Scan(9, 5, 5, 4, 2, 4)):
    problems = scan.draw(Rows.span(stream, 0, 60))
    note(problems.keys.tolist(), problems.derivations.values.tolist())
    note({name: column.tolist() for name, column in sorted(problems.axes.items())})
    texts = scan.render(problems, Render("instruction", "steps"))
    note(texts.prompts.to_pylist(), texts.answers.to_pylist(), texts.solutions.to_pylist())
    assert SCAN_VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
    order = pa.array(np.roll(np.arange(60), 1))
    note(SCAN_VERIFIER.check(texts.prompts, texts.answers.take(order), None).tolist())
    wrong = texts.solutions.take(order)
    note(SCAN_VERIFIER.check(texts.prompts, texts.answers, wrong).tolist())
odd = ["", " ", "`", "jump and", "jumps", "turn", "jump left twice", "jump left thrice"]
note(SCAN_VERIFIER.check(pa.array(odd), pa.array(["I_TURN_LEFT I_JUMP"] * 8), None).tolist())
for n in (1, 2, 20_910, 2**40, 2**63):
    some = np.arange(min(n, 40), dtype=np.uint64)
    note(permute(some, permutation_table(stream, n)).tolist())

for pcfg in (
    Pcfg(),
    Pcfg(distribution="grammar", twin_mode="share", p_unary=0.4, p_function=0.3, max_string=9),
    Pcfg(twin_mode="all", root="echo"),
    PcfgExceptions(functions=("reverse", "echo", "prepend", "remove_first")),
):
    problems = pcfg.draw(Rows.span(stream, 0, 60))
    note(problems.keys.tolist(), problems.derivations.values.tolist())
    note({name: column.tolist() for name, column in sorted(problems.axes.items())})
    verifier = load_verifier(pcfg.verifier)
    for style in (Render("bracketed", "steps"), Render("bare", "unrolled")):
        texts = pcfg.render(problems, style)
        note(texts.prompts.to_pylist(), texts.answers.to_pylist(), texts.solutions.to_pylist())
        assert verifier.check(texts.prompts, texts.answers, texts.solutions).all()
        order = pa.array(np.roll(np.arange(60), 1))
        note(verifier.check(texts.prompts, texts.answers.take(order), None).tolist())
        wrong = texts.solutions.take(order)
        note(verifier.check(texts.prompts, texts.answers, wrong).tolist())
odd = ["", " ", "`", "copy", "copy A1", "copy ( A1 )", "append A1 , B2", "swap_first_last A1"]
note(load_verifier("pcfg").check(pa.array(odd), pa.array(["A1"] * 8), pa.array(odd)).tolist())

odd = ["", "(", "1+", "1/0", "2*(3", "9*9*9*9*9*9*9*9*9*9*9*9*9*9", "`1`+`2`", "é", "3d6"]
note(VERIFIER.check(pa.array(odd), pa.array(["4"] * len(odd)), pa.array(odd)).tolist())
small = np.array([[0, 0], [0, 0], [5, 7], [6, 7], [5, 7]], np.uint64)
note(keys.add(small).tolist(), len(keys))
note(integer_text(np.array([0, -7, 10**18, -(10**18)], np.int64)).to_pylist())
some = np.arange(40, dtype=np.uint64)
lots = shuffle_words((some % 3).astype(np.uint16), some, np.uint64(9))
note(lots.tolist(), word_order(lots).tolist(), word_order(lots >> np.uint64(60)).tolist())
met = np.stack([some % 2 == 0, some % 3 == 0, some % 5 < 4], axis=1)
chosen = choose_by_word(met, lots, np.array([2.0, 1.0, 4.0]), np.uint64(5), -1)
left, taken = np.array([3, 0, 9]), np.zeros(40, np.bool_)
take_first(chosen.astype(np.int32), chosen >= 0, left, taken)
note(chosen.tolist(), left.tolist(), taken.tolist())
key = row_key(np.uint64(stream), np.uint64(77))
note([(int(draw_bits(key, j)), int(draw_below(key, j, 97))) for j in range(20)])
assert not hasattr(row_key, "py_func") if numba.config.DISABLE_JIT else hasattr(row_key, "py_func")
print(len(keys), digest.hexdigest())
"""


def test_plain_python_gives_what_the_compiled_kernels_give() -> None:
    plain = printed(PROGRAM, plain=True)
    compiled = printed(PROGRAM, plain=False)
    assert plain == compiled
    kept, digest = compiled.split()
    assert int(kept) > 300
    assert len(digest) == 64
