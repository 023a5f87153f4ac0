"""Checks of keys that belong together or exclude each other: parts, members, variants, draws_of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from synthgen.recipe.references import Faults, no_such
from synthgen.recipe.tables import RawTable, RecipeTables, has

_OF_LAWS = {"zipf": "exponent", "geometric": "ratio"}


def combination_faults(tables: RecipeTables) -> Faults:
    """Yield path and message of each fault."""
    for place, source in tables.sources:
        for key, message in _source_faults(source, tables.names["source"].get(place), tables):
            yield ("source", str(place), *key), message
    sweep, divergence = (tables.document.get(key) or {} for key in ("sweep", "divergence"))
    for place, name in enumerate(sweep.get("same") or ()):
        if name and name not in tables.split_named:
            message = no_such("same", name, "split", [*tables.split_named])
            yield ("sweep", "same", str(place)), message
    for key, message in _divergence_faults(divergence, tables.split_named):
        yield ("divergence", *key), message
    for place, split in tables.splits:
        own = tables.names["split"].get(place)
        for key, message in [
            *_exclusions(split),
            *_part_faults(split),
            *_member_faults(split),
            *_steering_faults(split),
            *_unseen_faults(split, own, tables.split_named),
            *_noise_faults(split, own),
            *_variant_faults(split, own, tables),
        ]:
            yield ("split", str(place), *key), message


def _steering_faults(split: RawTable) -> Faults:
    shares = split.get("shares")
    if shares is not None and not has(split, "balance"):
        yield ("shares",), "shares: requires balance, whose cells it weights"
    yield from _law_faults(shares or {})
    for place, cover in enumerate(split.get("cover") or ()):
        for key, message in _cover_faults(cover) if cover is not None else ():
            yield ("cover", str(place), *key), message
    yield from _order_faults(split.get("order") or {})


def _law_faults(law: RawTable) -> Faults:
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


def _cover_faults(cover: RawTable) -> Faults:
    axes, structures = cover.get("axes"), cover.get("structures")
    if has(cover, "axes") == has(cover, "structures"):
        yield (), "cover: expected either axes or structures"
        return
    strength = cover.get("strength")
    if structures and "strength" in cover:
        yield ("strength",), "strength: requires axes, as it is the number of axes to combine"
    if axes and cover.get("symbols"):
        yield ("symbols",), "symbols: requires structures"
    if not axes or strength is None:
        return
    if strength > len(axes):
        yield ("strength",), f"strength={strength}: expected at most the {len(axes)} axes"
    elif strength < len(axes) and cover.get("of"):
        yield (
            ("of",),
            f"of: requires strength = {len(axes)}, as each list has a value of every axis",
        )


def _order_faults(order: RawTable) -> Faults:
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
    "noise": ("members",),
}
"""Keys that cannot be combined with each of these."""


def _source_faults(source: RawTable, own: str | None, tables: RecipeTables) -> Faults:
    sources = tables.source_named
    if source.get("spread") and source.get("draws_of"):
        yield ("spread",), "spread: cannot be combined with draws_of in a source"
    if any("weight" in other for other in sources.values()):
        if source.get("spread"):
            yield ("spread",), "spread: cannot be combined with weight of any source"
        if "weight" in source and source.get("draws_of"):
            yield ("weight",), "weight: cannot be combined with draws_of"
    for name in source.get("files") or ():
        if name in (source.get("params") or ()):
            message = f"{name}: expected in either params or files, not in both"
            yield ("files", name), message
    base = source.get("draws_of")
    if not base:
        return
    others = [name for name in sources if name != own]
    if base not in others:
        if not _may_be_spread(base, sources):  # the plan knows the names
            yield ("draws_of",), no_such("draws_of", base, "source", others)
    elif "draws_of" in sources[base]:
        yield (
            ("draws_of",),
            f"draws_of={base!r}: expected a source with its own draws, "
            f"but {base!r} also has draws_of",
        )


def _may_be_spread(name: str, sources: Mapping[str, RawTable]) -> bool:
    """Return whether a name may be one of the sources that a spread source becomes."""
    return any(
        bool(table.get("spread")) and name.startswith(f"{base}_") for base, table in sources.items()
    )


def _exclusions(split: RawTable) -> Faults:
    for key, excluded in _EXCLUSIVE.items():
        for other in excluded if has(split, key) else ():
            if has(split, other):
                yield (other,), f"{other}: cannot be combined with {key} in a split"


def _part_faults(split: RawTable) -> Faults:
    parts = split.get("parts") or []
    if None in parts:
        return
    for place, part in enumerate(parts):
        rows, distinct = part.get("rows"), part.get("distinct")
        if rows and distinct and distinct > rows:
            message = f"distinct={distinct}: expected at most the {rows} rows of the part"
            yield ("parts", str(place), "distinct"), message
    counts = [part.get("rows") for part in parts]
    if parts and split.get("rows") and all(counts) and sum(counts) != split["rows"]:
        expected = f"expected {sum(counts)}, the sum of the rows of the parts"
        yield ("rows",), f"rows={split['rows']}: {expected}"


def _member_faults(split: RawTable) -> Faults:
    members = split.get("members")
    if members and not stays_below(members):
        message = f"members={members!r}: expected a path below the recipe's folder, without '..'"
        yield ("members",), message


def _unseen_faults(split: RawTable, own: str | None, splits: Mapping[str, RawTable]) -> Faults:
    other = (split.get("unseen") or {}).get("of")
    if not other:
        return
    if other not in splits or other == own:
        known = [name for name in splits if name != own]
        yield ("unseen", "of"), no_such("of", other, "split", known)
    elif splits[other].get("seen_in") or splits[other].get("variant"):
        yield ("unseen", "of"), f"of={other!r}: expected a split with its own rows"


def _noise_faults(split: RawTable, own: str | None) -> Faults:
    noise = split.get("noise")
    if noise is None:
        return
    if has(noise, "labels") == has(noise, "steps"):
        yield ("noise",), "noise: expected either labels or steps"
    if own and not own.startswith("train"):
        message = f"noise: expected a split whose name begins with 'train', not {own!r}"
        yield ("noise",), message
    if any(part and "distinct" in part for part in split.get("parts") or ()):
        yield ("noise",), "noise: cannot be combined with distinct, which repeats rows"


def stays_below(name: str) -> bool:
    """Return whether a path stays in the folder it is relative to, ignoring symlinks."""
    path = PurePosixPath(name)
    return not (path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name)


def _variant_faults(split: RawTable, own: str | None, tables: RecipeTables) -> Faults:
    variant = split.get("variant")
    if variant is None:
        return
    base, source = variant.get("of"), variant.get("source")
    others = {name: table for name, table in tables.split_named.items() if name != own}
    if base in others:
        yield from _base_faults(split, base, others[base])
    elif base:
        yield ("variant", "of"), no_such("of", base, "split", [*others])
    known = [name for name, table in tables.source_named.items() if has(table, "draws_of")]
    if source and source not in known:
        yield ("variant", "source"), no_such("source", source, "source with draws_of", known)
    if (tables.document.get("dedup") or {}).get("on") not in (None, "canonical"):
        yield ("variant",), "variant: requires dedup.on = 'canonical', which keeps pairs together"


def _base_faults(split: RawTable, name: str, base: RawTable) -> Faults:
    if base.get("variant"):
        message = f"of={name!r}: expected a split with its own rows, but it also has variant"
        yield ("variant", "of"), message
    rows, wanted = split.get("rows"), base.get("rows")
    if rows and wanted and rows != wanted:
        yield ("rows",), f"rows={rows}: expected {wanted}, the rows of {name!r}, which it restates"


_OWN_KEYS = (
    *("balance", "cap", "parts", "members", "seen_in", "variant"),
    *("unseen", "measure", "shares", "cover", "diverse", "order"),
)


def _divergence_faults(divergence: RawTable, splits: Mapping[str, RawTable]) -> Faults:
    """Find names of missing splits, and splits that cannot be divided by divergence."""
    compounds = divergence.get("compounds", "fragments")
    for own in ("ngram", "words", "nodes"):
        wanted = "fragments" if own == "nodes" else "ngrams"
        if own in divergence and compounds and (compounds == "ngrams") != (wanted == "ngrams"):
            yield (own,), f"{own}: requires compounds = {wanted!r}, not {compounds!r}"
    rules, seen = set(), set()
    for side in ("train", "test"):
        for place, name in enumerate(divergence.get(side) or ()):
            key = (side, str(place))
            if name is None:
                continue
            if name not in splits:
                yield key, no_such(side, name, "split", list(splits))
                continue
            if name in seen:
                yield key, f"{side}={name!r}: expected each split once, in train or in test"
            seen.add(name)
            rules.add(str(splits[name].get("where")))
            for own in _OWN_KEYS:
                if has(splits[name], own):
                    yield key, f"{side}={name!r}: expected a split without {own}"
    if len(rules) > 1:
        yield (), "divergence: expected the same where in all of its splits"
    for name, split in splits.items():
        for base in (split.get("seen_in"), (split.get("variant") or {}).get("of")):
            if base in seen:
                yield (), f"divergence: expected no split that repeats {base!r}, as {name!r} does"
