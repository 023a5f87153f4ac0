"""Bits of the skills of world and mind, in the order of their plain checkers."""

(
    SPATIAL_REASONING,
    TEMPORAL_ORDER,
    FALSE_BELIEF,
    FOLK_PHYSICS,
    ARITHMETIC_COMPARISON,
    COUNTING,
    UNIT_CONVERSION,
    SELF_SERVING_BIAS,
    EMOTIONAL_SELF_REGULATION,
    ACCIDENT,
    AD_HOMINEM,
    COMPLEX_QUESTION,
    RED_HERRING,
    POST_HOC,
    APPEAL_TO_POPULARITY,
    EQUIVOCATION,
) = (1 << at for at in range(16))
