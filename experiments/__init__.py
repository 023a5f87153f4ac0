"""Experiments: small models trained on our datasets, and what an audit says of these before."""
