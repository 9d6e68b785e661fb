"""Reducer: averages the gradients of all processes, in buckets, while backward still finds others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...api.install import FUNCTIONS
from ...autograd.grad_mode import no_grad
from ...autograd.node import accumulator_of
from ...autograd.passes import Engine
from ...core.tensor import Tensor

FIRST_BUCKET_BYTES = 1 << 20  # small, so that the first exchange begins early
_UNFINISHED = (
    "Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that "
    "your module has parameters that were not used in producing loss. You can enable unused parameter detection by "
    "passing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by "
    "\nmaking sure all `forward` function outputs participate in calculating loss. \nIf you already have done the "
    "above, then the distributed data parallel module wasn't able to locate the output tensors in the return value of "
    "your module's `forward` function. Please include the loss function and the structure of the return value of "
    "`forward` of your module when reporting this issue (e.g. list, dict, iterable).\nParameter indices which did not "
    "receive grad for rank {}: {}\n In addition, you can set the environment variable TORCH_DISTRIBUTED_DEBUG to "
    "either INFO or DETAIL to print out information about which particular parameters did not receive gradient on this "
    "rank as part of this error")


class Reducer:
    """Buckets of parameters, in the order in which backward is expected to reach them."""

    def __init__(self, parameters: list[Tensor], group, bucket_bytes: int, find_unused: bool) -> None:
        self._parameters, self._group, self._find_unused = parameters, group, find_unused
        self._buckets = _buckets(parameters, bucket_bytes)
        self._bucket_of = {place: number for number, bucket in enumerate(self._buckets) for place in bucket}
        self.hook: Callable | None = None  # what exchanges a bucket, in the place of a sum
        self._waiting: list[set[int]] = []  # places of parameters, by bucket, whose gradients are still to come
        self._used: set[int] = set()
        self._exchanges: list = []
        self._is_expecting = False
        self._handles = [parameter.register_post_accumulate_grad_hook(self._hook_of(place))
                         for place, parameter in enumerate(parameters)]

    def _hook_of(self, place: int) -> Callable[[Tensor], None]:
        def on_gradient(parameter: Tensor) -> None:
            if self._is_expecting:
                self._used.add(place)
                self._mark(place)
        return on_gradient

    def prepare_for_forward(self) -> None:
        """Complain of gradients that never came in the pass before."""
        missing = sorted(place for bucket in self._waiting for place in bucket)
        if self._is_expecting and missing and len(missing) < len(self._parameters):
            raise RuntimeError(_UNFINISHED.format(self._group.rank(), " ".join(map(str, missing))))

    def prepare_for_backward(self, outputs: Iterable[Tensor]) -> None:
        """Expect gradients of all parameters, or of those that the outputs were made of."""
        self._waiting = [set(bucket) for bucket in self._buckets]
        self._used, self._exchanges, self._is_expecting = set(), [], True
        if self._find_unused:
            reached = _reached_from(outputs)
            for place, parameter in enumerate(self._parameters):
                if id(accumulator_of(parameter)) not in reached:
                    self._mark(place)

    def _mark(self, place: int) -> None:
        """A parameter has its gradient, or gets none."""
        waiting = self._waiting[self._bucket_of[place]]
        if place not in waiting:
            raise RuntimeError("Expected to mark a variable ready only once. This error is caused by one of the "
                               "following reasons: 1) Use of a module parameter outside the `forward` function. 2) "
                               "Reused parameters in multiple reentrant backward passes.")
        waiting.discard(place)
        while len(self._exchanges) < len(self._buckets) and not self._waiting[len(self._exchanges)]:
            if self._find_unused and not self._used:
                return  # backward has not begun; the first gradient comes back to these
            self._begin(len(self._exchanges))
        if len(self._exchanges) == len(self._buckets) and self._is_expecting:
            self._is_expecting = False
            Engine.queue_callback(self._finish)

    def _begin(self, number: int) -> None:
        """Exchange a bucket; all processes begin with the same one."""
        from ...distributed.collectives import all_reduce  # above this room, as in torch
        from ...distributed.grad_bucket import GradBucket
        parameters = [self._parameters[place] for place in self._buckets[number]]
        with no_grad():
            buffer = FUNCTIONS["cat"]([_gradient(parameter) for parameter in parameters])
        if self.hook is not None:
            bucket = GradBucket(number, len(self._buckets), buffer, parameters)
            self._exchanges.append((buffer, self.hook(bucket)))
            return
        with no_grad():
            buffer.mul_(1 / self._group.size())
        self._exchanges.append((buffer, all_reduce(buffer, group=self._group, async_op=True)))

    def _finish(self) -> None:
        """Give the parameters what came of the exchanges."""
        used = self._used_anywhere()
        with no_grad():
            for bucket, (buffer, exchange) in zip(self._buckets, self._exchanges, strict=True):
                result = exchange.wait()
                flat = result if self.hook is not None else buffer
                flat = flat[0] if isinstance(flat, (list, tuple)) else flat
                parts = flat.split([self._parameters[place].numel() for place in bucket])
                for place, part in zip(bucket, parts, strict=True):
                    parameter = self._parameters[place]
                    if parameter.grad is not None:
                        parameter.grad.copy_(part.view(parameter.shape))
                    elif place in used:
                        parameter.grad = part.view(parameter.shape).clone()
        self._exchanges = []

    def _used_anywhere(self) -> set[int]:
        """The places of parameters that some process has a gradient of."""
        if not self._find_unused:
            return self._used
        from ...distributed.object_collectives import all_gather_object
        everyone: list[set[int]] = [set()] * self._group.size()
        all_gather_object(everyone, self._used, self._group)
        return set().union(*everyone)


def _buckets(parameters: list[Tensor], most_bytes: int) -> list[list[int]]:
    """Places of parameters of one type in portions of about so many bytes; the portion of the last ones comes first."""
    finished, growing, limits = [], {}, {}
    for place, parameter in enumerate(parameters):
        kind = (parameter.dtype, parameter.device)
        bucket, nbytes = growing.pop(kind, ([], 0))
        bucket.append(place)
        nbytes += parameter.numel() * parameter.element_size()
        if nbytes >= limits.get(kind, min(FIRST_BUCKET_BYTES, most_bytes)):
            finished.append(bucket)
            limits[kind] = most_bytes
        else:
            growing[kind] = bucket, nbytes
    return sorted(finished + [bucket for bucket, _ in growing.values()], reverse=True)


def _gradient(parameter: Tensor) -> Tensor:
    """A parameter's gradient in a row; zeros if this process has none."""
    if parameter.grad is None:
        return FUNCTIONS["zeros_like"](parameter).reshape(-1)
    if parameter.grad.is_sparse:
        raise RuntimeError("DistributedDataParallel of mindtorch_v2 averages dense gradients only: make the embedding "
                           "with sparse=False")
    return parameter.grad.reshape(-1)


def _reached_from(outputs: Iterable[Tensor]) -> set[int]:
    """The nodes, by id, that backward of these tensors comes to."""
    waiting = [output.grad_fn if output.grad_fn is not None else accumulator_of(output) for output in outputs
               if output.requires_grad]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            waiting += [following for following, _ in node.next_functions if following is not None]
    return seen
