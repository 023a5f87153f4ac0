"""Space from the text: points, and chains of directions."""

from synthgen.families.spatial.verify_chains import CHAINS
from synthgen.families.spatial.verify_points import POINTS

VERIFIERS = {"spatial_points": POINTS, "spatial_chain": CHAINS}
