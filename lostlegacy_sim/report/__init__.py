"""Reports: what was found, as tables of data and as text. Nothing is played here."""
