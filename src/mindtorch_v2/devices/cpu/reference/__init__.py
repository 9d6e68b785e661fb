"""The kernels in readable NumPy: the definition the compiled ones are held to."""
