"""Knights and knaves: people who always tell the truth or always lie."""

FAMILIES = {
    "knights_knaves": "Who tells the truth and who lies, judging by what people say of each other",
}
