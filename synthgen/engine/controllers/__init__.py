"""Controllers that steer which candidates are kept."""
