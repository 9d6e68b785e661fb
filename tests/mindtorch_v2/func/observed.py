"""What an expression of derivative_cases.py gives, in JSON."""

from __future__ import annotations

import warnings


def observed(torch, names: dict, expression: str):
    """The value of an expression, or the error it ends in."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(torch, eval(expression, dict(names)))
    except Exception as error:
        while torch.autograd.forward_ad._current_level >= 0:
            torch.autograd.forward_ad.exit_dual_level()
        return f"{type(error).__name__}: {error}"


def plain(torch, value):
    """A value as lists; a tensor by its type, shape and numbers, with a word where it has a history."""
    if isinstance(value, torch.Tensor):
        numbers = torch.view_as_real(value.detach().resolve_conj()) if value.is_complex() else value.detach()
        history = "grad" if value.requires_grad else "plain"
        return {"tensor": [str(value.dtype), list(value.shape), history, numbers.flatten().tolist()]}
    if isinstance(value, dict):
        return {key: plain(torch, one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(torch, one) for one in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__
