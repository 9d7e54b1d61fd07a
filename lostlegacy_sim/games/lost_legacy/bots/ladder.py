"""The ladder of the built-in bots, from the weakest to the strongest: a stronger bot is one line more."""

RUNGS = (
    "random",
    "careful:memory=no",
    "careful",
    "belief",
    "playout:250",
    "playout:500",
    "playout:1000",
)
