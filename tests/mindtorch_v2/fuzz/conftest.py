"""Settings for the tests of random calls."""

from ..plain_program import plain_program  # noqa: F401  for every test here
