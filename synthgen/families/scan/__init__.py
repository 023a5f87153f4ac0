"""SCAN (Lake and Baroni 2018): navigation commands and their actions."""

FAMILIES = {
    "scan": "Navigation commands and their actions: all 20,910 of SCAN, or a larger language",
}
