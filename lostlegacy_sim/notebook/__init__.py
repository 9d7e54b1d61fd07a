"""The notebook: the questions one can ask in Python, and answers as pandas tables; `import lostlegacy_sim as ll`."""
