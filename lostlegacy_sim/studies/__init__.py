"""Studies: a question -> experiments -> results -> answers."""
