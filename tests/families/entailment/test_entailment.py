"""Entailment: published labels, worked examples, and what a premise must not betray."""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest

from synthgen import generate
from synthgen.authoring import Words
from synthgen.families.entailment import verify
from synthgen.testing import check_family
from tests.conformance import original

VERIFIER = verify.VERIFIERS["entailment"]
CLASSES = Words.beside(verify.__file__)["classes"]
SAME_CLASS = {
    "nouns_sg": "singular",
    "nouns_pl": "plural",
    "transitive_verbs": "transitive",
    "intransitive_verbs": "intransitive",
    "preps": "prepositions",
    "rels": "relatives",
    "adjs": "adjectives",
    "location_nouns_b": "places",
    "advs_nonentailed": "maybes",
    "advs_entailed": "luckilies",
    "advs_embed_not_entailed": "ifs",
    "advs_embed_entailed": "becauses",
    "conjs": "becauses",
}
FIRST = {
    "sn_NP/S": (["nps_verbs"], "suspecting", ""),
    "sn_NP/Z": (["npz_verbs", "npz_verbs_plural"], "optional", ""),
    "sn_past_participle": (["past_participles"], "optional", "(?= in the )"),
    "cn_embedded_under_verb": (["nonentailing_quot_vebs"], "claiming", "(?= that )"),
    "ce_embedded_under_verb": (["const_quot_entailed"], "knowing", "(?= that )"),
}
"""Class of the first such word of a sentence, and what follows; elsewhere it has another class."""


@pytest.mark.parametrize(
    "params",
    [{"level": True}, {"sentences": 1, "subcases": "published"}],
    ids=["pairs", "published"],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("entailment", params, rows=40)


def by_class(lists: list[str], own: str, published: dict[str, list[str]]) -> dict[str, str]:
    """Return a word of ours for each word in published lists."""
    words = [word for name in lists for word in published[name]]
    ours = [word.removeprefix("the ") for word in CLASSES[own]]
    return {word: ours[number % len(ours)] for number, word in enumerate(words)}


def replaced(text: str, words: dict[str, str], after: str = "", count: int = 0) -> str:
    """Replace words by others in capitals, so that they are replaced once."""
    longest = sorted(words, key=len, reverse=True)
    pattern = rf"\b(?:{'|'.join(map(re.escape, longest))})\b{after}"
    return re.sub(pattern, lambda match: words[match[0]].upper(), text, count=count)


def translated(text: str, subcase: str, published: dict[str, list[str]]) -> str:
    """Replace the words of a published sentence by ours of the same classes."""
    text = text[0].lower() + text[1:].replace(" ,", ",").replace(" .", ".")
    if subcase == "se_understood_object":
        text = re.sub(r"^(the \w+) \w+( the)?[\w ]*", lambda m: f"{m[1]} ATE{m[2] or ''}", text)
        text = text.replace("ATE the", "ATE the SOUP")
    if subcase in FIRST:
        lists, own, after = FIRST[subcase]
        text = replaced(text, by_class(lists, own, published), after, 1)
    words = {"without a doubt": "luckily", "of course": "luckily"}
    for name, own in SAME_CLASS.items():
        words |= by_class([name], own, published)
    if "passive" in subcase:
        del words["by"]
    text = replaced(text, words).lower()
    return text[0].upper() + text[1:]


def test_published_labels() -> None:
    """Compare labels; no premise is read where "in case" is a condition or a precaution."""
    published = json.loads(original("grounded/hans_words.json").read_text(encoding="utf-8"))
    subcases = set()
    for line in original("grounded/hans.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts = [
            translated(row[name], row["subcase"], published) for name in ("premise", "hypothesis")
        ]
        if not texts[0].startswith("In case"):
            assert VERIFIER.answer(" | ".join(texts)) == row["label"], texts
            subcases.add(row["subcase"])
    assert len(subcases) > 15


@pytest.mark.parametrize(
    ("premise", "hypothesis", "answer"),
    [
        ("The cook was followed by the nurses.", "The nurses followed the cook.", True),
        ("The cook was followed by the nurses.", "The cook followed the nurses.", False),
        ("Because the cook washed the nurse laughed.", "The cook washed the nurse.", False),
        ("Because the cook washed the nurse laughed.", "The nurse laughed.", True),
        ("Because the cook washed the nurse, the pilot fell.", "The cook washed the nurse.", True),
        ("The cook beside the nurse laughed.", "The nurse laughed.", False),
        ("The cook and the nurse laughed.", "The nurse laughed.", True),
        ("The cook feared the nurse fell.", "The cook feared the nurse.", False),
        ("The cook feared the nurse who fell.", "The cook feared the nurse.", True),
        ("The cook taught in the barn laughed.", "The cook taught in the barn.", False),
        ("Whether or not the cook fell, the nurse laughed.", "The nurse laughed.", True),
        ("Whether or not the cook fell, the nurse laughed.", "The cook fell.", False),
        ("The cook burned the toast.", "The cook burned.", False),
        ("Fake nurses laughed.", "Nurses laughed.", False),
        ("The cook fell.", "The nurse fell.", None),
        ("The cook fell the nurse.", "The cook fell.", None),
    ],
)
def test_worked_examples(premise: str, hypothesis: str, answer: bool | None) -> None:
    labels = {True: "entailment", False: "non-entailment", None: None}
    assert VERIFIER.answer(f"{premise} | {hypothesis}") == labels[answer]


# programs without the skill

Program = Callable[[str, str], bool]


def words_of(text: str) -> str:
    return re.sub("[,.]", "", text).lower()


def overlap(premise: str, hypothesis: str) -> bool:
    return {*words_of(hypothesis).split()} <= {*words_of(premise).split()}


def in_order(premise: str, hypothesis: str) -> bool:
    rest = iter(words_of(premise).split())
    return all(word in rest for word in words_of(hypothesis).split())


def subsequence(premise: str, hypothesis: str) -> bool:
    return words_of(hypothesis) in words_of(premise)


def constituent(premise: str, hypothesis: str) -> bool:
    """Look for a clause between commas, full stops and words that join clauses."""
    clauses = re.split("[,.] ?(?:and |or )?| that ", premise.lower())
    joins = ("if", "unless", "because", "although", "perhaps", "luckily", "yesterday", "sadly")
    clauses += [clause.partition(" ")[2] for clause in clauses if clause.startswith(joins)]
    return hypothesis.lower().removesuffix(".") in clauses


def first_sentence(premise: str, hypothesis: str) -> bool:
    return subsequence(premise.partition(".")[0], hypothesis)


@cache
def rows() -> list[dict[str, Any]]:
    return generate("entailment", 3_000, seed=1, render={"prompt": "bare"})


@pytest.mark.parametrize("program", [overlap, in_order, subsequence, constituent, first_sentence])
def test_words_and_their_order_do_not_give_the_label(program: Program) -> None:
    right = [
        program(*row["prompt"].split(" | ")) == (row["answer"] == "entailment") for row in rows()
    ]
    assert 0.42 < sum(right) / len(right) < 0.58


def test_every_subcase_and_its_mirror_are_equally_frequent() -> None:
    labels = ("entailment", "non-entailment")
    for heuristic, label in product(("lexical_overlap", "subsequence", "constituent"), labels):
        same = [row for row in rows() if row["heuristic"] == heuristic]
        share = sum(row["answer"] == label for row in same) / len(same)
        assert 0.45 < share < 0.55
