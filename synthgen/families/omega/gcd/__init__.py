"""Divisors and factors of integers, as in OMEGA."""

FAMILIES = {
    "arithmetic_gcd": "OMEGA arithmetic: the greatest common divisor of two integers",
}
