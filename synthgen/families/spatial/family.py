"""Space: the families."""

from synthgen.families.spatial.chains import SpatialChain
from synthgen.families.spatial.points import SpatialPoints

GENERATORS = {"spatial_points": SpatialPoints, "spatial_chain": SpatialChain}
