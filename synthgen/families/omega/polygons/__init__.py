"""Diagonals, regions and colors of regular polygons, as in OMEGA."""

FAMILIES = {
    "comp_n_gon": "OMEGA composition: expected coincidences of letters on a rotated polygon",
    "comp_vertex_color": "OMEGA composition: chance that a symmetry takes blue vertices to red",
    "geometry_polygon_chords": "OMEGA geometry: right angles between diagonals",
    "geometry_polygon_color": "OMEGA geometry: colored vertices and rotations",
    "geometry_polygon_rotation": "OMEGA geometry: regions cut by diagonals and a rotated copy",
}
