"""The SKILL-MIX loop: published vectors and graded texts, and the loop of the docs page."""

from __future__ import annotations

import json
import re
import runpy
import shutil
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from synthgen.core.errors import DatasetError
from synthgen.dataset.reader import open_dataset
from synthgen.training import skillmix
from tests.building import synthgen
from tests.conformance import original
from tests.dataset.tiny import default_rows, write_dataset
from tests.dataset.tiny import row as tiny_row

PAGE = Path(__file__).parents[2] / "docs/families/skill_mix.md"


def vectors(kind: str) -> list[dict[str, Any]]:
    path = original("constraints") / "skillmix/vectors.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [each for each in rows if each["kind"] == kind]


def test_sentences_and_answers_are_those_of_the_reference() -> None:
    for row in vectors("sentences"):
        assert skillmix.count_sentences(row["text"]) == row["value"], row
    for row in vectors("answer"):
        assert skillmix.extract_answer(row["reply"]) == row["value"], row


@pytest.mark.parametrize(("kind", "form"), [("points_gpt", "table"), ("points_llama", "lines")])
def test_points_are_those_of_the_reference(kind: str, form: str) -> None:
    for row in vectors(kind):
        record = {"id": "a", "round": 0, "text": "", "reply": row["reply"]}
        (found,) = skillmix.parse_judgements([record], form)
        if row.get("points"):
            assert found["points"] == row["points"], row
        else:
            assert "error" in found, row


def test_metrics_are_those_of_the_reference() -> None:
    names = ("all_points_earned_binary", "all_skills_and_good_rest", "average_over_skills_filtered")
    for row in vectors("aggregate"):
        texts = len(row["points"][0][0])
        rounds = [
            [skillmix.majority([grading[t] for grading in round_]) for round_ in row["points"]]
            for t in range(texts)
        ]
        for name, metric in zip(names, skillmix.METRICS.values(), strict=True):
            values = [[metric(points) for points in each] for each in rounds]
            for how, best in (("max", max), ("average", mean)):
                found, error = skillmix.summary(values, best)
                wanted, deviation = row["value"][name][how]
                assert found == pytest.approx(wanted, abs=1e-6)
                assert error * texts**0.5 == pytest.approx(deviation, abs=2e-6)


def test_published_graded_texts_give_the_published_scores() -> None:
    path = original("constraints") / "skillmix/graded.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = defaultdict(list)
    for row in rows:
        if row["model"] != "gpt-4":
            continue
        text = row["texts"][-1]
        given = skillmix.parse_table(row["reply"])
        assert given == row["points"]
        assert skillmix.count_sentences(text) == row["sentences"]
        points = skillmix.points_of(given, text, row["k"])
        assert points[-1] == row["length_point"]
        found[row["run"][-2:]].append(points)
    values = {
        run: [round(mean(map(metric, texts)), 2) for metric in skillmix.METRICS.values()]
        for run, texts in found.items()
    }
    assert values == {"r2": [0.4, 0.4, 0.8], "r3": [0.2, 0.2, 0.73]}


def test_a_skill_that_the_text_names_gets_no_point() -> None:
    given = [1.0, 1.0, 1.0, 1.0, 1.0, 7.0]
    assert skillmix.points_of(given, "One Metaphor. Two.", 2, ["metaphor", "simile"]) == (
        *(0.0, 1.0, 1.0, 1.0),
        0.0,
    )
    assert skillmix.points_of([1.0], "One.", 2) == (1.0, 0.0, 0.0, 0.0, 1.0)
    assert skillmix.majority([(1.0, 0.0), (0.0, 0.0), (1.0, 1.0)]) == (1.0, 0.0)


@pytest.mark.parametrize("points", [[1, [1]], ["1"], {"a": 1}, [1e30], [-1], [float("nan")], None])
def test_points_that_are_no_numbers_are_refused(points: object) -> None:
    mixes = {"x": skillmix.Mix("x", "train", "p", ("a", "b"), "t", ())}
    with pytest.raises(DatasetError, match="id 'x': points="):
        skillmix.agreed(mixes, [{"id": "x", "round": 0, "text": "A.", "points": points}])


def test_points_without_bounds_are_errors_of_the_judge() -> None:
    row = {"id": "x", "round": 0, "text": "A.", "reply": f"Point earned: {'9' * 400}"}
    (found,) = skillmix.parse_judgements([row], "lines")
    assert "points" not in found
    assert "expected numbers from 0 to 100" in found["error"]


@pytest.mark.parametrize("answer", ["{}", "[", "null", '{"rubric": [1], "forbidden": []}'])
def test_an_answer_that_is_no_rubric_is_refused(tmp_path: Path, answer: str) -> None:
    wrong = default_rows() | {"probe": [tiny_row(3, answer=answer, answer_type="rubric")]}
    with pytest.raises(DatasetError, match=r"probe: id '.*': the answer is not a rubric"):
        skillmix.read_mixes(open_dataset(write_dataset(tmp_path / "out", wrong)))


def test_the_loop_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    for program in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        name = program.splitlines()[0].removeprefix("# ")
        Path(name).write_text(program, encoding="utf-8")
    (commands,) = re.findall(r"```bash\n(.*?)```", text, re.DOTALL)
    printed = []
    for command in commands.splitlines():
        words = command.split()
        if words[0] == "python":
            runpy.run_path(words[1])
        else:
            printed.append(synthgen(*words[1:]))
            assert printed[-1].returncode == 0, printed[-1].stderr
    scores = printed[-2].stdout
    assert "full_marks" in scores
    assert "train" in scores
    again = [*map(json.loads, Path("again.jsonl").read_text("utf-8").splitlines())]
    rows = [*map(json.loads, Path("training.jsonl").read_text("utf-8").splitlines())]
    assert len(again) == 120
    assert [turn["role"] for turn in again[0]["messages"]] == ["user", "assistant", "user"]
    assert rows
    assert all(row["completion"] == "A quiet day." for row in rows)
    Path("points.jsonl").write_text('{"id": "x", "round": 0}\n', encoding="utf-8")
    failed = synthgen("skillmix", "score", "mixes", "--points", "points.jsonl")
    assert failed.returncode == 2
    assert "points.jsonl:1" in failed.stderr
    Path("points.jsonl").write_bytes(b'{"id": "\xff"}\n')
    failed = synthgen("skillmix", "parse", "points.jsonl", "--out", "no")
    assert failed.returncode == 2
    assert "points.jsonl:1" in failed.stderr
    Path("texts.jsonl").write_text('{"id": null, "prediction": "A day."}\n')
    failed = synthgen("skillmix", "improve", "mixes", "--answers", "texts.jsonl", "--out", "no")
    assert "texts.jsonl: row 1 has no id" in failed.stderr
    Path("texts.jsonl").write_text('{"id": "x", "prediction": "A day."}\n', encoding="utf-8")
    failed = synthgen("skillmix", "improve", "mixes", "--answers", "texts.jsonl", "--out", "no")
    assert failed.returncode == 2
    assert "texts.jsonl: id 'x' is not in the dataset" in failed.stderr
    assert not Path("no").exists()
    shutil.rmtree("mixes")
