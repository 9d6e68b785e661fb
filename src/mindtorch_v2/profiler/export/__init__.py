"""⑤ Ways out of a profile: one format, one file."""
