"""Forgeries of records, papers, recipe and files: rows are true, what is said of them is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.faults.forged import RECIPE, Forged, Json, NotHereError
from synthgen.core.errors import DatasetError
from synthgen.dataset.manifest import MANIFEST_FILE
from synthgen.dataset.seal import SEAL
from synthgen.dataset.shards import writer_options
from synthgen.recipe.bundled import find_recipe
from synthgen.recipe.fingerprint import fingerprint

Change = Callable[[Forged], object]
Path_ = tuple[str, ...]
_KEPT = ("libraries", SEAL)
"""Keys of the manifest on which nothing depends, so that nothing can prove it, and its seal."""
_BY_SELECTION = re.compile(
    r"selection\..*|splits\.\*\.(candidates|duplicates|cells(\.\*\.(quota|dry|candidates))?"
    r"|parts\.\*\.candidates|covers\.\*\.units|covers\.\*\.unmet)"
    r"|divergence\.(pool|random_.*|.*_deviation)"
)
"""Results of the selection, which only another selection shows."""
_LEFT_OPEN = re.compile(r"synthgen|sources\.\*\.(version|format\.version)")
"""Versions, which leave a dataset unproven."""


def value_forgeries(manifest: Json) -> Iterator[tuple[str, Change]]:
    """Yield name and change of each value of a manifest, of those with one path only one."""
    for path in dict.fromkeys(path for path, _, _ in _values(manifest)):
        if path[0] not in _KEPT:
            yield f"manifest: {'.'.join(path)}", partial(_other_value, path)


def needs_selection(name: str) -> bool:
    """Return whether only another selection shows that the value of a forgery is false."""
    return _BY_SELECTION.fullmatch(name.removeprefix("manifest: ")) is not None


def leaves_open(name: str) -> bool:
    """Return whether a forgery of a value leaves the dataset unproven, but not false."""
    return _LEFT_OPEN.fullmatch(name.removeprefix("manifest: ")) is not None


def _values(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any, Any]]:
    """Yield path, container and key of each value below a node."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in [*items]:
        below = (*path, key if isinstance(node, dict) else "*")
        yield below, node, key
        if isinstance(value, dict | list):
            yield from _values(value, below)


def _others(value: Any) -> Iterator[Any]:
    """Yield other values of the kind."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, float):
        yield from (value + 0.125, value / 2)
    elif isinstance(value, str):
        digit = "0" if value[-1:] != "0" else "1"
        yield from (f"{value}x", value[:-1] + digit, "train", "none", "int32", "kinds")
    elif isinstance(value, list):
        yield from (value[:-1], [*value, *value[-1:]], value[::-1], ["x"], ["train"], [1])
    elif isinstance(value, dict):
        yield from ({key: value[key] for key in [*value][:-1]}, {**value, "x": 1})
    else:
        yield from ("train", 1, 0.5, [], {})


def _other_value(path: Path_, forged: Forged) -> None:
    """Change one value to another one that a manifest may have."""

    def change(manifest: Json) -> None:
        sites = [(node, key) for at, node, key in _values(manifest) if at == path]
        node, key = forged.chance.choice(sites)
        value = node[key]
        for other in _others(value):
            node[key] = other
            if json.dumps(other, sort_keys=True) != json.dumps(value, sort_keys=True):
                try:
                    _ = forged.typed
                except DatasetError:
                    continue
                if isinstance(node.get("file") if isinstance(node, dict) else None, str):
                    forged.touched.add(node["file"])
                return
        raise NotHereError

    (forged.seal_edits if path[0] == "files" else forged.manifest_edits).append(change)
    forged.touched |= {MANIFEST_FILE, "README.md", *forged.sources}
    forged.touched |= {*forged.splits} if path[0] == "splits" else set()


def paper_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield name and change of each forgery of papers."""
    for name in ("README.md", "croissant.json", "eval.yaml", "lm_eval.yaml"):
        yield f"papers: {name} with another line", partial(_paper, name, lambda text: text + "\n")
        yield f"papers: {name} with other rows", partial(_paper, name, _other_number)
    yield "papers: no evaluation files", _without_evaluations
    yield "papers: manifest with a name twice", partial(_manifest_text, _named_twice)
    yield "papers: manifest without spaces", partial(_manifest_text, lambda t: t.replace(": ", ":"))


def _paper(name: str, change: Callable[[str], str], forged: Forged) -> None:
    path = forged.folder / name
    if not path.exists():
        raise NotHereError
    forged.papers[name] = change(path.read_text("utf-8"))
    forged.touched.add(name)


def _other_number(text: str) -> str:
    numbers = re.findall(r"\d+", text)
    return text.replace(numbers[-1], f"{numbers[-1]}0") if numbers else f"# {text}"


def _named_twice(text: str) -> str:
    return text.replace("{", '{"name": "other",', 1)


def _without_evaluations(forged: Forged) -> None:
    names = {"eval.yaml", "lm_eval.yaml"}
    for name in names:
        if not (forged.folder / name).exists():
            raise NotHereError
        (forged.folder / name).unlink()
    files = forged.manifest["files"]
    forged.manifest["files"] = [file for file in files if file["file"] not in names]
    forged.touched |= names


def _manifest_text(change: Callable[[str], str], forged: Forged) -> None:
    """Change the text of the manifest, which means the same to us."""
    path = forged.folder / MANIFEST_FILE
    forged.last.append(lambda: path.write_text(change(path.read_text("utf-8")), encoding="utf-8"))
    forged.touched.add(MANIFEST_FILE)


def recipe_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield name and change of each forgery of the recipe beside the rows."""
    yield "recipe: another one", partial(_recipe, lambda _: find_recipe("scan").read_text("utf-8"))
    yield "recipe: not TOML", partial(_recipe, lambda _: "name\n")
    yield "recipe: empty", partial(_recipe, lambda _: "")
    yield "recipe: an unknown key", partial(_recipe, lambda text: f"colour = 1\n{text}")
    for name, old, new in (
        ("another rule", r"where = \"(\w+) ([<>=]+) (\d+)", r'where = "\1 \2 1\3'),
        ("another name", r'name = "', 'name = "my'),
        ("other rows", r"rows = (\d+)", r"rows = \g<1>0"),
        ("another seed", r"seed = (\d+)", r"seed = 1\1"),
        ("other params", r"params = \{ (\w+) = (\d+)", r"params = { \1 = 1\2"),
        ("another license", r"(?s)(.*)", '\\1[card]\nlicense = "apache-2.0"\n'),
        ("another description", r"seed = ", 'description = "Better."\nseed = '),
    ):
        yield f"recipe: {name}", partial(_recipe, partial(re.sub, old, new, count=1))
        yield f"recipe: {name}, in the manifest only", partial(_recorded, old, new)


def _recipe(change: Callable[[str], str], forged: Forged) -> None:
    text = change(forged.recipe)
    if text == forged.recipe or text.count("[card]") > 1 or text.count("description") > 1:
        raise NotHereError
    forged.recipe = text
    forged.touched |= {RECIPE, MANIFEST_FILE}


def _recorded(old: str, new: str, forged: Forged) -> None:
    """Let the manifest record another recipe, with the records and fingerprint that it gives."""
    text = forged.recipe
    _recipe(partial(re.sub, old, new, count=1), forged)
    forged.replan()
    forged.recipe = text


def both_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield forgeries of recipe and records at once, so that rows are of another selection."""
    for name, old, new in (
        ("another rule", r"where = \"n_op > 4\"", 'where = "n_op > 3"'),
        ("another cap", r"share = 0.05", "share = 0.9"),
        ("no balance", r"balance = \[[^]]*\]\n", ""),
        ("another balance", r"balance = \[\"n_op\"\]", 'balance = ["depth"]'),
        ("another seed", r"seed = (\d+)", r"seed = 1\1"),
        ("other params", r"params = \{ (\w+) = (\d+)", r"params = { \1 = 1\2"),
        ("no cover", r"cover = .*\n", ""),
        ("another order", r"\[output\]", '[output]\norder = "address"'),
    ):
        yield f"recipe and manifest: {name}", partial(_both, old, new)


def _both(old: str, new: str, forged: Forged) -> None:
    _recipe(partial(re.sub, old, new, count=1), forged)
    forged.replan()
    forged.touched |= {*forged.splits}
    for split in forged.manifest["splits"]:
        balance, rows = split["balance"], forged.rows.get(split["name"], [])
        if all({*cell["cell"]} == {*balance} for cell in split["cells"]):
            continue
        cells = {tuple(row[name] for name in balance) for row in rows if balance}
        number = len(rows) // max(1, len(cells))
        counts = {"rows": 0, "quota": number, "dry": True, "candidates": number}
        split["cells"] = [
            {"cell": dict(zip(balance, cell, strict=True)), **counts} for cell in sorted(cells)
        ]


def record_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield name and change of each forgery of several records at once."""
    yield "records: a split removed", _without_split
    yield "records: a source renamed, its rows too", _renamed
    yield "records: an axis more", _another_axis
    yield "records: an axis of another type", _wider_axis
    yield "records: columns in another order", _other_columns
    yield "records: version 99, fingerprint too, and another rule", _other_version


def version_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield forgeries that leave a dataset unproven."""
    yield "records: version 99, fingerprint too, and other templates", _unproven


def _without_split(forged: Forged) -> None:
    used = {each for split in forged.splits.values() for each in (split["seen_in"],) if each}
    used |= {split["variant"]["of"] for split in forged.splits.values() if split["variant"]}
    used |= {split["unseen"]["of"] for split in forged.splits.values() if split["unseen"]}
    used |= {name for split in forged.splits.values() for name in split["overlap"]}
    if forged.manifest["divergence"]:
        raise NotHereError
    name = [name for name in forged.splits if name not in used][-1]
    forged.drop_split(name)
    forged.touched |= {name, MANIFEST_FILE}


def _renamed(forged: Forged) -> None:
    source = forged.manifest["sources"][0]
    old, new = source["name"], f"{source['name']}_2"
    source["name"] = new
    for rows in forged.rows.values():
        for row in rows:
            row["source"] = new if row["source"] == old else row["source"]
    for split in forged.manifest["splits"]:
        for cell in split["cells"]:
            if cell["cell"].get("source") == old:
                cell["cell"]["source"] = new
    forged.touched |= {MANIFEST_FILE, new}


def _another_axis(forged: Forged) -> None:
    manifest = forged.manifest
    manifest["axes"]["extra"] = {**next(iter(manifest["axes"].values())), "values": []}
    manifest["axes"]["extra"]["dtype"] = "int16"
    manifest["columns"].append({"name": "extra", "type": "int16", "meaning": "extra"})
    for row in (row for rows in forged.rows.values() for row in rows):
        row["extra"] = None
    forged.touched.add(MANIFEST_FILE)


def _wider_axis(forged: Forged) -> None:
    axes = forged.manifest["axes"]
    name = next(
        name for name, axis in axes.items() if axis["dtype"] == "int16" and not axis["values"]
    )
    axes[name]["dtype"] = "int64"
    for column in forged.manifest["columns"]:
        if column["name"] == name:
            column["type"] = "int64"
    forged.touched.add(MANIFEST_FILE)


def _other_columns(forged: Forged) -> None:
    columns = forged.manifest["columns"]
    columns[-1], columns[-2] = columns[-2], columns[-1]
    forged.touched.add(MANIFEST_FILE)


def _of_version(forged: Forged, version: int) -> None:
    """Let a source be of another version, and make the fingerprint fit."""
    forged.manifest["sources"][0]["version"] = version
    manifest = forged.manifest
    versions = {source["generator"]: source["version"] for source in manifest["sources"]}
    content = {"recipe": manifest["recipe"], "versions": versions}
    if any(source["format"] for source in manifest["sources"]):
        content["formats"] = 1
    manifest["fingerprint"] = fingerprint(content)


def _other_version(forged: Forged) -> None:
    for split in forged.manifest["recipe"]["split"]:
        if split["where"]:
            split["where"] += " "
            _of_version(forged, 99)
            forged.touched |= {MANIFEST_FILE, forged.sources[0]}
            return
    raise NotHereError


def _unproven(forged: Forged) -> None:
    _of_version(forged, 99)
    source = forged.manifest["sources"][0]["name"]
    for row in (row for rows in forged.rows.values() for row in rows if row["source"] == source):
        row["template"] += "_2"
    forged.touched.add(source)


def file_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield name and change of each forgery of files."""
    yield "files: shard with metadata", partial(_written, _with_metadata)
    yield "files: shard that claims an order", partial(_written, _with_order)
    yield "files: shard with statistics of other rows", partial(_written, _with_statistics)
    yield "files: shards of other names", _renamed_shard
    yield "files: all rows in one shard", partial(_resized, 10**9)
    yield "files: more shards", partial(_resized, 100)
    yield "files: an empty shard more", _empty_shard
    for file in ("data/extra.parquet", "notes.txt", "audit/a.parquet", "selection/extra.members"):
        yield f"files: {file} added", partial(_added, file)


def _first_shard(forged: Forged) -> Path:
    if not forged.rows:
        raise NotHereError
    file = max(forged.splits.values(), key=lambda split: split["rows"])["shards"][0]["file"]
    forged.touched.add(file)
    return forged.folder / str(file)


def _written(write: Callable[[Path, pa.Table], object], forged: Forged) -> None:
    """Write the rows of a shard in another way."""
    path = _first_shard(forged)
    forged.file_edits.append(lambda: write(path, pq.read_table(path)))


def _with_metadata(path: Path, table: pa.Table) -> None:
    with pq.ParquetWriter(path, table.schema, **writer_options(table.schema)) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({"huggingface": "{}"})


def _with_order(path: Path, table: pa.Table) -> None:
    order = [pq.SortingColumn(table.schema.get_field_index("address"))]
    pq.write_table(table, path, sorting_columns=order, **writer_options(table.schema))


def _with_statistics(path: Path, table: pa.Table) -> None:
    """Put the footer of other rows behind the rows, so that readers skip rows.

    Numbers of a fixed width have the same places in both files.
    """
    options = {"compression": "none", "use_dictionary": False, "store_schema": False}
    others = pa.array([7_000] * len(table), pa.int16())
    other = table.set_column(table.schema.get_field_index("difficulty"), "difficulty", others)
    contents = []
    for each in (table, other):
        pq.write_table(each, path, write_statistics=["difficulty"], **options)
        contents.append(path.read_bytes())
    size = int.from_bytes(contents[1][-8:-4], "little") + 8
    path.write_bytes(contents[0][:-size] + contents[1][-size:])


def _renamed_shard(forged: Forged) -> None:
    path = _first_shard(forged)
    name = path.name.split("-")[0]

    def edit() -> None:
        for split in forged.manifest["splits"]:
            for shard in split["shards"]:
                if shard["file"] == f"data/{path.name}":
                    shard["file"] = f"data/{name}-first.parquet"
                    path.rename(forged.folder / shard["file"])

    forged.file_edits.append(edit)
    forged.touched.add(MANIFEST_FILE)


def _resized(rows: int, forged: Forged) -> None:
    output = forged.manifest["recipe"]["output"]
    largest = max(split["rows"] for split in forged.manifest["splits"])
    size = output["rows_per_shard"]
    if not forged.rows or -(-largest // size) == -(-largest // rows):
        raise NotHereError
    output["rows_per_shard"] = rows
    forged.manifest_edits.append(lambda _: output.update(rows_per_shard=size))
    forged.touched.add(MANIFEST_FILE)


def _empty_shard(forged: Forged) -> None:
    path = _first_shard(forged)
    file = f"data/{path.name.split('-')[0]}-more.parquet"

    def edit() -> None:
        schema = pq.read_schema(path)
        options = writer_options(schema)
        pq.write_table(schema.empty_table(), forged.folder / file, **options)
        record = {"file": file, "rows": 0, "bytes": 0, "arrow_bytes": 0, "content": []}
        for split in forged.manifest["splits"]:
            if any(shard["file"] == f"data/{path.name}" for shard in split["shards"]):
                split["shards"].append({**record, "verified": 0, "sha256": "0" * 64})

    forged.file_edits.append(edit)
    forged.touched.add(MANIFEST_FILE)


def _added(file: str, forged: Forged) -> None:
    path = forged.folder / file
    if not forged.rows and path.parent.name == "data":
        raise NotHereError
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"more")
    forged.touched.add(file)
