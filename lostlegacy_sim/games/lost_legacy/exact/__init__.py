"""Tiny decks for two, solved: the whole game built from the reference, and how far bots are from perfect play."""
