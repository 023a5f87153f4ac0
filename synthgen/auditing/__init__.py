"""Reports computed only from the rows of a dataset and its other files."""
