"""What a tensor is: dtype, device, storage, layout, modes."""
