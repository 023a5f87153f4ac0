"""Questions about scenes of objects or animals, as in CLEVR, CLOSURE and COVR."""

FAMILIES = {
    "scene_questions": "Questions about objects on a plane: the answer, or the program",
    "animal_questions": "Questions about animals and what they do: the answer, or the program",
}
