"""Forgeries of the membership: true rows, but not those that the recipe selects, or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import polars as pl

from benchmarks.faults.forged import RECIPE, Forged, NotHereError, Row
from synthgen.dataset.manifest import membership_file
from synthgen.dataset.membership import Membership, write_membership
from synthgen.rules.language import compile_where

_FAR = 10**9
_BLOCK = 8192
Change = Callable[[Forged], None]


def member_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield name and change of each forgery that another selection need not be made to notice."""
    yield "members: a row left out", _dropped
    yield "members: a row left out, another one twice", _doubled
    yield "members: rows shuffled", _shuffled
    yield "members: rows reversed", lambda forged: _largest(forged)[1].reverse()
    yield "members: two rows exchanged", _exchanged
    yield "members: rows of two tests with one rule exchanged", _crossed
    yield "members: all rows of two splits exchanged", _whole
    yield "members: rows that break the rule", _alien
    yield "members: a split that repeats another has others of its rows", _other_repeats
    yield "members: a restated split restates other rows", _other_restated
    yield "members: the problems of a test shared, as declared afterwards", _declared
    yield "members: rows repeated, as dedup allows afterwards", _allowed
    yield "members: sorted by length of the prompt", _by_length
    yield "members: selection of another order than the rows", _other_selection
    for name, change in (
        ("a row twice", lambda n: [0, *range(n - 1)]),
        ("rows in another order", lambda n: [*range(n)][::-1]),
        ("a row left out", lambda n: [*range(n - 1)]),
    ):
        yield f"members: without data, {name}", partial(_bare, change)
    yield "members: without data, other addresses", _bare_addresses
    yield "members: without data, two splits exchanged", _bare_exchanged


def selection_forgeries() -> Iterator[tuple[str, Change]]:
    """Yield name and change of each forgery that only another selection has to notice."""
    yield "selection: later problems in place of earlier ones", _later
    yield "selection: problems from far away", _far
    yield "selection: the same problems at later addresses", _later_twins
    yield "selection: rows of equal rank shuffled", _ties
    yield "selection: a row left out, as a shortfall allowed afterwards", _short
    yield "selection: a row of another cell", _other_cell


def _largest(forged: Forged) -> tuple[str, list[Row]]:
    if not forged.rows:
        raise NotHereError
    split = max(forged.rows, key=lambda name: len(forged.rows[name]))
    forged.touched.add(split)
    return split, forged.rows[split]


def _dropped(forged: Forged) -> None:
    rows = _largest(forged)[1]
    del rows[forged.chance.randrange(len(rows))]


def _doubled(forged: Forged) -> None:
    rows = _largest(forged)[1]
    place = forged.chance.randrange(len(rows) - 1)
    rows[place + 1] = dict(rows[place])


def _shuffled(forged: Forged) -> None:
    forged.chance.shuffle(_largest(forged)[1])


def _exchanged(forged: Forged) -> None:
    rows = _largest(forged)[1]
    rows[0], rows[-1] = rows[-1], rows[0]  # where an axis orders rows, equal ones may change places


def _by_length(forged: Forged) -> None:
    _largest(forged)[1].sort(key=lambda row: len(row["prompt"]))


def _crossed(forged: Forged) -> None:
    """Exchange half of the rows of two splits that have one rule."""
    names = [*forged.rows]
    for one, two in ((a, b) for a in names for b in names if a < b):
        left, right = forged.splits[one], forged.splits[two]
        related = any(each["seen_in"] or each["variant"] for each in (left, right))
        if left["where"] == right["where"] and not related and left["overlap"] == []:
            mine, others = forged.rows[one], forged.rows[two]
            half = min(len(mine), len(others)) // 2
            mine[:half], others[:half] = others[:half], mine[:half]
            forged.reorder(one)
            forged.reorder(two)
            forged.touched |= {one, two}
            return
    raise NotHereError


def _whole(forged: Forged) -> None:
    """Exchange all rows of two splits, with sizes as they are."""
    if len(forged.rows) < 2:
        raise NotHereError
    one, two = [*forged.rows][:2]
    number = min(len(forged.rows[one]), len(forged.rows[two]))
    mine, others = forged.rows[one], forged.rows[two]
    mine[:number], others[:number] = others[:number], mine[:number]
    forged.reorder(one)
    forged.touched |= {one, two}


def _alien(forged: Forged) -> None:
    """Put rows into a split that break its rule, and into no other."""
    for split, record in forged.splits.items():
        if not record["where"] or split not in forged.rows:
            continue
        made = forged.made(forged.sources[0], 0, _BLOCK)
        others = _meeting(forged, f"NOT ({record['where']})", made)
        rows = forged.rows[split]
        if len(others) > len(rows) // 10:
            rows[: len(rows) // 10] = others[: len(rows) // 10]
            forged.reorder(split)
            forged.touched.add(split)
            return
    raise NotHereError


def _meeting(forged: Forged, where: str | None, rows: list[Row]) -> list[Row]:
    """Return the rows that meet a rule and whose problems the dataset does not have."""
    ids = {row["id"] for each in forged.rows.values() for row in each}
    rows = [row for row in {row["id"]: row for row in rows}.values() if row["id"] not in ids]
    if where is None or not rows:
        return rows
    kept = pl.DataFrame(rows, infer_schema_length=None).select(
        compile_where(where, forged.typed.rule_axes)
    )
    return [row for row, keep in zip(rows, kept.to_series().to_list(), strict=True) if keep]


def _other_repeats(forged: Forged) -> None:
    """Give a split that has problems of another one others of its rows."""
    for split, record in forged.splits.items():
        if record["seen_in"] and split in forged.rows:
            base = [row for row in forged.rows[record["seen_in"]] if row["address"] > 0]
            there = {row["id"] for row in forged.rows[split]}
            others = [row for row in base if row["id"] not in there]
            others.sort(key=lambda row: -row["address"])
            if _same_cells(forged, split, others):
                forged.reorder(split)
                forged.touched.add(split)
                return
    raise NotHereError


def _same_cells(forged: Forged, split: str, others: list[Row]) -> int:
    """Put rows in place of a tenth of those of a split, each in its own cell; return how many."""
    rows, balance = forged.rows[split], ["source", *forged.splits[split]["balance"]]
    cells: dict[tuple[object, ...], list[Row]] = {}
    for other in others:
        cells.setdefault(tuple(other[name] for name in balance), []).append(other)
    done = 0
    for place, row in enumerate(rows):
        waiting = cells.get(tuple(row[name] for name in balance), [])
        if waiting and done < len(rows) // 10:
            rows[place] = dict(waiting.pop(0))
            done += 1
    return done


def _other_restated(forged: Forged) -> None:
    for split, record in forged.splits.items():
        if record["variant"] and split in forged.rows:
            rows = forged.rows[split]
            rows[:20] = rows[19::-1]
            forged.touched.add(split)
            return
    raise NotHereError


def _with_key(forged: Forged, split: str, line: str) -> None:
    """Add a line to the table of a split in the recipe, and make all records fit."""
    name = f'name = "{split}"\n'
    forged.recipe = forged.recipe.replace(name, f"{name}{line}\n", 1)
    forged.replan()


def _declared(forged: Forged) -> None:
    """Put problems of a test into another split with its rule, and declare that they share some."""
    names = {"test", "dev"}
    if not names <= forged.rows.keys():
        raise NotHereError
    _with_key(forged, "dev", 'overlap = ["test"]')
    forged.rows["dev"][:50] = [dict(row) for row in forged.rows["test"][:50]]
    forged.reorder("dev")
    forged.touched |= names


def _allowed(forged: Forged) -> None:
    """Repeat rows, and declare that repeated problems are not removed."""
    split, rows = _largest(forged)
    if any(record["parts"] or record["variant"] for record in forged.splits.values()):
        raise NotHereError
    forged.recipe += '[dedup]\non = "none"\n'
    forged.replan()
    rows[1 : len(rows) // 10] = [dict(rows[0]) for _ in rows[1 : len(rows) // 10]]
    forged.reorder(split)
    forged.touched.add(RECIPE)


def _other_selection(forged: Forged) -> None:
    """Record a selection of another order than that of the rows."""
    split, _ = _largest(forged)
    members = forged.members[split]
    turned = Membership(members.sources[::-1], members.addresses[::-1])
    path = forged.folder / membership_file(split)
    forged.file_edits.append(partial(write_membership, path, turned))


def _bare_split(forged: Forged) -> str:
    if forged.rows:
        raise NotHereError
    split = max(forged.members, key=lambda name: len(forged.members[name]))
    forged.touched.add(split)
    return split


def _bare(change: Callable[[int], list[int]], forged: Forged) -> None:
    split = _bare_split(forged)
    members = forged.members[split]
    places = np.array(change(len(members)))
    forged.members[split] = Membership(members.sources[places], members.addresses[places])
    forged.splits[split]["rows"] = len(places)


def _bare_addresses(forged: Forged) -> None:
    split = _bare_split(forged)
    members = forged.members[split]
    forged.members[split] = Membership(members.sources, np.sort(members.addresses + np.uint64(1)))


def _bare_exchanged(forged: Forged) -> None:
    if forged.rows:
        raise NotHereError
    one, two = sorted(forged.members, key=lambda name: len(forged.members[name]))[:2]
    forged.members[one], forged.members[two] = forged.members[two], forged.members[one]
    for split in (one, two):
        forged.splits[split]["rows"] = len(forged.members[split])
    forged.touched |= {one, two}


def _own_split(forged: Forged) -> str:
    """Return a split that chooses its own problems, in any order, without a cap."""
    for split, record in reversed(forged.splits.items()):
        named = ("seen_in", "variant", "parts", "members", "cap", "unseen", "covers")
        if split in forged.rows and not any(record[name] for name in named):
            return split
    raise NotHereError


def _later(forged: Forged) -> None:
    drawn = forged.manifest["selection"]["candidates"]
    _replaced(forged, max(0, drawn - _BLOCK), drawn)


def _far(forged: Forged) -> None:
    if any(source["space"] for source in forged.manifest["sources"]):
        raise NotHereError
    forged.manifest["selection"]["candidates"] = 2 * _FAR
    _replaced(forged, _FAR, _FAR + _BLOCK)


def _replaced(forged: Forged, start: int, stop: int) -> None:
    """Replace a tenth of a split by true rows of its cells from a range of addresses."""
    split = _own_split(forged)
    made = [row for source in forged.sources for row in forged.made(source, start, stop)]
    others = _meeting(forged, forged.splits[split]["where"], made)
    if not _same_cells(forged, split, others[::-1]):
        raise NotHereError
    forged.reorder(split)
    forged.touched.add(split)


def _later_twins(forged: Forged) -> None:
    """Replace rows by true rows of the same problems at other addresses."""
    split = _own_split(forged)
    made = [row for name in forged.sources for row in forged.made(name, 0, 4 * _BLOCK)]
    twins = {row["id"]: row for row in made}
    rows, changed = forged.rows[split], 0
    for place, row in enumerate(rows):
        twin = twins.get(row["id"], row)
        if twin["address"] != row["address"] and twin["source"] == row["source"]:
            rows[place], changed = dict(twin), changed + 1
    if not changed:
        raise NotHereError
    forged.reorder(split)
    forged.touched.add(split)


def _ties(forged: Forged) -> None:
    """Shuffle rows that an order by an axis leaves open."""
    for split, record in forged.splits.items():
        if record["order"] and split in forged.rows:
            forged.chance.shuffle(forged.rows[split])
            forged.reorder(split)
            forged.touched.add(split)
            return
    raise NotHereError


def _short(forged: Forged) -> None:
    """Leave out the last row of a cell, allow shortfalls, and say that the cell ran dry."""
    if "[limits]" in forged.recipe:
        raise NotHereError
    split = _own_split(forged)
    forged.recipe += '[limits]\nshortfall = "allow"\n'
    forged.replan()
    del forged.rows[split][0]
    for cell in forged.splits[split]["cells"]:
        cell["dry"] = True
    forged.touched.add(split)


def _other_cell(forged: Forged) -> None:
    """Give one cell of a balanced split a row more, and another one less."""
    for split, record in forged.splits.items():
        if record["balance"] and split in forged.rows and not record["parts"]:
            drawn = forged.manifest["selection"]["candidates"]
            made = forged.made(forged.sources[0], max(0, drawn - _BLOCK), drawn)
            rows, axis = forged.rows[split], record["balance"][0]
            others = _meeting(forged, record["where"], made)
            pairs = ((i, row) for row in others for i in range(3) if rows[i][axis] != row[axis])
            place, row = next(pairs, (0, None))
            if row is not None:
                rows[place] = dict(row)
                forged.reorder(split)
                forged.touched.add(split)
                return
    raise NotHereError
