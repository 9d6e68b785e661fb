"""torch.utils.data.datapipes: datasets put together from small parts."""

from . import iter, map  # noqa: A004  torch's names
