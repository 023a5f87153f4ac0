"""All that a source's kernels look up: atoms, walks, and what is held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.derivation import Signature
from synthgen.generators.skillmix._chain_axes import Held
from synthgen.generators.skillmix._chain_catalog import Atom
from synthgen.generators.skillmix._chain_draw import Marks
from synthgen.generators.skillmix._chain_family import TYPES
from synthgen.generators.skillmix._chain_held import Choice, held_atoms, held_cells, held_pairs
from synthgen.generators.skillmix._chain_pairs import allowed_pairs
from synthgen.generators.skillmix._chain_walks import walk_tables


@dataclass(frozen=True, slots=True)
class Request:
    """What tables are made from; see the generator's parameters.

    Attributes:
        atoms: of the source.
        counts: fewest and most of a chain.
        input_types, output_types: names of types, none for all.
        balanced: whether pairs shall be equally frequent.
        normal_form: whether redundant pairs are left out.
        held: choices of pairs, orders, atoms and cells.
        key: of these choices.
    """

    atoms: tuple[Atom, ...]
    counts: tuple[int, int]
    input_types: tuple[str, ...]
    output_types: tuple[str, ...]
    balanced: bool
    normal_form: bool
    held: tuple[Choice, Choice, Choice, Choice]
    key: int


class Tables(NamedTuple):
    """What kernels look up.

    Attributes:
        atoms: a row for each atom, see `_chain_draw`.
        allowed: pairs that may stand side by side.
        steps: of walks, see `_chain_walks`.
        facts: of each atom its place in the catalogue, its id, and its category.
        held: what is held out.
    """

    atoms: Marks
    allowed: NDArray[np.bool_]
    steps: NDArray[np.uint32]
    facts: tuple[Marks, NDArray[np.uint64], Marks]
    held: Held


@lru_cache(maxsize=64)
def tables_of(request: Request) -> Tables:
    """Make the tables of a source.

    Raises:
        ParamError: if there are no such chains, or less than shall be held out.
    """
    atoms = request.atoms
    allowed = allowed_pairs(atoms, normal_form=request.normal_form)
    starts = [_is_among(TYPES[atom.types[0]], request.input_types) for atom in atoms]
    ends = [_is_among(TYPES[atom.types[1]], request.output_types) for atom in atoms]
    walks = walk_tables(
        *(allowed, np.array(starts, bool), np.array(ends, bool), request.counts),
        balanced=request.balanced,
    )
    pairs, orders, singles, cells = request.held
    nothing, key = np.zeros_like(allowed), request.key
    held = held_pairs(*("held_out_pairs", pairs, atoms, allowed, key, nothing), both_ways=False)
    ids = Signature.of({atom.label: 1 for atom in atoms}).symbol_ids
    facts = (
        np.array([atom.index for atom in atoms], np.int64),
        ids,
        np.array([atom.family.category for atom in atoms], np.int64),
    )
    return Tables(
        atom_table(atoms),
        allowed,
        walks.steps,
        facts,
        (
            held,
            held_pairs(*("held_out_orders", orders, atoms, allowed, key, held), both_ways=True),
            held_atoms(singles, atoms, key),
            held_cells(cells, atoms, walks.reached, key),
        ),
    )


def _is_among(name: str, names: tuple[str, ...]) -> bool:
    return not names or name in names


def atom_table(atoms: Sequence[Atom]) -> Marks:
    """Return operation, arguments, types and partner of each atom, int64 (m, 6)."""
    rows = []
    for place, atom in enumerate(atoms):
        alike = [k for k, other in enumerate(atoms) if other.types == atom.types]
        partner = alike[(alike.index(place) + 1) % len(alike)]
        family = atom.family
        partner = -1 if partner == place or family.source == family.result else partner
        rows.append([family.op, atom.first, atom.second, family.source, family.result, partner])
    return np.array(rows, np.int64)
