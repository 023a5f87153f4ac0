"""How fast synthgen is, beside a peer and beside the limit of its file format: `just bench`."""
