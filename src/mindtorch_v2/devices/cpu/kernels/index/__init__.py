"""Reading and writing by positions and masks."""
