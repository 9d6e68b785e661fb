"""New tensors, copies and conversions."""
