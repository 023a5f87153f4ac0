"""Questions with many right answers, one of which is to be chosen at random."""

FAMILIES = {
    "random_choice": "Choose at random: a number of a range, an item of a list, a weekday",
}
