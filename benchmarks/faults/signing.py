"""Make a manifest agree again with the files of a dataset that was changed."""

from __future__ import annotations

import json
from pathlib import Path

from synthgen.dataset.seal import SEAL, file_sha256, sealed

MANIFEST = "manifest.json"


def sign(folder: Path) -> None:
    """Make sizes and hashes of the manifest, and its seal, agree with the files."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    shards = (shard for split in manifest["splits"] for shard in split["shards"])
    for record in (*manifest["files"], *shards):
        path = folder / record["file"]
        record.update(bytes=path.stat().st_size, sha256=file_sha256(path))
    content = {key: value for key, value in manifest.items() if key != SEAL}
    text = json.dumps(sealed(content), sort_keys=True, indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
