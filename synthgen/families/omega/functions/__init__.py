"""Functions built from layers, and curves: counts, places, areas, integrals, as in OMEGA."""

FAMILIES = {
    "algebra_func_area": "OMEGA algebra: the area between two graphs, to one decimal",
    "algebra_func_derivative_sign": "OMEGA algebra: intervals on which a function rises or falls",
    "algebra_func_extrema": "OMEGA algebra: the number of local extrema of a function",
    "algebra_func_extrema_coords": "OMEGA algebra: where a function has a local extremum",
    "algebra_func_intersection": "OMEGA algebra: the number of intersections of two graphs",
    "algebra_func_intersection_coords": "OMEGA algebra: where two graphs intersect",
    "algebra_func_zeros": "OMEGA algebra: the number of zeros of a function",
    "comp_parametric_intersection": "OMEGA composition: the probability that two curves meet",
    "trans_func_intersection": "OMEGA transformation: intersections of iterated tents and waves",
    "trans_integrations": "OMEGA transformation: integrals that a symmetry settles",
}
