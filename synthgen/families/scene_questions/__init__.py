"""Questions about scenes of objects, as in CLEVR, CLOSURE and COVR."""

FAMILIES = {
    "scene_questions": "Questions about objects on a plane: the answer, or the program",
}
