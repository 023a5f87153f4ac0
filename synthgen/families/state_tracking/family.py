"""State tracking: the families."""

from synthgen.families.state_tracking.boxes import StateBoxes
from synthgen.families.state_tracking.permutations import StatePermutations
from synthgen.families.state_tracking.places import StatePlaces

GENERATORS = {
    "state_boxes": StateBoxes,
    "state_permutations": StatePermutations,
    "state_places": StatePlaces,
}
