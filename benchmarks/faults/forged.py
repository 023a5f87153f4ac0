"""A dataset that is edited and made consistent again, as a careful forger would."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from synthgen.contract.interfaces import valid_ones
from synthgen.core.errors import RecipeError, SynthgenError
from synthgen.coverage.evenness import evenness
from synthgen.dataset.card import render_card
from synthgen.dataset.content import BLOCK_ROWS
from synthgen.dataset.croissant import render_croissant
from synthgen.dataset.evaluations import render_evaluations
from synthgen.dataset.manifest import (
    MANIFEST_FILE,
    Manifest,
    membership_file,
    parse_manifest,
    shard_files,
)
from synthgen.dataset.membership import Membership, read_membership, write_membership
from synthgen.dataset.records import FileRecord, SelectedRecord, ShardRecord
from synthgen.dataset.seal import SEAL, file_sha256, sealed
from synthgen.dataset.shards import write_shard
from synthgen.draws.randomness import Rows, stream_key
from synthgen.draws.shuffles import shuffle_ranks
from synthgen.engine.make.recorded import recorded_source
from synthgen.engine.make.rows import render_table
from synthgen.engine.papers import manifest_of
from synthgen.engine.plan.plan import make_plan
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides

Row = dict[str, Any]
Json = dict[str, Any]
RECIPE = "recipe.toml"
_RESULTS = {"rows", "candidates", "duplicates", "cells", "shards", "parts", "repeats"}
_RESULTS |= {"measured", "covers"}
"""Keys of a split's record that do not follow from the recipe alone."""


class NotHereError(Exception):
    """A forgery that this dataset has no place for."""


class Forged:
    """A dataset to edit. `save` makes hashes, sizes, counts, papers and seal fit the edits.

    Args:
        folder: of the dataset.
        chance: decides which rows and values are edited.

    Attributes:
        manifest: as JSON, without its seal.
        rows: of each split, in order; empty where no data is stored.
        members: source and address of every row; `save` takes them from the rows if there are any.
        recipe: text of the recipe.
        papers: what to write in place of what a build writes, by file.
        manifest_edits: called with the manifest when it fits the rows, before papers are made.
        file_edits: called when rows and members are written, before they are hashed.
        seal_edits: called with the manifest before it is sealed.
        last: called at the very end.
        touched: names of what is edited: splits, files, sources.
    """

    def __init__(self, folder: Path, chance: Random) -> None:
        self.folder, self.chance = folder, chance
        self.manifest: Json = json.loads((folder / MANIFEST_FILE).read_text("utf-8"))
        self.manifest.pop(SEAL)
        self.recipe = (folder / RECIPE).read_text("utf-8")
        self.rows: dict[str, list[Row]] = {}
        self.members: dict[str, Membership] = {}
        self.papers: dict[str, str] = {}
        self.manifest_edits: list[Callable[[Json], object]] = []
        self.file_edits: list[Callable[[], object]] = []
        self.seal_edits: list[Callable[[Json], object]] = []
        self.last: list[Callable[[], object]] = []
        self.touched: set[str] = set()
        for split in self.manifest["splits"]:
            name = split["name"]
            self.members[name] = read_membership(folder / membership_file(name))
            if split["shards"]:
                tables = [pq.read_table(folder / shard["file"]) for shard in split["shards"]]
                self.rows[name] = pa.concat_tables(tables).to_pylist()
        self._true = {_address(row): dict(row) for rows in self.rows.values() for row in rows}

    @property
    def splits(self) -> dict[str, Json]:
        """Records of the splits, by name."""
        return {split["name"]: split for split in self.manifest["splits"]}

    @property
    def sources(self) -> list[str]:
        """Names of the sources."""
        return [source["name"] for source in self.manifest["sources"]]

    @property
    def typed(self) -> Manifest:
        """Manifest as it is read."""
        return parse_manifest(MANIFEST_FILE, json.dumps(sealed(self.manifest)))

    def false_share(self, split: str) -> float:
        """Return the share of rows of a split that are not those of their addresses."""
        rows = self.rows.get(split, [])
        false = sum(self._true.get(_address(row)) != row for row in rows)
        return false / max(1, len(rows))

    def made(self, source: str, start: int, stop: int) -> list[Row]:
        """Return the true rows of a range of addresses."""
        (record,) = (each for each in self.typed.sources if each.name == source)
        rows = self.drawn(record.name, int(record.stream, 16), start, stop)
        self._true |= {_address(row): dict(row) for row in rows}
        return rows

    def drawn(
        self, source: str, stream: int, start: int, stop: int, params: Json | None = None
    ) -> list[Row]:
        """Return rows of a source, by another stream or other params than its own."""
        typed = self.typed
        (record,) = (each for each in typed.sources if each.name == source)
        planned = recorded_source(typed, record)
        if isinstance(planned, str):
            raise NotHereError
        generator = planned.generator
        if params:
            try:
                generator = type(generator)(**{**record.params, **params})
            except (TypeError, SynthgenError):
                raise NotHereError from None
        addresses = np.arange(start, min(stop, generator.space or stop), dtype=np.uint64)
        problems = valid_ones(generator.draw(Rows(stream, addresses)))
        axes = {name: axis.as_axis() for name, axis in typed.axes.items()}
        table = render_table(planned, problems, axes).select(typed.schema.names)
        rows: list[Row] = table.cast(typed.schema).to_pylist()
        return rows

    def reorder(self, split: str) -> None:
        """Put the rows of a split where the recipe's seed puts them."""
        record, rows, recipe = self.splits[split], self.rows[split], self.manifest["recipe"]
        if record["parts"] or record["members"] or record["variant"]:
            raise NotHereError
        places = [self._source(row) for row in rows]
        if record["order"]:
            rows.sort(key=lambda row: row[record["order"]["axis"]])
        elif recipe["output"]["order"] == "address":
            rows.sort(key=lambda row: (self._source(row), row["address"]))
        else:
            addresses = np.array([row["address"] for row in rows], np.uint64)
            salt = stream_key(recipe["seed"], "order", split)
            ranks = shuffle_ranks(np.array(places, np.uint16), addresses, salt)
            self.rows[split] = [rows[i] for i in np.argsort(ranks, kind="stable").tolist()]

    def replan(self) -> None:
        """Make all records that follow from the recipe fit its changed text.

        Raises:
            NotHereError: if the changed text is no recipe.
        """
        path = self.folder / RECIPE
        path.write_text(self.recipe, encoding="utf-8")
        try:
            plan = make_plan(read_recipe(path, Overrides.from_list(self.manifest["overrides"])))
        except RecipeError:
            raise NotHereError from None
        typed = self.typed
        selected = SelectedRecord(typed.splits, typed.selection, typed.divergence)
        files: list[ShardRecord | FileRecord] = [*typed.files]
        files += (shard for split in typed.splits for shard in split.shards)
        planned = _plain(asdict(manifest_of(plan, selected, files)))
        promised = {split.name: _plain(asdict(split.record)) for split in plan.splits}
        splits = [split for split in planned["splits"] if split["name"] in promised]
        for split in splits:
            own = promised[split["name"]]
            split.update({key: value for key, value in own.items() if key not in _RESULTS})
            if split["noise"] is None:
                del split["noise"]  # as in a build
        self.manifest = planned | {"splits": splits}

    def drop_split(self, name: str) -> None:
        """Remove a split with its files."""
        record, members = self.splits[name], membership_file(name)
        for file in [members, *(shard["file"] for shard in record["shards"])]:
            (self.folder / file).unlink()
        self.manifest["splits"].remove(record)
        self.manifest["files"] = [f for f in self.manifest["files"] if f["file"] != members]
        self.rows.pop(name, None)
        del self.members[name]

    def save(self) -> None:
        """Write everything, so that all that a forger can make right is right."""
        for split in self.manifest["splits"]:
            if split["name"] in self.rows:
                self._save_rows(split)
            path = self.folder / membership_file(split["name"])
            write_membership(path, self.members[split["name"]])
        rows = sum(split["rows"] for split in self.manifest["splits"])
        shards = [shard for split in self.manifest["splits"] for shard in split["shards"]]
        verified = sum(shard["verified"] for shard in shards)
        self.manifest["totals"] = {"rows": rows, "verified": verified}
        for edit in self.file_edits:
            edit()
        for shard in (shard for split in self.manifest["splits"] for shard in split["shards"]):
            self._hash(shard)
        for change in self.manifest_edits:
            change(self.manifest)
        self._save_papers()
        for file in self.manifest["files"]:
            self._hash(file)
        for change in self.seal_edits:
            change(self.manifest)
        text = json.dumps(sealed(self.manifest), sort_keys=True, indent=1) + "\n"
        (self.folder / MANIFEST_FILE).write_text(text, encoding="utf-8")
        for after in self.last:
            after()

    def _hash(self, record: Json) -> None:
        path = self.folder / record["file"]
        record.update(bytes=path.stat().st_size, sha256=file_sha256(path))

    def _save_rows(self, split: Json) -> None:
        """Write the shards of a split, and make its record fit them."""
        name, rows = split["name"], self.rows[split["name"]]
        sources = np.array([self._source(row) for row in rows], np.uint16)
        addresses = np.array([row["address"] for row in rows], np.uint64)
        self.members[name] = Membership(sources, addresses)
        split["rows"] = len(rows)
        _count(split, rows)
        columns = ((each["name"], each["type"]) for each in self.manifest["columns"])
        schema = pa.schema([(column, pa.type_for_alias(kind)) for column, kind in columns])
        table = pa.Table.from_pylist(rows, schema)
        output = self.manifest["recipe"]["output"]
        for shard in split["shards"]:
            (self.folder / shard["file"]).unlink(missing_ok=True)
        split["shards"], stop = [], 0
        for file, number in shard_files(name, len(rows), output["rows_per_shard"]).items():
            start, stop = stop, stop + number
            made = write_shard(
                self.folder / file,
                schema,
                [table.slice(start, number)],
                output["row_group"],
                start,
                partial(table.slice, stop, -stop % BLOCK_ROWS),
            )
            split["shards"].append(_plain({"file": file, **asdict(made), "verified": made.rows}))

    def _source(self, row: Row) -> int:
        return self.sources.index(row["source"]) if row["source"] in self.sources else 0

    def _save_papers(self) -> None:
        """Write the recipe, and the papers that a build would write for this manifest."""
        typed, recipe = self.typed, self.manifest["recipe"]
        card = {**recipe["card"], "description": recipe["description"]}
        papers = {RECIPE: self.recipe, "README.md": render_card(typed, card)}
        if typed.has_data:
            papers["croissant.json"] = render_croissant(typed, card)
            papers |= render_evaluations(typed)
        listed = {file["file"] for file in self.manifest["files"]}
        for name, text in {**papers, **self.papers}.items():
            if name in listed:
                (self.folder / name).write_text(text, encoding="utf-8")


def _address(row: Row) -> tuple[str, int]:
    return row["source"], row["address"]


def _count(split: Json, rows: list[Row]) -> None:
    """Make the counts of cells, and of what is measured, fit the rows."""
    balance = split["balance"]
    cells = Counter(tuple(row.get(name) for name in balance) for row in rows)
    for cell in split["cells"]:
        cell["rows"] = cells.get(tuple(cell["cell"][name] for name in balance), 0)
    for measure in split["measured"]:
        counts = Counter(row[measure["axis"]] for row in rows if row[measure["axis"]] is not None)
        measured = asdict(evenness(np.array([*counts.values()], np.int64)))
        measure.update({key: measured[key] for key in measured if key in measure})


def _plain(record: Mapping[str, Any]) -> Json:
    """Return a record as JSON gives it."""
    plain: Json = json.loads(json.dumps(record))
    return plain
