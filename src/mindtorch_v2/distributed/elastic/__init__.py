"""torch.distributed.elastic: what torchrun tells of workers that fail."""
