"""Deduction from facts and rules, as in RuleTaker, ProofWriter, PrOntoQA and PrOntoQA-OOD."""

FAMILIES = {
    "deduction": "Decide whether a statement follows from facts and rules",
    "deduction_proofs": "Prove a statement step by step by six rules of natural deduction",
}
