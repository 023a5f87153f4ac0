"""Complex roots by their arguments, and powers of complex numbers, as in OMEGA."""

FAMILIES = {
    "trans_de_moivre": "OMEGA transformation: complex roots in parts of the plane, and powers",
}
