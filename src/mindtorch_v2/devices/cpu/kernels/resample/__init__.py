"""Images and signals at other places: resampled, sampled by a grid, shuffled."""
