"""Experiments: small models trained on our datasets, and what the audit says of these beforehand."""
