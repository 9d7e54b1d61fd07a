"""Bots that answer from a few figures: careful, hunter and novice, and the parts they share."""
