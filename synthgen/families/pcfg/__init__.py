"""PCFG SET (Hupkes et al. 2020): string functions in prefix notation, from a random grammar."""

FAMILIES = {
    "pcfg": "PCFG SET: evaluate a program of string functions in prefix notation",
    "pcfg_exceptions": "PCFG SET where four pairs of adjacent functions mean something else",
}
