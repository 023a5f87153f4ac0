"""Values of polynomials."""

FAMILIES = {
    "polynomial_evaluation": "Evaluate a polynomial of many terms at a number, also modulo another",
}
