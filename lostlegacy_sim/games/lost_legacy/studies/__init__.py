"""Questions only this game has."""
