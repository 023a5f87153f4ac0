"""Reports computed only from the files of a dataset."""
