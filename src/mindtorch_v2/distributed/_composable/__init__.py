"""torch.distributed._composable: an older address of what divides modules among processes."""

from ...core.missing_name import missing as _missing

__getattr__ = _missing(__name__)
