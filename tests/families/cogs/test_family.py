"""COGS rows: the contract, the published definitions read from the text, and the distribution."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.testing import check_family
from tests.conformance import original
from tests.families.cogs.reading import Reading, chi_squared, compare, read_row, read_rows
from tests.families.verdicts import valid_problems

STREAM = stream_key(3, "cogs", "cogs")
VERIFIER = load_verifier("cogs")


def cogs(**params: Any) -> Generator:
    return generator_class("cogs")(**params)


ALL = cogs(categories="all")
TARGETS = ALL.axes["primitive"].values[1:]
DEEP: dict[str, Any] = {
    "categories": ("exposure", "lexical", "obj_pp_to_subj_pp", "in_distribution"),
    "max_cp_depth": 40,
    "max_pp_depth": 40,
    "further_pp": 0.95,
    "active_weights": (1.0,) * 8 + (40.0,),
}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"categories": "all"},
    {"categories": "all", "logical_form": "variable_free"},
    {"categories": "all", "lexicon": "large", "zipf_exponent": 1.1},
    {"categories": "all", "cp_recursion": (3, 40), "pp_recursion": (39, 40)},
    DEEP,
    {
        "categories": ("primitive", "in_distribution"),
        "extra_animate": ("zog", "frobnicator"),
        "extra_names": ("Zed", "Ab"),
        "extra_places": ("zoo",),
        "extra_inanimate": ("blorb",),
        "zipf_exponent": 1,
        "name": 1,
        "definite": 1.0,
    },
    {"max_cp_depth": 0, "max_pp_depth": 0, "sentence_weights": (0, 0, 1, 1)},
    {"categories": "primitive"},
    {"categories": "cp_recursion"},
    {"categories": "pp_recursion", "logical_form": "variable_free"},
]


def drawn(params: Generator, n: int) -> Problems:
    return valid_problems(params, Rows.span(STREAM, 0, n))


def texts_of(params: Generator, problems: Problems, prompt: str = "bare") -> Texts:
    return params.render(problems, Render(prompt, "derivation"))


def value(params: Generator, problems: Problems, axis: str, i: int) -> str:
    return params.axes[axis].values[int(problems.axes[axis][i])]


@lru_cache
def rows_of_categories() -> dict[str, list[tuple[str, str]]]:
    """Sentences and logical forms of each category, as a build proposes them."""
    names = ALL.axes["category"].values
    problems = drawn(ALL, 40 * len(names))
    texts = texts_of(ALL, problems)
    rows: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
    pairs = zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
    for code, pair in zip(problems.axes["category"].tolist(), pairs, strict=True):
        rows[names[code]].append(pair)
    return rows


@pytest.mark.parametrize("params", SETTINGS, ids=range(len(SETTINGS)))
def test_contract(params: dict[str, Any]) -> None:
    rows = 383 if params.get("categories") == "primitive" else 400
    check_family("cogs", params, rows=rows, least_valid=0.8)


@pytest.mark.parametrize("params", SETTINGS, ids=range(len(SETTINGS)))
def test_equal_sentences_are_equal_problems(params: dict[str, Any]) -> None:
    family = cogs(**params)
    problems = drawn(family, 1_000)
    texts = texts_of(family, problems)
    sentences, formulas = texts.prompts.to_pylist(), texts.answers.to_pylist()
    derivations = texts.solutions.to_pylist()
    assert problems.axes["n_tokens"].tolist() == [len(text.split()) for text in sentences]
    assert problems.axes["lf_tokens"].tolist() == [len(text.split()) for text in formulas]
    assert len(set(sentences)) == len(set(derivations)) == len({*map(tuple, problems.keys)})
    assert len(set(zip(sentences, derivations, strict=True))) == len(set(sentences))


def test_axes_are_what_the_text_shows() -> None:
    problems = drawn(ALL, 3_500)
    texts = texts_of(ALL, problems)
    for i, (text, formula) in enumerate(
        zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
    ):
        category = value(ALL, problems, "category", i)
        words = text.split()
        known = [word for word in words if word in TARGETS]
        assert value(ALL, problems, "primitive", i) == (known[0] if known else "none")
        assert problems.axes["n_pp"][i] == formula.count(". nmod .")
        depth = int(problems.axes["cp_depth"][i] + problems.axes["pp_depth"][i])
        assert problems.difficulty[i] == depth
        if category == "primitive":
            assert len(words) == 1
            assert value(ALL, problems, "subject_type", i) == "none"
            assert value(ALL, problems, "construction", i).startswith("word_")
            continue
        reading = read_row(text, formula)
        assert value(ALL, problems, "construction", i) == reading.construction or (
            "teleported" in words or "shipped" in words
        )
        assert value(ALL, problems, "clause", i) == reading.inner
        assert problems.axes["cp_depth"][i] == reading.cp_depth
        assert problems.axes["pp_depth"][i] == reading.pp_depth
        kind = value(ALL, problems, "subject_type", i)
        place = words[2] in ("on", "in", "beside")
        is_common = words[0] in ("A", "The")
        assert kind == ("name" if not is_common else "common_pp" if place else "common")


def last_clause(sentence: str) -> list[str]:
    return sentence.split(" that ")[-1].lower().split()


def filler_roles(formula: str, word: str, sentence: str) -> set[str]:
    """Roles that a noun or name fills."""
    words = sentence.split()
    wanted = word if word[0].isupper() else f"x _ {words.index(word)}"
    return set(re.findall(rf"\. (\w+) \( x _ \d+ , {wanted} \)", formula))


def as_object(word: str) -> Callable[[str, str, Reading], bool]:
    frames = {"transitive_unaccusative", "transitive_omissible", "transitive"}
    frames |= {"pp_dative", "do_dative"}
    return lambda s, f, r: filler_roles(f, word, s) == {"theme"} and r.inner in frames


def as_subject(word: str) -> Callable[[str, str, Reading], bool]:
    def shown(sentence: str, formula: str, reading: Reading) -> bool:
        clause = last_clause(sentence)
        position = clause.index(word.lower())
        active = reading.inner not in ("unaccusative",) and "was" not in clause
        return position <= 1 and active and filler_roles(formula, word, sentence) == {"agent"}

    return shown


def inner_with(construction: str, word: str) -> Callable[[str, str, Reading], bool]:
    """The innermost clause has a construction, and the word in it."""
    return lambda s, f, r: r.inner == construction and word in s.split(" that ")[-1].split()


def of_unaccusative(word: str) -> Callable[[str, str, Reading], bool]:
    return lambda s, f, r: (
        r.inner == "unaccusative"
        and last_clause(s)[1] == word
        and filler_roles(f, word, s) == {"theme"}
    )


def with_subject_pp(sentence: str, formula: str, reading: Reading) -> bool:
    """Every subject is a noun with a prepositional phrase, and so is an agent after `by`."""
    starts = [clause.split()[:3] for clause in sentence.split(" that ")]
    starts += [agent.split()[:3] for agent in sentence.split(" by ")[1:]]
    places = {"on", "in", "beside"}
    return all(start[0].lower() in ("a", "the") and start[2] in places for start in starts)


DEFINITIONS: dict[str, Callable[[str, str, Reading], bool]] = {
    "exposure_example_subj_common": as_subject("hedgehog"),
    "exposure_example_subj_proper": as_subject("Lina"),
    "exposure_example_obj_common": as_object("cockroach"),
    "exposure_example_obj_proper": as_object("Charlie"),
    "exposure_example_transitive_subj": lambda s, f, r: (
        r.inner.startswith("transitive") and as_subject("cobra")(s, f, r)
    ),
    "exposure_example_unacc_subj": of_unaccusative("hippo"),
    "exposure_example_obj_omitted_transitive": inner_with("object_omitted", "baked"),
    "exposure_example_unacc": inner_with("unaccusative", "shattered"),
    "exposure_example_active": inner_with("transitive", "blessed"),
    "exposure_example_passive": inner_with("passive", "squeezed"),
    "exposure_example_do_dative": inner_with("do_dative", "teleported"),
    "exposure_example_pp_dative": inner_with("pp_dative", "shipped"),
    "subj_to_obj_common": as_object("hedgehog"),
    "prim_to_obj_common": as_object("shark"),
    "subj_to_obj_proper": as_object("Lina"),
    "prim_to_obj_proper": as_object("Paula"),
    "obj_to_subj_common": as_subject("cockroach"),
    "prim_to_subj_common": as_subject("shark"),
    "obj_to_subj_proper": as_subject("Charlie"),
    "prim_to_subj_proper": as_subject("Paula"),
    "prim_to_inf_arg": inner_with("infinitive", "crawl"),
    "active_to_passive": lambda s, f, r: "was blessed" in s and r.inner.startswith("passive"),
    "passive_to_active": inner_with("transitive", "squeezed"),
    "obj_omitted_transitive_to_transitive": inner_with("transitive_omissible", "baked"),
    "unacc_to_transitive": inner_with("transitive_unaccusative", "shattered"),
    "do_dative_to_pp_dative": inner_with("pp_dative", "teleported"),
    "pp_dative_to_do_dative": inner_with("do_dative", "shipped"),
    "only_seen_as_transitive_subj_as_unacc_subj": of_unaccusative("cobra"),
    "only_seen_as_unacc_subj_as_obj_omitted_transitive_subj": lambda s, f, r: (
        r.inner == "object_omitted" and last_clause(s)[1] == "hippo"
    ),
    "only_seen_as_unacc_subj_as_unerg_subj": lambda s, f, r: (
        r.inner == "unergative" and last_clause(s)[1] == "hippo"
    ),
    "obj_pp_to_subj_pp": with_subject_pp,
    "cp_recursion": lambda s, f, r: 3 <= r.cp_depth <= 12 and r.pp_depth <= 2,
    "pp_recursion": lambda s, f, r: 3 <= r.pp_depth <= 12 and r.cp_depth <= 2,
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_definition_of_category(name: str) -> None:
    rows = rows_of_categories()[name]
    assert len(rows) == 40
    without_target = {"obj_pp_to_subj_pp", "cp_recursion", "pp_recursion"}
    for sentence, formula in rows:
        reading = read_row(sentence, formula)
        assert DEFINITIONS[name](sentence, formula, reading), sentence
        targets = [word for word in sentence.split() if word in TARGETS]
        assert len(targets) == (0 if name in without_target else 1)
        assert reading.cp_depth <= 2 or name == "cp_recursion"
        assert reading.pp_depth <= 2 or name == "pp_recursion"


def test_every_category_but_two_is_defined_here() -> None:
    assert set(DEFINITIONS) | {"in_distribution", "primitive"} == {*ALL.axes["category"].values}
    assert len(DEFINITIONS) == 12 + 18 + 3


def nouns_of(sentence: str) -> list[str]:
    words = sentence.split()
    after = {word for article, word in pairwise(words) if article.lower() in ("a", "the")}
    names = {word for word in words if word.istitle() and word not in ("A", "The")}
    return [word for word in words if word in after | names]


def test_no_noun_is_twice_in_a_sentence() -> None:
    texts = texts_of(ALL, drawn(ALL, 3_500)).prompts.to_pylist()
    texts += texts_of(cogs(**DEEP), drawn(cogs(**DEEP), 300)).prompts.to_pylist()
    for text in texts:
        assert len(set(nouns_of(text))) == len(nouns_of(text)), text
    repeating = cogs(repeated_nouns=True)
    again = texts_of(repeating, drawn(repeating, 500)).prompts.to_pylist()
    assert any(len(set(nouns_of(text))) < len(nouns_of(text)) for text in again)


def test_training_has_prepositional_phrases_on_objects_only() -> None:
    training = cogs()
    problems = drawn(training, 5_000)
    common_pp = training.axes["subject_type"].values.index("common_pp")
    assert common_pp not in problems.axes["subject_type"]
    assert set(problems.axes["primitive"].tolist()) == {0}
    assert problems.axes["cp_depth"].max() == problems.axes["pp_depth"].max() == 2


@pytest.mark.parametrize("kind", ["cp", "pp"])
def test_depths_of_recursion_take_turns(kind: str) -> None:
    params = cogs(categories=f"{kind}_recursion")
    problems = params.draw(Rows.span(STREAM, 0, 1_000))
    assert problems.valid.all()
    assert Counter(problems.axes[f"{kind}_depth"].tolist()) == dict.fromkeys(range(3, 13), 100)


def test_single_words_are_walked_through_once_a_cycle() -> None:
    params = cogs(categories="primitive")
    assert params.space == 383  # 201 nouns, 101 names, 81 verbs
    problems = params.draw(Rows.span(STREAM, 0, 2 * 383))
    words = texts_of(params, problems).prompts.to_pylist()
    assert len(set(words[:383])) == 383
    assert words[383:] == words[:383]
    kinds = Counter(value(params, problems, "construction", i) for i in range(383))
    assert kinds == {
        "word_noun": 201,
        "word_name": 101,
        "word_transitive": 40,
        "word_unaccusative": 20,
        "word_unergative": 21,
    }
    assert {"shark", "Paula", "crawl"} <= set(words)
    other = params.draw(Rows.span(STREAM + 1, 0, 383))
    assert texts_of(params, other).prompts.to_pylist() != words[:383]


def test_categories_take_turns() -> None:
    params = cogs(categories=("in_distribution", "structural"), in_distribution_turns=7)
    problems = params.draw(Rows.span(STREAM, 0, 1_000))
    counts = Counter(value(params, problems, "category", i) for i in range(1_000))
    structural = dict.fromkeys(("obj_pp_to_subj_pp", "cp_recursion", "pp_recursion"), 100)
    assert counts == {"in_distribution": 700} | structural


def test_both_forms_are_of_the_same_problems() -> None:
    one, two = cogs(categories="all"), cogs(categories="all", logical_form="variable_free")
    rows = Rows.span(STREAM, 0, 500)
    assert np.array_equal(one.draw(rows).keys, two.draw(rows).keys)
    assert one.axes["lf_tokens"].canonical
    assert not two.axes["lf_tokens"].canonical


@pytest.mark.parametrize("form", ["original", "variable_free"])
def test_instructions_hold_the_input_and_an_example(form: str) -> None:
    params = cogs(categories="all", logical_form=form)
    problems = drawn(params, 3_000)
    bare = texts_of(params, problems).prompts.to_pylist()
    texts = texts_of(params, problems, "instruction")
    templates = texts.templates.to_pylist()
    for text, prompt, template in zip(bare, texts.prompts.to_pylist(), templates, strict=True):
        assert prompt.endswith(f"\n\n`{text}`")
        assert template.startswith("instruction_word_") == (" " not in text)
        assert ("x _ " in prompt) == (form == "original" and " " in text)
        assert (" = " in prompt) == (form == "variable_free" and " " in text)
    assert len({t for t in templates if "word" not in t}) >= 5
    assert len({t for t in templates if "word" in t}) == 5


def test_the_examples_in_the_instructions_are_right() -> None:
    found = set()
    for form in ("original", "variable_free"):
        params = cogs(categories=("in_distribution", "primitive"), logical_form=form)
        texts = texts_of(params, drawn(params, 200), "instruction").prompts.to_pylist()
        for text in texts:
            found |= set(re.findall(r'"([^"]+)" (?:becomes|gives) "([^"]+)"', text))
    assert len(found) == 4
    columns = [pa.array(column) for column in zip(*sorted(found), strict=True)]
    assert VERIFIER.check(*columns, None).all()


def test_the_other_form_does_not_answer_an_instruction() -> None:
    one, two = cogs(), cogs(logical_form="variable_free")
    for params, other in ((one, two), (two, one)):
        problems = drawn(params, 200)
        prompts = texts_of(params, problems, "instruction").prompts
        answers = texts_of(other, drawn(other, 200)).answers
        assert not VERIFIER.check(prompts, answers, None).any()
        assert VERIFIER.check(texts_of(params, problems).prompts, answers, None).all()


def test_the_lexicon_is_the_published_one() -> None:
    published = json.loads(original("cogs/cogs_lexicon.json").read_text())
    words = {word for name, words in published.items() if name != "lemma" for word in words}
    symbols = {name for name, arity in vocabulary(cogs()) if arity == 0}
    bases = set(published["lemma"].values()) | {"split"}
    targets = {"baked", "shattered", "blessed", "squeezed", "teleported", "shipped", "crawl"}
    assert words <= symbols
    assert symbols - words - bases - targets == {"the", "a"}
    assert len(vocabulary(cogs(lexicon="large"))) > 1.8 * len(vocabulary(cogs()))


def vocabulary(family: Generator) -> list[tuple[str, int]]:
    return list(zip(family.signature.names, family.signature.arities, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("exponent", "share"), [(1, 0.01), (1.4, 0.3233), (10, 0.9990)])
def test_first_names_have_their_weight(exponent: float, share: float) -> None:
    """Of names drawn where no other noun precedes, the first has k^-s / zeta(s) and its part."""
    params = cogs(zipf_exponent=exponent, repeated_nouns=True)
    texts = texts_of(params, drawn(params, 40_000)).prompts.to_pylist()
    names = [text.split()[0] for text in texts if not text.startswith(("A ", "The "))]
    assert names.count("Emma") / len(names) == pytest.approx(share, abs=0.012)


BAD_PARAMS: dict[str, list[Any]] = {
    "categories": ["nothing", (), ("primitive", "all"), 3],
    "in_distribution_turns": [0],
    "logical_form": ["free"],
    "lexicon": ["small"],
    # "hug" is a verb of the other lexicon: the verifier knows both.
    "extra_animate": [(w,) for w in ("two words", "Cat", "cat", "ate", "hug", "the", "hippo", "x")],
    "extra_inanimate": ["cup", ("cake`",), ("zog", "zog")],
    "extra_places": [("house",)],
    "extra_names": [("emil",), ("Emma",), ("Paula",), (3,)],
    "zipf_exponent": [0.9, "1", True],
    "sentence_weights": [(1, 1, 1), (0, 0, 0, 0)],
    "active_weights": [(0,) * 8 + (1,), (-1,) + (1,) * 8],
    "pp": [1.5],
    "further_pp": [-0.1],
    "definite": [None],
    "name": [2],
    "repeated_nouns": [1],
    "max_cp_depth": [41],
    "max_pp_depth": [-1],
    "cp_recursion": [(3,), (5, 4)],
    "pp_recursion": [(0, 4), (3, 41), (3.0, 4)],
}


@pytest.mark.parametrize(
    ("name", "bad"), [(name, bad) for name, values in BAD_PARAMS.items() for bad in values]
)
def test_params_are_checked_with_name_and_value(name: str, bad: object) -> None:
    with pytest.raises(ParamError) as caught:
        cogs(**{name: bad})
    assert str(caught.value).startswith(f"{name}={bad!r}: expected ")


def test_recursion_begins_where_the_other_categories_end() -> None:
    with pytest.raises(ParamError, match=r"^cp_recursion=\(3, 12\): expected depths above"):
        cogs(categories="all", max_cp_depth=3)
    assert cogs(max_cp_depth=3).axes["cp_depth"].high == 3


CHANGES: list[dict[str, Any]] = [
    {"categories": "structural"},
    {"in_distribution_turns": 3},
    {"lexicon": "large"},
    {"extra_animate": ("zog",)},
    {"extra_inanimate": ("blorb",)},
    {"extra_places": ("zoo",)},
    {"extra_names": ("Zed",)},
    {"zipf_exponent": 1.5},
    {"sentence_weights": (0.5, 0.06, 0.375, 0.075)},
    {"active_weights": (0.2,) + (0.1,) * 8},
    {"pp": 0.6},
    {"further_pp": 0.2},
    {"definite": 0.6},
    {"name": 0.6},
    {"repeated_nouns": True},
    {"max_cp_depth": 1},
    {"max_pp_depth": 1},
    {"cp_recursion": (4, 12)},
    {"pp_recursion": (3, 11)},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_param_changes_what_is_drawn(change: dict[str, Any]) -> None:
    rows = Rows.span(STREAM, 0, 1_000)
    assert not np.array_equal(
        cogs(**({"categories": "all"} | change)).draw(rows).keys, ALL.draw(rows).keys
    )


def published_rows() -> list[tuple[str, str]]:
    """Return the in-distribution rows of the published training and development sets."""
    lines = [
        line.split("\t")
        for name in ("train", "dev")
        for line in original(f"cogs/{name}.tsv").read_text(encoding="utf-8").splitlines()
    ]
    return [(line[0], line[1]) for line in lines if line[2] == "in_distribution"]


def generated_rows(count: int, stream: int) -> list[tuple[str, str]]:
    """Return the first different rows that a stream gives."""
    generator = cogs()
    found: dict[str, str] = {}
    start = 0
    while len(found) < count:
        problems = generator.draw(Rows.span(stream, start, start + count))
        texts = generator.render(problems, Render("bare", "none"))
        found |= dict(zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True))
        start += count
    return list(found.items())[:count]


@lru_cache
def sampled() -> list[Reading]:
    return read_rows(generated_rows(30_000, STREAM))


CONSTRUCTIONS = {
    "passive_by": 0.1597,
    "passive": 0.0706,
    "cp": 0.0951,
    "transitive_unaccusative": 0.0663,
    "transitive": 0.0655,
    "transitive_omissible": 0.0642,
    "do_dative": 0.0640,
    "pp_dative": 0.0636,
    "passive_pp_dative_by": 0.0593,
    "passive_pp_dative": 0.0523,
    "infinitive": 0.0502,
    "passive_do_dative_by": 0.0497,
    "passive_do_dative": 0.0473,
    "unaccusative": 0.0356,
    "unergative": 0.0284,
    "object_omitted": 0.0282,
}


@pytest.mark.slow
def test_shares_of_the_published_distribution() -> None:
    rows = sampled()
    found = Counter(row.construction for row in rows)
    assert set(found) == set(CONSTRUCTIONS)
    for name, share in CONSTRUCTIONS.items():
        assert found[name] / 30_000 == pytest.approx(share, abs=0.008), name
    cp_depths = Counter(row.cp_depth for row in rows)
    pp_depths = Counter(row.pp_depth for row in rows)
    assert cp_depths[1] == pytest.approx(2_655, abs=250)
    assert cp_depths[2] == pytest.approx(197, abs=70)
    assert pp_depths[1] == pytest.approx(5_784, abs=350)
    assert pp_depths[2] == pytest.approx(564, abs=120)
    assert np.mean([row.tokens for row in rows]) == pytest.approx(7.53, abs=0.1)
    assert np.mean([row.formula_tokens for row in rows]) == pytest.approx(43.8, abs=0.9)
    the, a = (sum(row.articles[place] for row in rows) for place in range(2))
    assert the / a == pytest.approx(25_307 / 25_283, abs=0.03)
    names = Counter(name for row in rows for name in row.names)
    total = sum(names.values())
    for name, share in (("Emma", 0.265), ("Liam", 0.112), ("Olivia", 0.070)):
        assert names[name] / total == pytest.approx(share, abs=0.012)


@pytest.mark.slow
def test_no_figure_is_far_from_the_published_rows() -> None:
    published = read_rows(published_rows())
    assert len(published) == 27_000
    for name, compared, deviations in compare(published, sampled()):
        assert abs(deviations) < 5, (name, compared)


def test_reading_a_row() -> None:
    row = read_row(
        "Emma hoped that the cat on a table in the house wanted to walk .",
        "* cat ( x _ 4 ) ; * house ( x _ 10 ) ; hope . agent ( x _ 1 , Emma ) AND hope . ccomp "
        "( x _ 1 , x _ 11 ) AND want . agent ( x _ 11 , x _ 4 ) AND want . xcomp ( x _ 11 , "
        "x _ 13 )",
    )
    assert (row.construction, row.inner) == ("cp", "infinitive")
    assert (row.cp_depth, row.pp_depth, row.tokens) == (1, 2, 15)
    assert row.articles == (2, 1)
    assert row.names == ("Emma",)


def test_chi_squared_of_a_table_by_hand() -> None:
    one, other = Counter({"x": 30, "y": 70}), Counter({"x": 50, "y": 50})
    statistic, freedom = chi_squared(Counter(one), Counter(other))
    assert freedom == 1
    assert statistic == pytest.approx(400 / 80 + 400 / 120)
    assert chi_squared(Counter(one), Counter(one))[0] == 0


def test_samples_of_one_source_agree_and_a_shorter_one_does_not() -> None:
    one, other = (read_rows(generated_rows(3_000, stream)) for stream in (1, 2))
    assert all(abs(deviations) < 5 for _, _, deviations in compare(one, other))
    short = [row for row in other if row.tokens < 8]
    assert max(abs(deviations) for _, _, deviations in compare(one, short)) > 10
