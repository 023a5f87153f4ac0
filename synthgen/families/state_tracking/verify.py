"""State tracking: the verifiers."""

from synthgen.families.state_tracking.verify_boxes import BOXES
from synthgen.families.state_tracking.verify_permutations import PERMUTATIONS
from synthgen.families.state_tracking.verify_places import PLACES

VERIFIERS = {
    "state_boxes": BOXES,
    "state_permutations": PERMUTATIONS,
    "state_places": PLACES,
}
