"""Verdicts of published checkers, and how our constraints relate to them."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import synthgen
from synthgen.families.constraints import verify
from synthgen.families.constraints.verify import verdicts
from synthgen.training import published
from synthgen.training.published import UnknownInstructionError, check_constraint
from tests.building import synthgen as run_synthgen
from tests.conformance import original

TYPES = tomllib.loads(Path(verify.__file__).with_name("types.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "kwargs", "text", "strict", "loose"),
    [
        ("keywords:existence", {"keywords": ["cat", "C++"]}, "Cats like c++", True, True),
        ("count:unique_word_count", {"N": 2.0}, "a A b", True, True),
        ("detectable_format:title", {}, "<<>> <<A>>", True, True),
        ("detectable_format:json_format", {}, "```json\n[1]\n```", True, True),
        ("punctuation:no_comma", {}, "Sure, yes\nNo commas here", False, True),
        ("startend:quotation", {"unused": None}, '*"x"*', False, True),
        ("count:numbers", {"N": 2.0}, "1-2 and 3.14", True, True),
        ("format:options", {"options": "yes/no"}, " Yes!", True, True),
        ("words:prime_lengths", {}, "a prime word", False, False),
        ("copy:copy", {"prompt_to_repeat": "Say it. "}, "say it.", True, True),
        ("punctuation:no_comma", {}, "  ", False, False),
    ],
)  # fmt: skip
def test_verdicts(
    name: str,
    kwargs: dict[str, Any],
    text: str,
    strict: bool,
    loose: bool,
) -> None:
    assert synthgen.check_constraint(name, kwargs, text) is strict
    assert synthgen.check_constraint(name, kwargs, text, loose=True) is loose


NUMBER_WORDS = "length_constraints:number_words"
HOSTILE = ("[" * 50_000, "<<" * 25_000, "x" + "\n" * 50_000 + "x")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_get_a_verdict(text: str) -> None:
    for name, kwargs in (
        ("detectable_content:number_placeholders", {"num_placeholders": 1}),
        ("detectable_format:number_bullet_lists", {"num_bullets": 1}),
        ("detectable_format:title", {}),
    ):
        assert not check_constraint(name, kwargs, text)


def test_unknown_ids_and_missing_arguments_are_named() -> None:
    with pytest.raises(UnknownInstructionError, match="language:response_language"):
        check_constraint("language:response_language", {"language": "de"}, "Hallo")
    for name, given, expected in (
        ("length_constraints:number_words", {"num_words": 3, "relation": "at lesat"}, "'at least'"),
        ("letters:letter_counting", {"N": 3, "relation": "at most"}, "'less than' or 'at least'"),
        ("keywords:letter_frequency", {"let_relation": "more"}, "'less than' or 'at least'"),
        ("keywords:existence", {"keywords": "ab"}, "expected a list of texts"),
        ("keywords:forbidden_words", {"forbidden_words": ["a", 1]}, "expected a list of texts"),
        ("startend:end_checker", {"end_phrase": 7}, "expected text"),
    ):
        with pytest.raises(ValueError, match=expected):
            check_constraint(name, given, "a b c")
    with pytest.raises(ValueError, match="count:numbers needs the argument 'N'"):
        check_constraint("count:numbers", {"N": None}, "1")


def test_published_verdicts_are_reproduced() -> None:
    folder = original("constraints")
    needs = {
        name: spec["needs"] for name, spec in json.loads((folder / "ids.json").read_text()).items()
    }
    wrong: Counter[str] = Counter()
    seen: set[str] = set()
    for line in (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name, kwargs, text = row["instruction_id"], row["kwargs"], row["text"]
        if needs[name]:
            continue
        seen.add(name)
        found = [check_constraint(name, kwargs, text, loose=loose) for loose in (False, True)]
        wrong[name] += found != [row["strict"], row["loose"]]
    assert len(seen) == 86
    assert +wrong == Counter()


TWO_RESPONSES = "combination:two_responses"
NO_COMMA = "punctuation:no_comma"
LETTER = {"letter": "o", "let_frequency": 5, "let_relation": "at least"}
VALUES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "words": ({"rel": "at least", "n": 20}, {"relation": "at least", "num_words": 20}),
    "include": ({"listed": ["anchor"]}, {"keywords": ["anchor"]}),
    "avoid": ({"listed": ["anchor"]}, {"forbidden_words": ["anchor"]}),
    "unique_words": ({"n": 20}, {"N": 20}),
    "letter_count": ({"c": "o", "rel": "at least", "n": 5}, LETTER),
    "quoted": ({}, {}),
    "bullets": ({"n": 2}, {"num_bullets": 2}),
    "sections": ({"label": "Section", "n": 2}, {"section_spliter": "Section", "num_sections": 2}),
    "placeholders": ({"n": 1}, {"num_placeholders": 1}),
    "json": ({"listed": []}, {}),
    "title": ({}, {}),
    "divider": ({"n": 2}, {"num_paragraphs": 2}),
    "end_with": ({"phrase": "anchor."}, {"end_phrase": "anchor."}),
    "numbers": ({"n": 1}, {"N": 1}),
    "echo": ({"request": "Tell me"}, {"prompt_to_repeat": "Tell me"}),
}  # fmt: skip


def test_our_constraints_imply_the_published_ones_they_name() -> None:
    folder = original("constraints")
    lines = (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {json.loads(line)["text"] for line in lines[::4]}
    named = {kind for kind, spec in TYPES.items() if {"same", "implies"} & spec.keys()}
    assert named == VALUES.keys()
    for kind, (values, kwargs) in VALUES.items():
        spec = TYPES[kind]
        answer = json.dumps([{"type": kind, **values}])
        for text in texts:
            ours, theirs = (
                verdicts(text, answer)[0],
                check_constraint(spec.get("same") or spec["implies"], kwargs, text),
            )
            has_word = any(char.isalnum() for char in text)
            assert ours <= theirs if "implies" in spec else ours == (theirs and has_word), (
                kind,
                text,
            )


def test_answers_to_prompts_are_scored_by_prompt_and_instruction(tmp_path: Path) -> None:
    prompts = [
        {
            "prompt": "a",
            "instruction_id_list": [NO_COMMA, "startend:quotation"],
            "kwargs": [{}, {}],
        },
        {"prompt": "b", "instruction_id_list": ["count:numbers"], "kwargs": [{"N": 1, "x": None}]},
        {"prompt": "c", "instruction_id_list": ["language:response_language"], "kwargs": [{}]},
    ]  # fmt: skip
    answers = [{"prompt": "a", "response": '"No, yes"'}, {"prompt": "b", "response": "Sure 2\nI"}]
    for name, rows in (("prompts", prompts), ("answers", answers)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    files = (str(tmp_path / "prompts.jsonl"), "--answers", str(tmp_path / "answers.jsonl"))
    found = json.loads(run_synthgen("ifeval", "score", *files, "--json").stdout)
    assert (found["prompts"], found["instructions"], found["skipped"]) == (2, 3, 1)
    assert found["prompt_level"] == [0.5, 0.5]
    assert found["instruction_level"] == [pytest.approx(2 / 3)] * 2
    assert found["by_id"][NO_COMMA] == [1, 0.0, 0.0]
    assert NO_COMMA in run_synthgen("ifeval", "score", *files).stdout
    (tmp_path / "prompts.jsonl").write_text('{"prompt": "a"}\n')
    failed = run_synthgen("ifeval", "score", *files)
    assert failed.returncode == 2
    assert "prompts.jsonl:1" in failed.stderr


@pytest.mark.parametrize(
    ("name", "kwargs", "told"),
    [
        ("count:numbers", [1], "expected an object in kwargs"),
        ("count:numbers", [{"N": 1}, {}], "expected an object in kwargs"),
        ("count:numbers", [{}], "count:numbers needs the argument 'N'"),
        (
            NUMBER_WORDS,
            [{"num_words": "x", "relation": "at least"}],
            "length_constraints:number_words cannot use",
        ),
        ("keywords:existence", [{"keywords": [5]}], "keywords:existence: keywords="),
        (5, [{}], "expected texts in instruction_id_list"),
    ],
)
def test_a_prompt_with_malformed_kwargs_is_told_with_its_line(
    tmp_path: Path, name: Any, kwargs: list[Any], told: str
) -> None:
    good = {"prompt": "a", "instruction_id_list": [NO_COMMA], "kwargs": [{}]}
    bad = {"prompt": "b", "instruction_id_list": [name], "kwargs": kwargs}
    lines = "".join(json.dumps(row) + "\n" for row in (good, bad))
    (tmp_path / "prompts.jsonl").write_text(lines)
    (tmp_path / "answers.jsonl").write_text('{"prompt": "b", "response": "Yes 1"}\n')
    files = (str(tmp_path / "prompts.jsonl"), "--answers", str(tmp_path / "answers.jsonl"))
    failed = run_synthgen("ifeval", "score", *files)
    assert failed.returncode == 2
    assert "Traceback" not in failed.stderr
    assert f"prompts.jsonl: line 2: {told}" in " ".join(failed.stderr.split())


def test_rows_are_written_in_the_published_form(tmp_path: Path) -> None:
    folder = tmp_path / "constraints"
    built = run_synthgen("build", "constraints", "--rows", "60", "--out", str(folder))
    assert built.returncode == 0, built.stderr
    out = tmp_path / "rows.jsonl"
    assert run_synthgen("ifeval", "rows", str(folder), "--out", str(out)).returncode == 0
    texts = {
        row["prompt"]: row["solution"]
        for split in synthgen.open_dataset(str(folder)).splits
        for batch in synthgen.open_dataset(folder).batches(split, ("prompt", "solution"))
        for row in batch.to_pylist()
    }
    rows = [*map(json.loads, out.read_text(encoding="utf-8").splitlines())]
    assert len(rows) > 3
    assert published.score_answers(rows, texts)[0].whole[0] == 1.0
    # Each version satisfies the other constraints, which published checkers count over all.
    with_versions = [row for row in rows if TWO_RESPONSES in row["instruction_id_list"]]
    assert all(len(row["kwargs"]) == 1 for row in with_versions)
