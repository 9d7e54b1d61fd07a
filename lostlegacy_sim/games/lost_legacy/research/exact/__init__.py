"""Tiny decks worked out completely."""
