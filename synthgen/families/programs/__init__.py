"""Programs to predict the output of."""

FAMILIES = {
    "programs": "What a short Python function returns: straight-line, with branches and with loops",
    "program_syntaxes": "What a short function returns, in Python, JavaScript, Go or Common Lisp",
}
