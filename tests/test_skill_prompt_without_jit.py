"""The kernels of prompts and designs as plain Python: the same numbers and verdicts as compiled."""

from __future__ import annotations

from tests.fresh_process import printed

PROGRAM = r"""
import hashlib, sys
import numpy as np, pyarrow as pa
from synthgen.core.contract import Render
from synthgen.core.covering import covering_design
from synthgen.core.covering_topics import assign_topics
from synthgen.core.randomness import Rows
from synthgen.generators.skillmix import _prompt_blocks
from synthgen.generators.skillmix.skill_prompt import SkillPrompt
from synthgen.verifiers.skillmix.skill_prompt import VERIFIER

digest = hashlib.sha256()
_prompt_blocks._EFFORT = 4_000  # steps to even topics out, each slow in plain Python


def note(*values):
    for value in values:
        digest.update(repr(value).encode())


design = covering_design(9, 4, 3, 5, [(0, 1), (2, 7)])
note(design.blocks.tolist(), design.infeasible.tolist())
note(assign_topics(design.blocks, 9, 4, 2, 2_000).tolist())
more = dict(held_categories=("logical",), held_topics=2, held_pairs=2, held_cells=5,
            held_tuples=0.2, topics="".join(f"Topic {i}\n" for i in range(40)))
plain = SkillPrompt(ks=(2,), rounds=4, topics=more["topics"])
for generator in (plain, SkillPrompt(ks=(3,), rounds=4, **more)):
    rows = Rows(3, np.linspace(0, generator.space - 1, 24).astype(np.uint64))
    problems = generator.draw(rows)
    note(problems.keys.tolist(), problems.derivations.values.tolist())
    note({name: column.tolist() for name, column in sorted(problems.axes.items())})
    for style in SkillPrompt.prompts:
        texts = generator.render(problems, Render(style, "none"))
        note(texts.prompts.to_pylist(), texts.answers.to_pylist())
        note(VERIFIER.check(texts.prompts, texts.answers, None).tolist())
        wrong = pa.array(texts.answers.to_pylist()[1:] + [""], pa.string())
        note(VERIFIER.check(texts.prompts, wrong, None).tolist())
print(digest.hexdigest())
"""


def test_plain_python_gives_what_the_compiled_kernels_give() -> None:
    plain = printed(PROGRAM, plain=True)
    assert plain == printed(PROGRAM, plain=False)
    assert len(plain) == 64
