"""torch.utils.data.graph_settings: what a loader tells all pipes of a stream: seeds, shuffling, shares."""

from __future__ import annotations

import inspect
import warnings

from ...ops.random.generator import Generator
from .graph import every, traverse_dps
from .sampler import draw_seed

__all__ = ["apply_random_seed", "apply_sharding", "apply_shuffle_seed", "apply_shuffle_settings", "get_all_graph_pipes"]

SHARED_TWICE = ("Sharding twice on a single pipeline is likely unintended and will cause data loss. Sharding already "
                "applied to {} while trying to apply to {}")
GROUP_PARAMETERS = 3  # of an apply_sharding() that knows of groups


def get_all_graph_pipes(graph: dict) -> list:
    """The pipes of a graph, each once."""
    pipes: dict = {}

    def visit(graph: dict) -> None:
        for key, (pipe, below) in graph.items():
            if key not in pipes:
                pipes[key] = pipe
                visit(below)

    visit(graph)
    return list(pipes.values())


def apply_shuffle_settings(datapipe, shuffle: bool | None = None):
    """A stream shuffled or not as it is told; None leaves that to the pipes."""
    if shuffle is None:
        return datapipe
    shufflers = [pipe for pipe in every(datapipe) if hasattr(type(pipe), "set_shuffle")]
    if shuffle and not shufflers:
        warnings.warn("`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at the "
                      "end. Be aware that the default buffer size might not be sufficient for your task.",
                      stacklevel=3)
        datapipe = datapipe.shuffle()
        shufflers = [datapipe]
    for shuffler in shufflers:
        shuffler.set_shuffle(shuffle)
    return datapipe


def apply_random_seed(datapipe, rng: Generator):
    """Give every pipe that draws random numbers a seed of its own."""
    for pipe in every(datapipe):
        if hasattr(type(pipe), "set_seed"):
            pipe.set_seed(draw_seed(rng))
    return datapipe


def apply_shuffle_seed(datapipe, rng: Generator):
    """torch's older name."""
    warnings.warn("`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. Please "
                  "use `apply_random_seed` instead.", FutureWarning, stacklevel=2)
    return apply_random_seed(datapipe, rng)


def apply_sharding(datapipe, num_of_instances: int, instance_id: int, sharding_group=None):
    """Have every pipe that shares a stream give out one reader's share."""

    def visit(graph: dict, sharing=None) -> None:
        for pipe, below in graph.values():
            below_sharing = sharing
            if inspect.ismethod(getattr(pipe, "apply_sharding", None)):
                if sharing is not None:
                    raise RuntimeError(SHARED_TWICE.format(sharing, pipe))
                takes_group = len(inspect.signature(pipe.apply_sharding).parameters) >= GROUP_PARAMETERS
                group = {"sharding_group": sharding_group} if takes_group else {}
                pipe.apply_sharding(num_of_instances, instance_id, **group)
                below_sharing = pipe
            visit(below, below_sharing)

    visit(traverse_dps(datapipe))
    return datapipe
