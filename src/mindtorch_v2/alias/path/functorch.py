"""What ``import functorch`` finds in a process that was started by `mindtorch run`, as PyTorch brings it along."""

import importlib
import sys

import torch  # noqa: F401  which takes both names

del sys.modules[__name__]
importlib.import_module(__name__)
