"""MAKE: rows from addresses, their verification and their shards."""
