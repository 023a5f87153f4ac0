"""Inverse problems of string rewriting: the rule from examples, or the input from the output."""

FAMILIES = {
    "rewrite_infer": "String rewriting in reverse: the rule behind pairs of strings, or the input",
}
