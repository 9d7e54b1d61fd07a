"""Bots that play the game on in their heads: belief, playout, ismcts, and the models and trees they use."""
