"""Long numbers: addition and multiplication in formats that change how well models extrapolate."""

FAMILIES = {
    "addition": "Add two numbers of up to 1,000 digits: reversed, padded, labeled, spaced",
    "multiplication": "Multiply two numbers of up to 500 digits, with partial products",
}
