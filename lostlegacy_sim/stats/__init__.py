"""Statistics: intervals for counts and for any function of batched counts, sequences of them, differences, verdicts. Knows no games."""
