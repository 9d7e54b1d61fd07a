"""For scripts and tests: exact solutions, bounds, training."""
