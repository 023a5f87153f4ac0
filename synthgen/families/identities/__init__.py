"""Term rewriting by identities (after Only-IF): an expression with one instance of a rule."""

FAMILIES = {
    "identities": "An expression in which one instance of a stated identity is rewritten",
}
