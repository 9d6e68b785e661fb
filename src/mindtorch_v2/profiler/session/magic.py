"""``%%profile``: a notebook's cell under the profiler, its profile shown below it."""

from __future__ import annotations

import argparse
import shlex

from .profile import profile

NAME = "prof"  # by which the profile is known in later cells
SWITCHES = {"shapes": "record_shapes", "memory": "profile_memory", "stack": "with_stack", "flops": "with_flops"}


class _Parser(argparse.ArgumentParser):
    """Arguments of a magic; a mistake is an error of the cell, and not the notebook's end."""

    def error(self, message: str):
        from IPython.core.error import UsageError
        raise UsageError(f"%%profile: {message}\n{self.format_usage()}")


def _parser() -> _Parser:
    parser = _Parser(prog="%%profile", add_help=False)
    for switch, argument in SWITCHES.items():
        parser.add_argument(f"--{switch}", dest=argument, action="store_true")
    parser.add_argument("--all-threads", action="store_true", help="not only the thread that runs cells")
    parser.add_argument("-o", "--output", metavar="FILE", help="save the profile (.mtprof), or its report (.html)")
    parser.add_argument("-n", "--name", default=NAME, help="the variable that holds the profile")
    return parser


def run(shell, line: str, cell: str) -> None:
    """Run a cell of a notebook under a profile, and show the profile below it."""
    given = _parser().parse_args(shlex.split(line))
    prof = profile(with_modules=True, threads=None if given.all_threads else "current",
                   **{argument: getattr(given, argument) for argument in SWITCHES.values()})
    with prof:
        result = shell.run_cell(cell)
    shell.user_ns[given.name] = prof
    if given.output:
        (prof.report if given.output.endswith(".html") else prof.save)(given.output)
    if result.success:
        from IPython.display import display
        display({"text/plain": prof.summary(), "text/html": prof._repr_html_()}, raw=True)


def load_ipython_extension(shell) -> None:
    """What ``%load_ext mindtorch_v2.profiler.notebook`` calls."""
    shell.register_magic_function(lambda line, cell: run(shell, line, cell), "cell", "profile")
