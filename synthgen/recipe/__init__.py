"""Typed form of a recipe file, with the location of every fault.

`loader.read_recipe` turns a TOML file into a `Draft`: all valid tables, and every fault with its
line. `loader.load_recipe` requires a file without faults and returns the typed `schema.Recipe`.
"""
