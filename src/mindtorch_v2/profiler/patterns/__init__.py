"""Habits that cost time, found in an event tree and reported with the line they come from."""
