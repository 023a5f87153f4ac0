"""Integer matrices: the seven matrix families of OMEGA, and ranks in two harder settings."""

FAMILIES = {
    "arithmetic_matrix_determinant": "OMEGA arithmetic: a determinant modulo 1000",
    "arithmetic_matrix_eigenvalues": "OMEGA arithmetic: absolute values of eigenvalues, rounded",
    "arithmetic_matrix_inverse": "OMEGA arithmetic: entries and sums of an inverse, rounded",
    "arithmetic_matrix_multiplication": "OMEGA arithmetic: entries and sums of a product",
    "arithmetic_matrix_power": "OMEGA arithmetic: entries and sums of a power",
    "arithmetic_matrix_rank": "OMEGA arithmetic: the rank of a matrix",
    "arithmetic_matrix_svd": "OMEGA arithmetic: singular values, rounded",
    "comp_matrix_rank": "OMEGA composition: the chance that a randomly filled matrix has a rank",
    "trans_matrix_rank": "OMEGA transformation: the rank of a large matrix given by a formula",
}
