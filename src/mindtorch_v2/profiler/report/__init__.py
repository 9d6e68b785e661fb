"""The report: one page that shows a profile, with everything it needs inside."""
