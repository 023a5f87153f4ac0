"""Classic string systems: ordered string manipulation, A::B token reduction, letter insertion."""

FAMILIES = {
    "string_systems": "Final string of ordered manipulation rules, A::B tokens or letter insertion",
}
