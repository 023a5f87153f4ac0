"""The Croissant 1.0 description (JSON-LD) of a dataset, written without a Croissant library.

Format: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from synthgen.core.images import IMAGE_TYPES, PNG
from synthgen.dataset.manifest import Manifest

_CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_PARQUET = "application/x-parquet"
_SHARDS = "shards"
# Maps the path of a shard to its split, and a split to itself, because the reference reader applies
# a field's transformations twice if the field refers to another one.
_SPLIT_OF_PATH = r"^(?:data/)?([^-/]+)(?:-\d+-of-\d+\.parquet)?$"
_TYPES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "string": ("sc:Text", {}),
    "bool": ("sc:Boolean", {}),
    str(IMAGE_TYPES[PNG]): ("sc:ImageObject", {"transform": {"jsonPath": "bytes"}}),
}
"""Types of fields, and how a value is read from its column; all others are integers."""
_MIXED_CASE = ("Apache-2.0", "ODbL-1.0", "ODC-By-1.0", "Unlicense")
_SPLIT_KINDS = (
    (("train",), "cr:TrainingSplit"),
    (("val", "dev"), "cr:ValidationSplit"),
    (("test",), "cr:TestSplit"),
)

# The context of the specification, appendix 1, and the PROV ontology for the data's provenance.
_CR_TERMS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _CR_TERMS},
}


def render_croissant(manifest: Manifest, card: Mapping[str, str | None]) -> str:
    """Write croissant.json of a finished dataset, with a card as for `render_card`.

    Entries that Croissant requires but the card lacks are left out; readers then warn.
    """
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS_TO,
        "name": card.get("title") or manifest.name,
        "description": card.get("description") or f"Synthetic problems of recipe {manifest.name}",
        **_optional(card),
        "prov:wasGeneratedBy": _provenance(manifest),
        "distribution": _distribution(manifest),
        "recordSet": [_split_records(manifest), _row_records(manifest)],
    }
    return json.dumps(described, indent=1) + "\n"


def split_kind(name: str) -> str | None:
    """Return the Croissant term for a split of this name, or None."""
    return next((kind for start, kind in _SPLIT_KINDS if name.startswith(start)), None)


def _optional(card: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the properties for which the card has a value."""
    creator, spdx = card.get("creator"), card.get("license")
    properties = {
        "license": f"https://spdx.org/licenses/{_spdx_case(spdx)}.html" if spdx else None,
        "url": card.get("url"),
        "creator": {"@type": "sc:Organization", "name": creator} if creator else None,
        "datePublished": card.get("date"),
        "inLanguage": card.get("language"),
        "citeAs": card.get("citation"),
    }
    return {key: value for key, value in properties.items() if value}


def _spdx_case(identifier: str) -> str:
    """Return an SPDX id in its official case: recipes may use the hub's lower case."""
    known = {name.lower(): name for name in _MIXED_CASE}
    upper = identifier.upper() if identifier.islower() else identifier
    return known.get(identifier.lower(), upper)


def _provenance(manifest: Manifest) -> dict[str, Any]:
    """Describe the build: the program, and the fingerprint of recipe and generators."""
    return {
        "@type": "prov:Activity",
        "prov:label": "synthgen build",
        "prov:wasAssociatedWith": {
            "@type": "prov:SoftwareAgent",
            "prov:label": f"synthgen {manifest.synthgen}",
        },
        "prov:used": {
            "@type": "prov:Entity",
            "prov:label": "recipe.toml",
            "prov:value": manifest.fingerprint,
        },
    }


def _distribution(manifest: Manifest) -> list[dict[str, Any]]:
    """List every shard with its hash, and the file set of all shards."""
    shards = [
        {
            "@type": "cr:FileObject",
            "@id": shard.file,
            "name": shard.file,
            "contentUrl": shard.file,
            "contentSize": f"{shard.bytes} B",
            "encodingFormat": _PARQUET,
            "sha256": shard.sha256,
        }
        for split in manifest.splits
        for shard in split.shards
    ]
    every = {
        "@type": "cr:FileSet",
        "@id": _SHARDS,
        "name": _SHARDS,
        "encodingFormat": _PARQUET,
        "includes": [f"data/{split.name}-*.parquet" for split in manifest.splits],
    }
    return [*shards, every]


def _split_records(manifest: Manifest) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "description": "names of the splits",
        "dataType": "cr:Split",
        "key": {"@id": "splits/name"},
        "field": [
            _field("splits/name", "name of the split", "sc:Text"),
            _field("splits/url", "kind of the split", ["sc:URL", "cr:Split"]),
        ],
        "data": [
            {"splits/name": split.name, "splits/url": split_kind(split.name)}
            for split in manifest.splits
        ],
    }


def _row_records(manifest: Manifest) -> dict[str, Any]:
    split = _field("default/split", "split of the row", "sc:Text") | {
        "source": {
            "fileSet": {"@id": _SHARDS},
            "extract": {"fileProperty": "fullpath"},
            "transform": {"regex": _SPLIT_OF_PATH},
        },
        "references": {"field": {"@id": "splits/name"}},
    }
    columns = [
        _field(f"default/{column.name}", column.meaning, kind)
        | {"source": {"fileSet": {"@id": _SHARDS}, "extract": {"column": column.name}, **read}}
        for column in manifest.columns
        for kind, read in [_TYPES.get(column.type, ("sc:Integer", {}))]
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": "default",
        "name": "default",
        "description": "one problem per row",
        "field": [split, *columns],
    }


def _field(identifier: str, description: str, data_type: str | list[str]) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": identifier,
        "name": identifier.partition("/")[2],
        "description": description,
        "dataType": data_type,
    }
