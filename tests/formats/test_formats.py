"""Formats: legal combinations, what a prompt shows, wrong answers, and what verifiers refuse."""

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synthgen
from synthgen.authoring import Words
from synthgen.contract.answers import known_parser
from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import generator_class, generator_names, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.formats import formatted
from synthgen.formats.formatted import Format, Formatted
from synthgen.formats.read_back import FormattedVerifier, readings
from synthgen.rules.axes import Axis
from synthgen.training.reward import judge
from synthgen.trees.derivations import Signature

WORDS = Words.beside(formatted.__file__)
TABLES = ("questions", "answers", "separators", "spaces", "numberings", "wrappers", "option_words")
LISTS = ("types", "casings", "sentences", "lengths")
EVERYTHING = {key: tuple(WORDS[key]) for key in (*TABLES, *LISTS)}
PARAMS = {"hint_paper": {"concept": "x"}}
"""Params of families whose usual problems take long to list."""
REQUIREMENTS = {"constraints", "skill_prompt"}
"""Families whose answers state what a text must satisfy."""
OPEN_ONLY = {*REQUIREMENTS, "deduction_proofs", "random_choice"}


def made(name: str, n: int, **lists: Any) -> tuple[Formatted, Problems, Texts]:
    inner = generator_class(name)(**PARAMS.get(name, {}))
    last = n - 1 if inner.space is None else inner.space - 1
    rows = Rows(5, np.linspace(0, last, n).astype(np.uint64))
    family = Formatted(inner, Format(**lists))
    rows = Rows(5, rows.addresses[family.draw(rows).valid])
    problems = family.draw(rows)
    return family, problems, family.render(problems, Render(inner.prompts[0], inner.solutions[-1]))


def verifier_of(family: Formatted) -> FormattedVerifier:
    verifier = load_verifier(family.verifier)
    assert isinstance(verifier, FormattedVerifier)
    return verifier


def values_of(family: Formatted, problems: Problems, i: int) -> dict[str, str]:
    axes = {name: axis for name, axis in family.axes.items() if name.startswith("format_")}
    return {
        name.removeprefix("format_"): axis.values[problems.axes[name][i]]
        for name, axis in axes.items()
    }


def test_default_formats_are_the_640_of_the_papers() -> None:
    assert len(Format().pairs) * len(Format().casings) == 640
    assert len(WORDS["separators"]) == 15
    with pytest.raises(ParamError, match="line break if separators do"):
        Format(separators=("newline_tab",), spaces=("blank",))
    with pytest.raises(ParamError, match="not empty between options"):
        Format(types=("choice",), spaces=("none",))


@pytest.mark.parametrize("name", generator_names())
def test_rows_of_every_family_are_verified_in_every_type(name: str) -> None:
    types = ("open",) if name in OPEN_ONLY else EVERYTHING["types"]
    family, problems, texts = made(name, 10, **{**EVERYTHING, "types": types})
    plain = family.inner.draw(problems.rows)
    assert np.array_equal(problems.keys, plain.keys)
    accepted = verifier_of(family).check(texts.prompts, texts.answers, texts.solutions)
    assert accepted.all(), texts.prompts[int(np.argmin(accepted))].as_py()
    payloads = family.inner.render(plain, Render(family.prompts[0], "none")).prompts.to_pylist()
    for i, (prompt, payload) in enumerate(zip(texts.prompts.to_pylist(), payloads, strict=True)):
        words = getattr(family.inner, "words", None)
        shown = {payload, words.without_form(payload) if words else payload}
        ways = [way for way in readings(prompt) if way.problem in shown]
        answer = texts.answers[i].as_py()
        assert any(way.shows(answer, values_of(family, problems, i)) for way in ways), prompt


@dataclass(frozen=True)
class Echo(Generator):
    """A family whose prompts are a given text, and whose answers are the addresses."""

    text: str

    domain = "echo"
    verifier = "word_letters"
    prompts = ("plain",)
    signature = Signature((), ())  # type: ignore[assignment]
    axes: Any = ()

    def draw(self, rows: Rows) -> Problems:
        n, keys = len(rows), np.stack([rows.keys, rows.keys], axis=1)
        return Problems(rows, None, keys, {}, np.zeros(n, np.int16), np.ones(n, bool), {})  # type: ignore[arg-type]

    def render(self, problems: Problems, style: Render) -> Texts:
        answers = [str(100 + address) for address in problems.rows.addresses.tolist()]
        n = len(answers)
        kinds, templates = pa.array(["integer"] * n), pa.array(["echo"] * n)
        return Texts(pa.array([self.text] * n), pa.array(answers), kinds, templates)


TEXTS = st.text("aQ:.,;-|<> \n(1)A\t", min_size=1, max_size=30).filter(
    lambda text: text == text.strip()
)


@st.composite
def formats(draw: st.DrawFn) -> Format:
    values = {key: (draw(st.sampled_from(names)),) for key, names in EVERYTHING.items()}
    try:
        return Format(**values)
    except ParamError:  # this separator and space do not go together
        return Format(**{**values, "separators": ("colon",), "spaces": ("newline",)})


@given(TEXTS, formats(), st.integers(0, 1000))
@settings(max_examples=300)
def test_a_format_can_be_undone(text: str, drawn_from: Format, address: int) -> None:
    family = Formatted(Echo(text), drawn_from)
    problems = family.draw(Rows(1, np.array([address], np.uint64)))
    row = family.render(problems, Render("plain", "none"))
    prompt, answer = row.prompts[0].as_py(), row.answers[0].as_py()
    own = own_axes(drawn_from, problems)
    ways = [way for way in readings(prompt) if way.problem == text and way.shows(answer, own)]
    assert ways, prompt
    right = str(100 + address)
    for way in ways:
        if way.options:
            shown = [label for label, text, _ in way.options if text == right]
            assert [answer] == (shown or ["False" if way.kind == "true_false" else "none"])
        else:
            assert answer == right


def own_axes(drawn_from: Format, problems: Problems) -> dict[str, str]:
    return {
        key[:-1]: axis.values[problems.axes[f"format_{key[:-1]}"][0]]
        for key, axis in drawn_from.axes.items()
    }


def test_the_same_problem_has_the_same_format_wherever_it_is_drawn() -> None:
    family, problems, texts = made("graph_paths", 20, **EVERYTHING)
    alone = family.draw(Rows(5, problems.rows.addresses[[7]]))
    style = Render(family.prompts[0], family.solutions[-1])
    assert family.render(alone, style).prompts[0] == texts.prompts[7]
    other = Formatted(family.inner, Format(**EVERYTHING, seed=1))
    assert other.render(other.draw(problems.rows), style).prompts != texts.prompts
    assert np.array_equal(other.draw(problems.rows).keys, problems.keys)


def test_the_right_option_may_be_anywhere_and_suggestions_are_as_often_wrong() -> None:
    _, _, choice = made("word_letters", 2000, types=("choice",))
    places = Counter(choice.answers.to_pylist())
    assert sum((places[label] - 500) ** 2 / 500 for label in "ABCD") < 16.3  # 1 in 1000
    _, _, judged = made("word_letters", 2000, types=("true_false",))
    assert abs(Counter(judged.answers.to_pylist())["True"] - 1000) < 75


def test_the_option_most_like_the_others_is_not_the_right_one_more_often() -> None:
    _, _, texts = made("graph_paths", 300, types=("choice",))
    right = 0
    for prompt, answer in zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True):
        (way,) = readings(prompt)
        shown = [(label, text.split(", ")) for label, text, _ in way.options]
        likeness = {
            label: sum(SequenceMatcher(None, text, other).ratio() for _, other in shown)
            for label, text in shown
        }
        right += max(likeness, key=likeness.__getitem__) == answer
    assert 45 < right < 105  # 75 by chance


def test_wrong_options_differ_in_value_and_are_refused() -> None:
    for name in ("countdown", "arithmetic_mixed", "graph_paths"):
        family, problems, texts = made(name, 30, types=("choice",), options=6)
        inner = load_verifier(family.inner.verifier)
        style = Render(family.prompts[0], "none")
        answers = family.inner.render(family.inner.draw(problems.rows), style)
        kind = answers.answer_types[0].as_py()
        for i, prompt in enumerate(texts.prompts.to_pylist()):
            (way,) = readings(prompt)
            options = [text for _, text, _ in way.options]
            values = [known_parser(kind)(text) for text in options]
            assert 2 < len(values) <= 6
            assert all(a != b for a, b in product(values, values) if a is not b)
            right = inner.check(pa.array([way.problem] * len(options)), pa.array(options), None)
            assert [options[j] for j in np.flatnonzero(right)] == [answers.answers[i].as_py()]


def test_select_all_has_at_most_one_right_option_and_sometimes_none() -> None:
    family, problems, texts = made("word_letters", 2000, types=("select_all",))
    style = Render(family.prompts[0], "none")
    answers = family.inner.render(family.inner.draw(problems.rows), style).answers.to_pylist()
    places = Counter(texts.answers.to_pylist())
    assert sum((places[label] - 400) ** 2 / 400 for label in ("A", "B", "C", "D", "none")) < 18.5
    for prompt, label, right in zip(texts.prompts.to_pylist(), texts.answers, answers, strict=True):
        (way,) = readings(prompt)
        assert len(way.options) == 4
        shown = [label for label, text, _ in way.options if text == right]
        assert shown == [label.as_py()] or (not shown and label.as_py() == "none")


def test_a_blank_has_the_answer_of_the_family() -> None:
    family, problems, texts = made("graph_paths", 20, types=("fill_in",))
    style = Render(family.prompts[0], family.solutions[-1])
    plain = family.inner.render(family.inner.draw(problems.rows), style)
    assert texts.answers.equals(plain.answers)
    assert texts.answer_types.equals(plain.answer_types.cast(pa.string()))
    assert texts.solutions == plain.solutions
    for prompt, own in zip(texts.prompts.to_pylist(), plain.prompts.to_pylist(), strict=True):
        assert own in prompt
        assert prompt.count("____") == 1
    wrong = pa.array([f"{answer}, 1" for answer in texts.answers.to_pylist()])
    assert not verifier_of(family).check(texts.prompts, wrong, None).any()


PLAIN = {"separators": ("colon",), "spaces": ("bars",), "casings": ("as_is",)}


def damaged(name: str, prompt: str, answer: str) -> tuple[str, str]:
    """Return a row with one fault."""
    (way,) = readings(prompt)
    texts = {label: text for label, text, _ in way.options}
    shown = answer if answer in texts else "A"
    other = next(label for label in texts if label not in (answer, shown))
    inserted = "1" if answer in texts else ""
    changes = {
        "another label": (prompt, other),
        "another label, too": (prompt, ", ".join(sorted({shown, other, "C"}))),
        "a text for a label": (prompt, texts[shown]),
        "labels in another form": (prompt, f"({answer})"),
        "two right options": (
            prompt.replace(f"({other}) {texts[other]}", f"({other}) {texts[shown]}"),
            answer,
        ),
        "no right option": (
            prompt.replace(f"({shown}) {texts[shown]}", f"({shown}) {texts[shown]}{inserted}"),
            answer if inserted else "A",
        ),
        "separators": (prompt.replace("Answer:", "Answer::"), answer),
        "no problem": (prompt.replace(way.problem, "Nothing is asked here."), answer),
    }
    return changes[name]


FAULTS = (
    "another label",
    "another label, too",
    "a text for a label",
    "labels in another form",
    "two right options",
    "no right option",
    "separators",
    "no problem",
)


@pytest.mark.parametrize("kind", ["choice", "select_all"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_row_is_refused(fault: str, kind: str) -> None:
    family, _, texts = made("graph_paths", 30, types=(kind,), **PLAIN)
    rows = [
        damaged(fault, prompt.as_py(), answer.as_py())
        for prompt, answer in zip(texts.prompts, texts.answers, strict=True)
    ]
    columns = [pa.array(column) for column in zip(*rows, strict=True)]
    assert not verifier_of(family).check(*columns, None).any()


def test_several_right_options_are_verified() -> None:
    """Expressions that are written in two ways are both right."""
    prompt = "Question:{}\n(A) {}\n(B) {}\n(C) {}\n{}\nAnswer:"
    request = WORDS["requests"]["select_all"][0]
    family, _, texts = made("countdown", 30, types=("open",), **PLAIN)
    inner, verifier = family.inner, verifier_of(family)
    problem = readings(texts.prompts[0].as_py())[0].problem
    right = texts.answers[0].as_py()
    spelled = f"({right})"
    assert load_verifier(inner.verifier).check(pa.array([problem]), pa.array([spelled]), None)[0]
    shown = prompt.format(problem, right, "1 + 1", spelled, request)
    answers = ["A, C", "A", "C", "C, A", "A, B, C", "none", "A,C"]
    prompts = pa.array([shown] * len(answers))
    assert verifier.check(prompts, pa.array(answers), None).tolist() == [True] + [False] * 6


def test_refused_answers_must_be_to_a_problem() -> None:
    for name in ("word_letters", "hint", "cogs"):  # plain and compiled
        for kind, nothing in (("true_false", "False"), ("select_all", "none")):
            family, _, texts = made(name, 30, types=(kind,), **PLAIN)
            rows = zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
            kept = [prompt for prompt, answer in rows if answer == nothing]
            other = [text.replace(readings(text)[0].problem, "What is it?") for text in kept]
            assert kept
            answers, verifier = pa.array([nothing] * len(kept)), verifier_of(family)
            assert verifier.check(pa.array(kept), answers, None).all()
            assert not verifier.check(pa.array(other), answers, None).any()


@pytest.mark.parametrize("kind", ["choice", "true_false", "select_all"])
def test_conclusions_of_solutions_are_checked(kind: str) -> None:
    family, _, texts = made("graph_paths", 20, types=(kind,))
    assert texts.solutions is not None
    for change in (
        lambda text: text.rpartition("\n")[0],
        lambda text: text[:-1],
        lambda text: text.rpartition("\n")[0] + "\nThe right option is .",
        lambda text: text.rpartition("\n")[0] + "\nThe right option is Z.",
        lambda text: text.rpartition("\n")[0] + "\nThe right answer is 1.",
        lambda text: text.rpartition(". ")[0] + ". Right options: A, B.",
        lambda text: text.replace("\nThe right answer is ", "\nThe right answer is 1, "),
        lambda text: text.partition("\n")[2],
    ):
        solutions = [change(text) for text in texts.solutions.to_pylist()]
        changed = [
            text != own.as_py() for text, own in zip(solutions, texts.solutions, strict=True)
        ]
        accepted = verifier_of(family).check(texts.prompts, texts.answers, pa.array(solutions))
        assert not accepted[changed].any()


def test_axes_that_a_prompt_does_not_show_are_refused() -> None:
    family, problems, texts = made("graph_paths", 30, **{**EVERYTHING, "types": ("choice",)})
    columns = {"prompt": texts.prompts, "answer": texts.answers}
    for name, axis in family.axes.items():
        if name.startswith("format_"):
            columns[name] = pa.array([axis.values[code] for code in problems.axes[name]])
    verifier = verifier_of(family)
    assert verifier.shows(pa.table(columns)).all()
    for name in (
        "format_separator",
        "format_space",
        "format_wrapper",
        "format_sentence",
        "format_length",
    ):
        values = family.axes[name].values
        other = [values[values.index(one) - 1] for one in columns[name].to_pylist()]
        assert not verifier.shows(pa.table({**columns, name: pa.array(other)})).any(), name


@pytest.mark.parametrize(
    ("text", "answer", "why"),
    [
        ("Answer: B", "B", "right"),
        ("The answer is (B).", "B", "right"),
        (r"So it is \boxed{Option b}", "B", "right"),
        ("[iv]", "Ⅳ", "right"),
        ("Answer: B) 42", "B", "unreadable"),
        ("Answer: 42 (B)", "B", "unreadable"),
        ("A or B", "B", "unreadable"),
        ("Answer: C", "B", "wrong"),
        ("Answer: true", "True", "right"),
        ("Answer: False", "True", "wrong"),
    ],
)
def test_labels_are_graded_strictly(text: str, answer: str, why: str) -> None:
    assert judge(text, answer, "choice").why == why


@pytest.mark.parametrize(
    ("text", "answer", "why"),
    [
        ("Answer: A, C", "A, C", "right"),
        ("Answer: c,a", "A, C", "right"),
        ("The answer is (A), (C).", "A, C", "right"),
        (r"So it is \boxed{A, C}", "A, C", "right"),
        ("iv, ii", "Ⅱ, Ⅳ", "right"),
        ("Answer: B", "B", "right"),
        ("Answer: none.", "none", "right"),
        ("None", "none", "right"),
        ("Answer: A", "A, C", "wrong"),
        ("Answer: A, B, C, D", "A, C", "wrong"),
        ("Answer: none", "A", "wrong"),
        ("Answer: A", "none", "wrong"),
        ("Answer: A, none", "A", "wrong"),
        ("Answer: A, none", "none", "wrong"),
        ("Answer: A, A", "A", "unreadable"),
        ("Answer: A, C, A", "A, C", "unreadable"),
        ("Answer: A and C", "A, C", "unreadable"),
        ("Answer: A or C", "A", "unreadable"),
        ("Answer: A C", "A, C", "unreadable"),
        ("Answer: A; C", "A, C", "unreadable"),
        ("Answer: (A) 42, (C) 7", "A, C", "unreadable"),
        ("Answer: A,, C", "A, C", "unreadable"),
        ("Answer: not B", "A, C", "unreadable"),
    ],
)
def test_lists_of_labels_are_graded_strictly(text: str, answer: str, why: str) -> None:
    assert judge(text, answer, "labels").why == why


def test_open_questions_accept_every_right_answer() -> None:
    way = {"format": {"types": ["fill_in"]}}
    for row in synthgen.generate("sokoban", 4, params={"asks": ["any"]}, seed=3, render=way):
        prompt, answer, kind = row["prompt"], row["answer"], row["answer_type"]
        ways = (("Up", "Down"), ("Down", "Up"), ("Left", "Right"), ("Right", "Left"))
        longer = [f"{there},{back}, {answer}" for there, back in ways]
        paid = [judge(text, answer, kind, prompt=prompt).score for text in longer]
        assert kind == "checked:formatted:sokoban"
        assert any(paid)
        assert paid == [load_verifier("formatted:sokoban").accepts(prompt, t) for t in longer]
        assert judge(longer[0].rpartition(",")[0], answer, kind, prompt=prompt).score == 0.0


def test_families_without_options_have_open_questions_only() -> None:
    for name in sorted(OPEN_ONLY):
        with pytest.raises(ParamError, match=r"expected open only, as .*answers of"):
            made(name, 4, types=("open", "fill_in"))


def test_axes_of_formats_are_declared_as_they_are_drawn() -> None:
    family, problems, _ = made("graph_paths", 200, types=("open", "choice"))
    for name, axis in family.axes.items():
        assert isinstance(axis, Axis)
        if name.startswith("format_"):
            assert set(problems.axes[name].tolist()) <= set(range(len(axis.values)))


def test_the_two_sides_share_words_only() -> None:
    folder = Path(formatted.__file__).parent
    assert "synthgen.formats" not in (folder / "read_back.py").read_text(encoding="utf-8")
    for name in ("formatted.py", "wrong.py"):
        assert "formats.verify" not in (folder / name).read_text(encoding="utf-8")


def test_wrong_answers_of_other_rows_only() -> None:
    """Options of graphs then name nodes that are not in them."""
    family, _, texts = made("graph_paths", 40, types=("choice",), wrong_from="answers")
    assert verifier_of(family).check(texts.prompts, texts.answers, None).all()
    quoted = [
        {*text.split(", ")} <= {*re.findall("[0-9]+", way.problem)}
        for prompt in texts.prompts.to_pylist()
        for way in readings(prompt)
        for _, text, _ in way.options
    ]
    assert 0.2 < np.mean(quoted) < 0.5  # the right ones, and some others by chance


def test_sentences_on_the_form_of_an_answer_go_where_answers_are_shown() -> None:
    for kind in ("open", "choice", "true_false"):
        _, _, texts = made("graph_paths", 40, types=(kind,))
        forms = [prompt for prompt in texts.prompts.to_pylist() if "Answer with a comma" in prompt]
        assert bool(forms) == (kind == "open")


@pytest.mark.parametrize("name", ["hint", "markov", "pcfg", "rewrite", "scan"])
def test_compiled_families_leave_out_sentences_on_the_form_too(name: str) -> None:
    family, problems, _ = made(name, 12, types=("choice",))
    texts = family.render(problems, Render("instruction", "none"))
    assert verifier_of(family).check(texts.prompts, texts.answers, None).all()
    asked = family.inner.render(problems, Render("instruction", "none")).prompts.to_pylist()
    short = [*map(Words.beside(synthgen.__path__[0] + f"/families/{name}/_").without_form, asked)]
    assert short != asked
    for text, prompt in zip(short, texts.prompts.to_pylist(), strict=True):
        assert text in prompt


def test_none_is_no_answer_where_one_of_two_options_is_right() -> None:
    family, _, texts = made("variable_assignment", 40, types=("select_all",))
    assert verifier_of(family).check(texts.prompts, texts.answers, None).all()
    assert not any("none" in prompt for prompt in texts.prompts.to_pylist())
    assert {*texts.answers.to_pylist()} == {"A", "B"}
