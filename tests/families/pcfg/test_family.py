"""PCFG SET: contracts, axes recomputed from the text, and how programs are distributed."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from synthgen.contract.interfaces import Generator, Problems, Render, Verifier
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.conformance import original
from tests.families.pcfg import reading
from tests.families.verdicts import valid_problems

STREAM = stream_key(7, "source", "pcfg")
TWINS = ("swap_first_last", "repeat", "append", "remove_second")
PARAMS: dict[str, dict[str, Any]] = {
    "default": {},
    "grammar": {"distribution": "grammar"},
    "one function": {"distribution": "grammar", "max_functions": 1, "max_string": 20},
    "fixed": {"distribution": "grammar", "p_unary": 0.3, "p_function": 0.5, "letters": "QA"},
    "unary": {"distribution": "grammar", "functions": ("repeat", "echo"), "max_result": 60},
    "binary": {"functions": ("prepend", "append"), "max_functions": 9, "numbers": 3},
    "share": {"twin_mode": "share", "twins": (*TWINS, "echo")},
    "all": {"twin_mode": "all"},
    "root": {"root": "reverse"},
    "binary root": {"root": "remove_first", "min_depth": 3, "max_depth": 5},
}


def family(name: str = "pcfg", **params: Any) -> Generator:
    return generator_class(name)(**params)


def drawn(kind: Generator, n: int = 600) -> Problems:
    return valid_problems(kind, Rows.span(STREAM, 0, n))


def prompts_of(kind: Generator, problems: Problems, style: str = "bare") -> list[str]:
    prompts: list[str] = kind.render(problems, Render(style, "none")).prompts.to_pylist()
    return prompts


@pytest.mark.parametrize("params", PARAMS.values(), ids=PARAMS)
def test_contract(params: dict[str, Any]) -> None:
    check_family("pcfg", params, rows=500, least_valid=0.9)


def test_contract_with_exceptions() -> None:
    check_family("pcfg_exceptions")
    check_family("pcfg_exceptions", {"functions": ("reverse", "echo", "append")}, rows=500)


def named_axes(kind: Generator, problems: Problems) -> list[dict[str, Any]]:
    columns = {name: column.tolist() for name, column in problems.axes.items()}
    del columns["twin_function"]
    for name, column in columns.items():
        if kind.axes[name].values:
            columns[name] = [kind.axes[name].values[value] for value in column]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize("name", ["pcfg", "pcfg_exceptions"])
@pytest.mark.parametrize("params", PARAMS.values(), ids=PARAMS)
def test_axes_and_params_are_recomputed_from_the_text(name: str, params: dict[str, Any]) -> None:
    if name == "pcfg_exceptions" and "twin_mode" in params:
        pytest.skip("synonyms make no exceptions")
    kind: Any = family(name, **params)
    problems = drawn(kind, 400)
    prompts = prompts_of(kind, problems)
    exceptions = name == "pcfg_exceptions"
    assert named_axes(kind, problems) == [
        reading.axes(prompt, exceptions=exceptions) for prompt in prompts
    ]
    trees = [reading.parse(prompt) for prompt in prompts]
    texts = derivation_text(problems.derivations, kind.signature).to_pylist()
    assert texts == [reading.derivation(tree) for tree in trees]
    assert problems.difficulty.tolist() == problems.axes["n_functions"].tolist()
    for prompt, tree in zip(prompts, trees, strict=True):
        names = list(map(reading.name_of, reading.calls(prompt)))
        assert set(names) <= {*kind.functions, kind.root}
        assert names[0] == (kind.root or names[0])
        lengths = {len(string) for string in reading.strings(tree)}
        assert kind.min_string <= min(lengths) <= max(lengths) <= kind.max_string
        symbols = {symbol for string in reading.strings(tree) for symbol in string}
        assert {symbol[0] for symbol in symbols} <= set(kind.letters)
        assert max(int(symbol[1:]) for symbol in symbols) <= kind.numbers


def test_exceptions_make_the_same_programs_with_other_results() -> None:
    regular, exceptional = family(), family("pcfg_exceptions")
    one, other = drawn(regular, 4_000), drawn(exceptional, 4_000)
    assert prompts_of(regular, one) == prompts_of(exceptional, other)
    assert not np.any(np.all(one.keys == other.keys, axis=1))
    hit = other.axes["exception"] > 0
    assert 0.05 < hit.mean() < 0.2
    assert other.axes["exception_changes"][hit].mean() > 0.5


def test_instructions_explain_what_a_program_may_have() -> None:
    kind = family(twin_mode="share")
    texts = kind.render(drawn(kind, 200), Render("instruction", "none"))
    assert len(set(texts.templates.to_pylist())) >= 5
    for text in texts.prompts.to_pylist():
        assert "repeat_twin does the same as repeat" in text
        assert all(f"{name} x" in text for name in (*reading.UNARY, *reading.BINARY))
        assert "exception" not in text
    kind = family("pcfg_exceptions")
    for text in prompts_of(kind, drawn(kind, 50), "instruction"):
        assert "reverse immediately followed by echo is read as echo followed by copy" in text
        assert "the first in this list" in text
    kind = family("pcfg_exceptions", functions=("reverse", "echo", "append"))
    for text in prompts_of(kind, drawn(kind, 50), "instruction"):
        assert "reverse immediately followed by echo" in text
        assert "copy x" in text  # the exception needs it
        assert "prepend" not in text


def test_sizes_are_those_of_the_recursive_grammar() -> None:
    """With random probabilities, by integrating over both of them."""
    functions = drawn(family(distribution="grammar"), 60_000).axes["n_functions"]
    one = 1 / 4 + 1 / 6  # f x and f x , y
    two = 1 / 18 + 1 / 72 + 1 / 36 + 1 / 30
    ratio = np.mean(functions == 2) / np.mean(functions == 1)
    assert ratio == pytest.approx(two / one, abs=0.015)


def test_fixed_probabilities_are_those_of_the_recursive_grammar() -> None:
    axes = drawn(family(distribution="grammar", p_unary=0.75, p_function=0.25), 40_000).axes
    functions, n = axes["n_functions"], len(axes["depth"])
    assert axes["n_unary"].sum() / functions.sum() == pytest.approx(0.75, abs=0.01)
    nested = (functions - 1).sum() / (functions - 1 + axes["n_strings"]).sum()
    assert nested == pytest.approx(0.25, abs=0.01)
    # One function: its arguments are all strings.
    single = 0.75 * 0.75 + 0.25 * 0.75**2
    assert np.mean(functions == 1) == pytest.approx(single, abs=4 * math.sqrt(0.25 / n))


def test_functions_strings_and_symbols_are_uniform() -> None:
    kind = family(distribution="grammar", letters="AB", numbers=5)
    codes = drawn(kind, 20_000).derivations.values
    counts = Counter(kind.signature.names[code] for code in codes)
    symbols = [f"{letter}{number}" for letter in "AB" for number in range(1, 6)]
    for names in (reading.UNARY, reading.BINARY, [f"string{n}" for n in range(2, 6)], symbols):
        part = np.array([counts[name] for name in names])
        expected = part.sum() / len(part)
        chi = ((part - expected) ** 2 / expected).sum()
        assert chi < len(part) + 5 * math.sqrt(2 * len(part)), names


def test_the_default_has_the_published_figures() -> None:
    problems = drawn(family(), 30_000)
    axes, n = problems.axes, len(problems)
    depth = np.bincount(axes["depth"], minlength=9)[1:9] / n
    published = [0.0158, 0.1326, 0.2304, 0.2289, 0.1596, 0.0944, 0.0560, 0.0395]
    assert np.abs(depth - published).max() < 0.015
    functions = np.bincount(axes["n_functions"], minlength=9)[1:9] / n
    published = [0.0158, 0.1279, 0.1975, 0.1844, 0.1374, 0.1023, 0.0649, 0.0494]
    assert np.abs(functions - published).max() < 0.015
    assert axes["n_functions"].mean() == pytest.approx(5.12, abs=0.15)
    assert axes["n_strings"].mean() == pytest.approx(3.03, abs=0.1)
    assert axes["n_tokens"].mean() == pytest.approx(18.21, abs=0.5)
    assert axes["answer_length"].mean() == pytest.approx(9.32, abs=0.4)
    deciles = np.quantile(axes["n_tokens"], np.arange(1, 10) / 10)
    assert np.abs(deciles - [7, 10, 12, 14, 16, 19, 22, 26, 32]).max() <= 1
    lengths = np.bincount(problems.derivations.values, minlength=25)[21:25]
    assert np.abs(lengths / lengths.sum() - [0.161, 0.297, 0.274, 0.269]).max() < 0.012


def test_the_published_table_gives_the_published_distribution() -> None:
    folder = original("pcfg")
    cells = json.loads((folder / "pcfg_wmt_depth_length.json").read_text(encoding="utf-8"))
    target = tuple(number for cell in cells for number in cell)
    axes = drawn(family(distribution="target", target=target, late_from=0.35), 40_000).axes
    lines = (folder / "dev.src").read_text(encoding="utf-8").splitlines()
    published = [reading.axes(line) for line in lines]
    for name in ("depth", "n_functions", "n_unary", "n_strings", "n_tokens", "answer_length"):
        theirs, ours = np.sort([row[name] for row in published]), np.sort(axes[name])
        for value in np.unique(theirs):
            one = np.searchsorted(ours, value, "right") / len(ours)
            other = np.searchsorted(theirs, value, "right") / len(theirs)
            assert one == pytest.approx(other, abs=0.03), (name, value)


def test_a_target_is_met() -> None:
    cells = {(3, 9): 100, (3, 12): 300, (4, 12): 200, (4, 15): 400, (5, 18): 50}
    flat = tuple(number for cell, count in cells.items() for number in (*cell, count))
    axes = drawn(family(distribution="target", target=flat, late_from=1.0), 20_000).axes
    made = Counter(zip(axes["depth"].tolist(), (axes["n_tokens"] // 3).tolist(), strict=True))
    wanted = {(depth - 1, length // 3): count for (depth, length), count in cells.items()}
    assert set(made) == set(wanted)
    for cell, count in wanted.items():
        share = made[cell] / sum(made.values())
        assert share == pytest.approx(count / sum(wanted.values()), abs=0.03)


def test_impossible_params_give_no_valid_row() -> None:
    rows = Rows.span(STREAM, 0, 3)
    kind = family(distribution="grammar", min_functions=40, max_functions=40, max_text=60)
    assert not kind.draw(rows).valid.any()
    assert not family(min_functions=199, max_functions=200).draw(rows).valid.any()


REFUSED: list[dict[str, Any]] = [
    *({"letters": "aB"}, {"letters": ""}, {"numbers": 0}, {"numbers": 2001}, {"min_string": 1}),
    *({"min_string": 6}, {"max_string": 65}, {"functions": ()}, {"functions": ("copy", "copy")}),
    *({"functions": ("sort",)}, {"functions": "copy"}, {"p_unary": 1.5}, {"p_unary": "often"}),
    *({"p_function": True}, {"min_functions": 0}, {"max_functions": 201}, {"max_depth": 0}),
    *({"min_depth": 9, "max_functions": 8}, {"min_functions": 8, "max_depth": 3}),
    *({"max_text": 5}, {"max_result": 9}, {"distribution": "natural"}, {"target_width": 0}),
    *({"target": ()} | {"distribution": "target"}, {"target": (1, 2)}, {"target": (2, 3, -1)}),
    *({"target": (2, 3, 1.5)}, {"late_from": 1.5}, {"root": "sort"}, {"twins": ("sort",)}),
    *({"twin_mode": "some"}, {"twin_share": 2}),
]


@pytest.mark.parametrize("params", REFUSED, ids=str)
def test_wrong_params_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match=f"^{next(iter(params))}="):
        family(**params)


def test_synonyms_and_exceptions_exclude_each_other() -> None:
    with pytest.raises(ParamError, match="twin_mode='all'"):
        family("pcfg_exceptions", twin_mode="all")


REGULAR, EXCEPTIONAL = load_verifier("pcfg"), load_verifier("pcfg_exceptions")
WORKED = {
    "reverse A1 B2 C3": "C3 B2 A1",
    "shift A1 B2 C3 D4": "B2 C3 D4 A1",
    "echo A1 B2": "A1 B2 B2",
    "swap_first_last A1 B2 C3 D4": "D4 B2 C3 A1",
    "repeat A1 B2 C3": "A1 B2 C3 A1 B2 C3",
    "append A1 B2 , C3 D4 E5": "A1 B2 C3 D4 E5",
    "prepend A1 B2 , C3 D4 E5": "C3 D4 E5 A1 B2",
    "remove_first A1 B2 , C3 D4": "C3 D4",
    "remove_second A1 B2 , C3 D4": "A1 B2",
    "copy A1": "A1",
    "shift append echo A1 B2 , reverse C3 D4 E5": "B2 B2 E5 D4 C3 A1",
    "prepend repeat swap_first_last Q7 R8 , remove_first A1 B2 , shift append X1 X2 , Y3": (
        "X2 Y3 X1 R8 Q7 R8 Q7"
    ),
    "append A1 B2 , append C3 D4 , E5 F6": "A1 B2 C3 D4 E5 F6",
    "reverse remove_second shift A1 B2 C3 , repeat repeat D4 E5": "A1 C3 B2",
    "repeat_twin append_twin A1 , B2": "A1 B2 A1 B2",
}
EXCEPTIONS = {
    "reverse echo A1 B2": ("A1 B2 B2", "B2 B2 A1"),
    "reverse ( echo ( A1 B2 ) )": ("A1 B2 B2", "B2 B2 A1"),
    "prepend reverse A1 B2 , C3 D4": ("A1 B2 B2", "C3 D4 B2 A1"),
    "echo remove_first A1 B2 , C3 D4": ("A1 B2 C3 D4", "C3 D4 D4"),
    "prepend remove_first A1 B2 , C3 D4 , E5 F6": ("A1 B2 C3 D4", "E5 F6 C3 D4"),
    "prepend reverse echo A1 B2 , C3 D4": ("C3 D4 A1 B2 B2", "C3 D4 B2 B2 A1"),
    "append reverse echo A1 B2 , reverse echo C3 D4": ("A1 B2 B2 C3 D4 D4", "B2 B2 A1 D4 D4 C3"),
    "reverse_twin echo A1 B2": ("B2 B2 A1", "B2 B2 A1"),
    "append echo A1 B2 , reverse C3": ("A1 B2 B2 C3", "A1 B2 B2 C3"),
}
MALFORMED = (
    *("", " ", "A1", "A1 B2", "copy", "copy ", " copy A1", "copy A1 ", "copy  A1 B2", "copy A1,B2"),
    *("append A1 B2", "append A1 , B2 , C3", "append A1 ,", "append , A1", "append A1 , , B2"),
    *("copy A1 , B2", "copy A1 copy B2", "append copy A1 B2 , C3 copy D4", "A1 copy B2"),
    *("copy a1", "copy A0", "copy A01", "copy A", "copy 1", "copy A1234567", "copy *1", "sort A1"),
    *("copy_twin_twin A1", "_twin A1", "copyA1", "copy\tA1", "copy\nA1", "copy A1\n", "COPY A1"),
    *("swap_first_last A1", "remove_first swap_first_last A1 , B2", "copy é", "copy A1`"),
    *("copy ( A1", "copy A1 )", "copy ( A1 ) )", "( copy A1 )", "copy ( ( A1 ) )", "copy ()"),
    *("append ( A1 B2 )", "append ( A1 ) , B2", "copy ( copy A1 )", "copy copy ( A1 )", "copy ( )"),
    *("append ( A1 , B2 ) C3", "append ( A1 , ) B2", "copy (A1)", "append ( A1 , copy B2 )"),
)
PROGRAM, ANSWER = "shift append echo A1 B2 , reverse C3 D4 E5", "B2 B2 E5 D4 C3 A1"
STEPS = ["A1 B2 B2", "E5 D4 C3", "A1 B2 B2 E5 D4 C3", ANSWER]
UNROLLED = [
    *("echo A1 B2 = *1", "reverse C3 D4 E5 = *2", "append *1 , *2 = *3", f"shift *3 = {ANSWER}"),
]


def check(
    prompts: Sequence[str],
    answers: Sequence[str],
    solutions: Sequence[str] | None = None,
    verifier: Verifier = REGULAR,
) -> list[bool]:
    texts = [pa.array(column, pa.string()) for column in (prompts, answers)]
    lines = None if solutions is None else pa.array(solutions, pa.string())
    return [bool(value) for value in verifier.check(*texts, lines)]


def bracketed(tree: reading.Tree) -> str:
    if len(tree) == 1:
        return " ".join(tree[0])
    return f"{tree[0]} ( {' , '.join(map(bracketed, tree[1:]))} )"


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    answer = WORKED[prompt]
    forms = [prompt, bracketed(reading.parse(prompt)), f"Wording with `A1`.\n\n`{prompt}`"]
    assert check(forms, [answer] * 3) == [True] * 3
    wrong = [
        *(answer + " A1", answer[:-1], answer + " ", " " + answer, answer.replace(" ", "  ") + "x"),
        *("", answer.lower(), answer.partition(" ")[2], answer + "\n"),
    ]
    assert not any(check([prompt] * len(wrong), wrong))


@pytest.mark.parametrize("prompt", EXCEPTIONS)
def test_worked_exceptions(prompt: str) -> None:
    exceptional, regular = EXCEPTIONS[prompt]
    prompts, answers = [prompt, prompt, f"`x`:\n\n`{prompt}`"], [exceptional, regular, exceptional]
    same = exceptional == regular
    assert check(prompts, answers, verifier=EXCEPTIONAL) == [True, same, True]
    assert check(prompts, answers, verifier=REGULAR) == [same, True, same]


def test_strings_that_would_fill_any_memory_count_only_where_they_are_removed() -> None:
    huge = "repeat " * 60 + "A1 B2"
    assert check([f"remove_first {huge} , C3"], ["C3"]) == [True]
    lines = ["repeat A1 B2 = *1", *(f"repeat *{k} = *{k + 1}" for k in range(1, 60))]
    solution = "\n".join([*lines, "remove_first *60 , C3 = C3"])
    assert check([f"remove_first {huge} , C3"], ["C3"], [solution]) == [True]
    for n in (20_000, 20_001, 20_002, 65_536):
        answer = " ".join(["A1"] * n)
        assert check(["repeat " * 16 + "A1", huge], [answer, answer]) == [False, False]
    assert check(["repeat " * 14 + "A1"], [" ".join(["A1"] * 2**14)]) == [True]


def test_malformed_programs_have_no_answer() -> None:
    for answer in ("A1", "A1 B2", "", "B2", "A1 B2 C3"):
        answers = [answer] * len(MALFORMED)
        assert not any(check(MALFORMED, answers)), answer


def test_solutions_are_followed_line_by_line() -> None:
    line = "\n".join(UNROLLED)
    assert check([PROGRAM] * 2, [ANSWER] * 2, ["\n".join(STEPS), line]) == [True, True]
    wrong = [
        *("\n".join(lines) for lines in (UNROLLED[::-1], UNROLLED[:-1], UNROLLED[1:], STEPS[1:])),
        *(f"{line}\n{UNROLLED[-1]}", f"{line}\n", f"{line} A1", "", "=\n=\n=\n=", "*\n*\n*\n*"),
        "\n".join([UNROLLED[1], UNROLLED[0], *UNROLLED[2:]]),
        "\n".join([STEPS[1], STEPS[0], *STEPS[2:]]),
        *(line.replace(*change) for change in CHANGES),
    ]
    assert not any(check([PROGRAM] * len(wrong), [ANSWER] * len(wrong), wrong))


CHANGES = (
    *(("*1", "*2"), ("*3", "*03"), ("*3", "*+3"), (" = ", "="), ("echo", "copy"), ("*2", "* 2")),
    *(("shift", "shift_twin"), ("*1 , *2", "*1 *2"), ("*1 , *2", "*2 , *1")),
    *(("*1 , *2", "A1 B2 B2 , *2"), ("echo A1 B2", "echo A1 B3"), ("shift *3", "shift  *3")),
)


def published(name: str) -> tuple[list[str], list[str]]:
    folder = original("pcfg")
    sources, targets = (
        Path(folder / f"{name}.{side}").read_text(encoding="utf-8").splitlines()
        for side in ("src", "tgt")
    )
    assert len(sources) == len(targets) > 0
    return sources, targets


RATIOS = {"0.0001": 9, "0.0005": 59, "0.001": 125, "0.005": 554}
ORIGINALS = {
    "dev": 4_860,
    "systematicity/test": 10_175,
    **{f"overgeneralisation/test_pcfg_ratio={r}_original": n for r, n in RATIOS.items()},
}


@pytest.mark.parametrize("name", ORIGINALS)
def test_all_published_rows_are_accepted_and_mutations_rejected(name: str) -> None:
    sources, targets = published(name)
    assert len(sources) == ORIGINALS[name]
    assert all(check(sources, targets))
    changed = list(map(_swapped, targets))
    same = [one == two for one, two in zip(changed, targets, strict=True)]
    assert check(sources, changed) == same


def _swapped(target: str) -> str:
    """Exchange two different neighbours, if there are any."""
    symbols = target.split(" ")
    places = [i for i, (one, two) in enumerate(pairwise(symbols)) if one != two]
    if places:
        at = places[len(places) // 2]
        symbols[at], symbols[at + 1] = symbols[at + 1], symbols[at]
    return " ".join(symbols)


@pytest.mark.parametrize("ratio", RATIOS)
def test_all_published_exceptions_are_accepted(ratio: str) -> None:
    sources, targets = published(f"overgeneralisation/test_pcfg_ratio={ratio}_exception")
    _, regular = published(f"overgeneralisation/test_pcfg_ratio={ratio}_original")
    assert all(check(sources, targets, verifier=EXCEPTIONAL))
    same = [one == two for one, two in zip(targets, regular, strict=True)]
    assert check(sources, regular, verifier=EXCEPTIONAL) == same


def test_every_unrolled_line_of_the_published_localism_test_is_accepted() -> None:
    path = original("pcfg") / "localism" / "unrolled_test.tsv"
    prompts, answers, solutions, lines = [], [], [], []
    for row in path.read_text(encoding="utf-8").splitlines():
        label, source, target = row.split("\t")
        if label == "unrolled":
            lines.append(f"{source.strip()} = {target}")
            continue
        prompts.append(source.strip())
        answers.append(target)
        solutions.append("\n".join(lines))
        lines = []
    assert len(prompts) == 9_567
    assert sum(solution.count("\n") + 1 for solution in solutions) == 49_610
    assert all(check(prompts, answers, solutions))
    others = np.roll(np.array(solutions, object), 1).tolist()
    assert not any(check(prompts, answers, others))
    assert not any(check(prompts, answers, [lines.replace("*1", "*2", 1) for lines in solutions]))
