"""Rows a second of the published OMEGA generators (arXiv 2506.18880), level by level.

Measured once on two shared cores: Python 3.11, numpy 2.4.6, 20 rows a run, without plots where that
was possible. None stands for a level that was not measured or gave no rows.
"""

from __future__ import annotations

_PROBABILITY = (24500, 6500, 850, 280, 6.5)

PUBLISHED: dict[str, tuple[float | None, ...]] = {
    "algebra_linear_equation": (747, 475, 299, 230, 152),
    "algebra_polynomial_roots": (211, 86, 117, 103, 92),
    "algebra_func_intersection": (0.5, None, 0.4, None, 0.06),
    "algebra_func_intersection_coords": (7.5, 0.75, 0.34),
    "algebra_func_extrema": (34, None, None, None, 16),
    "algebra_func_extrema_coords": (81, None, None, None, 21),
    "algebra_func_area": (5.4, 1.6, 0.84, None, 0.07),
    "algebra_func_zeros": (0.35, 0.41, 0.09, None, 0.17),
    "algebra_func_derivative_sign": (403, None, 294, None, 172),
    "arithmetic_mixed": (1220, 927, 870, 665, 488),
    "arithmetic_list_prime_factors": (1715, 1600, 1061, 502, 538),
    "arithmetic_gcd": (1911, 1738, 1410, 994, 319),
    "arithmetic_matrix_inverse": (1121, None, None, None, None, None, 432),
    "arithmetic_matrix_multiplication": (1001, None, None, None, None, None, 217),
    "arithmetic_matrix_determinant": (1348, None, None, None, None, None, 424),
    "arithmetic_matrix_rank": (1251, None, None, None, None, None, 415),
    "arithmetic_matrix_eigenvalues": (1360, None, None, None, None, None, 432),
    "arithmetic_matrix_power": (1381, None, None, None, None, None, 432),
    "arithmetic_matrix_svd": (1231, None, None, None, None, None, 419),
    "combinatory_distribution": (7300, 813, 28),
    "combinatory_pattern_matching": (9430, 2560, 966, 252, 27),
    "combinatory_probability_no_fixed_points": _PROBABILITY,
    "combinatory_probability_no_specific_letter_fixed": _PROBABILITY,
    "combinatory_probability_exactly_n_specific_fixed": _PROBABILITY,
    "combinatory_probability_at_least_n_specific_fixed": _PROBABILITY,
    "numbertheory_lte_qr": (13, 1398),
    "numbertheory_ordered_lte": (29800, 698, 23, 2.75),
    "numbertheory_qr_sum": (22400, 12800, 670, 56, 2.4),
    "geometry_basic": (0.61, None, 0.42),
    "geometry_circle": (0.52, None, 0.31),
    "geometry_polygon": (1.6, None, 0.50),
    "geometry_triangle": (1.0, None, 0.25),
    "geometry_polygon_chords": (7900, None, None, None, 3040),
    "geometry_polygon_color": (37200, None, None, None, 27500),
    "geometry_polygon_rotation": (0.15, 0.15, None, 0.12, None, 0.09),
    "logic_gridworld_blocked": (19400, 642, 46),
    "logic_gridworld_knight_move": (6800, 1330, 511, 249, 177),
    "logic_gridworld_rookmove": (4900, 562, 114, 38, 16),
    "logic_puzzles_grid_chip": (30000, None, None, None, 13300),
}
