"""torch._dynamo.exc: what torch's compiler raises; here only for a name that is no compiler's."""

from __future__ import annotations

from ..compiler.backends import InvalidBackend, TorchDynamoException

__all__ = ["BackendCompilerFailed", "InternalTorchDynamoError", "InvalidBackend", "TorchDynamoException",
           "Unsupported", "UserError"]


class InternalTorchDynamoError(TorchDynamoException):
    """For except clauses."""


class BackendCompilerFailed(TorchDynamoException):
    """For except clauses."""


class Unsupported(TorchDynamoException):
    """For except clauses."""


class UserError(Unsupported):
    """For except clauses."""
