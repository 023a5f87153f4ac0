"""Compound tasks whose worked solution may leave out lines: chains of thought by granularity."""

FAMILIES = {
    "longest_increasing": "Length of the longest increasing subsequence, line by line",
    "path_counting": "Ways to cross a line with obstacles by steps of one to three",
}
