"""Block 12: what the dataset was made from, and by what."""

from __future__ import annotations

import hashlib
import json

from synthgen.audit.blocks import FLAG, OK, Block, BlockTable
from synthgen.audit.coverage_words import cut, listed, plural
from synthgen.dataset.manifest import Manifest

_TITLE = "Provenance"


def provenance_block(manifest: Manifest) -> Block:
    """Name recipe, seed, generators and libraries, as the manifest does.

    Args:
        manifest: of the dataset.
    """
    recipe = json.dumps(dict(manifest.recipe), sort_keys=True, separators=(",", ":"))
    seed = manifest.recipe.get("seed")
    facts = (
        ("name", manifest.name),
        ("fingerprint", manifest.fingerprint),
        ("SHA-256 of the canonical recipe", hashlib.sha256(recipe.encode()).hexdigest()),
        ("seed", "" if seed is None else str(seed)),
        ("settings given beside the recipe", listed(manifest.overrides, 20)),
        ("synthgen", manifest.synthgen),
        ("format", manifest.format),
        ("duplicates are told by", manifest.dedup),
        ("contents of all shards, SHA-256", _contents(manifest)),
    )
    sources = tuple(
        (s.name, s.generator, s.version, s.domain, s.verifier, s.stream, cut(_params(s.params)))
        for s in manifest.sources
    )
    columns = ("source", "generator", "version", "domain", "verifier", "stream", "parameters")
    tables = (
        BlockTable("Dataset", ("what", "value"), tuple((what, value) for what, value in facts)),
        BlockTable("Sources", columns, sources),
        BlockTable("Libraries", ("package", "version"), tuple(sorted(manifest.libraries.items()))),
    )
    missing = [what for what, value in facts[1:6] if not value and what != facts[4][0]]
    made = listed([f"{s.generator} (version {s.version})" for s in manifest.sources], 3)
    text = f"Made by synthgen {manifest.synthgen} from {made} with seed {seed}"
    text += f" and {plural(len(manifest.overrides), 'override')}." if manifest.overrides else "."
    if missing:
        text += f" Not recorded: {listed(missing)}."
    return Block("provenance", _TITLE, FLAG if missing else OK, text, tables)


def _contents(manifest: Manifest) -> str:
    """Return one hash of the content hashes of all shards, in order."""
    lines = [f"{shard.file} {shard.content}" for s in manifest.splits for shard in s.shards]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _params(params: object) -> str:
    return json.dumps(params, sort_keys=True, default=str)
