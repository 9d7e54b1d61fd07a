"""`python -m lostlegacy_sim`: the same as `llsim`."""

from lostlegacy_sim.cli import main

if __name__ == "__main__":
    main()
