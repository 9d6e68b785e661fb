"""What profiles answer, live or loaded, and the files they are saved in."""
