"""Lists of members: the only prompts allowed in a split, one per line."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import text_list
from synthgen.core.errors import ParamError
from synthgen.dataset.records import MembersRecord
from synthgen.recipe.loader import MAX_LISTED, read_beside
from synthgen.trees.content_keys import Keys, text_keys

PROMPT_DOMAIN = "prompt"
"""Domain of the text keys by which prompts are compared."""
_MAX_LINE = 1 << 16


@dataclass(frozen=True)
class MemberList:
    """A published membership.

    Attributes:
        file: Path as written in the recipe.
        digest: SHA-256 of the lines, sorted by their bytes and joined by line feeds, in hex.
        lines: Number of prompts listed, repeats included.
        prompts: Distinct prompts, in the order of `keys`.
        keys: Keys of the different prompts, uint64 (k, 2), ascending in the first word.
        counts: Number of times each is listed, int64 (k,).
    """

    file: str
    digest: str
    lines: int
    prompts: tuple[str, ...]
    keys: Keys
    counts: NDArray[np.int64]

    @property
    def record(self) -> MembersRecord:
        """Record of the list for the manifest."""
        return MembersRecord(self.file, self.lines, len(self.prompts), self.digest)

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """Return the index of each key in the list, -1 if missing, int64 (n,)."""
        places = np.searchsorted(self.keys[:, 0], keys[:, 0])
        places = np.minimum(places, len(self.keys) - 1)
        matches = (self.keys[places] == keys).all(axis=1)
        return np.where(matches, places, -1)


def read_members(folder: Path, name: str, text: str | None = None) -> MemberList:
    """Read a list; line endings, a byte-order mark and empty lines are ignored.

    Args:
        folder: Folder of the recipe.
        name: File, relative to the folder.
        text: Text of the file, if it has been read already.

    Raises:
        ParamError: if the file is outside the folder, cannot be read, or is not a list of prompts.
    """
    if text is None:
        text = read_beside(folder, "members", name, MAX_LISTED)
    lines = [line for line in text.split("\n") if line]
    if not lines:
        raise ParamError("members", name, "one prompt per line; the file is empty")
    if max(map(len, lines)) > _MAX_LINE:
        raise ParamError("members", name, f"lines of at most {_MAX_LINE} characters")
    listed = Counter(lines)
    prompts = np.array(list(listed), dtype=object)
    keys = text_keys(text_list(listed), PROMPT_DOMAIN)
    order = np.argsort(keys[:, 0], kind="stable")
    return MemberList(
        file=name,
        digest=digest_of(lines),
        lines=len(lines),
        prompts=tuple(prompts[order]),
        keys=keys[order],
        counts=np.array(list(listed.values()), np.int64)[order],
    )


def digest_of(lines: list[str]) -> str:
    """Return the SHA-256 of prompts, sorted by their bytes and joined by line feeds."""
    return hashlib.sha256(b"\n".join(sorted(line.encode() for line in lines))).hexdigest()
