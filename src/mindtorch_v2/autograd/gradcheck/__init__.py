"""torch.autograd.gradcheck: derivatives against differences."""

from .check import gradcheck, gradgradcheck
from .errors import GradcheckError
from .jacobians import get_analytical_jacobian, get_numerical_jacobian

__all__ = ["GradcheckError", "get_analytical_jacobian", "get_numerical_jacobian", "gradcheck", "gradgradcheck"]
