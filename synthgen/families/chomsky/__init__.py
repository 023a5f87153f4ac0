"""The tasks of Neural Networks and the Chomsky Hierarchy."""

FAMILIES = {
    "chomsky": "The Chomsky hierarchy benchmark: tasks on strings of symbols at each level",
}
