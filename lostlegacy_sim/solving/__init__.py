"""Games of two players with hidden information, solved: best responses and equilibria. Knows no game by name."""
