"""The COGS verifier: worked rows, the published ones, and malformed text."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance import original
from tests.families.verdicts import Verdicts, strings

VERDICTS = Verdicts("cogs")
accepts, answers = VERDICTS.accepts, VERDICTS.verifier.answers
WORKED = [
    ("A bird smirked .", "bird ( x _ 1 ) AND smirk . agent ( x _ 2 , x _ 1 )"),
    ("The prince napped .", "* prince ( x _ 1 ) ; nap . agent ( x _ 2 , x _ 1 )"),
    ("Nora juggled .", "juggle . agent ( x _ 1 , Nora )"),
    ("The towel collapsed .", "* towel ( x _ 1 ) ; collapse . theme ( x _ 2 , x _ 1 )"),
    (
        "A wolf rolled the cup beside a lamp .",
        "* cup ( x _ 4 ) ; wolf ( x _ 1 ) AND roll . agent ( x _ 2 , x _ 1 ) AND roll . theme "
        "( x _ 2 , x _ 4 ) AND cup . nmod . beside ( x _ 4 , x _ 7 ) AND lamp ( x _ 7 )",
    ),
    (
        "Owen fed the lamb a pickle .",
        "* lamb ( x _ 3 ) ; feed . agent ( x _ 1 , Owen ) AND feed . recipient ( x _ 1 , x _ 3 ) "
        "AND feed . theme ( x _ 1 , x _ 5 ) AND pickle ( x _ 5 )",
    ),
    (
        "Owen fed a pickle to the lamb .",
        "* lamb ( x _ 6 ) ; feed . agent ( x _ 1 , Owen ) AND feed . theme ( x _ 1 , x _ 3 ) AND "
        "feed . recipient ( x _ 1 , x _ 6 ) AND pickle ( x _ 3 )",
    ),
    (
        "The lamb was fed a pickle by Owen .",
        "* lamb ( x _ 1 ) ; feed . recipient ( x _ 3 , x _ 1 ) AND feed . theme ( x _ 3 , x _ 5 ) "
        "AND feed . agent ( x _ 3 , Owen ) AND pickle ( x _ 5 )",
    ),
    (
        "The radio was mailed to Nora .",
        "* radio ( x _ 1 ) ; mail . theme ( x _ 3 , x _ 1 ) AND mail . recipient ( x _ 3 , Nora )",
    ),
    (
        "The judge hoped that a poet wanted to sketch .",
        "* judge ( x _ 1 ) ; hope . agent ( x _ 2 , x _ 1 ) AND hope . ccomp ( x _ 2 , x _ 6 ) AND "
        "poet ( x _ 5 ) AND want . agent ( x _ 6 , x _ 5 ) AND want . xcomp ( x _ 6 , x _ 8 ) AND "
        "sketch . agent ( x _ 8 , x _ 5 )",
    ),
    (
        "Grace said that the farmer believed that the shirt was broken by a hen .",
        "* farmer ( x _ 4 ) ; * shirt ( x _ 8 ) ; say . agent ( x _ 1 , Grace ) AND say . ccomp "
        "( x _ 1 , x _ 5 ) AND believe . agent ( x _ 5 , x _ 4 ) AND believe . ccomp ( x _ 5 , "
        "x _ 10 ) AND break . theme ( x _ 10 , x _ 8 ) AND break . agent ( x _ 10 , x _ 13 ) AND "
        "hen ( x _ 13 )",
    ),
    (
        "A king beside the fridge on a TV found Leo .",
        "* fridge ( x _ 4 ) ; king ( x _ 1 ) AND king . nmod . beside ( x _ 1 , x _ 4 ) AND "
        "fridge . nmod . on ( x _ 4 , x _ 7 ) AND tv ( x _ 7 ) AND find . agent ( x _ 8 , x _ 1 ) "
        "AND find . theme ( x _ 8 , Leo )",
    ),
    (
        "The shirt in the box was admired .",
        "* shirt ( x _ 1 ) ; * box ( x _ 4 ) ; shirt . nmod . in ( x _ 1 , x _ 4 ) AND admire . "
        "theme ( x _ 6 , x _ 1 )",
    ),
    ("Luke", "Luke"),
    ("cat", "LAMBDA a . cat ( a )"),
    ("crawl", "LAMBDA a . LAMBDA e . crawl . agent ( e , a )"),
    ("freeze", "LAMBDA a . LAMBDA e . freeze . theme ( e , a )"),
    (
        "eat",
        "LAMBDA a . LAMBDA b . LAMBDA e . eat . agent ( e , b ) AND eat . theme ( e , a )",
    ),
]
FREE = [
    ("The captain ate .", "eat ( agent = * captain )"),
    (
        "Eleanor sold Evelyn the cake .",
        "sell ( agent = Eleanor , recipient = Evelyn , theme = * cake )",
    ),
    (
        "The penguin dreamed that Emma wanted to paint .",
        "dream ( agent = * penguin , ccomp = want ( agent = Emma , xcomp = paint ( agent = Emma ) "
        ") )",
    ),
    (
        "The dog in a bakery in the bag sneezed .",
        "sneeze ( agent = * dog ( nmod . in = bakery ( nmod . in = * bag ) ) )",
    ),
    (
        "The dog in a bakery needed to crawl .",
        "need ( agent = * dog ( nmod . in = bakery ) , xcomp = crawl ( agent = * dog ( nmod . in = "
        "bakery ) ) )",
    ),
    ("cat", "LAMBDA a . cat ( a )"),
]
MALFORMED = """
Emma slept | Emma slept. | Emma slept . . | emma slept . | the cat slept . | Emma saw The cat .
| Cat slept . | The slept . | The cat . | The cat cat . | A the slept . | The was slept .
| Emma was . | Emma was slept . | Emma ate that Liam slept . | Emma said that .
| Emma said that Liam . | Emma said Liam . | Emma said . | Emma liked . | Emma gave Liam .
| Emma gave . | Emma gave a cake to . | Emma gave to Liam . | Emma gave a cake Liam to Noah .
| A cake was given . | A cake was given by Emma . | A cake was given to Emma to Liam .
| A cake was eaten by . | A cake was eaten by Emma by Liam . | A cake was ate .
| Emma wanted to . | Emma wanted to ate . | Emma wanted walk . | Emma slept to walk .
| Emma on the table slept . | The cat on slept . | The cat on the slept .
| The cat on Emma slept . | The cat at the table slept . | The cät slept . | The cat2 slept .
| The CaT slept . | `The cat slept . | walked | was | The | read | eaten | gave | . | Emma
"""
BLANKS = ["", " ", "Emma  slept .", " Emma slept .", "Emma slept . ", "The cat slept\n."]


@pytest.mark.parametrize(("text", "formula"), [*WORKED, *FREE])
def test_worked_examples(text: str, formula: str) -> None:
    assert accepts(text, formula)
    assert accepts(f"Parse `not this` but\n`{text}`", formula)
    wrong = ["", formula[:-1], formula + " ", " " + formula, formula + " )", formula.upper()]
    wrong += [formula.replace(old, new, 1) for old, new in CHANGES if old in formula]
    for answer in wrong:
        assert not accepts(text, answer), answer


CHANGES = [
    ("agent", "theme"),
    ("theme", "recipient"),
    ("x _ 1", "x _ 2"),
    ("x _ 1 ", "x _ 01 "),
    ("* ", ""),
    (" AND ", " ; "),
    (" ; ", " AND "),
    (" . ", "."),
    (" , ", ", "),
    (" = ", "="),
    ("LAMBDA a", "LAMBDA b"),
    ("nmod . in", "nmod . on"),
]


@pytest.mark.parametrize("text", [*BLANKS, *re.split(r"\s\|\s", MALFORMED.strip())])
def test_malformed_sentences_have_no_right_answer(text: str) -> None:
    for answer in (
        "",
        text + ".",
        "sleep . agent ( x _ 1 , Emma )",
        "LAMBDA a . cat ( a )",
        "None",
    ):
        assert not accepts(text, answer), answer


def test_a_wording_asks_for_the_form_that_it_shows() -> None:
    text, formula, free = (
        "Nora juggled .",
        "juggle . agent ( x _ 1 , Nora )",
        "juggle ( agent = Nora )",
    )
    for wording, expected in (("use x _ i:", [1, 0]), ("verb ( role = filler ):", [0, 1])):
        prompt = f"{wording} `{text}`"
        for answer, right in zip((formula, free), expected, strict=True):
            assert accepts(prompt, answer) == bool(right)
    for prompt in (text, f"`{text}`", f"Say it: `{text}`"):
        assert accepts(prompt, formula)
        assert accepts(prompt, free)


def published(name: str) -> tuple[list[str], list[str]]:
    lines = original(f"cogs/{name}.tsv").read_text().splitlines()
    columns = list(zip(*(line.split("\t")[:2] for line in lines), strict=True))
    return list(columns[0]), list(columns[1])


@pytest.mark.parametrize(("name", "rows"), [("train", 24_155), ("dev", 3_000)])
def test_every_published_row_is_right(name: str, rows: int) -> None:
    sentences, formulas = published(name)
    assert len(sentences) == rows
    assert VERDICTS.verifier.check(strings(*sentences), strings(*formulas), None).all()
    others = [*formulas[1:], formulas[0]]
    same = [one == other for one, other in zip(formulas, others, strict=True)]
    assert VERDICTS.verifier.check(strings(*sentences), strings(*others), None).tolist() == same


def test_changed_published_rows_are_rejected() -> None:
    """Words dropped, doubled or exchanged do not have the logical form that they had before."""
    sentences, formulas = published("dev")
    chance = np.random.default_rng(3)
    for sentence, formula in zip(sentences[:1500], formulas[:1500], strict=True):
        words = sentence.split()
        at, other = (int(place) for place in chance.integers(0, len(words), 2))
        words[at] = words[other]
        if chance.random() < 0.3:
            del words[other]
        changed = " ".join(words)
        assert accepts(changed, formula) == (changed == sentence), changed


VOCABULARY = "A The a the was to by that on in beside . Emma Liam cat TV cake ate eaten liked said"
VOCABULARY += " wanted walk rolled slept gave given crawl roll touch"


@given(st.lists(st.sampled_from(VOCABULARY.split()), max_size=9), st.booleans())
@settings(deadline=None, max_examples=500)
def test_any_words_have_the_answers_that_are_accepted(words: list[str], stop: bool) -> None:
    text = " ".join([*words, "."] if stop else words)
    forms = answers(text)
    assert VERDICTS.verifier.reads(text) == bool(forms)
    for answer in {*forms, "Emma", ""}:
        assert accepts(text, answer) == (answer in forms)


def test_deep_sentences_are_read() -> None:
    for text in (
        "The cat " + "on the cat " * 1_500 + "slept .",
        "Emma " + "said that Emma " * 1_500 + "slept .",
    ):
        for form in answers(text):
            assert accepts(text, form)
            assert not accepts(text, form[:-2])


TREE = (
    "(S_active (NP_det the judge) (VP_cp hoped (S_passive (NP_det_pp a poet (PP_on (NP_det a TV))) "
    "(VP_passive_by seen (NP_name Emma)))))"
)
SENTENCE = "The judge hoped that a poet on a TV was seen by Emma ."
FORMULA = (
    "hope ( agent = * judge , ccomp = see ( theme = poet ( nmod . on = tv ) , agent = Emma ) )"
)


@pytest.mark.parametrize(
    ("solution", "expected"),
    [
        (TREE, True),
        (None, True),
        ("", False),
        (TREE + ")", False),
        (TREE[:-1], False),
        (TREE + "\n", False),
        (" " + TREE, False),
        (TREE.replace("the judge", "a judge"), False),
        (TREE.replace("hoped", "hope"), False),
        (TREE.replace("TV", "tv"), False),
        (TREE.replace("S_passive", "S_active"), False),
        (TREE.replace("VP_passive_by", "VP_passive"), False),
        (TREE.replace("NP_det_pp", "NP_det"), False),
        (TREE.replace("PP_on", "PP_in"), False),
    ],
)
def test_derivations_are_compared(solution: str | None, expected: bool) -> None:
    assert accepts(SENTENCE, FORMULA, solution) is expected


def test_derivations_of_single_words() -> None:
    formula = "LAMBDA a . cat ( a )"
    assert accepts("cat", formula, "(word_noun cat)")
    assert not accepts("cat", formula, "(word_name cat)")
    assert not accepts("cat", formula, "cat")
    assert accepts("Luke", "Luke", "(word_name Luke)")
    verb = "LAMBDA a . LAMBDA e . roll . theme ( e , a )"
    assert accepts("roll", verb, "(word_unaccusative roll)")
    assert not accepts("roll", verb, "(word_transitive roll)")
