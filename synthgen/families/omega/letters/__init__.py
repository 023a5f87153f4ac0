"""Tiles with letters, as in OMEGA: boxes to fill, patterns to match, letters kept by a shuffle."""

FAMILIES = {
    "combinatory_distribution": "OMEGA combinatorics: ways to fill boxes with letters",
    "combinatory_pattern_matching": "OMEGA combinatorics: expected matches of a pattern",
    "combinatory_probability_at_least_n_specific_fixed": (
        "OMEGA combinatorics: at least a number of positions keep a letter"
    ),
    "combinatory_probability_exactly_n_specific_fixed": (
        "OMEGA combinatorics: exactly a number of positions keep a letter"
    ),
    "combinatory_probability_no_fixed_points": (
        "OMEGA combinatorics: a shuffle leaves no position with its letter"
    ),
    "combinatory_probability_no_specific_letter_fixed": (
        "OMEGA combinatorics: no position keeps a given letter"
    ),
    "trans_prob_letter": "OMEGA transformation: letters in place after shuffling a whole word",
}
