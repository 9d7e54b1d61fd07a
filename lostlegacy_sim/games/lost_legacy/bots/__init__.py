"""Who plays: the bots of the house by the rooms of how they think, the roster that finds and seats them, the trial of a user's bot."""
