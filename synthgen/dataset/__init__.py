"""The dataset folder: shards, manifest, card, Croissant, and reading them back."""
