"""WORKERS: processes that run pure tasks."""
