"""The families of OMEGA: a folder for each of its topics."""
