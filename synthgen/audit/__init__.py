"""Reports computed from the files of a dataset alone."""
