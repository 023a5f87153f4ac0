"""Points of texts, and what prompts ask for, by hand."""

from __future__ import annotations

import pytest

from synthgen.verifiers.skillmix import _request
from synthgen.verifiers.skillmix._points import count_sentences, makes_sense, on_topic, points
from synthgen.verifiers.skillmix._request import Request, read_request
from synthgen.verifiers.skillmix._text import view

ASKED = (
    "Write a text about Sewing of at most one sentence that shows all of these skills: "
    "anaphora, epizeuxis. None of the skills may be named in the text."
)
GOOD = (
    "We thread the needle; we thread the bobbin; we thread the machine; the tailor wants thimbles, "
    "thimbles, thimbles."
)


def request(*skills: str, topic: str = "Sewing") -> Request:
    return Request("write", skills, tuple(s.replace("_", " ") for s in skills), topic, ())


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        ("Mr. Li sews. She knots!", 2),
        ("One sentence.", 1),
        ("", 1),
        ('He said "no." "Why?" she asked.', 2),
        ("It costs 3.5 coins. or so", 1),
        ("Prof. Dr. Ott met Mrs. Ott. They left? Yes.", 3),
    ],
)
def test_sentences_are_counted_as_the_protocol_does(raw: str, number: int) -> None:
    assert count_sentences(raw) == number


def test_a_prompt_says_what_is_asked_for() -> None:
    found = read_request(ASKED)
    assert found is not None
    assert (found.form, found.skills, found.topic) == ("write", ("anaphora", "epizeuxis"), "Sewing")
    assert found.most_sentences == 1


@pytest.mark.parametrize(
    "prompt",
    [
        ASKED.replace("one sentence", "two sentences"),
        ASKED.replace("epizeuxis", "anaphora"),
        ASKED.replace("epizeuxis", "sarcasm"),
        ASKED.replace("Sewing", "Nonsense"),
        ASKED.replace("named", "mentioned"),
        ASKED + " ",
        ASKED + "\n\nanaphora: something else",
        "",
    ],
)
def test_prompts_that_contradict_themselves_are_not_read(prompt: str) -> None:
    assert read_request(prompt) is None


def test_a_good_text_has_every_point() -> None:
    assert points(request("anaphora", "epizeuxis"), view(GOOD)) == (1, 1, 1, 1, 1)


def test_each_point_can_be_lost_alone() -> None:
    wanted = request("anaphora", "epizeuxis")
    for text, expected in (
        (GOOD.replace("we thread the machine", "they oil the machine"), (0, 1, 1, 1, 1)),
        (GOOD.replace("thimbles, thimbles, thimbles", "thimbles"), (1, 0, 1, 1, 1)),
        ("We like the hill; we like the sky; we like the rain; rain, rain, rain.", (1, 1, 0, 1, 1)),
        (GOOD.replace("the tailor", "an tailor"), (1, 1, 1, 0, 1)),
        (GOOD + " Yes.", (1, 1, 1, 1, 0)),
    ):
        assert points(wanted, view(text)) == expected, text


def test_a_skill_that_is_named_earns_nothing() -> None:
    text = GOOD.replace("the tailor wants", "for epizeuxis the tailor wants")
    assert points(request("anaphora", "epizeuxis"), view(text))[1] == 0


@pytest.mark.parametrize(
    ("raw", "fits"),
    [
        ("The needle broke. The thread held.", True),
        ("The needle broke. The rain fell.", False),
        ("The needle and the thread broke. The rain fell.", True),
        ("Nothing here.", False),
        ("", False),
    ],
)
def test_a_text_is_on_topic_by_its_words(raw: str, fits: bool) -> None:
    assert on_topic(view(raw), "Sewing") is fits


@pytest.mark.parametrize(
    ("raw", "sense"),
    [
        ("The needle broke.", True),
        ("the needle broke.", False),
        ("The needle broke", False),
        ("A hour passed.", False),
        ("An hour passed.", True),
        ("A needles broke.", False),
        ("The long needle broke; the long needle broke.", False),
        ("No, no, no.", True),
        ("", False),
    ],
)
def test_a_text_makes_sense_as_far_as_words_tell(raw: str, sense: bool) -> None:
    assert makes_sense(view(raw)) is sense


@pytest.mark.parametrize("raw", ["." * 5000, "a" * 6000, "\x00\ud800", ",;:" * 999, "a a, " * 900])
def test_hostile_texts_earn_no_skill(raw: str) -> None:
    found = points(request("anaphora", "gradatio"), view(raw))
    assert len(found) == 5
    assert set(found) <= {0, 1}


def test_a_text_is_taken_apart_at_its_marks() -> None:
    text = view("We dig the soil; rope holds, they say. Does it? yes")
    marks = [[(c.words, c.mark) for c in sentence.clauses] for sentence in text.sentences]
    assert marks == [
        [(("we", "dig", "the", "soil"), ";"), (("rope", "holds"), ","), (("they", "say"), ".")],
        [(("does", "it"), "?")],
        [(("yes",), "")],
    ]
    assert [sentence.question for sentence in text.sentences] == [False, True, False]
    assert text.clauses[0].content == ("dig", "soil")


def test_forms_are_told_apart_by_their_openings() -> None:
    patterns = [pattern for each in _request._FORMS.values() for pattern in each]
    assert len(_request._BY_OPENING) == len(patterns)
    assert all(opening.replace(" ", "").isalpha() for opening in _request._BY_OPENING)
