"""Tests of the views: functions of a table, with exact numbers."""
