"""Typed form of a recipe file, with the place of every fault.

`loader.read_recipe` turns a TOML file into a `Draft` that holds what is valid and every fault with
its line; `loader.load_recipe` wants a file without faults and gives the typed `schema.Recipe`.
"""
