"""lostlegacy_sim: millions of deals of Lost Legacy, counted."""

__version__ = "0.1.0"
