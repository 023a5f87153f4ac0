"""Space: points with coordinates, and chains of directions."""

FAMILIES = {
    "spatial_points": "Directions, distances, paths and tours on a map, as in Sparkle",
    "spatial_chain": "Where one object is from another, by a chain of directions, as in StepGame",
}
