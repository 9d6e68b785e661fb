"""torch.distributed.launch: the older way to start a program in several processes, which gives it ``--local-rank``."""

from __future__ import annotations

from .run import forward_signals, get_args_parser, run


def main(args: list[str] | None = None) -> None:
    """The command."""
    parser = get_args_parser()
    parser.add_argument("--use-env", "--use_env", action="store_true", help="Tell local ranks by LOCAL_RANK only.")
    options = parser.parse_args(args)
    options.passes_local_rank = not options.use_env
    forward_signals()
    run(options)


if __name__ == "__main__":
    main()
