"""Joints: segments that show two skills at once, and can lose either alone."""

from __future__ import annotations

from synthgen.generators.skillmix._piece import Joint
from synthgen.generators.skillmix._pieces_joints_embedded import EMBEDDED, JointWordings
from synthgen.generators.skillmix._pieces_joints_overlaid import OVERLAID
from synthgen.generators.skillmix._pieces_lexical_words import kinds_of, maker, teller


def _joint(wordings: JointWordings, way: str) -> Joint:
    kinds = kinds_of(wordings.words)
    names = (*wordings.names.split(), *kinds)
    return Joint(
        wordings.skills,
        way,
        min(map(len, wordings.texts.values())),
        maker(wordings.content, kinds, wordings.texts),
        teller(names, wordings.texts),
    )


JOINTS: tuple[Joint, ...] = (
    *(_joint(wordings, "embed") for wordings in EMBEDDED),
    *(_joint(wordings, "overlay") for wordings in OVERLAID),
)
