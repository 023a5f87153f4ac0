"""Template tasks with abstract symbols."""

FAMILIES = {
    "symbol_templates": "Label a sequence by which of its symbols are equal",
}
