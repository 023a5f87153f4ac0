"""Surfaces that read what others wrote; each method gives one of them one hostile input.

`fuzz` draws chance from a seed, the tests from hypothesis, and `guided` from what atheris finds.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import tomllib
from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import synthgen
from benchmarks.faults.common import SMALL, Commands, Ended, Tally, expect_bounds
from benchmarks.faults.mutations import OWNED, VALUES, damaged, mutate, places, rule, text, toml
from benchmarks.faults.signing import MANIFEST, sign
from benchmarks.processes import ROOT
from synthgen.contract.registry import generator_class, generator_names
from synthgen.dataset.seal import SEAL, sealed

_SKILLS = """category,skill,definition,example
rhetoric,understatement,Saying less than one means.,"The storm was a bit of wind, he said."
rhetoric,rhetorical question,A question without an answer.,Who would not be young again?
logic,modus ponens,From a rule and its condition follows its conclusion.,All fish swim.
style,simile,A comparison with like or as.,Her voice was like warm bread.
"""
_TOPICS = "Bread\nSalt mines\nRain\n"
_MIXES = """
name = "mixes"
[[source]]
generator = "skill_prompt"
params = { ks = [2], rounds = 2 }
files = { inventory = "skills.csv", topics = "topics.txt" }
[[split]]
name = "train"
rows = 8
"""
_TYPES = (
    *(pa.string(), pa.large_string(), pa.int8(), pa.float64(), pa.binary(), pa.list_(pa.string())),
    pa.dictionary(pa.int32(), pa.string()),
)
_ODD_TEXTS = ("( a b )", "(", "{}", '{"rubric": 1}', "0" * 32, "-0")
_SECONDS = 1 / 8
"""Share of inputs after which slower commands run, too."""


class Surfaces:
    """Hostile inputs, in an empty folder that is the only one to change.

    Args:
        commands: runs commands; its folder is this one or above it.
        folder: holds two small datasets, and the inputs.
        tally: counts what was done, and what was wrong.
    """

    def __init__(self, commands: Commands, folder: Path, tally: Tally) -> None:
        self.tally = tally
        self._commands, self._folder = commands, folder
        self._recipes = [
            tomllib.loads(path.read_text("utf-8"))
            for path in sorted((ROOT / "recipes").glob("*.toml"))
        ]
        (folder / "small.toml").write_text(SMALL, encoding="utf-8")
        (folder / "mixes.toml").write_text(_MIXES, encoding="utf-8")
        (folder / "skills.csv").write_text(_SKILLS, encoding="utf-8")
        (folder / "topics.txt").write_text(_TOPICS, encoding="utf-8")
        for name in ("small", "mixes"):
            built = commands.run("build", f"{folder / name}.toml", "--out", f"{folder / name}")
            tally.expect(built.code == 0, "failed builds", built.err)
        self._rows = {
            name: [
                {**row, "prediction": row["answer"]}
                for shard in sorted((folder / name / "data").iterdir())
                for row in pq.read_table(shard).to_pylist()
            ]
            for name in ("small", "mixes")
        }

    def recipes(self, chance: Random) -> None:
        """Validate a mutated recipe; at times build some rows of one that is valid."""
        document = deepcopy(chance.choice(self._recipes))
        for _ in range(chance.choice((1, 1, 1, 3))):
            mutate(document, chance)
        content = toml(document).encode()
        self._validate(damaged(content, chance) if chance.random() < 1 / 4 else content, chance)

    def params(self, chance: Random) -> None:
        """Validate a recipe that gives one or two params of a family odd values."""
        name = chance.choice(generator_names())
        known = [field.name for field in fields(generator_class(name))]  # type: ignore[arg-type]
        chosen = chance.sample(known, min(len(known), chance.randint(1, 2)))
        values = (*VALUES, text(chance))
        source = {"generator": name, "params": {each: chance.choice(values) for each in chosen}}
        split = {"name": "train", "rows": 10}
        document = {"name": "odd", "source": [source], "split": [split]}
        self._validate(toml(document).encode(), chance)

    def manifests(self, chance: Random) -> None:
        """Read a dataset whose manifest is another one, with a seal that fits."""
        out = self._copy(chance.choice(("small", "small", "mixes")))
        content = json.loads((out / MANIFEST).read_text("utf-8"))
        del content[SEAL]
        for _ in range(chance.choice((1, 1, 3))):
            mutate(content, chance)
        if chance.random() < 1 / 4:
            (out / MANIFEST).write_bytes(damaged(json.dumps(content).encode(), chance))
        else:
            (out / MANIFEST).write_text(json.dumps(sealed(content)), encoding="utf-8")
        self._read_dataset(out, chance, json.dumps(content))

    def shards(self, chance: Random) -> None:
        """Read a dataset with another shard, about which the manifest is right."""
        out = self._copy(chance.choice(("small", "mixes")))
        shard = chance.choice(sorted((out / "data").iterdir()))
        if chance.random() < 1 / 4:
            shard.write_bytes(damaged(shard.read_bytes(), chance))
        else:
            pq.write_table(_other_table(pq.read_table(shard), chance), shard)
        sign(out)
        self._read_dataset(out, chance, str(_head(shard)))

    def memberships(self, chance: Random) -> None:
        """Read a dataset whose membership is another one, about which the manifest is right."""
        out = self._copy("small")
        path = chance.choice(sorted((out / "selection").iterdir()))
        if chance.random() < 1 / 2:
            path.write_bytes(damaged(path.read_bytes(), chance))
        else:
            pq.write_table(_other_table(pq.read_table(path), chance), path)
        sign(out)
        if chance.random() < 1 / 2:
            shutil.rmtree(out / "data")
        self._read_dataset(out, chance, path.name)

    def files(self, chance: Random) -> None:
        """Give a file of others to the commands that read them."""
        form = chance.choice(("parquet", "jsonl", "tsv", "csv"))
        path = self._folder / f"fuzz.{form}"
        path.write_bytes(self._content(form, chance))
        small, page = str(self._folder / "small"), str(self._folder / "page.html")
        other = str(self._folder / "other.jsonl")
        Path(other).write_bytes(self._content("jsonl", chance))
        splits = ("--split-col", "n_op", "--train-split", "1")
        command = chance.choice(
            (
                ("check", "hint", str(path)),
                ("audit", "--train", other, "--test", str(path), "--html", page),
                ("audit", str(path), *splits, "--html", page),
                ("audit", str(path), *splits, "--structure-col", "derivation"),
                ("compare", str(path), small, "--html", page),
                ("compare", other, str(path)),
            )
        )
        example = f"{_head(path)!r} {_head(Path(other))!r}"
        self._run(command, str(path), example, other, "split '1'")

    def predictions(self, chance: Random) -> None:
        """Score texts of a model, and profile them."""
        form = chance.choice(("jsonl", "jsonl", "parquet", "csv"))
        path = self._folder / f"fuzz.{form}"
        name = chance.choice(("small", "mixes"))
        path.write_bytes(self._content(form, chance, name))
        small, page = str(self._folder / name), str(self._folder / "page.html")
        given = ("--predictions", str(path))
        by = ("--by", chance.choice(("task", "template,difficulty", "structure", text(chance))))
        command = chance.choice(
            (
                ("score", small, *given, "--html", page),
                ("score", small, *given, *by, "--k", chance.choice(("1", "1,8", text(chance)))),
                ("profile", small, *given, *by, "--weights", str(self._folder / "weights.toml")),
            )
        )
        self._run(command, str(path), str(_head(path)), "column", "k=", "weights=")

    def rules(self, chance: Random) -> None:
        """Use a rule in a recipe, a view, or as a condition for figures."""
        small, path = str(self._folder / "small"), str(self._folder / "rule.toml")
        how = chance.randrange(8)
        names: tuple[str, ...]
        if how == 0:
            names = (
                "train.rows",
                "test.lengths.prompt.mean",
                "train",
                "x",
                "train.answers.distinct",
            )
            wrong = rule(chance, names)
            rows = str(next((self._folder / "small/data").glob("dev-*")))
            command = ("audit", "--train", rows, "--test", rows, "--fail-if", wrong)
            self._run(command, "--fail-if", wrong)
            return
        names = ("n_op", "max_value", "template", "difficulty", "source", "answer", "x")
        wrong = rule(chance, names)
        if how == 1:
            document = tomllib.loads(SMALL)
            document["split"][0]["where"] = wrong
            Path(path).write_text(toml(document), encoding="utf-8")
            self._run(("validate", path), path, wrong)
            return
        ended = self._commands.run(small, wrong, of=meeting)
        self._count(ended, "", wrong)

    def skill_files(self, chance: Random) -> None:
        """Read an inventory of skills, or what a judge has said."""
        if chance.random() < 1 / 2:
            content = _SKILLS if chance.random() < 1 / 2 else _as_toml(_SKILLS)
            name, content = chance.choice((("inventory", content), ("topics", _TOPICS)))
            (self._folder / "odd.txt").write_bytes(_other_text(content, chance))
            document = tomllib.loads(_MIXES)
            document["source"][0]["files"][name] = "odd.txt"
            self._validate(toml(document).encode(), chance, str(_head(self._folder / "odd.txt")))
            return
        path, out = self._folder / "judge.jsonl", str(self._folder / "judged.jsonl")
        rows = [self._judged(chance) for _ in range(chance.choice((1, 3)))]
        path.write_bytes(_other_text("".join(f"{json.dumps(row)}\n" for row in rows), chance))
        mixes, file = str(self._folder / "mixes"), str(path)
        form = ("--form", chance.choice(("table", "lines")))
        command = chance.choice(
            (
                ("skillmix", "parse", file, "--out", out, *form),
                ("skillmix", "score", mixes, "--points", file),
                ("skillmix", "accept", mixes, "--points", file, "--out", out),
                ("skillmix", "grade-prompts", mixes, "--answers", file, "--out", out, *form),
                ("skillmix", "improve", mixes, "--answers", file, "--out", out),
                ("ifeval", "score", file, "--answers", file),
            )
        )
        self._run(command, file, str(_head(path)))

    def pages(self, chance: Random) -> None:
        """Show hostile texts of a dataset in pages: rows, scores, audits and comparisons."""
        page = str(self._folder / "page.html")
        topics = "".join(f"topic {i} {_one_line(text(chance))}\n" for i in range(3))
        (self._folder / "odd.txt").write_bytes(topics.encode(errors="replace"))
        document = tomllib.loads(_MIXES) | {"description": text(chance)}
        document["source"][0]["files"]["topics"] = "odd.txt"
        recipe = self._folder / "odd.toml"
        recipe.write_text(toml(document), encoding="utf-8")
        if chance.random() < _SECONDS:
            self._run(("preview", str(recipe), "--html", page), str(recipe), topics)
        out = self._copy("small")
        for shard in sorted((out / "data").iterdir()):
            table = pq.read_table(shard)
            for name in (
                "prompt",
                "answer",
                "template",
                "task",
                "source",
                "derivation",
                "solution",
            ):
                values = [_plain(chance), _plain(chance), *table[name].to_pylist()[2:]]
                table = _with_column(table, name, values)
            pq.write_table(table, shard)
        content = json.loads((out / MANIFEST).read_text("utf-8"))
        _rename(content, chance)
        (out / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
        sign(out)
        self._run(("audit", str(out), "--html", page), str(out), json.dumps(content))

    def _judged(self, chance: Random) -> dict[str, Any]:
        row = chance.choice(self._rows["mixes"])
        points: list[Any] = [1.0] * 5
        reply = "Here's the grading table:\n| Criteria | Points |\n|--|--|\n| a | 1/1 |\n| b | 0 |"
        found = {
            "id": row["id"],
            "round": chance.choice((0, 0, 1)),
            "text": "A text.",
            "reply": reply,
            "points": points,
            "prediction": "Answer: A text.",
            "prompt": "p",
            "response": "a b",
            "instruction_id_list": ["punctuation:no_comma"],
            "kwargs": [{}],
        }
        for _ in range(chance.randrange(3)):
            mutate(found, chance)
        return found

    def _content(self, form: str, chance: Random, name: str = "small") -> bytes:
        """Return some rows as a file, with other values and keys, or damaged."""
        of = self._rows[name]
        rows = [deepcopy(chance.choice(of)) for _ in range(chance.choice((1, 5, 40)))]
        for _ in range(chance.randrange(6)):
            row, key = chance.choice(rows), chance.choice([*rows[0]])
            row[key] = chance.choice((*VALUES, *(text(chance) for _ in range(20))))
        if form == "jsonl":
            for _ in range(chance.randrange(3)):
                mutate(rows, chance)
            content = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
        elif form == "parquet":
            stream = io.BytesIO()
            pq.write_table(_other_table(pa.Table.from_pylist(of[:50]), chance), stream)
            content = stream.getvalue()
        else:
            lines = io.StringIO()
            writer = csv.writer(lines, delimiter="," if form == "csv" else "\t")
            writer.writerow(rows[0])
            writer.writerows(row.values() for row in rows)
            content = lines.getvalue().encode(errors="replace")
        return damaged(content, chance) if chance.random() < 1 / 3 else content

    def _copy(self, name: str) -> Path:
        out = self._folder / "copy"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(self._folder / name, out)
        return out

    def _read_dataset(self, out: Path, chance: Random, example: str) -> None:
        """Give a dataset to a command that reads it."""
        page, given = str(self._folder / "page.html"), self._folder / "given.jsonl"
        lines = (json.dumps(row, default=str) + "\n" for row in self._rows["small"][:20])
        given.write_text("".join(lines), encoding="utf-8")
        export = self._folder / "exported"
        shutil.rmtree(export, ignore_errors=True)
        forms = (
            "sft",
            "chat",
            "trl",
            "verl",
            "openrlhf",
            "skyrl",
            "nemo-gym",
            "environment",
            "lm-eval",
            "inspect",
        )
        command = chance.choice(
            (
                ("audit", str(out), "--html", page),
                ("audit", str(out), "--json"),
                ("verify", str(out), "--rebuild", "3"),
                ("score", str(out), "--predictions", str(given), "--html", page),
                ("compare", str(self._folder / "small"), str(out), "--html", page),
                ("export", str(out), "--format", chance.choice(forms), "--out", str(export)),
                ("build", str(self._folder / "small.toml"), "--out", str(out)),
                ("profile", str(out), "--predictions", str(given), "--by", "template"),
                ("skillmix", "grade-prompts", str(out), "--answers", str(given), "--out", page),
                ("ifeval", "rows", str(out), "--out", page),
            )
        )
        self._run(command, str(out), example, str(given))
        if chance.random() < _SECONDS:
            self._count(self._commands.run(str(out), "n_op > 1", of=meeting), "", example)

    def _validate(self, content: bytes, chance: Random, example: str = "") -> None:
        path = self._folder / "fuzz.toml"
        path.write_bytes(content)
        example += content.decode(errors="replace")
        ended = self._run(("validate", str(path)), str(path), example)
        if ended.code == 0 and chance.random() < _SECONDS:
            out = self._folder / "made"
            shutil.rmtree(out, ignore_errors=True)
            make = ("build", str(path), "--rows", "20", "--workers", "1", "--out", str(out))
            self._run(make, str(path), example, str(out))

    def _run(self, command: tuple[str, ...], place: str, example: str, *other: str) -> Ended:
        """Run a command, which must end as one should, and write only tame pages."""
        page = self._folder / "page.html"
        page.unlink(missing_ok=True)
        ended = self._commands.run(*command)
        self.tally.did[f"{command[0]} refused"] += ended.code == 2
        self._count(ended, place, f"{command}: {example}", *other)
        if page.exists() and "--html" in command:
            self.tally.did["pages"] += 1
            found = hostile_parts(page)
            self.tally.expect(not found, "pages with what a text brings", f"{found}: {example}")
        return ended

    def _count(self, ended: Ended, place: str, example: str, *other: str) -> None:
        """Count a command that misbehaves, or refuses input without naming it."""
        expect_bounds(self.tally, ended, example)
        known = ended.code in (None, 0, 1, 2)
        self.tally.expect(known, "other exit codes", f"{ended.code}: {example}")
        named = ended.code != 2 or any(name in ended.err for name in (place, *other))
        self.tally.expect(named, "input not named", f"{example}\n{ended.err}")


SURFACES: dict[str, Callable[[Surfaces, Random], None]] = {
    "recipes": Surfaces.recipes,
    "params": Surfaces.params,
    "manifests": Surfaces.manifests,
    "shards": Surfaces.shards,
    "memberships": Surfaces.memberships,
    "files": Surfaces.files,
    "predictions": Surfaces.predictions,
    "rules": Surfaces.rules,
    "skill files": Surfaces.skill_files,
    "pages": Surfaces.pages,
}


def meeting(folder: str, where: str) -> None:
    """Print how many rows of each split of a dataset meet a rule, and read one of them."""
    for view in synthgen.open(folder).values():
        found = view.where(where)
        print(len(found), found[len(found) - 1] if len(found) else "")


def hostile_parts(page: Path) -> list[str]:
    """Return the elements, attributes and code of a page that come from hostile texts."""
    parser = _Hostile()
    parser.feed(page.read_text("utf-8"))
    parser.close()
    return parser.found


class _Hostile(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        data = any(name == "type" and value == "application/json" for name, value in attrs)
        self._code = tag in ("script", "style") and not data
        if tag in (OWNED, "iframe", "img"):
            self.found.append(tag)
        for name, value in attrs:
            if name == OWNED or name.startswith("on") or (value or "").startswith("javascript:"):
                self.found.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  # as the base calls it
        self._code = False

    def handle_data(self, data: str) -> None:
        if self._code and OWNED in data:
            self.found.append(data)


def _other_table(table: pa.Table, chance: Random) -> pa.Table:
    """Change values, the type or the name of columns, or the number of rows."""
    for _ in range(chance.choice((1, 1, 3))):
        if not table.num_columns:
            return table
        name = chance.choice(table.column_names)
        column = table[name]
        how = chance.randrange(7)
        if how == 0:
            table = table.drop_columns([name])
        elif how == 1:
            new = [_plain(chance) if each == name else each for each in table.column_names]
            table = table.rename_columns(new)
        elif how == 2:
            table = table.slice(0, chance.choice((0, 1, table.num_rows)))
        elif how == 3:
            table = _with_column(table, name, [None] * table.num_rows, chance.choice(_TYPES))
        elif how == 4:
            table = pa.concat_tables([table, table.slice(0, chance.randrange(3))])
        else:
            values = column.to_pylist()
            for _ in range(chance.choice((1, len(values)))):
                if values:
                    values[chance.randrange(len(values))] = _like(column.type, chance)
            table = _with_column(table, name, values, column.type)
    return table


def _like(kind: pa.DataType, chance: Random) -> Any:
    if chance.random() < 1 / 4 or not (pa.types.is_string(kind) or pa.types.is_primitive(kind)):
        return None
    if pa.types.is_string(kind):
        return chance.choice((_plain(chance), *_ODD_TEXTS))
    if pa.types.is_floating(kind):
        return chance.choice((0.0, -1.5, float("nan"), float("inf")))
    least = 0 if pa.types.is_unsigned_integer(kind) else -(1 << (kind.bit_width - 1))
    return chance.choice((0, 1, least, (1 << (kind.bit_width - 1)) - 1))


def _with_column(
    table: pa.Table, name: str, values: list[Any], kind: pa.DataType | None = None
) -> pa.Table:
    place = table.column_names.index(name)
    kind = kind or table.schema.field(name).type
    return table.set_column(place, pa.field(name, kind), pa.array(values, kind))


def _plain(chance: Random) -> str:
    """Return a hostile text that a file can contain."""
    return text(chance).encode(errors="replace").decode()


def _one_line(given: str) -> str:
    return " ".join(given.encode(errors="replace").decode().split())


def _rename(content: Any, chance: Random) -> None:
    """Give hostile texts to a few names in a manifest, and to its description."""
    strings = [place for place in places(content) if place[-1] in ("meaning", "libraries", "where")]
    for *above, key in chance.sample(strings, min(2, len(strings))):
        table = content
        for each in above:
            table = table[each]
        table[key] = text(chance)


def _as_toml(skills: str) -> str:
    return "".join(f"[[skill]]\n{toml(dict(row))}" for row in csv.DictReader(io.StringIO(skills)))


def _other_text(content: str, chance: Random) -> bytes:
    for _ in range(chance.randrange(3)):
        place = chance.randrange(len(content) + 1)
        content = content[:place] + text(chance) + content[place + chance.randrange(4) :]
    found = content.encode(errors="replace")
    return damaged(found, chance) if chance.random() < 1 / 4 else found


def _head(path: Path) -> bytes:
    return path.read_bytes()[:1_500]
