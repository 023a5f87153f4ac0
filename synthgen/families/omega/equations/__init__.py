"""Questions about numbers that sentences before the question may define, as in OMEGA."""

FAMILIES = {
    "algebra_linear_equation": "OMEGA algebra: one unknown of a square system of linear equations",
    "algebra_polynomial_roots": "OMEGA algebra: the second-largest root of a polynomial",
    "arithmetic_list_prime_factors": "OMEGA arithmetic: the second-largest prime factor",
    "arithmetic_mixed": "OMEGA arithmetic: the exact value of an arithmetic expression",
    "comp_polynomial_gcd": "OMEGA composition: a common root of two polynomials",
}
