from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.registry import load_verifier
from synthgen.generators._pcfg_grammar import size_share
from synthgen.generators.pcfg import Pcfg
from tests.conformance import original
from tests.generators import pcfg_oracle as oracle

STREAM = stream_key(7, "source", "pcfg")
TWINS = ("swap_first_last", "repeat", "append", "remove_second")


def drawn(kind: Pcfg, n: int = 600) -> Problems:
    rows = Rows.span(STREAM, 0, n)
    problems = kind.draw(rows)
    return kind.draw(Rows(STREAM, rows.addresses[problems.valid]))


def told(kind: Pcfg, problems: Problems, prompt: str = "bare", solution: str = "none") -> Texts:
    return kind.render(problems, Render(prompt, solution))


KINDS = {
    "default": Pcfg(),
    "grammar": Pcfg(distribution="grammar"),
    "one function": Pcfg(distribution="grammar", max_functions=1, max_string=20),
    "fixed": Pcfg(distribution="grammar", p_unary=0.3, p_function=0.5, letters="QA", numbers=3),
    "unary": Pcfg(distribution="grammar", functions=("repeat", "echo"), max_result=60),
    "binary": Pcfg(distribution="grammar", functions=("prepend", "append"), max_functions=9),
    "share": Pcfg(twin_mode="share", twins=(*TWINS, "echo")),
    "all": Pcfg(twin_mode="all"),
    "root": Pcfg(root="reverse"),
    "binary root": Pcfg(root="remove_first"),
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@every_kind
def test_texts_and_axes_are_those_of_a_slow_reading(kind: Pcfg) -> None:
    problems = drawn(kind, 400)
    assert len(problems) > 390
    prompts = told(kind, problems).prompts.to_pylist()
    trees = [oracle.parse(prompt.split(" ")) for prompt in prompts]
    steps = told(kind, problems, "bracketed", "steps")
    unrolled = told(kind, problems, "instruction", "unrolled")
    assert steps.answers.to_pylist() == [oracle.answer(prompt) for prompt in prompts]
    assert steps.prompts.to_pylist() == [oracle.bracketed(tree) for tree in trees]
    assert steps.solutions is not None
    assert unrolled.solutions is not None
    calls = [oracle.results(tree) for tree in trees]
    lines = ["\n".join(" ".join(value) for _, value in done) for done in calls]
    assert steps.solutions.to_pylist() == lines
    assert unrolled.solutions.to_pylist() == [oracle.unrolled(tree) for tree in trees]
    assert all(
        wording.endswith(f"\n\n`{prompt}`")
        for wording, prompt in zip(unrolled.prompts.to_pylist(), prompts, strict=True)
    )
    texts = derivation_text(problems.derivations, kind.signature).to_pylist()
    assert texts == [oracle.derivation(tree) for tree in trees]
    assert _named_axes(kind, problems) == [oracle.axes(prompt) for prompt in prompts]
    assert problems.difficulty.tolist() == problems.axes["n_functions"].tolist()


def _named_axes(kind: Pcfg, problems: Problems) -> list[dict[str, Any]]:
    columns = {name: column.tolist() for name, column in problems.axes.items()}
    del columns["twin_function"]
    for name, column in columns.items():
        if kind.axes[name].values:
            columns[name] = [kind.axes[name].values[value] for value in column]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@every_kind
def test_programs_keep_within_the_params(kind: Pcfg) -> None:
    problems = drawn(kind, 400)
    rooted = int(bool(kind.root))
    for prompt in told(kind, problems).prompts.to_pylist():
        tokens = prompt.split(" ")
        names = [oracle.name_of(token) for token in tokens if oracle.is_function(token)]
        assert set(names) <= {*kind.functions, kind.root}
        assert not kind.root or names[0] == kind.root
        assert kind.min_functions <= len(names) <= kind.max_functions + rooted
        lengths = {len(string) for string in oracle.strings(oracle.parse(tokens))}
        assert kind.min_string <= min(lengths) <= max(lengths) <= kind.max_string
        symbols = [t for t in tokens if t != "," and not oracle.is_function(t)]
        assert {symbol[0] for symbol in symbols} <= set(kind.letters)
        assert max(int(symbol[1:]) for symbol in symbols) <= kind.numbers
        placeholders = [t if t == "," or oracle.is_function(t) else "X" for t in tokens]
        text = oracle.bracketed(oracle.parse(placeholders))
        assert len(text) < kind.max_text + 40 * rooted
    assert problems.axes["longest_result"].max() <= kind.max_result


def test_sizes_have_the_probabilities_of_the_recursive_grammar() -> None:
    shares = [[size_share(f, u, None, None) for u in range(f + 1)] for f in range(1, 2000)]
    steps = (np.arange(400) + 0.5) / 400
    unary, nested = np.meshgrid(steps, steps)
    ends = _ends(unary, nested)
    finite = unary * ends + (1 - unary) * ends**2
    assert sum(map(sum, shares)) == pytest.approx(finite.mean(), abs=2e-3)


def _ends(unary: np.ndarray, nested: np.ndarray) -> np.ndarray:
    """Probability that an argument comes to an end: the least root of its fixed-point equation."""
    ends = np.zeros_like(unary)
    for _ in range(400):
        ends = 1 - nested + nested * (unary * ends + (1 - unary) * ends**2)
    return ends


def test_fixed_probabilities_are_those_of_the_recursive_grammar() -> None:
    kind = Pcfg(distribution="grammar", p_unary=0.75, p_function=0.25)
    axes = drawn(kind, 40_000).axes
    functions, n = axes["n_functions"], len(axes["depth"])
    assert axes["n_unary"].sum() / functions.sum() == pytest.approx(0.75, abs=0.01)
    nested = (functions - 1).sum() / (functions - 1 + axes["n_strings"]).sum()
    assert nested == pytest.approx(0.25, abs=0.01)
    # One function: its arguments are all strings.
    alone = 0.75 * 0.75 + 0.25 * 0.75**2
    assert np.mean(functions == 1) == pytest.approx(alone, abs=4 * math.sqrt(0.25 / n))


def test_functions_strings_and_symbols_are_uniform() -> None:
    kind = Pcfg(distribution="grammar", letters="AB", numbers=5)
    codes = drawn(kind, 20_000).derivations.values
    counts = np.bincount(codes, minlength=35)
    for span, categories in (((0, 6), 6), ((6, 10), 4), ((21, 25), 4), ((25, 35), 10)):
        part = counts[slice(*span)]
        expected = part.sum() / categories
        chi = ((part - expected) ** 2 / expected).sum()
        assert chi < categories + 5 * math.sqrt(2 * categories), span


def test_the_default_has_the_published_figures() -> None:
    axes = drawn(Pcfg(), 30_000).axes
    depth = np.bincount(axes["depth"], minlength=9)[1:9] / len(axes["depth"])
    published = [0.0158, 0.1326, 0.2304, 0.2289, 0.1596, 0.0944, 0.0560, 0.0395]
    assert np.abs(depth - published).max() < 0.015
    functions = np.bincount(axes["n_functions"], minlength=9)[1:9] / len(axes["depth"])
    published = [0.0158, 0.1279, 0.1975, 0.1844, 0.1374, 0.1023, 0.0649, 0.0494]
    assert np.abs(functions - published).max() < 0.015
    assert axes["n_functions"].mean() == pytest.approx(5.12, abs=0.15)
    assert axes["n_strings"].mean() == pytest.approx(3.03, abs=0.1)
    assert axes["n_tokens"].mean() == pytest.approx(18.21, abs=0.5)
    assert axes["answer_length"].mean() == pytest.approx(9.32, abs=0.4)
    deciles = np.quantile(axes["n_tokens"], np.arange(1, 10) / 10)
    assert np.abs(deciles - [7, 10, 12, 14, 16, 19, 22, 26, 32]).max() <= 1
    lengths = np.bincount(drawn(Pcfg(), 30_000).derivations.values, minlength=25)[21:25]
    assert np.abs(lengths / lengths.sum() - [0.161, 0.297, 0.274, 0.269]).max() < 0.012


def test_the_published_table_gives_the_published_distribution() -> None:
    folder = original("pcfg")
    cells = json.loads((folder / "pcfg_wmt_depth_length.json").read_text(encoding="utf-8"))
    target = tuple(number for cell in cells for number in cell)
    kind = Pcfg(distribution="target", target=target, late_from=0.35)
    lines = (folder / "dev.src").read_text(encoding="utf-8").splitlines()
    published = [oracle.axes(line) for line in lines]
    axes = drawn(kind, 40_000).axes
    for name in ("depth", "n_functions", "n_unary", "n_strings", "n_tokens", "answer_length"):
        theirs = np.sort([row[name] for row in published])
        ours = np.sort(axes[name])
        for value in np.unique(theirs):
            one = np.searchsorted(ours, value, "right") / len(ours)
            other = np.searchsorted(theirs, value, "right") / len(theirs)
            assert one == pytest.approx(other, abs=0.03), (name, value)


def test_a_target_of_ones_own_is_met() -> None:
    cells = {(3, 9): 100, (3, 12): 300, (4, 12): 200, (4, 15): 400, (5, 18): 50}
    flat = tuple(number for cell, count in cells.items() for number in (*cell, count))
    kind = Pcfg(distribution="target", target=flat, late_from=1.0)
    axes = drawn(kind, 20_000).axes
    made = Counter(zip(axes["depth"].tolist(), (axes["n_tokens"] // 3).tolist(), strict=True))
    wanted = {(depth - 1, length // 3): count for (depth, length), count in cells.items()}
    total = sum(made.values())
    assert set(made) == set(wanted)
    for cell, count in wanted.items():
        assert made[cell] / total == pytest.approx(count / sum(wanted.values()), abs=0.03)


def test_synonyms_replace_about_their_share_of_calls() -> None:
    kind = Pcfg(twin_mode="share", twin_share=0.3)
    words = Counter(" ".join(told(kind, drawn(kind, 8000)).prompts.to_pylist()).split(" "))
    for name in TWINS:
        share = words[f"{name}_twin"] / (words[name] + words[f"{name}_twin"])
        assert share == pytest.approx(0.3, abs=0.03)
    assert not words["copy_twin"]


def test_all_calls_of_the_chosen_function_get_its_synonym() -> None:
    plain, twins = Pcfg(), Pcfg(twin_mode="all")
    base, other = drawn(plain), drawn(twins)
    chosen = [plain.axes["twin_function"].values[i] for i in base.axes["twin_function"]]
    assert np.array_equal(base.axes["twin_function"], other.axes["twin_function"])
    texts = zip(
        told(plain, base).prompts.to_pylist(),
        told(twins, other).prompts.to_pylist(),
        chosen,
        strict=True,
    )
    for one, two, name in texts:
        tokens = [f"{t}_twin" if t == name else t for t in one.split(" ")]
        assert tokens == two.split(" ")
        assert (name == "none") == (not set(TWINS) & set(one.split(" ")))
    assert told(plain, base).answers.equals(told(twins, other).answers)
    assert set(Counter(chosen)) == {"none", *TWINS}


@pytest.mark.parametrize("roots", [oracle.UNARY, oracle.BINARY])
def test_roots_of_an_arity_have_the_same_arguments(roots: tuple[str, ...]) -> None:
    texts = [told(kind, drawn(kind, 200)).prompts for kind in (Pcfg(root=root) for root in roots)]
    rests = [[prompt.partition(" ")[2] for prompt in prompts.to_pylist()] for prompts in texts]
    assert all(rest == rests[0] for rest in rests)


def test_impossible_params_give_no_valid_row() -> None:
    kind = Pcfg(distribution="grammar", min_functions=40, max_functions=40, max_text=60)
    assert not kind.draw(Rows.span(STREAM, 0, 3)).valid.any()
    assert not Pcfg(min_functions=199, max_functions=200).draw(Rows.span(STREAM, 0, 3)).valid.any()


def test_wordings_differ_and_are_accepted() -> None:
    kind = Pcfg(twin_mode="share")
    problems = drawn(kind, 200)
    texts = told(kind, problems, "instruction")
    assert len(set(texts.templates.to_pylist())) >= 5
    assert all("repeat_twin means the same as repeat" in text for text in texts.prompts.to_pylist())
    verifier = load_verifier("pcfg")
    assert verifier.check(texts.prompts, texts.answers, None).all()
    assert verifier.symbolic(texts.prompts, texts.answers).all()


@pytest.mark.parametrize(
    "params",
    [
        {"letters": "aB"},
        {"letters": ""},
        {"numbers": 0},
        {"numbers": 2001},
        {"min_string": 1},
        {"min_string": 6},
        {"max_string": 65},
        {"functions": ()},
        {"functions": ("copy", "copy")},
        {"functions": ("sort",)},
        {"functions": "copy"},
        {"p_unary": 1.5},
        {"p_unary": "often"},
        {"p_function": True},
        {"min_functions": 0},
        {"max_functions": 201},
        {"max_depth": 0},
        {"max_text": 5},
        {"max_result": 9},
        {"distribution": "natural"},
        {"distribution": "target"},
        {"target": (1, 2)},
        {"target": (2, 3, -1)},
        {"target": (2, 3, 1.5)},
        {"target_width": 0},
        {"late_from": 1.5},
        {"root": "sort"},
        {"twins": ("sort",)},
        {"twin_mode": "some"},
        {"twin_share": 2},
    ],
)
def test_wrong_params_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match=f"^{next(iter(params))}=|^target="):
        Pcfg(**params)
