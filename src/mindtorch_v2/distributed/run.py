"""torchrun: a program in several processes that find each other.

``python -m torch.distributed.run --standalone --nproc-per-node 2 train.py``; `mindtorch torchrun` is the same.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import uuid
from datetime import timedelta
from pathlib import Path

from .elastic.multiprocessing.errors import ChildFailedError, record
from .tcp_store import TCPStore
from .workers import Launch, cpu_count, forward_signals, run_workers

log = logging.getLogger(__name__)
DEFAULT_PORT = 29500
_STATIC, _C10D = "static", "c10d"
# Options of torch's that change nothing here, or say what is the case anyway.
_WITHOUT_EFFECT = ("rdzv-conf", "monitor-interval", "start-method", "event-log-handler", "local-addr", "logs-specs",
                   "numa-binding", "signals-to-handle", "duplicate-stdout-filters", "duplicate-stderr-filters")


def get_args_parser() -> argparse.ArgumentParser:
    """torchrun's options, with dashes or underscores; the environment (PET_…) gives others their defaults."""
    parser = argparse.ArgumentParser(prog="torchrun", description="Run a program in several processes of one group.")

    def option(name: str, **settings) -> None:
        names = dict.fromkeys((f"--{name}", f"--{name.replace('-', '_')}"))
        default = os.environ.get(f"PET_{name.replace('-', '_').upper()}", settings.pop("default", None))
        parser.add_argument(*names, default=default, **settings)

    option("nnodes", type=str, default="1:1", help="Number of machines; MIN:MAX must be one number.")
    option("nproc-per-node", type=str, default="1", help="Number of processes per machine: a number, auto or cpu.")
    option("rdzv-backend", type=str, default=_STATIC, help="static, or c10d on one machine.")
    option("rdzv-endpoint", type=str, default="", help="HOST:PORT of the first machine.")
    option("rdzv-id", type=str, default="none", help="Name of the run.")
    option("max-restarts", type=int, default=0, help="How often all processes are started again after a failure.")
    option("role", type=str, default="default", help="Name of the processes' role.")
    option("log-dir", type=str, help="Folder of the processes' logs.")
    option("node-rank", type=int, default=0, help="Number of this machine.")
    option("master-addr", type=str, default="127.0.0.1", help="Address of the first machine.")
    option("master-port", type=int, default=DEFAULT_PORT, help="Port of the first machine.")
    option("local-ranks-filter", type=str, default="", help="Processes whose output is shown: 0,1.")
    option("shutdown-timeout", type=float, default=30, help="Seconds between asking a process to end and killing it.")
    for short, name in (("-r", "redirects"), ("-t", "tee")):
        parser.add_argument(short, f"--{name}", default="0",
                            help="Streams of the processes for log files: 1 stdout, 2 stderr, 3 both; or 0:1,1:3.")
    for name in _WITHOUT_EFFECT:
        option(name, type=str, help="Taken, without effect.")
    parser.add_argument("--standalone", action="store_true", help="One machine, on a free port.")
    parser.add_argument("-m", "--module", action="store_true", help="The program is a module, as in python -m.")
    parser.add_argument("--no-python", "--no_python", action="store_true", help="The program is no Python file.")
    parser.add_argument("--run-path", "--run_path", action="store_true", help="Run the file by runpy.run_path.")
    parser.add_argument("--virtual-local-rank", "--virtual_local_rank", action="store_true",
                        help="Give every process the local rank 0.")
    parser.add_argument("training_script", help="The program.")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER, help="Its arguments.")
    return parser


def parse_args(args: list[str] | None) -> argparse.Namespace:
    """What a command line asks for."""
    return get_args_parser().parse_args(args)


def _count_of_machines(text: str) -> int:
    least, _, most = text.partition(":")
    if most and int(most) != int(least):
        raise ValueError(f"--nnodes {text}: mindtorch_v2 starts a fixed number of machines, so give one number")
    return int(least)


def _count_of_processes(text: str) -> int:
    if text in ("auto", "cpu"):
        return cpu_count()
    if text in ("gpu", "xpu"):
        raise ValueError(f"{text} is not available: this machine has none that mindtorch_v2 knows")
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"Unsupported nproc_per_node value: {text}") from None


def _command(args: argparse.Namespace) -> list[str]:
    """How one process is started."""
    if args.no_python:
        if args.module:
            raise ValueError("Don't use both the '--no-python' flag and the '--module' flag at the same time.")
        return [args.training_script]
    python = [os.environ.get("PYTHON_EXEC", sys.executable), "-u"]
    if args.run_path:
        python += ["-c", "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"]
    elif args.module:
        python.append("-m")
    return [*python, args.training_script]


def _streams(text: str, nproc: int) -> dict[int, int]:
    """By local rank, which streams are meant: "3" is both of all, "0:1,1:3" says it for each."""
    if ":" not in text:
        return dict.fromkeys(range(nproc), int(text))
    return {int(rank): int(bits) for rank, bits in (part.split(":") for part in text.split(","))}


def _endpoint(args: argparse.Namespace) -> tuple[str, int]:
    host, _, port = (args.rdzv_endpoint or f"{args.master_addr}:{args.master_port}").rpartition(":")
    return (host, int(port)) if host else (args.rdzv_endpoint, DEFAULT_PORT)


def run(args: argparse.Namespace) -> None:
    """Start the processes, again as often as allowed, and wait for their end."""
    nnodes, nproc = _count_of_machines(args.nnodes), _count_of_processes(args.nproc_per_node)
    is_alone = args.standalone or (nnodes == 1 and args.rdzv_backend == _C10D)
    if args.rdzv_backend not in (_STATIC, _C10D):
        raise ValueError(f"--rdzv-backend {args.rdzv_backend}: mindtorch_v2 knows static and c10d")
    if not is_alone and args.rdzv_backend == _C10D:
        raise ValueError("--rdzv-backend c10d numbers several machines by itself, which mindtorch_v2 does not: use "
                         "static, with --node-rank, --master-addr and --master-port")
    host, port = ("localhost", 0) if is_alone else _endpoint(args)
    run_id = str(uuid.uuid4()) if args.standalone else args.rdzv_id
    node_rank = 0 if is_alone else args.node_rank
    # Kept here, so that it outlives workers that are started again.
    store = TCPStore(host, port, is_master=True, wait_for_workers=False,
                     timeout=timedelta(seconds=30)) if node_rank == 0 else None
    world = nnodes * nproc
    environment = {
        **os.environ, "MASTER_ADDR": host, "MASTER_PORT": str(store.port if store else port), "WORLD_SIZE": str(world),
        "LOCAL_WORLD_SIZE": str(nproc), "GROUP_RANK": str(node_rank), "GROUP_WORLD_SIZE": str(nnodes),
        "ROLE_NAME": args.role, "ROLE_WORLD_SIZE": str(world), "TORCHELASTIC_MAX_RESTARTS": str(args.max_restarts),
        "TORCHELASTIC_RUN_ID": run_id, "TORCHELASTIC_USE_AGENT_STORE": "True"}
    if nproc > 1 and "OMP_NUM_THREADS" not in environment:
        environment["OMP_NUM_THREADS"] = "1"
        log.warning("Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your "
                    "system being overloaded; set it yourself for as many threads as you want.")
    shown = {int(rank) for rank in args.local_ranks_filter.split(",")} if args.local_ranks_filter else None
    streams = [_streams(text, nproc) for text in (args.redirects, args.tee)]
    with tempfile.TemporaryDirectory(prefix="torchelastic_") as folder:
        launch = Launch(args.training_script, _command(args), args.training_script_args, nproc, environment,
                        node_rank * nproc, Path(args.log_dir or folder) / run_id, shown, *streams,
                        getattr(args, "passes_local_rank", False), args.shutdown_timeout)
        _start_until_done(launch, args.max_restarts)


def _start_until_done(launch: Launch, max_restarts: int) -> None:
    for attempt in range(max_restarts + 1):
        try:
            run_workers(launch, attempt)
            return
        except ChildFailedError as error:
            if attempt == max_restarts:
                raise
            _, failure = error.get_first_failure()
            log.warning("failed (exitcode: %d) local_rank: %d (pid: %d); %d/%d attempts left; starting all again",
                        failure.exitcode, failure.local_rank, failure.pid, max_restarts - attempt, max_restarts)


@record
def main(args: list[str] | None = None) -> None:
    """The command."""
    forward_signals()
    run(parse_args(args))


if __name__ == "__main__":
    main()
