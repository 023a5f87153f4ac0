"""Planning: the families."""

from synthgen.families.planning.blocks import BlocksPlanning
from synthgen.families.planning.logistics import LogisticsPlanning

GENERATORS = {"blocks_planning": BlocksPlanning, "logistics_planning": LogisticsPlanning}
