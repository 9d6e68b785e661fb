"""The extension of notebooks that brings ``%%profile``: re-exports only."""

from .session.magic import load_ipython_extension as load_ipython_extension
