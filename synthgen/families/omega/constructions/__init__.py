"""Constructions in the plane, circles and graphs, and circles that touch, as in OMEGA."""

FAMILIES = {
    "comp_circles_algebra": "OMEGA composition: points that a circle shares with a graph",
    "geometry_basic": "OMEGA geometry: constructions with points, lines, segments and vectors",
    "geometry_circle": "OMEGA geometry: constructions with circles",
    "geometry_polygon": "OMEGA geometry: constructions with regular polygons",
    "geometry_triangle": "OMEGA geometry: constructions with triangles",
    "trans_circles": "OMEGA transformation: curvatures of mutually tangent circles",
}
