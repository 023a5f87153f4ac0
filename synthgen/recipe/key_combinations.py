"""Checks of keys that belong together or exclude each other: parts, members, variants, draws_of.

Like `references`, they check the parsed document and skip values of the wrong type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from synthgen.recipe.lines import Key
from synthgen.recipe.references import name_of, no_such, places
from synthgen.recipe.spread import may_be_spread, spread_faults

_Table = Mapping[str, Any]
_OF_LAWS = {"zipf": "exponent", "geometric": "ratio"}


def steering_faults(split: _Table) -> Iterator[tuple[Key, str]]:
    """Yield path and message of each fault of a split."""
    shares = split.get("shares")
    if isinstance(shares, dict):
        if not split.get("balance"):
            yield ("shares",), "shares: requires balance, whose cells it weights"
        yield from _law_faults(shares)
    for place, cover in enumerate(_tables(split.get("cover"))):
        for key, message in _cover_faults(cover):
            yield ("cover", str(place), *key), message
    yield from _order_faults(split.get("order"))


def _tables(value: object) -> list[_Table]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _law_faults(law: _Table) -> Iterator[tuple[Key, str]]:
    """Find a key that belongs to another law, and a law combined with listed weights."""
    name = law.get("law", "equal")
    if law.get("of") and "law" in law:
        yield (
            ("shares", "law"),
            f"law={name!r}: cannot be combined with of, which lists the weights",
        )
    for other, key in _OF_LAWS.items():
        if key in law and name != other:
            yield ("shares", key), f"{key}: requires law = {other!r}"


def _cover_faults(cover: _Table) -> Iterator[tuple[Key, str]]:
    axes, structures = cover.get("axes"), cover.get("structures")
    if bool(axes) == bool(structures):
        yield (), "cover: expected either axes or structures"
        return
    strength = cover.get("strength")
    if structures and strength is not None:
        yield ("strength",), "strength: requires axes, as it is the number of axes to combine"
    if axes and cover.get("symbols"):
        yield ("symbols",), "symbols: requires structures"
    if not isinstance(axes, list) or not axes or not isinstance(strength, int):
        return
    if strength > len(axes):
        yield ("strength",), f"strength={strength}: expected at most the {len(axes)} axes"
    elif strength < len(axes) and cover.get("of"):
        yield (
            ("of",),
            f"of: requires strength = {len(axes)}, as each list has a value of every axis",
        )


def _order_faults(order: object) -> Iterator[tuple[Key, str]]:
    if not isinstance(order, dict):
        return
    by = order.get("by")
    if order.get("of") and by != "turns":
        yield ("order", "of"), "of: requires by = 'turns'"
    for key in ("first", "end"):
        if key in order and by != "novelty":
            yield ("order", key), f"{key}: requires by = 'novelty'"


_LISTS = ("parts", "members", "variant")
_EXCLUSIVE = {
    "parts": ("balance", "cap", "seen_in", "members", "variant"),
    "members": ("balance", "cap", "seen_in", "variant"),
    "variant": ("where", "balance", "cap", "seen_in"),
    "unseen": ("seen_in", "variant"),
    "measure": ("seen_in", "variant"),
    "shares": _LISTS,
    "cover": ("cap", "seen_in", "diverse", *_LISTS),
    "diverse": ("balance", "cap", "seen_in", *_LISTS),
    "order": ("variant",),
}
"""Keys that cannot be combined with each of these."""


def combination_faults(document: _Table) -> Iterator[tuple[Key, str]]:
    """Yield path and message of each fault."""
    sources = dict(_named(document, "source"))
    splits = dict(_named(document, "split"))
    for place, source in places(document, "source"):
        for key, message in _source_faults(source, sources):
            yield ("source", str(place), *key), message
    for key, message in _sweep_faults(document.get("sweep"), splits):
        yield ("sweep", *key), message
    for key, message in _divergence_faults(document.get("divergence"), splits):
        yield ("divergence", *key), message
    for place, split in places(document, "split"):
        for key, message in [*_exclusions(split), *_part_faults(split), *_member_faults(split)]:
            yield ("split", str(place), *key), message
        for key, message in steering_faults(split):
            yield ("split", str(place), *key), message
        for key, message in _unseen_faults(split, splits):
            yield ("split", str(place), *key), message
        for key, message in _variant_faults(split, splits, sources, document):
            yield ("split", str(place), *key), message


def _sweep_faults(sweep: object, splits: Mapping[str, _Table]) -> Iterator[tuple[Key, str]]:
    same = sweep.get("same") if isinstance(sweep, dict) else None
    for place, name in enumerate(same if isinstance(same, list) else ()):
        if isinstance(name, str) and name and name not in splits:
            yield ("same", str(place)), no_such("same", name, "split", list(splits))


def _named(document: _Table, kind: str) -> Iterator[tuple[str, _Table]]:
    for _, table in places(document, kind):
        name = name_of(table)
        if name is not None:
            yield name, table


def _source_faults(source: _Table, sources: Mapping[str, _Table]) -> Iterator[tuple[Key, str]]:
    yield from spread_faults(source)
    if any(other.get("weight") for other in sources.values()):
        if source.get("spread"):
            yield ("spread",), "spread: cannot be combined with weight of any source"
        if source.get("weight") and source.get("draws_of"):
            yield ("weight",), "weight: cannot be combined with draws_of"
    base = source.get("draws_of")
    if not isinstance(base, str) or not base:
        return
    others = [name for name in sources if name != name_of(source)]
    if base not in others:
        if not may_be_spread(base, sources):  # the plan knows the names
            yield ("draws_of",), no_such("draws_of", base, "source", others)
    elif "draws_of" in sources[base]:
        yield (
            ("draws_of",),
            f"draws_of={base!r}: expected a source with its own draws, "
            f"but {base!r} also has draws_of",
        )


def _exclusions(split: _Table) -> Iterator[tuple[Key, str]]:
    for key, excluded in _EXCLUSIVE.items():
        for other in excluded if _has(split, key) else ():
            if _has(split, other):
                yield (other,), f"{other}: cannot be combined with {key} in a split"


def _has(split: _Table, key: str) -> bool:
    """Return whether a split sets a key: not by an empty list, but by an empty table."""
    return bool(split.get(key)) or isinstance(split.get(key), dict)


def _part_faults(split: _Table) -> Iterator[tuple[Key, str]]:
    parts = split.get("parts")
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        return
    for place, part in enumerate(parts):
        rows, distinct = part.get("rows"), part.get("distinct")
        if _is_count(rows) and _is_count(distinct) and distinct > rows:
            message = f"distinct={distinct}: expected at most the {rows} rows of the part"
            yield ("parts", str(place), "distinct"), message
    counts = [part.get("rows") for part in parts]
    if parts and _is_count(split.get("rows")) and all(_is_count(count) for count in counts):
        total = sum(count for count in counts if count is not None)
        if total != split["rows"]:
            message = f"rows={split['rows']}: expected {total}, the sum of the rows of the parts"
            yield ("rows",), message


def _member_faults(split: _Table) -> Iterator[tuple[Key, str]]:
    members = split.get("members")
    if not isinstance(members, str) or not members:
        return
    if not stays_below(members):
        message = f"members={members!r}: expected a path below the recipe's folder, without '..'"
        yield ("members",), message


def _unseen_faults(split: _Table, splits: Mapping[str, _Table]) -> Iterator[tuple[Key, str]]:
    unseen = split.get("unseen")
    other = unseen.get("of") if isinstance(unseen, dict) else None
    if not isinstance(other, str) or not other:
        return
    if other not in splits or other == name_of(split):
        known = [name for name in splits if name != name_of(split)]
        yield ("unseen", "of"), no_such("of", other, "split", known)
    elif splits[other].get("seen_in") or splits[other].get("variant"):
        yield ("unseen", "of"), f"of={other!r}: expected a split with its own rows"


def stays_below(name: str) -> bool:
    """Return whether a path stays in the folder it is relative to, ignoring symlinks."""
    path = PurePosixPath(name)
    return not (path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name)


def _variant_faults(
    split: _Table,
    splits: Mapping[str, _Table],
    sources: Mapping[str, _Table],
    document: _Table,
) -> Iterator[tuple[Key, str]]:
    variant = split.get("variant")
    if not isinstance(variant, dict):
        return
    base, source = variant.get("of"), variant.get("source")
    others = [name for name in splits if name != name_of(split)]
    if isinstance(base, str) and base:
        if base not in others:
            yield ("variant", "of"), no_such("of", base, "split", others)
        else:
            yield from _base_faults(split, base, splits[base])
    if isinstance(source, str) and source:
        known = [name for name, table in sources.items() if table.get("draws_of")]
        if source not in known:
            message = no_such("source", source, "source with draws_of", known)
            yield ("variant", "source"), message
    dedup = document.get("dedup")
    if isinstance(dedup, dict) and dedup.get("on", "canonical") != "canonical":
        yield ("variant",), "variant: requires dedup.on = 'canonical', which keeps pairs together"


def _base_faults(split: _Table, name: str, base: _Table) -> Iterator[tuple[Key, str]]:
    if base.get("variant"):
        message = f"of={name!r}: expected a split with its own rows, but it also has variant"
        yield ("variant", "of"), message
    rows, wanted = split.get("rows"), base.get("rows")
    if _is_count(rows) and _is_count(wanted) and rows != wanted:
        yield ("rows",), f"rows={rows}: expected {wanted}, the rows of {name!r}, which it restates"


_OWN_KEYS = (
    *("balance", "cap", "parts", "members", "seen_in", "variant"),
    *("unseen", "measure", "shares", "cover", "diverse", "order"),
)


def _divergence_faults(
    divergence: object, splits: Mapping[str, _Table]
) -> Iterator[tuple[Key, str]]:
    """Find names of missing splits, and splits that cannot be divided by divergence."""
    if not isinstance(divergence, dict):
        return
    compounds = divergence.get("compounds", "fragments")
    for own in ("ngram", "words", "nodes"):
        wanted = "fragments" if own == "nodes" else "ngrams"
        if own in divergence and (compounds == "ngrams") != (wanted == "ngrams"):
            yield (own,), f"{own}: requires compounds = {wanted!r}, not {compounds!r}"
    rules, seen = set(), set()
    for side in ("train", "test"):
        names = divergence.get(side)
        for place, name in enumerate(names if isinstance(names, list) else ()):
            key = (side, str(place))
            if not isinstance(name, str):
                continue
            if name not in splits:
                yield key, no_such(side, name, "split", list(splits))
                continue
            if name in seen:
                yield key, f"{side}={name!r}: expected each split once, in train or in test"
            seen.add(name)
            rules.add(str(splits[name].get("where")))
            for own in _OWN_KEYS:
                if _has(splits[name], own):
                    yield key, f"{side}={name!r}: expected a split without {own}"
    if len(rules) > 1:
        yield (), "divergence: expected the same where in all of its splits"
    for name, split in splits.items():
        for base in _bases(split):
            if base in seen:
                yield (), f"divergence: expected no split that repeats {base!r}, as {name!r} does"


def _bases(split: _Table) -> Iterator[str]:
    variant = split.get("variant")
    for name in (split.get("seen_in"), variant.get("of") if isinstance(variant, dict) else None):
        if isinstance(name, str):
            yield name


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
