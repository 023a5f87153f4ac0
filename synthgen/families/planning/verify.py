"""Planning from the text: blocks, and a truck with packages."""

from synthgen.families.planning.verify_blocks import BLOCKS
from synthgen.families.planning.verify_logistics import LOGISTICS

VERIFIERS = {"blocks_planning": BLOCKS, "logistics_planning": LOGISTICS}
