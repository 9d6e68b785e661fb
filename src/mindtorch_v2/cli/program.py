"""The program that `run` and `profile` start, and its arguments."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


class Program(click.types.UnprocessedParamType):
    """The words behind a command, as they are; the shell completes them as names of files."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]
