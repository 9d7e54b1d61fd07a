"""Where everything may lie, given what a seat has observed: worlds drawn, histories sampled, chances counted."""
