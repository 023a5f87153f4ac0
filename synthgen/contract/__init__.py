"""What families provide, and the registry that finds them by name."""
