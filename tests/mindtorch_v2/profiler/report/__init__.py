"""Tests of the report: its data, its scripts, its policy."""
