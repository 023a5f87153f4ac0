"""Congruences, power sums and digits, as in OMEGA's number theory."""

FAMILIES = {
    "numbertheory_lte_qr": "OMEGA number theory: roots of n^k + o modulo powers of a prime",
    "numbertheory_ordered_lte": "OMEGA number theory: tuples whose sum of powers is divisible",
    "numbertheory_qr_sum": "OMEGA number theory: extreme numbers with a property of their digits",
}
