"""Planning: blocks and a robot hand, and a truck with packages."""

FAMILIES = {
    "blocks_planning": "Plans that build towers of blocks, also in renamed words, as in PlanBench",
    "logistics_planning": "Plans that deliver packages with one truck along roads",
}
