"""Settings of libraries that are not here: what programs set is kept and told, and switches nothing."""

from __future__ import annotations


class Settings:
    """Names with values; others do not exist."""

    def __init__(self, **values) -> None:
        vars(self).update(values)

    def __getattr__(self, name: str):
        raise AttributeError(f"Unknown attribute {name}")

    def __setattr__(self, name: str, value) -> None:
        if name not in vars(self):
            raise AttributeError(f"Unknown attribute {name}")
        vars(self)[name] = value
