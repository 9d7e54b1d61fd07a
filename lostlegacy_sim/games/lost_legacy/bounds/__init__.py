"""How much can be won from a bot at least: responses trained against it, where the whole game is too large to solve."""
