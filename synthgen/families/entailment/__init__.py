"""Entailment between a premise and a clause made of its words, as in HANS."""

FAMILIES = {
    "entailment": "Whether a premise entails a clause made of its words",
}
