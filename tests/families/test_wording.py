"""Prompts and solutions of every family: numbers of nouns, articles and spaces."""

import re

import pytest

from synthgen.authoring.words import BOXED
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, generator_names
from synthgen.draws.randomness import Rows, stream_key
from tests.families.verdicts import valid_problems

ROWS = 8
VERBS = "is|as|has|was|does|lies|moves|lands|equals|divides|plus|minus|this"
LETTERS = "and|are|as|at|appears|ends|if|in|into|is|occurs|of|on|once|one|ones|or|over|only"
FAULTS = {
    "one of several": rf"(?:^|\b[a-z]{{2,}}|:) 1 (?!(?:{VERBS})\b)[a-z]+s\b",
    "several of one": r"(?:^|\b[a-z]{2,}|:) [2-9] (?:vertex|place|seat|tile|box|copy|row|column)\b",
    "article before a vowel": rf"\ba (?:8|11|18|(?!(?:{LETTERS})\b)[aeio][a-z]{{2,}})\b",
    "article before a consonant": r"\ban (?![aeiou]|h(?:our|onest))[a-z]{2,}\b",
    "doubled space": r"\S {2,}\S",
    "space before a full stop": r"[a-z] [.?!](?:\s|$)",
    "empty hole": r"(?<!boxed)\{[a-z_]*\}|, ,|: \.",
}
FORMAL = {"article before a vowel", "space before a full stop", "empty hole"}
"""Faults that are not looked for where texts are made of tokens, or set words in brackets."""
TOKENS = (
    *("cogs", "pcfg", "pcfg_exceptions", "scan", "markov", "skill_chain", "constraints"),
    "conditional_grid",
)


NAMES = [name for name in generator_names() if name != "hint_paper"]
"""All but the family whose rows are published ones, and drawn all at once."""


@pytest.mark.parametrize("name", NAMES)
def test_texts_have_no_slips_of_grammar(name: str) -> None:
    kind = generator_class(name)
    generator = kind(levels=(1,)) if hasattr(kind, "n_levels") else kind()  # type: ignore[call-arg]
    problems = valid_problems(generator, Rows.span(stream_key(7, "wording"), 0, ROWS))
    for style in generator.prompts:
        texts = generator.render(problems, Render(style, generator.solutions[-1]))
        for column in (texts.prompts, texts.solutions):
            for text in column.to_pylist() if column is not None else ():
                for fault, pattern in FAULTS.items():
                    found = re.search(pattern, text) if text else None
                    skipped = fault in FORMAL and name in TOKENS
                    assert skipped or not found, f"{fault}: ...{text[max(0, found.start() - 40) :]}"


@pytest.mark.parametrize(
    "name", [name for name in NAMES if "boxed" in generator_class(name).prompts]
)
def test_prompts_that_ask_for_a_box_state_the_task_as_instructions_do(name: str) -> None:
    generator = generator_class(name)()
    problems = valid_problems(generator, Rows.span(stream_key(7, "wording"), 0, ROWS))
    boxed, instructions = (
        generator.render(problems, Render(style, "none")).prompts.to_pylist()
        for style in ("boxed", "instruction")
    )
    assert [text.removesuffix(BOXED) for text in boxed] == instructions
