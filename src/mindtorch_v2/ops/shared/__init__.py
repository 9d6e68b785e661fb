"""What several folders of ops need."""
