"""Matrices of panels as in RAVEN, I-RAVEN and PGM."""

FAMILIES = {
    "abstract_matrices": "Matrices of panels as in RAVEN and PGM: the candidate, or the panel",
}
