"""Property tests draw the same examples on every run, so that a failure can be repeated."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
