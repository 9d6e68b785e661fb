"""Profiling sessions: they listen to the recorder and drain it into an event table."""
