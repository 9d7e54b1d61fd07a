"""The ladder of the built-in bots, from the weakest to the strongest: a stronger bot is one line more."""

RUNGS = (
    "random",
    "careful:memory=no",
    "careful",
)
