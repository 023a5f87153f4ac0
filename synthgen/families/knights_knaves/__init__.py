"""Knights and knaves: people who always tell the truth or always lie."""

FAMILIES = {
    "knights_knaves": "Who tells the truth and who lies, based on what people say about each other",
}
