"""What runs the array work: one folder a device."""
