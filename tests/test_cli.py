"""The command line as people and scripts see it."""

import json
import re
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from synthgen.cli import common
from tests.building import SMALL, succeeded, synthgen, synthgen_process, write_recipe
from tests.dataset.tiny import save_manifest

BARREN = """
[[source]]
name = "long"
generator = "pcfg"
params = { min_functions = 50 }
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    succeeded("build", str(write_recipe(folder)), cwd=folder)
    return folder / "outputs" / "small"


def test_the_summary_says_what_was_built_and_how_to_load_it(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    first = synthgen_process("build", str(recipe), "--out", str(tmp_path / "out"))
    assert first.returncode == 0, first.stderr
    for text in (
        "split       rows",
        "train      3,000",
        "overlaps train, as declared",
        "verified 4,200 of 4,200 rows",
        "train: cells with fewer problems than their share: n_op=0 (10), n_op=1 (390)",
        "no undeclared overlap",
        "select",
        "rows/s",
        f"folder: {tmp_path / 'out'}",
        f"load:   datasets.load_dataset('{tmp_path / 'out'}')",
        f"next:   synthgen audit {tmp_path / 'out'}",
    ):
        assert text in first.stdout, first.stdout
    again = succeeded("build", str(recipe), "--out", str(tmp_path / "out"))
    assert "already built" in again.stdout


def test_build_can_print_json(tmp_path: Path) -> None:
    arguments = ("build", str(write_recipe(tmp_path)), "--out", str(tmp_path / "out"), "--json")
    printed = json.loads(synthgen(*arguments).stdout)
    assert printed["manifest"]["totals"]["rows"] == 4200
    assert set(printed["seconds"]) == {"select", "write"}


def test_bundled_recipes_are_found_by_name_from_any_folder(tmp_path: Path) -> None:
    succeeded("build", "hint", "--rows", "300", "--workers", "1", cwd=tmp_path)
    assert (tmp_path / "outputs" / "hint" / "manifest.json").exists()


def test_a_valid_recipe_is_shown_as_it_is_read() -> None:
    ended = succeeded("validate", "hint", "--json")
    assert json.loads(ended.stdout)["name"] == "hint"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "hnit"], "unknown recipe 'hnit'; did you mean 'hint'?"),
        (["build", "no/such.toml"], "no/such.toml: no such file"),
        (["build", "hint", "--rows", "2"], "--rows=2: expected an integer of at least 6"),
        (["build", "hint", "--scale", "0"], "--scale=0.0: expected"),
        (["build", "hint", "--set", "split.trian.rows=5"], "did you mean 'train'?"),
        (["build", "hint", "--set", "split.train.rows=many"], "expected an integer"),
        (["build", "hint", "--engine", "slurm"], "engine='slurm': expected one of local, ray"),
        (["build", "hint", "--address", "auto"], "address='auto': expected none without engine="),
        (["describe", "hnit"], "unknown generator 'hnit'; did you mean 'hint'?"),
        (["preview", "hint", "--split", "trian"], "unknown split 'trian'; did you mean 'train'?"),
        (["audit", "nowhere"], "not a finished dataset"),
        (["verify", "nowhere"], "not a finished dataset"),
    ],
)
def test_mistakes_end_in_a_message_and_exit_code_2(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    ended = synthgen(*arguments, cwd=tmp_path)
    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_mistake_ends_the_process_with_exit_code_2(tmp_path: Path) -> None:
    ended = synthgen_process("build", "hnit", cwd=tmp_path)
    assert ended.returncode == 2
    assert "did you mean 'hint'?" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_unknown_option_or_command_is_exit_code_2() -> None:
    assert synthgen("build", "hint", "--row", "5").returncode == 2
    assert synthgen("biuld", "hint").returncode == 2


def test_list_and_describe() -> None:
    listed = json.loads(synthgen("list", "--json").stdout)
    assert {"hint", "hint_paper"} <= set(listed["generators"])
    assert {"hint", "hint-paper"} <= set(listed["recipes"])
    text = synthgen("list", "all").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "Natural-number arithmetic" in text
    groups = synthgen("list").stdout.splitlines()
    assert len(groups) <= 24
    assert max(map(len, groups)) <= 80
    counts = [int(found[1]) for line in groups if (found := re.match(r"\w+ +(\d+) +[\d-]+ ", line))]
    assert sum(counts) == len(listed["generators"])
    assert not any(line.startswith("other ") for line in groups), "a generator is in no group"
    assert "multihop_paths" in synthgen("list", "facts").stdout
    assert set(json.loads(synthgen("list", "rook", "--json").stdout)["generators"]) == {
        "logic_gridworld_rookmove"
    }
    assert synthgen("list", "rook").stdout.splitlines()[0] == "puzzles: generators"
    for word, name in (("ifeval", "constraints"), ("skillmix", "skill_prompt")):
        assert name in synthgen("list", word).stdout
        assert f"did you mean '{name}'?" in synthgen("describe", word).stderr
    assert "did you mean 'scan'" in synthgen("list", "scna").stderr
    about = json.loads(synthgen("describe", "hint", "--json").stdout)
    assert about["params"]["max_operators"]["default"] == 20
    assert about["axes"]["n_op"]["high"] == 20
    shown = synthgen("describe", "hint").stdout
    assert "max_operators" in shown
    assert len(about["example"]["prompt"]) > 5
    assert [*about["examples"]] == about["prompts"]
    for style, row in about["examples"].items():
        assert f"example in the style {style}\n  {row['prompt'][:60]}" in shown
        assert f"  -> {row['answer']}\n" in shown
    assert "Attributes" not in shown
    assert "max_operators          20" in shown
    assert "symbols: x, y, +, -, *, /, a, b, c, d, 0 to 9\n" in shown
    meaning = "a negative difference is 0, and quotients and means are rounded up."
    assert meaning in " ".join(shown.split())


@pytest.mark.parametrize(
    ("family", "symbols"),
    [
        ("arithmetic_gcd", "symbols: neg, gcd, -999 to 999, int2 to int340 prompts:"),
        ("pcfg", "string1 to string5, A1 to A20, B1 to B20,"),
        ("markov", "symbols: a, b, c, d, e,"),
    ],
)
def test_descriptions_fit_80_columns_and_name_symbols(family: str, symbols: str) -> None:
    shown = synthgen("describe", family).stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert symbols in " ".join(shown.split())


HELP = ("build", "preview", "validate", "list", "describe", "audit", "verify", "digest", "compare")
MORE_HELP = ("export", "score", "profile", "check", "new-family", "ifeval", "skillmix")


def test_commands_are_listed_in_the_order_of_use() -> None:
    shown = synthgen("--help").stdout
    places = [shown.index(f"│ {name} ") for name in (*HELP, *MORE_HELP)]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [*HELP, *MORE_HELP, "ifeval score", "skillmix score"])
def test_help_shows_no_types(name: str) -> None:
    shown = synthgen(*name.split(), "--help").stdout
    assert "--help" in shown
    assert not re.search(r"<(str|int|bool|float|path|list)|\bx<=|INTEGER|BOOLEAN", shown), shown


def test_lines_are_wrapped_at_words_where_they_must_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = "/a/" + "long-folder/" * 5
    text = f"  the folder {path} is one word, and the others fit into forty columns"
    for columns in ("40", None):
        monkeypatch.setenv("COLUMNS", columns or "")
        if not columns:
            monkeypatch.delenv("COLUMNS")
        common.say(common.plain_console(), text)
        common.say_error(text)
        for printed in capsys.readouterr():
            assert printed.split() == text.split()
            lines = [line for line in printed.splitlines() if path not in line]
            assert all(len(line) <= 40 and line.startswith("    ") for line in lines[1:])
            assert (len(printed.splitlines()) > 1) == bool(columns)


def test_preview_shows_rows_of_every_split(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    shown = json.loads(synthgen("preview", str(recipe), "-n", "3", "--json").stdout)
    assert {name: len(rows) for name, rows in shown.items()} == {
        "train": 3,
        "test_i": 3,
        "test": 3,
        "test_long": 3,
    }
    assert all(row["n_op"] == 6 for row in shown["test_long"])
    text = synthgen("preview", str(recipe), "--split", "test", "-n", "2").stdout
    assert text.count("->") == 2
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


@pytest.mark.slow
def test_a_source_that_hardly_has_a_problem_is_named_before_a_long_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synthgen.engine.preview.select", lambda *_: sys.exit("searched"))
    text = SMALL.replace("[[split]]", BARREN + "[[split]]", 1)
    recipe = str(write_recipe(tmp_path, text))
    note = r"note: source 'long': no problem was found in [\d,]+ draws\n"
    assert re.search(f"{note}$", synthgen("validate", recipe).stdout)
    assert re.search(f"^{note}", synthgen("preview", recipe).stderr, re.MULTILINE)


def test_verify_checks_and_rebuilds(built: Path) -> None:
    ended = succeeded("verify", str(built), "--rebuild", "40", "--json")
    found = json.loads(ended.stdout)
    assert found["ok"]
    assert found["rows"] == 4200
    assert 160 <= found["rebuilt"] < 180  # of each source and batch, rounded up


def test_verify_and_audit_find_an_edited_row(built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    for path in built.rglob("*"):
        if path.is_file():
            target = folder / path.relative_to(built)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    assert synthgen("audit", str(folder)).returncode == 0
    shard = folder / "data" / "test-00000-of-00001.parquet"
    table = pq.read_table(shard)
    answers = table["answer"].to_pylist()
    answers[7] = str(int(answers[7]) + 1)
    place = table.schema.get_field_index("answer")
    pq.write_table(table.set_column(place, table.schema.field(place), [answers]), shard)
    manifest = json.loads((folder / "manifest.json").read_text())
    for split in manifest["splits"]:
        for record in split["shards"]:
            if record["file"].endswith(shard.name):
                record["bytes"] = shard.stat().st_size
    save_manifest(folder, manifest)
    verified = synthgen("verify", str(folder))
    assert verified.returncode == 1
    assert "the answer is wrong" in verified.stdout
    audited = synthgen("audit", str(folder), "--json")
    assert audited.returncode == 1
    assert shard.name in audited.stdout


def test_audit_writes_its_report(built: Path) -> None:
    ended = succeeded("audit", str(built))
    assert json.loads((built / "audit" / "report.json").read_text())["ok"]
    assert f"report: {built}/audit/report.html" in ended.stdout
    assert f"next:   synthgen export {built} --format sft" in ended.stdout
    assert "Passed" in (built / "audit" / "report.html").read_text(encoding="utf-8")
