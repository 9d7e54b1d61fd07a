"""How the weights of `trained` are learnt."""
