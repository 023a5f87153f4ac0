"""SCAN (Lake and Baroni 2018): navigation commands and the actions that they ask for."""

FAMILIES = {
    "scan": "Navigation commands and their actions: all 20,910 of SCAN, or a larger language",
}
