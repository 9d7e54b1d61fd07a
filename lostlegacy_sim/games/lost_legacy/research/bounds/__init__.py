"""How much a learnt response wins from a bot: bounds from below."""
