"""The bot that weighs what it sees by weights learnt from play: features, network, weights (trained.json)."""
