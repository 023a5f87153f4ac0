"""Space: points with coordinates, and chains of directions."""

FAMILIES = {
    "spatial_points": "Directions, distances, paths and tours on a map, as in Sparkle",
    "spatial_chain": "Direction of one object from another, by a chain of facts, as in StepGame",
}
