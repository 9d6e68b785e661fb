"""Habits in how ops are called."""

from __future__ import annotations

from ...core import dtype as dtypes
from ..kineto.event_tree import _ProfilerEvent
from ..kineto.fields import _ExtraFields_TorchOp
from ..kineto.search import index_of_first_match
from .pattern import TUNING_GUIDE, Pattern, input_dtypes, input_shapes

SELECT = "aten::select"
OFTEN = 10  # so many steps of a loop are worth a word
ALIGNED = 8


class _OfGpu(Pattern):
    """A pattern about GPUs: there is none, so there is nothing to advise."""

    @property
    def skip(self) -> bool:
        return True

    def match(self, event: _ProfilerEvent) -> bool:
        return False


class ExtraCUDACopyPattern(_OfGpu):
    """A tensor filled on the processor and then moved."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "Extra CUDA Copy Pattern"
        self.description = "Filled a CPU tensor and immediately moved it to GPU. Please initialize it on GPU."
        self.url = TUNING_GUIDE + "create-tensors-directly-on-the-target-device"
        self.init_ops = {"aten::fill_", "aten::zero_", "aten::normal_", "aten::uniform_"}


class FP32MatMulPattern(_OfGpu):
    """Products of matrices without TF32."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "FP32 MatMul Pattern"
        self.description = ("You are currently using GPU that supports TF32. Please enable TF32 by setting "
                            "'torch.backends.cuda.matmul.allow_tf32 = True'")
        self.url = "https://pytorch.org/docs/stable/notes/cuda.html#tensorfloat-32-tf32-on-ampere-devices"

    def report(self, event: _ProfilerEvent) -> str:
        return self.description


class ForLoopIndexingPattern(Pattern):
    """A loop that takes a tensor apart, row by row."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "For Loop Indexing Pattern"
        self.description = "For loop indexing detected. Vectorization recommended."
        self.visited: set[int] = set()

    def match(self, event: _ProfilerEvent) -> bool:
        """The first of many selects that come with the same calls in between."""
        if event.name != SELECT or event.id in self.visited:
            return False
        siblings, first = self.place_of(event)
        second = index_of_first_match(siblings, lambda other: other.name == SELECT, start=first + 1)
        if second is None:
            return False
        period, times = second - first, 0
        turn = siblings[first:second]
        body = [other.name for other in turn]
        while [other.name for other in turn] == body:
            self.visited.update(other.id for other in turn)
            times += 1
            turn = siblings[first + times * period:second + times * period]
        return times >= OFTEN


class MatMulDimInFP16Pattern(Pattern):
    """Products in half precision whose sizes are no multiples of eight."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "Matrix Multiplication Dimension Not Aligned Pattern"
        self.description = "Detected matmul with dimension not aligned. Please use matmul with aligned dimension."
        self.url = TUNING_GUIDE + "use-mixed-precision-and-amp"

    @property
    def skip(self) -> bool:
        return not self.prof.with_stack or not self.prof.record_shapes

    def match(self, event: _ProfilerEvent) -> bool:
        if event.name not in ("aten::mm", "aten::bmm", "aten::addmm") or not isinstance(
                event.extra_fields, _ExtraFields_TorchOp):
            return False
        half = any(dtype in (dtypes.float16, dtypes.bfloat16) for dtype in input_dtypes(event))
        return half and any(size % ALIGNED for shape in input_shapes(event) for size in shape[-2:])
