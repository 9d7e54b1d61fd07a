"""What holds for all tests: examples drawn by hypothesis are the same in every run, however slow the machine."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
