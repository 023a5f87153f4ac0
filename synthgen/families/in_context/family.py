"""Learning in context and in weights: the families."""

from synthgen.families.in_context.codebooks import LatentCodebooks
from synthgen.families.in_context.exposure import PartialExposure
from synthgen.families.in_context.facts import LatentFacts
from synthgen.families.in_context.functions import InContextFunctions
from synthgen.families.in_context.taxonomy import LatentTaxonomy

GENERATORS = {
    "latent_codebooks": LatentCodebooks,
    "latent_facts": LatentFacts,
    "latent_taxonomy": LatentTaxonomy,
    "partial_exposure": PartialExposure,
    "in_context_functions": InContextFunctions,
}
