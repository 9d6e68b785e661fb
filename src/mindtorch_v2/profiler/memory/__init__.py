"""What memory was used for: how tensors flow through ops, their categories, and the timeline of both."""
