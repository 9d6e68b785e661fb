"""torch.fx.experimental.proxy_tensor: who records ops into a graph, which is nobody."""

from ...core.missing_name import missing as _missing


def get_proxy_mode() -> None:
    """None: ops are not recorded into a graph."""


__getattr__ = _missing(__name__)
