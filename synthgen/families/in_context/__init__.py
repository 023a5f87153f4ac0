"""Learning in context against learning in weights: facts, codes, kinds, exposures, functions."""

FAMILIES = {
    "latent_codebooks": "Encode and decode by codebooks that are given, or known from elsewhere",
    "latent_facts": "Facts asked for forward, backward, or by a key that means nothing",
    "latent_taxonomy": "Kinds and what they inherit, forward and backward",
    "partial_exposure": "Which of two words decides a label, where both could",
    "in_context_functions": "Apply a hidden function that a few examples show",
}
