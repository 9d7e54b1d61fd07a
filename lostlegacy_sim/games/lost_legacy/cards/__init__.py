"""The cards as data: their words (vocabulary), card files and the printed sets, mixes, what may be played, guidelines, variants."""
