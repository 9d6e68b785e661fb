"""The classes of scripted and traced programs, for isinstance(): nothing here is an instance of them."""

from __future__ import annotations

from ..nn.modules.module import Module


class ScriptModule(Module):
    """A module that a program derives from runs as Python."""


class RecursiveScriptModule(ScriptModule):
    """What torch.jit.script() makes of a module; here it stays the module."""


class TopLevelTracedModule(ScriptModule):
    """What torch.jit.trace() makes of a module; here it stays the module."""


class ScriptFunction:
    """What torch.jit.script() makes of a function; here it stays the function."""


class TracerWarning(Warning):
    """What torch warns with while it traces; for filters."""

    @staticmethod
    def ignore_lib_warnings() -> None:
        """Nothing traces, nothing warns."""


class ScriptWarning(Warning):
    """What torch warns with while it scripts; for filters."""
