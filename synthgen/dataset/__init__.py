"""The dataset folder: shards, manifest, card and Croissant file, and how to read them."""
