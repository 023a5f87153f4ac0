"""Checks of the files: all there, none besides, unchanged, of the right schema and length."""

from __future__ import annotations

import hashlib
from pathlib import Path

from synthgen.audit.findings import MOST_EXAMPLES, Check
from synthgen.core.errors import DatasetError
from synthgen.dataset.reader import Dataset, shard_rows

RowCounts = dict[str, int]


def check_files(dataset: Dataset) -> list[Check]:
    """Check that the promised shards are there, and no Parquet file besides them."""
    listed = {shard.file for split in dataset.manifest.splits for shard in split.shards}
    there = {
        path.relative_to(dataset.folder).as_posix()
        for path in (dataset.folder / "data").rglob("*")
        if path.suffix.lower() == ".parquet"
    }
    missing = sorted(file for file in listed if not (dataset.folder / file).is_file())
    stray = sorted(there - listed)
    return [
        Check("files", not missing, _told(missing, "missing", f"{len(listed)} shards are there")),
        Check("stray", not stray, _told(stray, "not in the manifest", "no other Parquet file")),
    ]


def check_hashes(dataset: Dataset) -> Check:
    """Check the bytes of every shard that is there against the manifest."""
    changed = []
    for split in dataset.manifest.splits:
        for shard in split.shards:
            path = dataset.folder / shard.file
            if path.is_file() and _sha256(path) != shard.sha256:
                changed.append(shard.file)
    return Check("hashes", not changed, _told(changed, "changed", "every shard is unchanged"))


def count_rows(dataset: Dataset) -> tuple[RowCounts, list[Check]]:
    """Count the rows of every shard; a shard that cannot be read has no count.

    Returns:
        Rows of each readable shard by its file, and the checks of readability and of the counts.
    """
    counts: RowCounts = {}
    faults = []
    for split in dataset.manifest.splits:
        for shard in split.shards:
            try:
                counts[shard.file] = shard_rows(dataset.folder / shard.file, dataset.schema)
            except DatasetError as error:
                faults.append(str(error).replace(f"{dataset.folder}/", ""))
    readable = Check("schema", not faults, _told(faults, "", "every shard has the promised schema"))
    return counts, [readable, *_compare_counts(dataset, counts)]


def _compare_counts(dataset: Dataset, counts: RowCounts) -> list[Check]:
    """Compare the rows found with those promised by shards, splits and totals."""
    checks = []
    promised_rows = promised_verified = 0
    for split in dataset.manifest.splits:
        found = sum(counts.get(shard.file, 0) for shard in split.shards)
        wrong = [shard.file for shard in split.shards if counts.get(shard.file) != shard.rows]
        verified = sum(shard.verified for shard in split.shards)
        detail = f"{found} rows, promised {split.rows}"
        checks.append(
            Check(
                f"rows/{split.name}",
                found == split.rows and not wrong,
                detail if not wrong else f"{detail}; {_told(wrong, 'of another length', '')}",
            )
        )
        checks.append(
            Check(
                f"verified/{split.name}",
                verified == found and all(s.verified == s.rows for s in split.shards),
                f"{verified} of {found} rows were verified",
            )
        )
        promised_rows += found
        promised_verified += verified
    totals = dataset.manifest.totals
    checks.append(
        Check(
            "totals",
            (totals.rows, totals.verified) == (promised_rows, promised_verified),
            f"{promised_rows} rows, {promised_verified} verified; "
            f"promised {totals.rows} and {totals.verified}",
        )
    )
    return checks


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _told(faults: list[str], what: str, otherwise: str) -> str:
    """Say which files are at fault, the first of them by name."""
    if not faults:
        return otherwise
    more = f" and {len(faults) - MOST_EXAMPLES} more" if len(faults) > MOST_EXAMPLES else ""
    return f"{what} {', '.join(faults[:MOST_EXAMPLES])}{more}".strip()
