"""Statistics: intervals for counts, for block means and for any function of batched counts. Knows no games."""
