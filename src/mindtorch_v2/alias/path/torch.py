"""What ``import torch`` finds in a process that was started by `mindtorch run`: it makes way for mindtorch_v2."""

import sys
from pathlib import Path

del sys.modules[__name__]
try:
    import mindtorch_v2
except ModuleNotFoundError:  # not installed: the checkout that this file belongs to
    sys.path.append(str(Path(__file__).parents[3]))
    import mindtorch_v2

mindtorch_v2.install_as_torch()
