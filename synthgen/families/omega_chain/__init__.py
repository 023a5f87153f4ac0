"""Chains of OMEGA problems."""

FAMILIES = {
    "omega_chain": "Chains of OMEGA problems, each stated in terms of the previous answer",
}
