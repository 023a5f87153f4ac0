"""One problem family a file; the folder is the registry."""
